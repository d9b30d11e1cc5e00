// Change sessions: a changed package reaches sessions that are online, by CoA where the kind of gateway supports it, else by a
// Disconnect, at the gateway's pace; or it waits for the next sign-in.
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as devices from '#contract/devices.ts'
import type { Input } from '#contract/endpoint.ts'
import * as imports from '#contract/imports.ts'
import { keysOf } from '#contract/keys.ts'
import * as packages from '#contract/packages.ts'
import * as sessions from '#contract/sessions.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { chilli } from '#server/gateways/coova-chilli/accept.ts'
import { mikrotik } from '#server/gateways/mikrotik/accept.ts'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import { wispr, type VendorAttribute } from '#server/radius-codec/vendor.ts'
import { claimTurns } from '#server/sessions/request-rate.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { numberIn, textIn, type Answered } from '#test/radius-client.ts'
import { aFile } from '#test/uploads.ts'
import { withRadius, type TestRadius } from '#test/radius.ts'

let radius: TestRadius
let foyer: TestFoyer
let admin: Client
let editor: Person
withRadius((opened) => {
  radius = opened
  ;({ foyer, admin, editor } = radius)
}, 'api,radius,jobs')

const kinds = { mikroTik: 1, coovaChilli: 2, generic: 13 }
const uniFi = 4
const password = 'guest password'

/** An account that is online for ten minutes, with 500 MB used. */
async function online(gateway_type_id: number, values: Partial<Input<typeof packages.create>> = { speed_mbps: 10 }) {
  const property = await foyer.property(editor)
  const { made, gateway } = await radius.gatewayAt(property.id, gateway_type_id)
  await admin.query('update gateways set disconnect_port = $2 where id = $1', [made.id, gateway.port])
  const wifi = await foyer.package(editor, values)
  const account = await foyer.account(editor, {
    property_id: property.id,
    package_id: wifi.id,
    username: 'ada',
    password,
  })
  const known = { user_name: 'ada', calling_station_id: aMacAddress() }
  const signIn = () => gateway.access({ ...known, password })
  const session = { ...known, class: textIn(await signIn(), attribute.class) ?? '', acct_session_id: 'one' }
  await gateway.report({
    ...session,
    acct_status_type: status_type.interim,
    acct_session_time: 600,
    acct_output_octets: 5e8,
  })
  const change = async (input: Omit<Input<typeof packages.update>, 'id'>) =>
    (await foyer.get(packages.update, { id: wifi.id, ...input }, editor)).data
  const read = async () => (await foyer.get(sessions.list, { params: { property_id: property.id } }, editor)).data
  return { property, gateway, wifi, account, session, signIn, change, read }
}
const patience = { timeout: 20_000 }

/** The values of a vendor-specific attribute. */
const vendors = ({ attributes }: Answered, { vendor, type }: VendorAttribute) =>
  attributes
    .filter((one) => one.type === attribute.vendor_specific && one.value.readUInt32BE(0) === vendor)
    .filter(({ value }) => value.readUInt8(4) === type)
    .map(({ value }) => value.subarray(6))
const speeds: Record<keyof typeof kinds, (request: Answered) => unknown> = {
  mikroTik: (request) => String(vendors(request, mikrotik.rate_limit)[0]),
  coovaChilli: (request) => vendors(request, chilli.bandwidth_max_down)[0]?.readUInt32BE(),
  generic: (request) => vendors(request, wispr.max_down)[0]?.readUInt32BE(),
}
const expected = { mikroTik: '25000k/25000k', coovaChilli: 25_000, generic: 25_000_000 }

test.each(keysOf(kinds))('now, through %s: a CoA-Request with all limits', async (kind) => {
  const { gateway, session, change, read } = await online(kinds[kind], { speed_mbps: 10, session_time_hrs: 1 })
  expect(await change({ speed_mbps: 25, session_time_hrs: 2, apply: 'now' })).toMatchObject({ online: 1 })
  await expect.poll(() => gateway.requests.length, patience).toBe(1)
  const [request] = gateway.requests
  if (!request) throw new Error('nothing was asked')
  expect(request.code).toBe(code.coa_request)
  expect(textIn(request, attribute.acct_session_id)).toBe(session.acct_session_id)
  expect(textIn(request, attribute.calling_station_id)).toBe(session.calling_station_id)
  expect(speeds[kind](request)).toBe(expected[kind])
  // From the beginning of the session.
  const seconds = numberIn(request, attribute.session_timeout) ?? 0
  expect(seconds).toBeGreaterThan(7190)
  expect(seconds).toBeLessThan(7300)
  expect(await read()).toMatchObject([{ online: true, speed_mbps: 25, disconnect_asked_at: null }])
})

