// Endings: each rule that takes away the right to be online ends the sessions that are online: the gateway gets a Disconnect over
// UDP for the session, and the list shows why. One line per rule; a rule without one does not compile.
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as devices from '#contract/devices.ts'
import type { Endpoint, Input } from '#contract/endpoint.ts'
import * as gateways from '#contract/gateways.ts'
import * as imports from '#contract/imports.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as sessions from '#contract/sessions.ts'
import * as batches from '#contract/voucher-batches.ts'
import * as vouchers from '#contract/vouchers.ts'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import { endings, type EndingName } from '#server/sessions/endings.ts'
import { endSessions } from '#server/sessions/end-sessions.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { numberIn, textIn } from '#test/radius-client.ts'
import { withRadius, type TestRadius } from '#test/radius.ts'
import { aFile } from '#test/uploads.ts'
import { codesOf } from '#test/voucher-codes.ts'

let radius: TestRadius
let foyer: TestFoyer
let admin: Client
let editor: Person
withRadius((opened) => {
  radius = opened
  ;({ foyer, admin, editor } = radius)
}, 'api,radius,jobs')

const password = 'guest password'
type Holder = 'account' | 'device' | 'voucher' | 'guest'

/** A guest who is online with this kind of right, at a property with a gateway. */
async function online(holder: Holder) {
  const property = await foyer.property(editor)
  const { made, gateway } = await radius.gatewayAt(property.id)
  await admin.query('update gateways set disconnect_port = $2 where id = $1', [made.id, gateway.port])
  const { id: package_id } = await foyer.package(editor)
  const mac_address = aMacAddress()
  const right = await rights[holder]({ property_id: property.id, package_id, mac_address })
  const answer = await gateway.access({ calling_station_id: mac_address, ...right.asked })
  expect([answer.code, numberIn(answer, attribute.session_timeout)]).toEqual([code.access_accept, expect.any(Number)])
  await gateway.report({
    user_name: right.asked.user_name,
    calling_station_id: mac_address,
    class: textIn(answer, attribute.class) ?? '',
    acct_session_id: `of ${right.id}`,
    acct_status_type: status_type.start,
    acct_session_time: 0,
  })
  const call = <E extends Endpoint>(endpoint: E, input: Input<E>) => foyer.get(endpoint, input, editor)
  return { property, gateway_id: made.id, gateway, package_id, mac_address, id: right.id, call }
}
type Online = Awaited<ReturnType<typeof online>>

interface Place {
  property_id: number
  package_id: number
  mac_address: string
}
const rights: Record<
  Holder,
  (place: Place) => Promise<{ id: number; asked: { user_name: string; password?: string } }>
> = {
  async account({ property_id, package_id }) {
    const { id } = await foyer.account(editor, { property_id, package_id, username: 'ada', password })
    return { id, asked: { user_name: 'ada', password } }
  },
  async device({ property_id, package_id, mac_address }) {
    const { id } = await foyer.device(editor, { property_id, package_id, mac_address })
    return { id, asked: { user_name: mac_address } }
  },
  async voucher({ property_id, package_id }) {
    const { id } = await foyer.voucherBatch(editor, { property_id, package_id, quantity: 1 })
    const [user_name = ''] = await codesOf(admin, id)
    return { id, asked: { user_name } }
  },
  /** A guest who has signed in at the portal before and is recognised by the device. */
  async guest({ property_id, package_id, mac_address }) {
    const room = await foyer.room(editor, { property_id, package_id })
    const { id } = await foyer.roomGuest(editor, { room_id: room.id })
    await admin.query(
      `with guest as (insert into guests (customer_id, property_id, room_guest_id) values ($1, $2, $3) returning id)
       insert into guest_devices (customer_id, guest_id, mac_address) select $1, id, $4 from guest`,
      [editor.user.customer.id, property_id, id, mac_address],
    )
    return { id, asked: { user_name: mac_address } }
  },
}

/** For changes that only time makes. */
const set = (table: string, id: number, change: string) => admin.query(`update ${table} set ${change} where id = ${id}`)
const a_minute_ago = "now() - interval '1 minute'"
async function grantEnds({ mac_address }: Online) {
  for (const table of ['radius_sessions', 'radius_authorisations'])
    await admin.query(`update ${table} set ends_at = ${a_minute_ago} where mac_address = $1`, [mac_address])
}
const elsewhere = async () => (await foyer.property(editor)).id

