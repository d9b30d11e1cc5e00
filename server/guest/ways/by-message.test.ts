// By message: guests who confirm an e-mail address or a mobile number, from the page through real mails and text messages to RADIUS.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Client } from 'pg'
import { textsOf } from '#portal/languages.ts'
import { connect } from '#server/db/logins.ts'
import { attribute, code } from '#server/radius-codec/dictionary.ts'
import { aMacAddress, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { openMessages } from '#test/messages.ts'
import { numberIn, openGateway, textIn, type TestGateway } from '#test/radius-client.ts'
import { inArabic } from '#test/typed-codes.ts'

const portal_url = 'http://guests.foyer.test'
const { refused, code: asked, confirm: link } = textsOf.en
const patience = { timeout: 120_000 }
let messages: Awaited<ReturnType<typeof openMessages>>
let foyer: TestFoyer
let admin: Client
const opened: TestGateway[] = []

beforeAll(async () => {
  messages = await openMessages()
  foyer = await openFoyer({ env: { ROLES: 'all', PORTAL_URL: portal_url, QUOTA_MAILS: '40', ...messages.env } })
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await Promise.all(opened.map((gateway) => gateway.close()))
  await admin.end()
  await foyer.close()
  await messages.close()
})
// Each test has a customer of its own, and more sign up here than may from one address.
beforeEach(() => admin.query('delete from rate_limits'))

const rowsOf = async <R extends object>(text: string, ...values: unknown[]) => (await admin.query<R>(text, values)).rows
const unescaped = (html: string) => html.replaceAll('&#x27;', "'").replaceAll('&amp;', '&')

async function place(values: { marketing_text?: string; terms?: string } = {}, owner?: Person) {
  if (!foyer.radius) throw new Error('no role')
  const ports = await foyer.radius.listen('127.0.0.1', { access: 0, accounting: 0 })
  const editor = owner ?? (await foyer.customer())
  const { id: portal_id, url } = await foyer.portal(editor, { auth_method_ids: [1, 5, 6], ...values })
  const { id: package_id } = await foyer.package(editor, { session_time_hrs: 2 })
  const [country] = await rowsOf<{ id: number }>(`select id from countries where code = 'GB'`)
  const { id: property_id } = await foyer.property(editor, { portal_id, package_id, country_id: country?.id ?? 0 })
  const made = await foyer.gateway(editor, { property_id, gateway_type_id: 13, dns_name: 'hotspot.example' })
  const gateway = await openGateway(ports, made)
  opened.push(gateway)
  const address = (mac_address: string) =>
    `${url.replace(portal_url, '')}?nasid=${made.nas_identifier}&client_mac=${mac_address}`
  const posted = async (at: string, form: Record<string, string>, language = 'en') => {
    const answer = await foyer.guest?.inject({
      method: 'POST',
      url: at,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': language },
      payload: new URLSearchParams(form).toString(),
    })
    return unescaped(answer?.body ?? '')
  }
  const hidden = (body: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? ''
  return {
    customer_id: editor.user.customer.id,
    property_id,
    gateway,
    send: (mac_address: string, form: Record<string, string>, language?: string) =>
      posted(address(mac_address), form, language),
    open: async (mac_address: string) =>
      unescaped((await foyer.guest?.inject({ method: 'GET', url: address(mac_address) }))?.body ?? ''),
    press: (path: string) => posted(path, {}),
    read: async (path: string) => (await foyer.guest?.inject({ method: 'GET', url: path }))?.body ?? '',
    /** RADIUS's answer to the pass on a page. */
    async online(body: string, calling_station_id: string) {
      const user_name = hidden(body, 'username')
      expect(user_name).toMatch(/^pass-/)
      return gateway.access({ user_name, password: hidden(body, 'password'), calling_station_id })
    },
    byAddress: (calling_station_id: string) =>
      gateway.access({ user_name: calling_station_id, password: calling_station_id, calling_station_id }),
  }
}

async function newestMail(address: string, count = 1) {
  await expect.poll(() => messages.mailsTo(address).length, patience).toBe(count)
  const text = messages.mailsTo(address).at(-1) ?? ''
  return {
    text,
    digits: /\b\d{6}\b(?!\d)/.exec(text.split('\r\n\r\n').slice(1).join('\n'))?.[0] ?? '',
    path: /\/confirm\/[\w-]{43}/.exec(text)?.[0] ?? '',
  }
}
const wrongOf = (digits: string) => String((Number(digits) + 1) % 1_000_000).padStart(6, '0')
const timeout = (answer: Parameters<typeof numberIn>[0]) => numberIn(answer, attribute.session_timeout) ?? 0

test('an e-mail address gets a guest online for ten minutes, and its link for the whole package', async () => {
  const its = await place()
  const mac = aMacAddress()
  const first = await its.online(await its.send(mac, { method: '5', email: ' Ada@Mail.example ' }), mac)
  expect(first.code).toBe(code.access_accept)
  expect(timeout(first)).toBeGreaterThan(500)
  expect(timeout(first)).toBeLessThanOrEqual(600)
  const { path } = await newestMail('ada@mail.example')
  // Mail programs open links by themselves: that confirms nothing.
  expect(await its.read(path)).toContain(link.title)
  expect(timeout(await its.byAddress(mac))).toBeLessThanOrEqual(600)
  expect(await its.press(path)).toContain(link.done)
  expect(await its.press(path)).toContain(link.done)
  expect(timeout(await its.byAddress(mac))).toBe(7200)
  // From now on the same address is enough at the portal, and nothing is sent.
  const again = await its.online(await its.send(mac, { method: '5', email: 'ada@mail.example' }), mac)
  expect(timeout(again)).toBe(7200)
  expect(messages.mailsTo('ada@mail.example')).toHaveLength(1)
})

test('the page asks for the code in the mail, and says what is wrong with another', async () => {
  const its = await place({ terms: 'Be kind.', marketing_text: 'Send me offers' })
  const mac = aMacAddress()
  await its.send(mac, { method: '5', email: 'bo@mail.example', terms: '1', marketing: '1' })
  const { digits } = await newestMail('bo@mail.example')
  const page = await its.open(mac)
  expect(page).toContain(asked.email('b•••@mail.example'))
  expect(page).toMatch(/name="terms" value="1"/)
  const form = { method: '5', terms: '1' }
  expect(await its.send(mac, { ...form, code: wrongOf(digits) })).toContain(refused.wrong_code)
  expect(await its.send(mac, { ...form, code: '', again: '1' })).toContain(refused.wait)
  expect(await its.send(mac, { method: '5', change: '1' })).toContain('name="email"')
  const whole = await its.online(
    await its.send(mac, { ...form, code: inArabic(`${digits.slice(0, 3)} ${digits.slice(3)}`) }),
    mac,
  )
  expect(timeout(whole)).toBe(7200)
  // Pressed once more, and by another device or with other digits.
  expect(timeout(await its.online(await its.send(mac, { ...form, code: digits }), mac))).toBe(7200)
  expect(await its.send(mac, { ...form, code: wrongOf(digits) })).toContain(refused.code_over)
  expect(await its.send(aMacAddress(), { ...form, code: digits })).toContain(refused.code_over)
  const consents = await rowsOf(
    `select r.purpose, r.method, r.confirmed_at is not null as confirmed, g.email from consent_records r
     join guests g on g.id = r.guest_id where r.property_id = $1 order by r.purpose`,
    its.property_id,
  )
  expect(consents).toEqual([
    { purpose: 'marketing_email', method: 'double_opt_in', confirmed: true, email: 'bo@mail.example' },
    { purpose: 'terms', method: 'checkbox', confirmed: false, email: 'bo@mail.example' },
  ])
})

test('a tick for offers is confirmed with the address that it was given for, and with no other', async () => {
  const its = await place({ marketing_text: 'Send me offers' })
  const mac = aMacAddress()
  await its.send(mac, { method: '5', email: 'ela@typo.example', marketing: '1' })
  await newestMail('ela@typo.example')
  await its.send(mac, { method: '5', change: '1' })
  await its.send(mac, { method: '5', email: 'ela@mail.example' })
  const { digits } = await newestMail('ela@mail.example')
  await its.send(mac, { method: '5', code: digits })
  const consents = () =>
    rowsOf(
      `select r.purpose, r.confirmed_at is not null as confirmed, r.withdrawn_at is not null as withdrawn, g.email
       from consent_records r join guests g on g.id = r.guest_id
       where r.property_id = $1 and r.purpose like 'marketing%' order by r.id`,
      its.property_id,
    )
  const former = { purpose: 'marketing_email', confirmed: false, withdrawn: true, email: 'ela@mail.example' }
  expect(await consents()).toEqual([former])
  // Ticked again for this one, it counts; and an e-mail proves no number.
  const other = aMacAddress()
  await its.send(other, { method: '5', email: 'fay@mail.example', marketing: '1' })
  await admin.query(
    `insert into consent_records (customer_id, purpose, wording, guest_id, property_id, mac_address, method)
     select customer_id, 'marketing_sms', wording, guest_id, property_id, mac_address, method from consent_records
     where mac_address = $1 and purpose = 'marketing_email'`,
    [other],
  )
  await its.send(other, { method: '5', code: (await newestMail('fay@mail.example')).digits })
  const fay = { withdrawn: false, email: 'fay@mail.example' }
  expect(await consents()).toEqual([
    former,
    { purpose: 'marketing_email', confirmed: true, ...fay },
    { purpose: 'marketing_sms', confirmed: false, ...fay },
  ])
})

test('a guest who does not confirm is refused afterwards, and gets no further grace that day', async () => {
  const its = await place()
  const mac = aMacAddress()
  await its.online(await its.send(mac, { method: '5', email: 'cy@mail.example' }), mac)
  await newestMail('cy@mail.example')
  await admin.query(`update guests set grace_ends_at = now() - interval '1 second' where email = 'cy@mail.example'`)
  const late = await its.byAddress(mac)
  expect([late.code, textIn(late, attribute.reply_message)]).toEqual([
    code.access_reject,
    'The address is not confirmed yet. Open the link in our e-mail first.',
  ])
  // Another address on the same device: a code is sent, and asked for before anybody is online.
  const page = await its.send(mac, { method: '5', email: 'cyril@mail.example' })
  expect(page).toContain(asked.email('c•••@mail.example'))
  expect(page).not.toContain('value="pass-')
  const { digits } = await newestMail('cyril@mail.example')
  expect(timeout(await its.online(await its.send(mac, { method: '5', code: digits }), mac))).toBe(7200)
})

test('a code expires with its fifth try, with its time, and when a newer one is sent', async () => {
  const its = await place()
  const mac = aMacAddress()
  await its.send(mac, { method: '5', email: 'di@mail.example' })
  const { digits, path } = await newestMail('di@mail.example')
  await admin.query(
    `update one_time_codes set created_at = now() - interval '2 minutes' where address = 'di@mail.example'`,
  )
  expect(await its.send(mac, { method: '5', again: '1', code: '' })).toContain(asked.email_title)
  const second = await newestMail('di@mail.example', 2)
  expect(await its.press(path)).toContain(link.over)
  for (let tried = 0; tried < 4; tried++)
    expect(await its.send(mac, { method: '5', code: wrongOf(second.digits) })).toContain(refused.wrong_code)
  expect(await its.send(mac, { method: '5', code: wrongOf(second.digits) })).toContain(refused.code_over)
  expect(await its.send(mac, { method: '5', code: second.digits })).toContain(refused.code_over)
  expect(digits).not.toBe('')
})

test('somebody else’s address gives access to nothing of theirs, and the page answers as for an unknown one', async () => {
  const its = await place()
  const [own, other] = [aMacAddress(), aMacAddress()]
  await its.online(await its.send(own, { method: '5', email: 'eve@mail.example' }), own)
  await its.press((await newestMail('eve@mail.example')).path)
  const [guest] = await rowsOf<{ id: number }>(`select id from guests where email = 'eve@mail.example'`)
  await its.online(await its.send(other, { method: '5', email: 'eve@mail.example' }), other)
  const attempts = await rowsOf<{ guest_id: number }>(
    'select guest_id from radius_authorisations where mac_address = $1',
    other,
  )
  expect(attempts).toHaveLength(1)
  expect(attempts[0]?.guest_id).not.toBe(guest?.id)
  // When it is confirmed on the other device, too, it is one guest, with the consents given there.
  await its.press((await newestMail('eve@mail.example', 2)).path)
  const guests = await rowsOf(
    `select id, visits, waiting_mac_address from guests where property_id = $1 and deleted_at is null`,
    its.property_id,
  )
  expect(guests).toEqual([{ id: guest?.id, visits: 2, waiting_mac_address: null }])
  expect(timeout(await its.byAddress(other))).toBe(7200)
  // What the device was answered before is theirs as well: it is known by that, and goes on.
  for (const table of ['access_passes', 'radius_authorisations'])
    expect([table, await rowsOf(`select distinct guest_id from ${table} where mac_address = $1`, other)]).toEqual([
      table,
      [{ guest_id: guest?.id }],
    ])
})

test.each([
  ['another address', 'gil@mail.example', `update guests set email = 'gilbert@mail.example' where email = $1`],
  ['a newer code', 'hal@mail.example', 'update one_time_codes set expires_at = now() where address = $1'],
])('a link that is pressed while %s takes its place confirms nobody', async (_, email, change) => {
  const its = await place()
  const mac = aMacAddress()
  await its.online(await its.send(mac, { method: '5', email }), mac)
  const { path } = await newestMail(email)
  await admin.query('begin')
  await admin.query('select from guests where waiting_mac_address = $1 for update', [mac])
  await admin.query(change, [email])
  const pressed = its.press(path)
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await rowsOf(waiting)).length, patience).toBeGreaterThan(0)
  await admin.query('commit')
  expect(await pressed).not.toContain(link.done)
  const confirmed = 'select email from guests where property_id = $1 and confirmed_at is not null'
  expect(await rowsOf(confirmed, its.property_id)).toEqual([])
})

