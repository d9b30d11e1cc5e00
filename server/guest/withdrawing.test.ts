// Withdrawing consent on the guest's own page: asked once, with the effects of the desk's call, and only by a device that has proven who
// the guest is.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from 'pg'
import * as activity from '#contract/activity.ts'
import { textsOf } from '#portal/languages.ts'
import { connect } from '#server/db/logins.ts'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import { aMacAddress, openFoyer, type TestFoyer } from '#test/foyer.ts'
import { openMessages } from '#test/messages.ts'
import { openGateway, textIn, type TestGateway } from '#test/radius-client.ts'
import { codesOf } from '#test/voucher-codes.ts'

const wording = 'Send me offers & news'
const { consent, online_title } = textsOf.en
let messages: Awaited<ReturnType<typeof openMessages>>
let foyer: TestFoyer
let admin: Client
const boxes: TestGateway[] = []
beforeAll(async () => {
  messages = await openMessages()
  foyer = await openFoyer({ env: { ROLES: 'all', ...messages.env } })
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await Promise.all(boxes.map((box) => box.close()))
  await admin.end()
  await foyer.close()
  await messages.close()
})

const unescaped = (html: string) => html.replaceAll('&amp;', '&')
async function ask(path: string, form?: Record<string, string>): Promise<string> {
  const answer = await foyer.guest?.inject({
    method: form ? 'POST' : 'GET',
    url: path,
    ...(form && {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    }),
  })
  const to = answer?.headers.location
  return typeof to === 'string' ? ask(to) : unescaped(answer?.body ?? '')
}

/** A property whose portal asks for consent, and its box. */
async function open() {
  const editor = await foyer.customer()
  const { id: portal_id, url } = await foyer.portal(editor, {
    auth_method_ids: [1, 2, 5],
    marketing_text: wording,
    terms: 'Be kind.',
  })
  const { id: package_id } = await foyer.package(editor, { session_time_hrs: 2 })
  const { id: property_id } = await foyer.property(editor, { portal_id, package_id })
  const made = await foyer.gateway(editor, { property_id, gateway_type_id: 13, dns_name: 'hotspot.hotel.example' })
  const ports = await foyer.radius?.listen('127.0.0.1', { access: 0, accounting: 0 })
  if (!ports) throw new Error('no role')
  const box = await openGateway(ports, made)
  boxes.push(box)
  const path = new URL(url).pathname
  return {
    editor,
    property_id,
    path,
    /** Sends the form of the page, and returns the address that the guest comes back to once the box has let them in. */
    async signIn(mac_address: string, form: Record<string, string>, { isLetIn = true } = {}) {
      const sent = await ask(`${path}?nasid=${made.nas_identifier}&client_mac=${mac_address}`, { terms: '1', ...form })
      const valueOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(sent)?.[1] ?? ''
      const presented = {
        calling_station_id: mac_address,
        user_name: valueOf('username'),
        password: valueOf('password'),
      }
      if (isLetIn) {
        const accept = await box.access(presented)
        expect(accept.code).toBe(code.access_accept)
        await box.report({
          calling_station_id: mac_address,
          user_name: presented.user_name,
          class: textIn(accept, attribute.class) ?? '',
          acct_session_id: mac_address,
          acct_status_type: status_type.start,
        })
      }
      return path + new URL(valueOf('userurl')).search
    },
    withdrawn: () =>
      foyer.query<{ purpose: string; withdrawn_via: string | null }>(
        'select purpose, withdrawn_via from consent_records where property_id = $1 and withdrawn_at is not null order by purpose',
        [property_id],
      ),
  }
}

async function confirmed(address: string) {
  await expect.poll(() => messages.mailsTo(address).length, { timeout: 120_000 }).toBe(1)
  const link = /\/confirm\/[\w-]{43}/.exec(messages.mailsTo(address)[0] ?? '')?.[0] ?? ''
  expect(await ask(link, {})).toContain(textsOf.en.confirm.done)
}