test('a gateway that refuses a change is asked to disconnect; so is one whose kind does not support changes', async () => {
  const refusing = await online(kinds.generic)
  refusing.gateway.refuses = (request) => (request.code === code.coa_request ? 405 : null)
  await refusing.change({ speed_mbps: 25, apply: 'now' })
  const codes = ({ gateway }: typeof refusing) => gateway.requests.map((one) => one.code)
  await expect.poll(() => codes(refusing), patience).toEqual([code.coa_request, code.disconnect_request])
  const other = await online(uniFi)
  await other.change({ speed_mbps: 25, apply: 'now' })
  await expect.poll(() => codes(other), patience).toEqual([code.disconnect_request])
  await other.gateway.report({
    ...other.session,
    acct_status_type: status_type.stop,
    acct_session_time: 610,
    acct_terminate_cause: 6,
  })
  expect(await other.read()).toMatchObject([
    { online: false, termination_reason: sessions.terminationReason('Package-Changed') },
  ])
})

test('a lifted limit takes a new sign-in; a new limit that is already used up ends the session', async () => {
  const lifted = await online(kinds.generic)
  await lifted.change({ speed_mbps: 0, apply: 'now' })
  await expect.poll(() => lifted.gateway.requests.map((one) => one.code), patience).toEqual([code.disconnect_request])
  const used = await online(kinds.generic)
  await used.change({ volume_gb: 0.4, apply: 'now' })
  await expect.poll(() => used.gateway.requests.map((one) => one.code), patience).toEqual([code.disconnect_request])
  const { rows } = await admin.query('select disconnect_for from radius_sessions where property_id = $1', [
    used.property.id,
  ])
  expect(rows).toEqual([{ disconnect_for: 'Data-Used-Up' }])
})

test('next: sessions that are online go on as before, and have the change after the next sign-in', async () => {
  const { gateway, session, signIn, change, read } = await online(kinds.generic, { speed_mbps: 10, volume_gb: 1 })
  expect(await change({ speed_mbps: 25, volume_gb: 0.4 })).toMatchObject({ online: 1, speed_mbps: 25 })
  await gateway.report({
    ...session,
    acct_status_type: status_type.interim,
    acct_session_time: 900,
    acct_output_octets: 6e8,
  })
  expect(await read()).toMatchObject([
    { online: true, speed_mbps: 10, left: { bytes: 4e8 }, disconnect_asked_at: null },
  ])
  expect(gateway.requests).toEqual([])
  expect((await signIn()).code).toBe(code.access_reject)
  // After a second change they still have the terms they signed in on.
  await change({ volume_gb: 0.3 })
  expect(await read()).toMatchObject([{ speed_mbps: 10, left: { bytes: 4e8 } }])
})

test('a change of one account applies now: its sessions, and their sums, count for the new package', async () => {
  const { gateway, account, property } = await online(kinds.mikroTik)
  const faster = await foyer.package(editor, { speed_mbps: 25 })
  await foyer.get(accounts.update, { id: account.id, package_id: faster.id }, editor)
  await expect.poll(() => gateway.requests.map((one) => one.code), patience).toEqual([code.coa_request])
  expect(gateway.requests.map(speeds.mikroTik)).toEqual([expected.mikroTik])
  const { rows } = await admin.query(
    `select package_id, sum(sessions)::integer as sessions, sum(bytes_down)::float8 as bytes from session_days
     where property_id = $1 group by 1 having sum(sessions) <> 0`,
    [property.id],
  )
  expect(rows).toEqual([{ package_id: faster.id, sessions: 1, bytes: 5e8 }])
  // Setting the same package again is not a change.
  await foyer.get(accounts.update, { id: account.id, package_id: faster.id, name: 'Ada' }, editor)
})