test('whoever signed out last year and confirms their address again is recognised from then on', async () => {
  const its = await place()
  const mac = aMacAddress()
  const form = { method: '5', email: 'ivy@mail.example' }
  await its.online(await its.send(mac, form), mac)
  await its.press((await newestMail('ivy@mail.example')).path)
  const last_year = `now() - interval '1 year'`
  await admin.query(
    `update guest_devices set last_seen_at = ${last_year}, signed_out_at = ${last_year} where mac_address = $1`,
    [mac],
  )
  expect((await its.byAddress(mac)).code).toBe(code.access_reject)
  await its.online(await its.send(mac, form), mac)
  expect(await its.press((await newestMail('ivy@mail.example', 2)).path)).toContain(link.done)
  expect(timeout(await its.byAddress(mac))).toBe(7200)
})

test('a mobile number gets a code by text message, in the guest’s language, and nobody online without it', async () => {
  const its = await place()
  const mac = aMacAddress()
  const page = await its.send(mac, { method: '6', mobile_number: '07700 900 321' }, 'de')
  expect(page).toContain(textsOf.de.code.sms('•••• 321'))
  expect(page).not.toContain('value="pass-')
  await expect.poll(() => messages.textsTo('+447700900321'), patience).toHaveLength(1)
  const [text = ''] = messages.textsTo('+447700900321')
  expect(text).toMatch(/^\d{6} ist Ihr Code für das WLAN bei /)
  expect((await its.byAddress(mac)).code).toBe(code.access_reject)
  expect(timeout(await its.online(await its.send(mac, { method: '6', code: text.slice(0, 6) }), mac))).toBe(7200)
  expect(await its.send(aMacAddress(), { method: '6', mobile_number: '12' })).toContain(refused.number)
  expect(await its.send(aMacAddress(), { method: '5', email: 'nobody' })).toContain(refused.address)
})

