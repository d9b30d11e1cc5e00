// Access: who gets online and who is refused and why, over real UDP: by voucher, account, conference code, device and portal pass.
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as packages from '#contract/packages.ts'
import * as batches from '#contract/voucher-batches.ts'
import { attemptReasons } from '#contract/sign-in-attempts.ts'
import { masked } from '#contract/vouchers.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import { makePass } from '#server/admission/passes.ts'
import { attribute, code } from '#server/radius-codec/dictionary.ts'
import { waysToType } from '#test/typed-codes.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { numberIn, openGateway, packetOf, textIn, type Answered, type RadiusRequest } from '#test/radius-client.ts'
import { withRadius, type TestRadius } from '#test/radius.ts'
import { codesOf, withCode } from '#test/voucher-codes.ts'

let radius: TestRadius
let foyer: TestFoyer
let admin: Client
let editor: Person
withRadius((opened) => {
  radius = opened
  ;({ foyer, admin, editor } = radius)
})

/** A property with a gateway that sends requests. */
async function site(values: Parameters<TestFoyer['property']>[1] = {}, gateway_type_id = 13) {
  const property = await foyer.property(editor, values)
  const { made, gateway } = await radius.gatewayAt(property.id, gateway_type_id)
  const sign = (asked: RadiusRequest) => gateway.access({ calling_station_id: aMacAddress(), ...asked })
  return { property, made, gateway, sign }
}

async function voucher(property_id: number, wifi: object = {}, values: object = {}) {
  const { id: package_id } = await foyer.package(editor, wifi)
  const batch = await foyer.voucherBatch(editor, { quantity: 1, property_id, package_id, ...values })
  const [typed = ''] = await codesOf(admin, batch.id)
  return { batch, typed }
}
const isAccepted = (answer: Answered) => answer.code === code.access_accept
const outcome = (answer: Answered) => (isAccepted(answer) ? 'accepted' : textIn(answer, attribute.reply_message))
async function attempts(property_id: number) {
  const { rows } = await admin.query<{ reason: string; identifier: string; accepted: boolean }>(
    'select reason, identifier, accepted from radius_authorisations where property_id = $1 order by id',
    [property_id],
  )
  return rows
}
const messageFor = (reason: keyof typeof attemptReasons) => attemptReasons[reason]