const ends: Record<EndingName, [Holder, (one: Online) => Promise<unknown>]> = {
  account_deleted: ['account', ({ call, id }) => call(accounts.remove, { id })],
  account_disabled: ['account', ({ call, id }) => call(accounts.deactivate, { ids: [id] })],
  account_moved: ['account', async ({ call, id }) => call(accounts.update, { id, property_id: await elsewhere() })],
  account_expired: ['account', ({ id }) => set('accounts', id, `expires_at = ${a_minute_ago}`)],
  device_deleted: ['device', ({ call, id }) => call(devices.remove, { id })],
  device_disabled: ['device', ({ call, id }) => call(devices.deactivate, { ids: [id] })],
  device_moved: ['device', async ({ call, id }) => call(devices.update, { id, property_id: await elsewhere() })],
  device_blocked: [
    'account',
    async ({ mac_address, property }) => {
      const { rows } = await admin.query<{ id: number }>(
        'select id from mac_categories where customer_id = $1 and blocks limit 1',
        [editor.user.customer.id],
      )
      await foyer.device(editor, { property_id: property.id, mac_address, mac_category_id: rows[0]?.id })
    },
  ],
  guest_checked_out: [
    'guest',
    async ({ call, id }) => {
      const { data } = await call(roomGuests.get, { id })
      await call(roomGuests.remove, { id, roomId: data.room_id })
    },
  ],
  stay_over: [
    'guest',
    ({ id }) => set('room_guests', id, 'departs_on = current_date - 3, arrives_on = current_date - 5'),
  ],
  batch_deleted: ['voucher', ({ id }) => set('voucher_batches', id, 'deleted_at = now()')],
  batch_disabled: ['voucher', ({ call, id }) => call(batches.deactivate, { ids: [id] })],
  voucher_taken_back: [
    'voucher',
    async ({ call, id }) => {
      const { data } = await call(vouchers.list, { params: { voucher_batch_id: id } })
      await call(vouchers.deactivate, { ids: data.map((voucher) => voucher.id) })
    },
  ],
  voucher_elsewhere: [
    'voucher',
    // A batch of a group that the property has left.
    async ({ id }) => {
      const group = await foyer.group(editor)
      await set('voucher_batches', id, `property_id = null, group_id = ${group.id}`)
    },
  ],
  voucher_expired: ['voucher', ({ id }) => set('voucher_batches', id, `expires_at = ${a_minute_ago}`)],
  package_disabled: ['account', ({ call, package_id }) => call(packages.deactivate, { ids: [package_id] })],
  in_dispute: [
    'guest',
    async ({ id, package_id }) => {
      await set('packages', package_id, 'refused_in_dispute = true')
      await admin.query(
        'update stays set in_dispute = true where id = (select stay_id from room_guests where id = $1)',
        [id],
      )
    },
  ],
  signed_out: [
    'voucher',
    async ({ gateway_id, mac_address }) => {
      await admin.query(
        `insert into access_passes (customer_id, gateway_id, username, sealed_password, mac_address, auth_method_id, voucher_id,
           expires_at, used_at, signed_out_at)
         select customer_id, $1, 'pass-' || id, '', mac_address, 2, voucher_id, now(), accepted_at - interval '1 second', now()
         from radius_sessions where mac_address = $2`,
        [gateway_id, mac_address],
      )
    },
  ],
  property_disabled: ['account', ({ call, property }) => call(properties.deactivate, { ids: [property.id] })],
  gateway_disabled: ['account', ({ call, gateway_id }) => call(gateways.deactivate, { ids: [gateway_id] })],
  time_used_up: [
    'account',
    async (one) => {
      await admin.query('update packages set session_time_hrs = 0.01 where id = $1', [one.package_id])
      await admin.query(`update radius_sessions set last_seen_at = ${a_minute_ago} where mac_address = $1`, [
        one.mac_address,
      ])
      await grantEnds(one)
    },
  ],
  grant_over: ['account', (one) => grantEnds(one)],
}

const sweep = () => endSessions(foyer.services.tenancy, foyer.services.queue)

test.each(Object.entries(ends))('%s', async (name, [holder, end]) => {
  const one = await online(holder)
  await sweep()
  const { data } = await foyer.get(sessions.list, { params: { property_id: one.property.id } }, editor)
  expect(data).toMatchObject([{ online: true, disconnect_asked_at: null }])
  await end(one)
  await sweep()
  await expect.poll(() => one.gateway.requests.length, { timeout: 20_000 }).toBe(1)
  const [request] = one.gateway.requests
  expect(request && [request.code, textIn(request, attribute.acct_session_id)]).toEqual([
    code.disconnect_request,
    `of ${one.id}`,
  ])
  await one.gateway.report({
    calling_station_id: one.mac_address,
    acct_session_id: `of ${one.id}`,
    acct_status_type: status_type.stop,
    acct_session_time: 60,
    acct_terminate_cause: 6,
  })
  const { rows } = await admin.query<{ termination_cause: string }>(
    'select termination_cause from radius_sessions where mac_address = $1',
    [one.mac_address],
  )
  const { cause } = endings[name as EndingName]
  expect(rows).toEqual([{ termination_cause: cause }])
  expect(Object.keys(sessions.terminationReasons)).toContain(cause)
})