test('a customer whose owner has confirmed no address mails no guests, and texts them', async () => {
  const owner = await foyer.signedUp()
  const its = await place({}, owner)
  const page = await its.send(aMacAddress(), { method: '5', email: 'nina@unconfirmed.example' })
  expect(page).toContain(refused.no_more_messages)
  expect(page).not.toContain('value="pass-')
  await its.send(aMacAddress(), { method: '6', mobile_number: '07700 900 777' })
  await expect.poll(() => messages.textsTo('+447700900777'), patience).toHaveLength(1)
  // Somebody who sets up a portal can try it with their own address.
  const mac = aMacAddress()
  await its.online(await its.send(mac, { method: '5', email: owner.user.email }), mac)
  await expect
    .poll(() => messages.mailsTo(owner.user.email).some((text) => text.includes('/confirm/')), patience)
    .toBe(true)
  expect(messages.mailsTo('nina@unconfirmed.example')).toEqual([])
})

test('few messages go to one address and to one device in a day, and the page says so', async () => {
  const its = await place()
  const pages: string[] = []
  for (let sent = 0; sent < 6; sent++)
    pages.push(await its.send(aMacAddress(), { method: '6', mobile_number: '07700 900 555' }))
  expect(pages.map((page) => page.includes(refused.no_more_messages))).toEqual([...Array<boolean>(5).fill(false), true])
  const mac = aMacAddress()
  for (let sent = 0; sent < 6; sent++)
    pages.push(await its.send(mac, { method: '5', email: `many-${sent}@mail.example` }))
  expect(pages.at(-1)).toContain(refused.no_more_messages)
  expect(pages.at(-2)).not.toContain(refused.no_more_messages)
  const attempts = await rowsOf(
    `select identifier, mac_address = $2 as same from radius_authorisations
     where property_id = $1 and reason = 'no_more_messages' order by id`,
    its.property_id,
    mac,
  )
  expect(attempts).toEqual([
    { identifier: '+447700900555', same: false },
    { identifier: 'many-5@mail.example', same: true },
  ])
})