interface Recorded {
  make: string
  /** How it writes its own MAC address in Called-Station-Id, and the device's. */
  called: (digits: string) => string
  calling: (digits: string) => string
  /** Null: it gives itself no name. */
  nas_identifier: string | ((digits: string) => string) | null
  chap?: true
  is_unsigned?: true
  service_type?: number
}
const pairs = (digits: string) => digits.match(/../g) ?? []
const dashed = (digits: string) => pairs(digits.toUpperCase()).join('-')
const lower = (digits: string) => pairs(digits).join('-')
const fours = (digits: string) => (digits.match(/..../g) ?? []).join('-')
const upper = (digits: string) => digits.toUpperCase()
const at = (write: (digits: string) => string, network: string) => (digits: string) => `${write(digits)}:${network}`
/** What boxes have sent. */
const recorded: Recorded[] = [
  { make: 'Alcatel', called: at(upper, 'Splash'), calling: upper, nas_identifier: 'Splash', is_unsigned: true },
  {
    make: 'Huawei',
    called: (digits) => `${fours(digits.toUpperCase())}:huawei`,
    calling: fours,
    nas_identifier: 'huawei',
  },
  { make: 'Huawei AirEngine', called: at(dashed, 'huawei'), calling: fours, nas_identifier: fours, service_type: 2 },
  {
    make: 'Instant On',
    called: (digits) => digits,
    calling: (digits) => digits,
    nas_identifier: 'aruba',
    service_type: 1,
  },
  { make: 'Cisco AireOS', called: at(lower, 'Captive'), calling: lower, nas_identifier: 'wlc' },
  { make: 'Cisco 9800', called: at(lower, 'splash'), calling: lower, nas_identifier: 'WLC', service_type: 5 },
  { make: 'Meraki', called: at(dashed, 'meraki'), calling: dashed, nas_identifier: 'Cisco Meraki cloud RADIUS client' },
  { make: 'Omada', called: at(dashed, 'eap225'), calling: dashed, nas_identifier: 'TP-Link', chap: true },
  { make: 'SmartZone, Ruckus One', called: at(dashed, 'ruckus'), calling: dashed, nas_identifier: dashed },
  { make: 'Grandstream', called: dashed, calling: dashed, nas_identifier: null, is_unsigned: true },
  { make: 'DrayTek', called: dashed, calling: dashed, nas_identifier: null, service_type: 8 },
  { make: 'UniFi', called: at(lower, 'Guests'), calling: lower, nas_identifier: '6f1c7a52-90c1-4e0a-8f2d', chap: true },
  {
    make: 'pfSense',
    called: (digits) => `${pairs(digits).join(':')}:gate.lan`,
    calling: lower,
    nas_identifier: 'CaptivePortal-guests',
  },
  { make: 'hostapd', called: at(dashed, 'Guests'), calling: dashed, nas_identifier: 'ap1' },
]
test.each(recorded)('a box of $make is known by what it has been seen to send, and its guest is let in', async (of) => {
  const { called, calling, nas_identifier, chap, is_unsigned = false, service_type } = of
  const property = await foyer.property(editor)
  const mac_address = aMacAddress()
  const registered = { property_id: property.id, gateway_type_id: 13, mac_address, takes_unsigned: is_unsigned }
  const made = await foyer.gateway(editor, registered)
  const { typed } = await voucher(property.id)
  const point = await openGateway(radius.ports, made)
  const digits = mac_address.replaceAll(':', '')
  const named = typeof nas_identifier === 'function' ? nas_identifier(digits) : nas_identifier
  const device = aMacAddress()
  const packet = packetOf(
    {
      user_name: typed,
      ...(chap ? { chap: typed } : { password: typed }),
      called_station_id: called(digits),
      calling_station_id: calling(device.replaceAll(':', '')),
      ...(named !== null && { nas_identifier: named }),
      ...(service_type !== undefined && { service_type }),
    },
    { secret: made.radius_secret, kind: code.access_request, signed: !is_unsigned },
  )
  expect((await point.send(packet, radius.ports.access, 5000))?.code).toBe(code.access_accept)
  const { rows } = await admin.query('select mac_address::text from radius_authorisations where gateway_id = $1', [
    made.id,
  ])
  expect(rows).toEqual([{ mac_address: device }])
  await point.close()
})

test('a voucher grants what its package allows, and every attempt is recorded', async () => {
  const { property, sign, made } = await site()
  const { typed } = await voucher(property.id, {
    session_time_hrs: 2,
    volume_gb: 1,
    speed_mbps: 20,
    idle_timeout_hrs: 1,
  })
  const answer = await sign({ user_name: typed.toLowerCase(), password: typed })
  expect(answer.attributes[0]?.type).toBe(attribute.message_authenticator)
  expect(isAccepted(answer)).toBe(true)
  expect(numberIn(answer, attribute.session_timeout)).toBe(7200)
  expect(numberIn(answer, attribute.idle_timeout)).toBe(3600)
  expect(numberIn(answer, attribute.acct_interim_interval)).toBe(300)
  const speeds = answer.attributes
    .filter(({ type }) => type === attribute.vendor_specific)
    .map(({ value }) => value.toString('hex'))
  expect(speeds).toEqual([
    `0000372a0706${(20e6).toString(16).padStart(8, '0')}`,
    `0000372a0806${(20e6).toString(16).padStart(8, '0')}`,
  ])
  expect(outcome(await sign({ user_name: 'AAAA-BBBB-CCCC', password: '' }))).toBe(messageFor('unknown_user'))
  expect(outcome(await sign({ user_name: typed, password: 'guess' }))).toBe(messageFor('wrong_password'))
  const kept = await attempts(property.id)
  expect(kept.map(({ reason }) => reason)).toEqual(['accepted', 'unknown_user', 'wrong_password'])
  expect(kept.map(({ identifier }) => identifier)).toEqual([masked(typed), masked('CCCC'), masked(typed)])
  await expect
    .poll(async () => (await admin.query('select last_seen_at from gateways where id = $1', [made.id])).rows[0])
    .toMatchObject({ last_seen_at: expect.any(String) })
})

