// Guest sessions and sign-in attempts: lists, who sees whole codes, and ending sessions from the desk.
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as activity from '#contract/activity.ts'
import type { Input } from '#contract/endpoint.ts'
import * as sessions from '#contract/sessions.ts'
import type * as packages from '#contract/packages.ts'
import * as signInAttempts from '#contract/sign-in-attempts.ts'
import { openControllers } from '#server/gateways/controllers.ts'
import { disconnect } from '#server/radius/disconnect.ts'
import { openGateways } from '#server/radius/gateways.ts'
import { attribute } from '#server/radius-codec/dictionary.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { textIn } from '#test/radius-client.ts'
import { letInEarlier, withRadius, type TestRadius } from '#test/radius.ts'
import { codesOf } from '#test/voucher-codes.ts'

let radius: TestRadius
let foyer: TestFoyer
let admin: Client
let editor: Person
withRadius((opened) => {
  radius = opened
  ;({ foyer, admin, editor } = radius)
})

/** Somebody online on a voucher. */
async function online() {
  const property = await foyer.property(editor)
  const { made, gateway } = await radius.gatewayAt(property.id)
  await admin.query('update gateways set disconnect_port = $2 where id = $1', [made.id, gateway.port])
  const batch = await foyer.voucherBatch(editor, { property_id: property.id, quantity: 1 })
  const [code = ''] = await codesOf(admin, batch.id)
  const known = { user_name: code, calling_station_id: aMacAddress() }
  const mark = textIn(await gateway.access(known), attribute.class) ?? ''
  await letInEarlier(admin, mark, 3600)
  const session = { ...known, class: mark, acct_session_id: 'session' }
  await gateway.report({ ...session, acct_status_type: 1, acct_session_time: 0 })
  return { property, made, gateway, batch, code, session, mac: known.calling_station_id }
}

test('an open session is listed, and is found by its code, the end of it or half its MAC', async () => {
  const { property, made, gateway, batch, code, session, mac } = await online()
  await gateway.report({
    ...session,
    acct_status_type: 3,
    acct_session_time: 60,
    acct_input_octets: 10,
    acct_output_octets: 20,
  })
  const list = async (ask: object) => (await foyer.get(sessions.list, ask, editor)).data
  const [row] = await list({ params: { property_id: property.id } })
  expect(row).toMatchObject({
    identifier: code.replace(/(....)(....)(....)/, '$1-$2-$3'),
    mac_address: mac,
    property: { id: property.id },
    package: { id: batch.package_id },
    gateway: { id: made.id },
    auth_method: { name: 'Voucher' },
    online: true,
    seconds: 60,
    bytes_up: 10,
    bytes_down: 20,
    stopped_at: null,
    termination_reason: null,
  })
  const asWindowsHasIt = mac.toUpperCase().replaceAll(':', '-').slice(3)
  for (const searchValue of [mac, mac.replaceAll(':', '').slice(4), asWindowsHasIt, row?.identifier, code.slice(8)])
    expect((await list({ searchValue })).map(({ id }) => id)).toEqual([row?.id])
  for (const params of [{ voucher_batch_id: batch.id }, { property_id: property.id }])
    expect((await list({ params, filters: { online: true } })).map(({ id }) => id)).toEqual([row?.id])
  expect(await list({ params: { property_id: property.id }, filters: { online: [false] } })).toEqual([])
})

test('the desk ends it: the gateway is asked, the log says why, and the list shows the reason', async () => {
  const { property, gateway, session } = await online()
  const desk = await foyer.invited(editor, { user_type_id: 3 })
  const [row] = (await foyer.get(sessions.list, { params: { property_id: property.id } }, desk)).data
  const ids = [row?.id ?? 0]
  const asked = gateway.nextRequest()
  const { data } = await foyer.get(sessions.disconnect, { ids, reason: 'The guest has left' }, desk)
  expect(data).toEqual({ ids, asked: 1 })
  const { services } = foyer
  await disconnect(
    { ...services, controllers: openControllers(services, () => Promise.resolve('silent')) },
    openGateways(services),
    {
      customer_id: editor.user.customer.id,
      session_ids: ids,
    },
  )
  expect(textIn(await asked, attribute.calling_station_id)).toBe(session.calling_station_id)
  await gateway.report({ ...session, acct_status_type: 2, acct_session_time: 60, acct_terminate_cause: 6 })
  const [ended] = (await foyer.get(sessions.list, { params: { property_id: property.id } }, desk)).data
  expect(ended).toMatchObject({ online: false, termination_reason: 'Disconnected at the desk' })
  const lines = await foyer.get(activity.list, {}, editor)
  expect(JSON.stringify(lines.data)).toContain('The guest has left')
  const again = await foyer.get(sessions.disconnect, { ids, reason: 'Once more' }, desk)
  expect(again.data.asked).toBe(0)
})