test('another package by an import applies now, and so does its undo', async () => {
  const { gateway, account, property } = await online(kinds.mikroTik, { speed_mbps: 25 })
  const faster = await foyer.package(editor, { speed_mbps: 50 })
  const AccountImport = aFile('guests.csv', `name,package_id\n${account.name},${faster.id}\n`)
  const { id } = (await foyer.get(imports.accounts, { AccountImport, property_id: property.id }, editor)).data
  await expect.poll(() => gateway.requests.map(speeds.mikroTik), patience).toEqual(['50000k/50000k'])
  await foyer.get(imports.undo, { id: id ?? 0 }, editor)
  await expect.poll(() => gateway.requests.map(speeds.mikroTik), patience).toEqual(['50000k/50000k', expected.mikroTik])
})

test('what is online by the former address of a device is disconnected: by a change and by an import', async () => {
  const property = await foyer.property(editor)
  const { made, gateway } = await radius.gatewayAt(property.id, kinds.generic)
  await admin.query('update gateways set disconnect_port = $2 where id = $1', [made.id, gateway.port])
  const addresses = [aMacAddress(), aMacAddress(), aMacAddress()]
  const device = await foyer.device(editor, { property_id: property.id, mac_address: addresses[0] ?? '' })
  const connect = async (mac_address = '') => {
    const known = { user_name: mac_address, calling_station_id: mac_address }
    const answer = await gateway.access({ ...known, password: mac_address })
    const its = { class: textIn(answer, attribute.class) ?? '', acct_session_id: mac_address }
    await gateway.report({ ...known, ...its, acct_status_type: status_type.start, acct_session_time: 0 })
  }
  const asked = () => [...new Set(gateway.requests.map((request) => textIn(request, attribute.calling_station_id)))]
  const bring = async (mac_address = '') => {
    const DeviceImport = aFile('devices.csv', `name,mac\n${device.name},${mac_address}\n`)
    await foyer.get(imports.devices, { DeviceImport, property_id: property.id }, editor)
  }
  await connect(addresses[0])
  await foyer.get(devices.update, { id: device.id, mac_address: addresses[0], name: device.name }, editor)
  await foyer.get(devices.update, { id: device.id, mac_address: addresses[1] }, editor)
  await expect.poll(asked, patience).toEqual(addresses.slice(0, 1))
  await connect(addresses[1])
  await bring(addresses[2])
  await expect.poll(asked, patience).toEqual(addresses.slice(0, 2))
})

test('a gateway gets requests about devices that wait to be let in at twenty a second', async () => {
  const property = await foyer.property(editor)
  const { made } = await radius.gatewayAt(property.id, kinds.generic)
  const caller = callerOfJob(editor.user.customer.id, 'test')
  const waits = await foyer.services.tenancy.enter(caller, 'write', async (scope) => [
    ...(await claimTurns(scope, [made.id, made.id, made.id], 'about_devices')),
    ...(await claimTurns(scope, [made.id], 'about_devices')),
  ])
  const apart_ms = waits.slice(1).map((wait_ms, n) => wait_ms - (waits[n] ?? 0))
  expect(apart_ms.slice(0, 2)).toEqual([50, 50])
  // The clock went on between the two.
  expect(apart_ms[2]).toBeLessThanOrEqual(50)
})

test('a gateway gets at most ten requests a second', async () => {
  const { gateway, session, change } = await online(kinds.generic)
  const all = 26
  for (let n = 1; n < all; n++)
    await gateway.report({
      ...session,
      acct_session_id: `further ${n}`,
      acct_status_type: status_type.start,
      acct_session_time: 0,
    })
  expect(await change({ speed_mbps: 25, apply: 'now' })).toMatchObject({ online: all })
  await expect.poll(() => gateway.requests.length, patience).toBe(all)
  const times = gateway.requests.map(({ at }) => at).toSorted((one, other) => one - other)
  const spans = times.slice(10).map((at, n) => at - (times[n] ?? 0))
  // One that arrives late on a busy machine shortens the span that it begins.
  expect(spans.toSorted((one, other) => one - other)[Math.floor(spans.length / 2)]).toBeGreaterThan(900)
})