test('a code is accepted however it is typed, as name and as password, by PAP and by CHAP', async () => {
  const { property, sign } = await site()
  const { typed: code } = await voucher(property.id)
  for (const user_name of waysToType(code)) {
    const answers = [await sign({ user_name, password: user_name }), await sign({ user_name, chap: user_name })]
    expect([user_name, ...answers.map(outcome)]).toEqual([user_name, 'accepted', 'accepted'])
  }
  const [slip, lower] = [code.replace(/(....)(....)(....)/, '$1-$2-$3'), code.toLowerCase()]
  expect(outcome(await sign({ user_name: lower, password: slip }))).toBe('accepted')
  expect(outcome(await sign({ user_name: lower, chap: slip }))).toBe('accepted')
  expect(outcome(await sign({ user_name: lower, chap: 'guess' }))).toBe(messageFor('wrong_password'))
})

test('a voucher of another property, of a disabled batch or used up is refused', async () => {
  const { property, sign } = await site()
  const elsewhere = await foyer.property(editor)
  expect(outcome(await sign({ user_name: (await voucher(elsewhere.id)).typed }))).toBe(messageFor('unknown_user'))
  const { typed, batch } = await voucher(property.id, { volume_gb: 1 }, { password: 'Frühstück' })
  expect(outcome(await sign({ user_name: typed }))).toBe(messageFor('wrong_password'))
  expect(outcome(await sign({ user_name: typed, password: 'Frühstück' }))).toBe('accepted')
  expect(outcome(await sign({ user_name: typed, chap: 'Frühstück' }))).toBe('accepted')
  await admin.query(`update vouchers set bytes_used = 1000000000 where ${withCode()}`, [typed])
  expect(outcome(await sign({ user_name: typed, password: 'Frühstück' }))).toBe(messageFor('data_used_up'))
  await foyer.get(batches.deactivate, { ids: [batch.id] }, editor)
  expect(outcome(await sign({ user_name: typed, password: 'Frühstück' }))).toBe(messageFor('batch_disabled'))
})

test('an account signs in by PAP and by CHAP, within its own property, while it is active', async () => {
  const { property, sign } = await site()
  const account = await foyer.account(editor, {
    property_id: property.id,
    username: 'Amelia',
    password: 'sécret-longer-than-16-bytes',
  })
  const password = 'sécret-longer-than-16-bytes'
  expect(outcome(await sign({ user_name: ' amelia', password }))).toBe('accepted')
  expect(outcome(await sign({ user_name: 'AMELIA', chap: password }))).toBe('accepted')
  expect(outcome(await sign({ user_name: 'amelia', password: 'secret' }))).toBe(messageFor('wrong_password'))
  expect(outcome(await sign({ user_name: 'amelia', chap: 'secret' }))).toBe(messageFor('wrong_password'))
  expect(outcome(await sign({ user_name: 'amelia' }))).toBe(messageFor('wrong_password'))
  const other = await site()
  expect(outcome(await other.sign({ user_name: 'amelia', password }))).toBe(messageFor('unknown_user'))
  await foyer.get(accounts.update, { id: account.id, expires_at: '2020-01-01T00:00:00Z' }, editor)
  expect(outcome(await sign({ user_name: 'amelia', password }))).toBe(messageFor('expired'))
  await foyer.get(accounts.deactivate, { ids: [account.id] }, editor)
  expect(outcome(await sign({ user_name: 'amelia', password }))).toBe(messageFor('account_disabled'))
})

test('a user name is found whatever the case, width or normal form of its letters', async () => {
  const { property, sign } = await site()
  const password = 'a long enough password'
  await foyer.account(editor, { property_id: property.id, username: 'Zoë O’Neill'.normalize('NFD'), password })
  for (const user_name of ['zoë o’neill', "ZOË O'NEILL", 'Ｚoë O’Neill\u200b', 'Zoë O`Neill '.normalize('NFD')])
    expect([user_name, outcome(await sign({ user_name, password }))]).toEqual([user_name, 'accepted'])
  expect(outcome(await sign({ user_name: 'zoe oneill', password }))).toBe(messageFor('unknown_user'))
})

test('a conference code is the user name of a conference account', async () => {
  const { property, sign } = await site()
  await foyer.account(editor, { property_id: property.id, username: 'SUMMIT-26', account_type_id: 2 })
  expect(outcome(await sign({ user_name: 'summit-26', password: '' }))).toBe('accepted')
  expect(outcome(await sign({ user_name: 'summit-26', password: 'SUMMIT-26' }))).toBe('accepted')
  expect(outcome(await sign({ user_name: 'summit–26', password: 'summit–26' }))).toBe('accepted')
  expect(outcome(await sign({ user_name: 'summit-26', chap: 'summit-26' }))).toBe('accepted')
  expect(outcome(await sign({ user_name: 'summit-26', password: 'guess' }))).toBe(messageFor('wrong_password'))
})

