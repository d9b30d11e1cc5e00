// Signing out before the gateway has reported the session: the page does not promise what has not happened, and the session is ended.
// Whoever signs in again is online by that, and whoever is to sign in again after a day is not told that something is used up.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as sessions from '#contract/sessions.ts'
import { textsOf } from '#portal/languages.ts'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import { endSessions } from '#server/sessions/end-sessions.ts'
import { aMacAddress, openFoyer, type TestFoyer } from '#test/foyer.ts'
import { openGateway, textIn, type Answered, type TestGateway } from '#test/radius-client.ts'

const words = textsOf.en
let foyer: TestFoyer
const boxes: TestGateway[] = []
beforeAll(async () => {
  foyer = await openFoyer({ env: { ROLES: 'api,guest,radius,jobs' } })
})
afterAll(async () => {
  for (const box of boxes) await box.close()
  await foyer.close()
})

/** A property where guests click through, its box, and the browser of a guest. */
async function open(allows: { session_time_hrs?: number } = {}) {
  const editor = await foyer.customer()
  const { id: portal_id, url } = await foyer.portal(editor, { auth_method_ids: [1] })
  const { id: package_id } = await foyer.package(editor, allows)
  const { id: property_id } = await foyer.property(editor, { portal_id, package_id })
  const made = await foyer.gateway(editor, { property_id, gateway_type_id: 13, dns_name: 'hotspot.hotel.example' })
  const ports = await foyer.radius?.listen('127.0.0.1', { access: 0, accounting: 0 })
  if (!ports) throw new Error('no role')
  const box = await openGateway(ports, made)
  boxes.push(box)
  await foyer.query('update gateways set disconnect_port = $2 where id = $1', [made.id, box.port])
  const calling_station_id = aMacAddress()
  /** As if they had been let in so long ago, and reported since. */
  const letInAgo = async (hours: number, reported_s_ago: number) => {
    const earlier = [calling_station_id, hours]
    for (const table of ['radius_sessions', 'radius_authorisations'])
      await foyer.query(
        `update ${table} set ends_at = ends_at - make_interval(hours => $2) where mac_address = $1`,
        earlier,
      )
    await foyer.query(
      'update radius_sessions set last_seen_at = now() - make_interval(secs => $2) where mac_address = $1',
      [calling_station_id, reported_s_ago],
    )
  }

  const ask = async (path: string, form?: Record<string, string>) => {
    const answer = await foyer.guest?.inject({
      method: form ? 'POST' : 'GET',
      url: path,
      ...(form && {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(form).toString(),
      }),
    })
    return answer?.body ?? ''
  }
  const path = new URL(url).pathname
  return {
    box,
    ask,
    letInAgo,
    /** The address that somebody comes to with the key, whose device is claimed: no box has let them in. */
    async claim() {
      const sent = await ask(`${path}?nasid=${made.nas_identifier}&client_mac=${calling_station_id}`, { method: '1' })
      return path + new URL(/name="userurl" value="([^"]*)"/.exec(sent)?.[1] ?? '').search
    },
    /** What the Accept tells the box, and the address that the guest comes back to. */
    async signIn() {
      const sent = await ask(`${path}?nasid=${made.nas_identifier}&client_mac=${calling_station_id}`, { method: '1' })
      const valueOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(sent)?.[1] ?? ''
      const accept = await box.access({
        calling_station_id,
        user_name: valueOf('username'),
        password: valueOf('password'),
      })
      expect(accept.code).toBe(code.access_accept)
      return { accept, back: path + new URL(valueOf('userurl')).search }
    },
    report: (accept: Answered, acct_session_id: string, acct_status_type: number) =>
      box.report({
        calling_station_id,
        class: textIn(accept, attribute.class) ?? '',
        acct_session_id,
        acct_status_type,
      }),
    sessions: async () => (await foyer.get(sessions.list, { params: { property_id } }, editor)).data,
  }
}

test('a guest who signs out before their session is reported reads that it is under way, until it has ended', async () => {
  const { box, ask, signIn, report, sessions } = await open()
  const { accept, back } = await signIn()
  expect(await ask(back)).toContain(words.online_title)

  await ask(back, { sign_out: '1' })
  expect(await ask(back)).toContain(words.signing_out_title)
  await report(accept, 'late', status_type.start)
  expect(await ask(back)).toContain(words.signing_out_title)
  await endSessions(foyer.services.tenancy, foyer.services.queue)
  await expect.poll(() => box.requests.length, { timeout: 20_000 }).toBe(1)
  expect(box.requests[0]?.code).toBe(code.disconnect_request)
  await report(accept, 'late', status_type.stop)
  expect(await ask(back)).toContain(words.signed_out_title)
  expect(await sessions()).toMatchObject([{ online: false }])
})

test('a guest who signed out and signs in again stays online, until they sign out again', async () => {
  const { box, ask, signIn, report, sessions } = await open()
  const before = await signIn()
  await ask(before.back, { sign_out: '1' })

  const again = await signIn()
  await report(again.accept, 'again', status_type.start)
  await endSessions(foyer.services.tenancy, foyer.services.queue)
  expect(await sessions()).toMatchObject([{ online: true, disconnect_asked_at: null }])
  expect(await ask(again.back)).toContain(words.online_title)
  const former = await ask(before.back)
  expect(former).toContain(words.signed_out_title)
  expect(former).not.toContain(words.signing_out_title)

  await report(again.accept, 'again', status_type.stop)
  const last = await signIn()
  await ask(last.back, { sign_out: '1' })
  await report(last.accept, 'last', status_type.start)
  await endSessions(foyer.services.tenancy, foyer.services.queue)
  await expect.poll(() => box.requests.length, { timeout: 20_000 }).toBe(1)
})

test('somebody who claims to be the device of a guest neither sees their session nor signs them out', async () => {
  const { ask, claim, signIn, report, sessions } = await open()
  const { accept, back } = await signIn()
  await report(accept, 'theirs', status_type.start)
  const claimed = await claim()
  expect(await ask(claimed)).toContain(words.signed_out_title)
  await ask(claimed, { sign_out: '1' })
  expect(await sessions()).toMatchObject([{ online: true, disconnect_asked_at: null }])
  expect(await ask(back)).toContain(words.online_title)
})

test.each([
  ['whose package has no hours reads that they are signed out', {}, 60, false],
  ['whose package’s hours are over reads that they are used up', { session_time_hrs: 0.01 }, 60, true],
  ['reads so too where the box reported them seconds after they were let in', { session_time_hrs: 0.01 }, 0, true],
  ['who has minutes left reads that they are signed out', { session_time_hrs: 0.1 }, 60, false],
])('after a day online a guest %s', async (_, allows, reported_s_ago, is_used_up) => {
  const { box, ask, signIn, report, letInAgo } = await open(allows)
  const { accept, back } = await signIn()
  await report(accept, 'long', status_type.start)
  await letInAgo(25, reported_s_ago)
  await endSessions(foyer.services.tenancy, foyer.services.queue)
  await expect.poll(() => box.requests.length, { timeout: 20_000 }).toBe(1)
  await report(accept, 'long', status_type.stop)
  const page = await ask(back)
  expect(page).toContain(is_used_up ? words.refused.used_up : words.signed_out_title)
  expect(page.includes(words.refused.used_up)).toBe(is_used_up)
})