test('attempts show a reason for the desk; callers who may not hand codes out see only the end of a code', async () => {
  const { property, gateway, code, mac } = await online()
  await gateway.access({ user_name: 'somebody', calling_station_id: mac, password: 'guess' })
  const viewer = await foyer.viewer(editor)
  const asked = { params: { property_id: property.id } }
  const [failed, accepted] = (await foyer.get(signInAttempts.list, asked, editor)).data
  expect(failed).toMatchObject({ identifier: 'somebody', accepted: false, reason: 'unknown_user', mac_address: mac })
  expect(failed?.message).toBe(signInAttempts.attemptReasons.unknown_user)
  expect(accepted?.identifier?.replaceAll('-', '')).toBe(code)
  const seen = (await foyer.get(signInAttempts.list, { ...asked, filters: { accepted: true } }, viewer)).data
  expect(seen.map(({ identifier }) => identifier)).toEqual([`••••-••••-${code.slice(8)}`])
  const [session] = (await foyer.get(sessions.list, asked, viewer)).data
  expect(session?.identifier).toBe(`••••-••••-${code.slice(8)}`)
  // What they do not see is not found either, or a code could be spelt out letter by letter; and it is kept nowhere to be compared.
  const shown = code.replace(/(....)(....)(....)/, '$1-$2-$3')
  for (const [searchValue, hits] of [
    [code.slice(0, 6), 0],
    [shown.slice(0, 9), 0],
    [code.slice(8), 1],
    [code, 1],
    [shown.toLowerCase(), 1],
    [mac, 1],
    [mac.replaceAll(':', '').slice(4), 1],
  ] as const)
    for (const list of [sessions.list, signInAttempts.list]) {
      const found = async (who: Person) =>
        (await foyer.get(list, { searchValue, params: asked.params, filters: {} }, who)).data.filter((row) =>
          row.identifier?.endsWith(code.slice(8)),
        ).length
      expect([list.path, searchValue, await found(viewer)]).toEqual([list.path, searchValue, hits])
      expect([list.path, searchValue, await found(editor)]).toEqual([list.path, searchValue, hits])
    }
})

/** An account of a room, online on a package. */
async function accountOnline(allows: Partial<Input<typeof packages.create>>) {
  const property = await foyer.property(editor)
  const { made, gateway } = await radius.gatewayAt(property.id)
  await admin.query('update gateways set disconnect_port = $2 where id = $1', [made.id, gateway.port])
  const { id: package_id } = await foyer.package(editor, allows)
  const room = await foyer.room(editor, { property_id: property.id })
  const username = `guest${property.id}`
  const account = await foyer.account(editor, {
    property_id: property.id,
    room_id: room.id,
    package_id,
    username,
    password: 'Sommer-Regen',
  })
  const known = { user_name: username, calling_station_id: aMacAddress() }
  const mark = textIn(await gateway.access({ ...known, password: 'Sommer-Regen' }), attribute.class) ?? ''
  await letInEarlier(admin, mark, 3600)
  const session = { ...known, class: mark, acct_session_id: 'session' }
  const reports = { acct_status_type: 3, acct_session_time: 600, acct_input_octets: 1e8, acct_output_octets: 4e8 }
  await gateway.report({ ...session, ...reports })
  const read = async () => (await foyer.get(sessions.list, { params: { property_id: property.id } }, editor)).data[0]
  return { property, gateway, account, room, session, read }
}

test('a row shows holder, room, speed and what is left; an ended one has nothing left', async () => {
  const { gateway, account, room, session, read } = await accountOnline({
    speed_mbps: 20,
    volume_gb: 2,
    session_time_hrs: 1,
  })
  const row = await read()
  expect(row).toMatchObject({
    guest_name: account.name,
    account_id: account.id,
    room: { id: room.id, name: room.number },
    speed_mbps: 20,
    left: { seconds: 3000, bytes: 1.5e9 },
    disconnect_asked_at: null,
  })
  expect((await foyer.get(sessions.get, { id: row?.id ?? 0 }, editor)).data).toEqual(row)
  await gateway.report({ ...session, acct_status_type: 2, acct_session_time: 700, acct_terminate_cause: 1 })
  expect(await read()).toMatchObject({ online: false, left: null, termination_reason: 'Logged out' })
})

test('without a limit, nothing is shown as left', async () => {
  const { read } = await accountOnline({ speed_mbps: 0, volume_gb: 0, session_time_hrs: 0 })
  expect(await read()).toMatchObject({ speed_mbps: null, left: { seconds: null, bytes: null } })
})

test('lists are filtered by property, group and sign-in method', async () => {
  const { property, gateway, session } = await accountOnline({})
  const groupId = property.group_id
  const asked = { params: { property_id: property.id } }
  const username = { auth_method_id: [3] }
  const voucher = { auth_method_id: [2] }
  const count = async (filters: Input<typeof sessions.list>['filters']) =>
    (await foyer.get(sessions.list, { ...asked, filters }, editor)).data.length
  expect(await count(username)).toBe(1)
  expect(await count(voucher)).toBe(0)
  expect(await count({ property_id: [property.id] })).toBe(1)
  expect(await count({ group_id: [groupId ?? 2_000_000_000] })).toBe(groupId === null ? 0 : 1)
  await gateway.access({ ...session, password: 'wrong' })
  const attempts = await foyer.get(signInAttempts.list, { ...asked, filters: { ...username, accepted: true } }, editor)
  expect(attempts.data).toHaveLength(1)
})

test('deleted accounts are disconnected by their gateway, and the session says so', async () => {
  const { property, gateway, account, session, read } = await accountOnline({})
  await foyer.get(accounts.remove, { id: account.id }, editor)
  const asked = gateway.nextRequest()
  const { data } = await foyer.get(accounts.disconnectDeleted, { propertyId: property.id }, editor)
  expect(data).toEqual({ disconnected: 1 })
  const row = await read()
  expect(row?.disconnect_asked_at).not.toBeNull()
  const { services } = foyer
  const session_ids = [row?.id ?? 0]
  await disconnect(
    { ...services, controllers: openControllers(services, () => Promise.resolve('silent')) },
    openGateways(services),
    {
      customer_id: editor.user.customer.id,
      session_ids,
    },
  )
  expect(textIn(await asked, attribute.user_name)).toBe(session.user_name)
  await gateway.report({ ...session, acct_status_type: 2, acct_session_time: 700, acct_terminate_cause: 6 })
  expect(await read()).toMatchObject({ online: false, termination_reason: 'Account deleted' })
})