test.each([
  ['gateway', gateways, ({ gateway_id }: Online) => gateway_id],
  ['property', properties, ({ property }: Online) => property.id],
] as const)(
  'a %s is not deleted while a guest is online there who was not asked to leave',
  async (what, calls, idOf) => {
    const one = await online('account')
    const id = idOf(one)
    const remove = () => foyer.ask(calls.remove, { id }, editor)
    const online_there = (then: string) => ({
      status: 409,
      body: { message: expect.stringContaining(`A guest is online there. ${then}`) },
    })
    expect(await remove()).toMatchObject(online_there(`Disable the ${what} first`))
    await one.call(calls.deactivate, { ids: [id] })
    const leaving = online_there(`They are being disconnected: the ${what} can be deleted`)
    expect(await remove()).toMatchObject(leaving)
    await sweep()
    expect(await remove()).toMatchObject(leaving)
    await expect.poll(() => one.gateway.requests.length, { timeout: 20_000 }).toBe(1)
    await admin.query(`update radius_sessions set disconnect_asked_at = ${a_minute_ago} where mac_address = $1`, [
      one.mac_address,
    ])
    await admin.query("update activity set created_at = created_at - interval '2 minutes' where customer_id = $1", [
      editor.user.customer.id,
    ])
    // Who is still there is asked again with the next report, which keeps nothing from being deleted.
    await one.gateway.report({
      calling_station_id: one.mac_address,
      acct_session_id: `of ${one.id}`,
      acct_status_type: status_type.interim,
      acct_session_time: 120,
    })
    await expect.poll(() => one.gateway.requests.length, { timeout: 20_000 }).toBe(2)
    expect(await remove()).toMatchObject({ status: 200 })
  },
)

test('a guest whose bill is in dispute is refused what is not for such guests, also in a room that is barred', async () => {
  const { gateway, mac_address, package_id, id } = await online('guest')
  const asks = async () =>
    (await gateway.access({ user_name: mac_address, calling_station_id: mac_address })).code === code.access_accept
  const stay = (change: string) =>
    admin.query(`update stays set ${change} where id = (select stay_id from room_guests where id = $1)`, [id])
  const room = (change: string) =>
    admin.query(`update rooms set ${change} where id = (select room_id from room_guests where id = $1)`, [id])
  await stay('in_dispute = true')
  expect(await asks()).toBe(true)
  await foyer.get(packages.update, { id: package_id, refused_in_dispute: true }, editor)
  expect(await asks()).toBe(false)
  const { rows } = await admin.query<{ reason: string }>(
    'select reason from radius_authorisations where mac_address = $1 order by id desc limit 1',
    [mac_address],
  )
  expect(rows).toEqual([{ reason: 'in_dispute' }])
  await stay('in_dispute = false')
  expect(await asks()).toBe(true)
  await room('barred = true')
  expect(await asks()).toBe(false)
})

test('importing a list of the whole house disconnects guests who are not on it', async () => {
  const { property, gateway, call, id } = await online('guest')
  const list = aFile('house.csv', 'Room,Name\r\n900,Somebody Else\r\n')
  const asked = { RoomImport: list, property_id: property.id, mode: 'whole' as const }
  const { data: preview } = await call(imports.rooms, { ...asked, dry_run: true })
  await call(imports.rooms, { ...asked, confirm_moves_out: preview.moves_out.count })
  await sweep()
  await expect.poll(() => gateway.requests.length, { timeout: 20_000 }).toBe(1)
  expect(gateway.requests.map((request) => textIn(request, attribute.acct_session_id))).toEqual([`of ${id}`])
})

test('another sign-in of the device extends the time', async () => {
  const { gateway, mac_address } = await online('account')
  await admin.query(`update radius_sessions set ends_at = ${a_minute_ago} where mac_address = $1`, [mac_address])
  const again = await gateway.access({ user_name: 'ada', password, calling_station_id: mac_address })
  expect(again.code).toBe(code.access_accept)
  await sweep()
  const { rows } = await admin.query('select disconnect_for from radius_sessions where mac_address = $1', [mac_address])
  expect(rows).toEqual([{ disconnect_for: null }])
})