test('the package is the holder’s, else the room’s, else the property’s, else none', async () => {
  const speed = async (mbps: number) => (await foyer.package(editor, { speed_mbps: mbps })).id
  const [own, ofRoom, ofProperty] = [await speed(1), await speed(2), await speed(3)]
  const { property, sign } = await site({ package_id: ofProperty }, 1)
  const room = await foyer.room(editor, { property_id: property.id, package_id: ofRoom })
  const add = (username: string, values: object) =>
    foyer.account(editor, { property_id: property.id, username, password: 'pass word 1', ...values })
  await add('own', { package_id: own, room_id: room.id })
  await add('room', { room_id: room.id })
  await add('property', {})
  const rate = async (user_name: string) =>
    (await sign({ user_name, password: 'pass word 1' })).attributes
      .filter(({ type }) => type === attribute.vendor_specific)
      .map(({ value }) => value.toString('utf8', 6))
  expect(await rate('own')).toEqual(['1000k/1000k'])
  expect(await rate('room')).toEqual(['2000k/2000k'])
  expect(await rate('property')).toEqual(['3000k/3000k'])
})

test('a device that comes back has the package that its holder has by then', async () => {
  const wifi = async (speed_mbps: number) => (await foyer.package(editor, { speed_mbps })).id
  const [former, present, ofProperty] = [await wifi(1), await wifi(2), await wifi(3)]
  const { property, gateway } = await site({ package_id: ofProperty }, 1)
  const password = 'pass word 1'
  const account = await foyer.account(editor, {
    property_id: property.id,
    username: 'ada',
    password,
    package_id: former,
  })
  const calling_station_id = aMacAddress()
  const rate = async (asked: RadiusRequest) =>
    (await gateway.access({ calling_station_id, ...asked })).attributes
      .filter(({ type }) => type === attribute.vendor_specific)
      .map(({ value }) => value.toString('utf8', 6))
  expect(await rate({ user_name: 'ada', password })).toEqual(['1000k/1000k'])
  await foyer.get(accounts.update, { id: account.id, package_id: present }, editor)
  expect(await rate({ user_name: calling_station_id })).toEqual(['2000k/2000k'])
  // The former one may be removed: it is nobody's any more, and nobody is let in without limits.
  await foyer.get(packages.remove, { id: former }, editor)
  expect(await rate({ user_name: calling_station_id })).toEqual(['2000k/2000k'])
  // Nor does what a release before has remembered count.
  await admin.query('update guest_devices set package_id = $2 where account_id = $1', [account.id, former])
  expect(await rate({ user_name: calling_station_id })).toEqual(['2000k/2000k'])
})

test('a registered device gets in by its MAC in any notation; an unregistered one is sent to the portal', async () => {
  const { property, gateway } = await site()
  const mac = aMacAddress()
  const device = await foyer.device(editor, { property_id: property.id, mac_address: mac })
  const [dashes, plain] = [mac.toUpperCase().replaceAll(':', '-'), mac.replaceAll(':', '')]
  for (const [user_name, calling_station_id] of [
    [dashes, mac],
    [plain, dashes],
    [mac, plain],
  ] as const)
    expect(outcome(await gateway.access({ user_name, calling_station_id, password: user_name }))).toBe('accepted')
  const stranger = aMacAddress()
  expect(outcome(await gateway.access({ user_name: stranger, calling_station_id: stranger }))).toBe(
    messageFor('unknown_device'),
  )
  await admin.query('update devices set active = false where id = $1', [device.id])
  expect(outcome(await gateway.access({ user_name: mac, calling_station_id: mac }))).toBe(messageFor('device_disabled'))
})

test('a device of a blocked category is refused by every method', async () => {
  const { property, gateway } = await site()
  const { rows } = await admin.query<{ id: number }>(
    'select id from mac_categories where customer_id = $1 and blocks',
    [editor.user.customer.id],
  )
  const calling_station_id = aMacAddress()
  await foyer.device(editor, {
    property_id: property.id,
    mac_address: calling_station_id,
    mac_category_id: rows[0]?.id ?? 0,
  })
  const { typed } = await voucher(property.id)
  for (const user_name of [typed, calling_station_id])
    expect(outcome(await gateway.access({ user_name, calling_station_id }))).toBe(messageFor('device_blocked'))
})