test('a guest withdraws what they agreed to be sent: asked once, told that it is done, and the log says who did it', async () => {
  const { editor, property_id, signIn, withdrawn } = await open()
  const back = await signIn(aMacAddress(), { method: '5', email: 'ada@withdraws.example', marketing: '1' })
  await confirmed('ada@withdraws.example')
  const status = await ask(back)
  expect(status).toContain(online_title)
  const link = /href="([^"]*withdraw[^"]*)"/.exec(status)?.[1] ?? ''
  expect(status).toContain(`${link}">${consent.link}<`)

  const there = back.replace(/\?.*/, '') + link
  const asked = await ask(there)
  expect(asked).toContain(consent.asked)
  expect(asked).toContain(wording)
  expect(asked).not.toContain('Be kind.')
  // Looking withdraws nothing, and whoever goes back is online as before.
  expect(await withdrawn()).toEqual([])
  const kept = /href="([^"]*)">Back</.exec(asked)?.[1] ?? ''
  expect(await ask(back.replace(/\?.*/, '') + kept)).toContain(consent.link)

  expect(await ask(there.replace('lang=en', 'lang=de'), { withdraw: '1' })).toContain(textsOf.de.consent.done)
  expect(await withdrawn()).toEqual([{ purpose: 'marketing_email', withdrawn_via: 'portal' }])
  // Pressed again, it is done already.
  expect(await ask(there, { withdraw: '1' })).toContain(consent.done)
  const after = await ask(back)
  expect(after).toContain(online_title)
  expect(after).not.toContain(consent.link)

  const lines = (await foyer.get(activity.list, {}, editor)).data.filter(({ object_type }) => object_type === 'guests')
  expect(lines).toMatchObject([
    {
      action: 'update',
      principal_kind: 'guest',
      actor_name: 'A guest',
      after: { consent_withdrawn: ['marketing_email', 'marketing_sms'] },
    },
  ])
  const told = await foyer.query(`select from events where type = 'guest.consent_withdrawn' and property_id = $1`, [
    property_id,
  ])
  expect(told).toHaveLength(1)
})

test('one who clicked through withdraws on the device that agreed; the desk’s other guests keep theirs', async () => {
  const { signIn, withdrawn } = await open()
  const form = { method: '1', marketing: '1' }
  const [one, other] = [await signIn(aMacAddress(), form), await signIn(aMacAddress(), form)]
  expect(await ask(`${one}&withdraw=1`, { withdraw: '1' })).toContain(consent.done)
  expect(await withdrawn()).toHaveLength(1)
  expect(await ask(other)).toContain(consent.link)
})

test('nothing is offered, nor withdrawn, where nothing was agreed to or the device has not proven who the guest is', async () => {
  const { editor, property_id, signIn, withdrawn } = await open()
  const email = 'bo@withdraws.example'
  const back = await signIn(aMacAddress(), { method: '5', email, marketing: '1' })
  await confirmed(email)

  // Who claims to be the device of somebody who is online, who has agreed.
  const theirs = aMacAddress()
  await signIn(theirs, { method: '1', marketing: '1' })
  const claimed = await signIn(theirs, { method: '1' }, { isLetIn: false })
  const { id: package_id } = await foyer.package(editor, { session_time_hrs: 2 })
  const batch = await foyer.voucherBatch(editor, { property_id, package_id })
  const [voucher_code = ''] = await codesOf(admin, batch.id)
  const unproven = {
    'only the terms': await signIn(aMacAddress(), { method: '1' }),
    'the address of somebody else, not confirmed': await signIn(aMacAddress(), { method: '5', email, marketing: '1' }),
    'not let in by the box': await signIn(aMacAddress(), { method: '1', marketing: '1' }, { isLetIn: false }),
    'claimed to be the device of another guest': claimed,
    'a code, which is nobody’s': await signIn(aMacAddress(), { method: '2', voucher_code, marketing: '1' }),
    'no key': back.replace(/online=.{22}/, `online=${'x'.repeat(22)}`),
  }
  for (const [why, address] of Object.entries(unproven)) {
    expect(await ask(address), why).not.toContain(consent.link)
    expect(await ask(`${address}&withdraw=1`), why).not.toContain(consent.title)
    await ask(`${address}&withdraw=1`, { withdraw: '1' })
    expect(await withdrawn(), why).toEqual([])
  }
  await ask(back, { sign_out: '1' })
  await ask(`${back}&withdraw=1`, { withdraw: '1' })
  expect(await withdrawn()).toEqual([])
})

test('nothing is offered where the box asks nobody: whose device it is was only claimed', async () => {
  const { editor, property_id, path, withdrawn } = await open()
  const node_mac = aMacAddress()
  const settings = { splash: 'click_through' }
  await foyer.gateway(editor, { property_id, gateway_type_id: 8, mac_address: node_mac, settings })
  const query = new URLSearchParams({
    base_grant_url: 'https://n93.network-auth.com/splash/grant',
    user_continue_url: 'http://example.com/',
    client_ip: '10.20.30.40',
    client_mac: aMacAddress(),
    node_mac,
  })
  const sent = await foyer.guest?.inject({
    method: 'POST',
    url: `${path}?${query.toString()}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'method=1&terms=1&marketing=1',
  })
  const back = new URL(String(sent?.headers.location)).searchParams.get('continue_url') ?? ''
  const there = path + new URL(back).search
  const status = await ask(there)
  expect(status).toContain(online_title)
  expect(status).not.toContain(consent.link)
  await ask(`${there}&withdraw=1`, { withdraw: '1' })
  expect(await withdrawn()).toEqual([])
})
