// Two nodes on one database, as a balancer spreads guests and gateways over them: a sign-in goes on at the other node, a session is
// counted once whichever gets its reports, guesses add up, and a gateway is known to both as it was registered.
import type { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as gateways from '#contract/gateways.ts'
import { authMethods } from '#contract/portals.ts'
import { attemptReasons } from '#contract/sign-in-attempts.ts'
import { textsOf } from '#portal/languages.ts'
import type { RadiusPorts } from '#server/apps/radius.ts'
import { connect } from '#server/db/logins.ts'
import type { Node } from '#server/node.ts'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import { countHours } from '#server/sessions/count-hours.ts'
import { openBeside } from '#test/beside.ts'
import { aMacAddress, openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { openMessages } from '#test/messages.ts'
import { numberIn, openGateway, textIn, type RadiusRequest, type TestGateway } from '#test/radius-client.ts'
import { letInEarlier, showClock } from '#test/radius.ts'

const portal_url = 'http://guests.foyer.test'
const patience = { timeout: 120_000 }
const right = 'not to be guessed'
const { refused } = textsOf.en
/** Where a packet or a guest's request arrives. */
type At = 'a' | 'b'
type GuestApp = NonNullable<Node['guest']>

let messages: Awaited<ReturnType<typeof openMessages>>
let foyer: TestFoyer
let second: Node
let admin: Client
let editor: Person
let guest: Record<At, GuestApp>
let ports: Record<At, RadiusPorts>
const opened: TestGateway[] = []

beforeAll(async () => {
  messages = await openMessages()
  const env = { ROLES: 'all', PORTAL_URL: portal_url, ...messages.env }
  foyer = await openFoyer({ env })
  second = await openBeside(foyer, env)
  if (!foyer.guest || !foyer.radius || !second.guest || !second.radius) throw new Error('a role is missing')
  const any = { access: 0, accounting: 0 }
  guest = { a: foyer.guest, b: second.guest }
  ports = { a: await foyer.radius.listen('127.0.0.1', any), b: await second.radius.listen('127.0.0.1', any) }
  admin = await connect(foyer.database.adminUrl)
  editor = await foyer.customer()
})
afterAll(async () => {
  await Promise.all(opened.map((gateway) => gateway.close()))
  await admin?.end()
  await second?.close()
  await foyer?.close()
  await messages?.close()
})
beforeEach(() => admin.query('delete from rate_limits'))

const rowsOf = async <R extends object>(text: string, ...values: unknown[]) => (await admin.query<R>(text, values)).rows

/** A property with a portal and a gateway that asks either node. */
async function site(wifi: Parameters<TestFoyer['package']>[1] = {}) {
  const { id: portal_id, url } = await foyer.portal(editor, { auth_method_ids: Object.values(authMethods) })
  const { id: package_id } = await foyer.package(editor, { session_time_hrs: 2, ...wifi })
  const [country] = await rowsOf<{ id: number }>(`select id from countries where code = 'GB'`)
  const { id: property_id } = await foyer.property(editor, { portal_id, package_id, country_id: country?.id ?? 0 })
  const made = await foyer.gateway(editor, { property_id, gateway_type_id: 13, dns_name: 'hotspot.example' })
  const gateway = { a: await openGateway(ports.a, made), b: await openGateway(ports.b, made) }
  opened.push(gateway.a, gateway.b)
  const username = unique('guest')
  await foyer.account(editor, { property_id, package_id, username, password: right })
  const address = (mac: string) => `${url.replace(portal_url, '')}?nasid=${made.nas_identifier}&client_mac=${mac}`
  const access = async (at: At, calling_station_id: string, password = right) => {
    const answer = await gateway[at].access({ user_name: username, password, calling_station_id })
    return { answer, said: answer.code === code.access_accept ? 'accepted' : textIn(answer, attribute.reply_message) }
  }
  return {
    property_id,
    made,
    gateway,
    username,
    access,
    open: async (at: At, mac: string) => (await guest[at].inject({ url: address(mac) })).body,
    send: async (at: At, mac: string, typed: Record<string, string>) => {
      const answer = await guest[at].inject({
        method: 'POST',
        url: address(mac),
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en' },
        payload: new URLSearchParams(typed).toString(),
      })
      return answer.body.replaceAll('&#x27;', "'")
    },
  }
}
type Site = Awaited<ReturnType<typeof site>>

/** What the page gives the device to show to the gateway. */
function passOn(page: string) {
  const valueOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
  expect(valueOf('username')).toMatch(/^pass-/)
  return { user_name: valueOf('username'), password: valueOf('password') }
}
/** Its digits: one that is neither in an address nor in a header. */
const digitsIn = (text: string) => /\b\d{6}\b(?!\d)/.exec(text.split('\r\n\r\n').slice(1).join('\n') || text)?.[0] ?? ''

describe('a sign-in that began at the one node', () => {
  const newest = async (messagesOf: () => string[]) => {
    await expect.poll(() => messagesOf().length, patience).toBe(1)
    return digitsIn(messagesOf()[0] ?? '')
  }

  test.each<[At, At]>([
    ['a', 'b'],
    ['b', 'a'],
  ])('goes on at the other with its code, and RADIUS there takes its pass: %s, %s', async (one, other) => {
    const its = await site()
    const mac = aMacAddress()
    const email = `${one}.guest@mail.example`
    expect(await its.open(one, mac)).toContain('name="email"')
    expect(await its.send(one, mac, { method: String(authMethods.email), email })).toContain('value="pass-')
    const digits = await newest(() => messages.mailsTo(email))
    expect(await its.open(other, mac)).toContain('name="code"')
    const wrong = String((Number(digits) + 1) % 1_000_000).padStart(6, '0')
    const typed = { method: String(authMethods.email) }
    expect(await its.send(one, mac, { ...typed, code: wrong })).toContain(refused.wrong_code)
    const pass = passOn(await its.send(other, mac, { ...typed, code: digits }))
    const answer = await its.gateway[other].access({ ...pass, calling_station_id: mac })
    expect(answer.code).toBe(code.access_accept)
    expect(numberIn(answer, attribute.session_timeout)).toBe(7200)
  })

  test('is refused at the other once its code was tried too often here and there', async () => {
    const its = await site()
    const mac = aMacAddress()
    const email = 'guessed@mail.example'
    await its.send('a', mac, { method: String(authMethods.email), email })
    const digits = await newest(() => messages.mailsTo(email))
    const sent = (at: At, code: string) => its.send(at, mac, { method: String(authMethods.email), code })
    const wrong = String((Number(digits) + 1) % 1_000_000).padStart(6, '0')
    for (const at of ['a', 'b', 'a', 'b'] as const) expect(await sent(at, wrong)).toContain(refused.wrong_code)
    expect(await sent('a', wrong)).toContain(refused.code_over)
    expect(await sent('b', digits)).toContain(refused.code_over)
  })

  test('has a pass that one device takes, whichever node it is shown to, and however often at once', async () => {
    const its = await site()
    const [mac, thief] = [aMacAddress(), aMacAddress()]
    const account = { username: its.username, password: right }
    const pass = passOn(await its.send('a', mac, { method: String(authMethods.account), ...account }))
    const shownTo = (at: At, calling_station_id: string) =>
      its.gateway[at].access({ ...pass, calling_station_id }).then((answer) => answer.code)
    expect(await shownTo('b', thief)).toBe(code.access_reject)
    // A gateway that got no answer asks its other server.
    const both = Promise.all([shownTo('a', mac), shownTo('b', mac)])
    expect(await both).toEqual([code.access_accept, code.access_accept])
    await admin.query(
      `update access_passes set used_at = used_at - interval '10 minutes', expires_at = expires_at - interval '10 minutes'
       where username = $1`,
      [pass.user_name],
    )
    expect(await Promise.all([shownTo('a', mac), shownTo('b', mac)])).toEqual([code.access_reject, code.access_reject])
  })
})

describe('of devices and guesses that come to both nodes', () => {
  /** Half of them each, at once. */
  const spread = <T>(count: number, one: (at: At, index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => one(index % 2 === 0 ? 'a' : 'b', index)))
  const countOf = (said: (string | undefined)[]) =>
    Object.fromEntries([...Map.groupBy(said, (word) => word)].map(([word, each]) => [word, each.length]))

  test('no more get in than the package allows', async () => {
    const its = await site({ max_users: 3 })
    const said = await spread(20, async (at) => (await its.access(at, aMacAddress())).said)
    expect(countOf(said)).toEqual({ accepted: 3, [attemptReasons.device_limit]: 17 })
  })

  test('ten guesses at an account are judged, and the others wait, also those at once', async () => {
    const its = await site()
    const guesser = aMacAddress()
    const said = await spread(40, async (at, index) => (await its.access(at, guesser, `guess ${index}`)).said)
    expect(countOf(said)).toEqual({ [attemptReasons.wrong_password]: 10, [attemptReasons.too_many_tries]: 30 })
  })

  test('so are those on the page of the one and in RADIUS of the other', async () => {
    const its = await site()
    const guesser = aMacAddress()
    const typed = { method: String(authMethods.account), username: its.username }
    const said = await spread(40, async (at, index) => {
      if (index % 4 < 2) return (await its.access(at, guesser, `guess ${index}`)).said
      const page = await its.send(at, guesser, { ...typed, password: `guess ${index}` })
      return page.includes(refused.too_often) ? attemptReasons.too_many_tries : attemptReasons.wrong_password
    })
    expect(countOf(said)).toEqual({ [attemptReasons.wrong_password]: 10, [attemptReasons.too_many_tries]: 30 })
  })

  test('ten guesses at an account from many devices are judged, and its right password waits then', async () => {
    const its = await site()
    await spread(40, (at, index) => its.access(at, aMacAddress(), `guess ${index}`))
    const judged = await rowsOf<{ count: number }>(
      `select count(*)::integer as count from radius_authorisations where property_id = $1 and reason = 'wrong_password'`,
      its.property_id,
    )
    // The one that makes them too many is the eleventh.
    expect(judged).toEqual([{ count: 11 }])
  })

  test('a limit that was reached at the one holds at the other, in RADIUS and on its page', async () => {
    const its = await site()
    const known = aMacAddress()
    expect((await its.access('a', known)).said).toBe('accepted')
    for (let tried = 0; tried < 11; tried++) await its.access('a', aMacAddress(), `guess ${tried}`)
    expect((await its.access('b', aMacAddress())).said).toBe(attemptReasons.too_many_tries)
    const typed = { method: String(authMethods.account), username: its.username, password: right }
    expect(await its.send('b', aMacAddress(), typed)).toContain(refused.too_often)
    // A device that was let in at the one is known at the other.
    expect((await its.access('b', known)).said).toBe('accepted')
    expect(await its.send('b', known, typed)).toContain('value="pass-')
  })
})

describe('a session whose reports come to both nodes', () => {
  const { start, interim, stop } = status_type
  /** A device that was let in at the one an hour ago; how its gateway reports it to either. */
  async function online({ gateway, access }: Site, began_s: number) {
    const mac = aMacAddress()
    const { answer, said } = await access('a', mac)
    expect(said).toBe('accepted')
    const mark = textIn(answer, attribute.class) ?? ''
    await letInEarlier(admin, mark, 3600)
    const known = { calling_station_id: mac, class: mark, acct_session_id: `session ${mac}` }
    const report = (at: At, kind: number, seconds: number, more: RadiusRequest = {}) =>
      gateway[at].report({
        ...known,
        acct_status_type: kind,
        acct_session_time: seconds,
        event_timestamp: began_s + seconds,
        ...more,
      })
    return { mac, report }
  }
  const began = () => Math.floor(Date.now() / 1000) - 900
  const sumsOf = async (property_id: number) => ({
    sessions: await rowsOf(
      `select seconds::integer, bytes_up::integer, bytes_down::integer, stopped_at is null as online
       from radius_sessions where property_id = $1 order by seconds`,
      property_id,
    ),
    days: await rowsOf(
      `select sum(sessions)::integer as sessions, sum(seconds)::integer as seconds, sum(bytes_up)::integer as bytes_up,
         sum(bytes_down)::integer as bytes_down from session_days where property_id = $1`,
      property_id,
    ),
    used: await rowsOf(
      `select sum(u.seconds_used)::integer as seconds, sum(u.bytes_used)::integer as bytes from usage_periods u
       join accounts a on a.customer_id = u.customer_id and a.id = u.account_id where a.property_id = $1`,
      property_id,
    ),
  })

  test('is one session, and is counted once in the sums, the quota and the peak', async () => {
    const its = await site({ volume_gb: 5 })
    await showClock(its.gateway.a)
    const began_s = began()
    const [one, other] = [await online(its, began_s), await online(its, began_s)]
    const octets = (n: number) => ({ acct_input_octets: n * 1000, acct_output_octets: n * 5000 })
    // In turns; the other one begins at the one node, and is reported to the other from then on.
    await one.report('a', start, 0)
    await other.report('a', start, 0)
    for (let n = 1; n <= 6; n++) {
      await one.report(n % 2 === 0 ? 'a' : 'b', interim, n * 60, octets(n))
      await other.report('b', interim, n * 60, octets(n))
    }
    // The same report to both, since the answer of the one was late, and newer ones beside older ones.
    await Promise.all(
      [7, 8, 9, 10].flatMap((n) =>
        (['a', 'b'] as const).flatMap((at) => [
          one.report(at, interim, n * 60, octets(n)),
          other.report(at, interim, n * 60, octets(n)),
        ]),
      ),
    )
    await Promise.all((['a', 'b'] as const).map((at) => one.report(at, stop, 660, octets(11))))
    await Promise.all([countHours(foyer.services.tenancy), countHours(second.services.tenancy)])
    expect(await sumsOf(its.property_id)).toEqual({
      sessions: [
        { seconds: 600, bytes_up: 10_000, bytes_down: 50_000, online: true },
        { seconds: 660, bytes_up: 11_000, bytes_down: 55_000, online: false },
      ],
      days: [{ sessions: 2, seconds: 1260, bytes_up: 21_000, bytes_down: 105_000 }],
      used: [{ seconds: 1260, bytes: 126_000 }],
    })
    const peak = await rowsOf(
      'select max(online) as online from property_hours where property_id = $1',
      its.property_id,
    )
    expect(peak).toEqual([{ online: 2 }])
  })

  test('uses up a quota with another that is reported to the other node at the same moment', async () => {
    const its = await site({ volume_gb: 1 })
    await admin.query('update gateways set disconnect_port = $2 where id = $1', [its.made.id, its.gateway.a.port])
    await showClock(its.gateway.a)
    const began_s = began()
    const [one, other] = [await online(its, began_s), await online(its, began_s)]
    await Promise.all([one.report('a', start, 0), other.report('b', start, 0)])
    const used = { acct_output_octets: 550_000_000 }
    await Promise.all([one.report('a', interim, 60, used), other.report('b', interim, 60, used)])
    for (const at of ['a', 'b'] as const) expect((await its.access(at, one.mac)).said).toBe(attemptReasons.data_used_up)
    // Both are ended at their gateway, whichever node does it.
    const ended = () =>
      new Set(its.gateway.a.requests.map((request) => textIn(request, attribute.acct_session_id))).size
    await expect.poll(ended, patience).toBe(2)
  })
})

describe('a gateway that both nodes have answered', () => {
  const answers = async ({ gateway, username }: Site, at: At, gave_up_ms: number) => {
    const asked = { user_name: username, password: right, calling_station_id: aMacAddress() }
    return (await gateway[at].send(gateway[at].accessPacket(asked), ports[at].access, gave_up_ms)) !== null
  }
  const known = async () => {
    const its = await site()
    for (const at of ['a', 'b'] as const) expect(await answers(its, at, patience.timeout)).toBe(true)
    return its
  }

  test('lets nobody in from the next request on, once it was disabled at the one', async () => {
    const its = await known()
    await foyer.get(gateways.deactivate, { ids: [its.made.id] }, editor)
    const mac = aMacAddress()
    for (const at of ['b', 'a'] as const) {
      expect((await its.access(at, mac)).said).toBe(attemptReasons.gateway_disabled)
      expect(await its.open(at, mac)).toContain(textsOf.en.unregistered_title)
    }
    await foyer.get(gateways.activate, { id: its.made.id }, editor)
    for (const at of ['b', 'a'] as const) expect((await its.access(at, mac)).said).toBe('accepted')
  })

  test('gets no answer any more, once it was deleted at the one', async () => {
    const its = await known()
    await foyer.get(gateways.remove, { id: its.made.id }, editor)
    for (const at of ['b', 'a'] as const) await expect.poll(() => answers(its, at, 1000), patience).toBe(false)
  })

  test('is answered by both under the secret that it was given at the one, and not under the former one', async () => {
    const its = await known()
    const { data } = await foyer.get(gateways.makeSecret, { id: its.made.id }, editor)
    for (const at of ['a', 'b'] as const) {
      const renewed = await openGateway(ports[at], { ...its.made, ...data })
      opened.push(renewed)
      const now = { ...its, gateway: { ...its.gateway, [at]: renewed } }
      expect(await answers(now, at, patience.timeout)).toBe(true)
      await expect.poll(() => answers(its, at, 1000), patience).toBe(false)
    }
  })
})