test('a guest’s device gets back in by its MAC, on the terms of its sign-in', async () => {
  const { property, gateway } = await site()
  const calling_station_id = aMacAddress()
  const { typed } = await voucher(property.id, { max_users: 1 }, { password: 'breakfast' })
  expect(outcome(await gateway.access({ user_name: typed, password: 'breakfast', calling_station_id }))).toBe(
    'accepted',
  )
  expect(outcome(await gateway.access({ user_name: calling_station_id, calling_station_id }))).toBe('accepted')
  await admin.query(`update vouchers set bytes_used = 0, expires_at = now() where ${withCode()}`, [typed])
  expect(outcome(await gateway.access({ user_name: calling_station_id, calling_station_id }))).toBe(
    messageFor('time_used_up'),
  )
})

test('a portal pass is valid once, for its gateway and its device, which may ask again for ten seconds', async () => {
  const { property, made, gateway } = await site()
  const account = await foyer.account(editor, { property_id: property.id, username: 'bob', password: 'bobs password' })
  const [mac, other] = [aMacAddress(), aMacAddress()]
  const caller = callerOfGateway({
    customer_id: editor.user.customer.id,
    id: made.id,
    property_id: property.id,
    name: 'box',
  })
  const pass = (holder: Parameters<typeof makePass>[2]['holder']) =>
    foyer.services.tenancy.enter(caller, 'write', (scope) =>
      makePass(scope, foyer.services.seal, { gateway_id: made.id, mac_address: mac, auth_method_id: 3, holder }),
    )
  const { username, password } = await pass({ kind: 'account', id: account.id })
  const asked = { user_name: username, calling_station_id: mac }
  expect(outcome(await gateway.access({ ...asked, password: 'guess' }))).toBe(messageFor('pass_over'))
  expect(outcome(await gateway.access({ ...asked, password, calling_station_id: other }))).toBe(messageFor('pass_over'))
  const elsewhere = await site()
  expect(outcome(await elsewhere.gateway.access({ ...asked, password }))).toBe(messageFor('pass_over'))
  const given = await gateway.access({ ...asked, chap: password })
  expect(outcome(given)).toBe('accepted')
  const again = await gateway.access({ ...asked, password })
  expect(outcome(again)).toBe('accepted')
  expect(textIn(again, attribute.class)).toBe(textIn(given, attribute.class))
  expect(outcome(await gateway.access({ ...asked, password, calling_station_id: other }))).toBe(messageFor('pass_over'))
  await admin.query(`update access_passes set used_at = used_at - interval '10 seconds' where username = $1`, [
    username,
  ])
  expect(outcome(await gateway.access({ ...asked, password }))).toBe(messageFor('pass_over'))
  const late = await pass({ kind: 'account', id: account.id })
  await admin.query(`update access_passes set expires_at = now() where username = $1`, [late.username])
  expect(
    outcome(await gateway.access({ user_name: late.username, password: late.password, calling_station_id: mac })),
  ).toBe(messageFor('pass_over'))
})

test('after too many guesses a device has to wait, even with the right password', async () => {
  const { property, gateway } = await site()
  await foyer.account(editor, { property_id: property.id, username: 'carol', password: 'not to be guessed' })
  const calling_station_id = aMacAddress()
  for (let tries = 0; tries < 10; tries++)
    expect(outcome(await gateway.access({ user_name: 'carol', password: `guess ${tries}`, calling_station_id }))).toBe(
      messageFor('wrong_password'),
    )
  expect(outcome(await gateway.access({ user_name: 'carol', password: 'not to be guessed', calling_station_id }))).toBe(
    messageFor('too_many_tries'),
  )
  expect(
    outcome(
      await gateway.access({ user_name: 'carol', password: 'not to be guessed', calling_station_id: aMacAddress() }),
    ),
  ).toBe('accepted')
})

test('a disabled gateway or property lets nobody in, and the reply says so', async () => {
  const { property, made, sign } = await site()
  const { typed } = await voucher(property.id)
  await admin.query('update gateways set active = false where id = $1', [made.id])
  expect(outcome(await sign({ user_name: typed }))).toBe(messageFor('gateway_disabled'))
  await admin.query('update gateways set active = true where id = $1', [made.id])
  await admin.query('update properties set active = false where id = $1', [property.id])
  expect(outcome(await sign({ user_name: typed }))).toBe(messageFor('property_disabled'))
})
