// Access points: those of one gateway are learnt, wait for a person, and work from then on; those of other customers never do.
import { expect, test } from 'vitest'
import type { Client } from 'pg'
import * as contract from '#contract/gateways.ts'
import { authMethods } from '#contract/portals.ts'
import { code, status_type } from '#server/radius-codec/dictionary.ts'
import { notFound } from '#server/errors/refused.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { openGateway } from '#test/radius-client.ts'
import { withRadius, type TestRadius } from '#test/radius.ts'
import { expectRefused } from '#test/refused.ts'

let radius: TestRadius
let foyer: TestFoyer
let admin: Client
let editor: Person
withRadius((opened) => {
  radius = opened
  ;({ foyer, admin, editor } = radius)
}, 'api,guest,radius')

const aruba = 7
const guest = { user_name: 'amelia', password: 'a guest password' }
const dashed = (mac_address: string) => mac_address.toUpperCase().replaceAll(':', '-')

/** A property with a portal, a guest account and one Aruba. */
async function aPlace(of: Person = editor, mac_address = aMacAddress()) {
  const { id: portal_id, url } = await foyer.portal(of, { auth_method_ids: [authMethods.free] })
  const { id: property_id } = await foyer.property(of, { portal_id })
  await foyer.account(of, { property_id, username: guest.user_name, password: guest.password })
  const made = await foyer.gateway(of, { property_id, gateway_type_id: aruba, mac_address })
  return { path: new URL(url).pathname, property_id, made }
}
/** A redirect from an access point; whether the guest may sign in there. */
async function mayAt(path: string, apmac: string): Promise<boolean> {
  const fields = { cmd: 'login', mac: aMacAddress(), essid: 'g', apname: 'lobby', apmac, url: 'http://x.example/' }
  const page = await foyer.guest?.inject({ url: `${path}?${new URLSearchParams(fields).toString()}` })
  expect(page?.statusCode).toBe(200)
  return page?.body.includes('name="method"') ?? false
}
const pointsOf = async (id: number, who = editor) =>
  (await foyer.get(contract.get, { id }, who)).data.access_points.map(({ mac_address, name, state }) => [
    mac_address,
    name,
    state,
  ])

test('an access point that a redirect names waits, is accepted by a press, and is dropped by another', async () => {
  const { path, made } = await aPlace()
  const mac_address = aMacAddress()
  expect(await mayAt(path, mac_address)).toBe(false)
  await expect.poll(() => pointsOf(made.id), { timeout: 10_000 }).toEqual([[mac_address, 'lobby', 'claimed']])
  // A claim opens nothing, however often it is made.
  expect(await mayAt(path, mac_address)).toBe(false)
  const { data } = await foyer.get(contract.accessPoints, { id: made.id, accept: [dashed(mac_address)] }, editor)
  expect(data.access_points).toMatchObject([{ mac_address, state: 'accepted' }])
  expect(await mayAt(path, mac_address)).toBe(true)
  await foyer.get(contract.accessPoints, { id: made.id, drop: [mac_address] }, editor)
  expect(await mayAt(path, mac_address)).toBe(false)
})

test('one that is dropped takes no other along', async () => {
  const { made } = await aPlace()
  const [one, other] = [aMacAddress(), aMacAddress()]
  await foyer.get(contract.accessPoints, { id: made.id, accept: [one, other] }, editor)
  const { data } = await foyer.get(contract.accessPoints, { id: made.id, drop: [one] }, editor)
  expect(data.access_points).toMatchObject([{ mac_address: other, state: 'accepted' }])
})

test('an access point of another customer does not work, accepted there or not', async () => {
  const { path, made } = await aPlace()
  const stranger = await foyer.customer()
  const theirs = await aPlace(stranger)
  const mac_address = aMacAddress()
  await foyer.get(contract.accessPoints, { id: theirs.made.id, accept: [mac_address] }, stranger)
  expect(await mayAt(theirs.path, mac_address)).toBe(true)
  expect(await mayAt(path, mac_address)).toBe(false)
  await expect.poll(() => pointsOf(made.id), { timeout: 10_000 }).toEqual([[mac_address, 'lobby', 'claimed']])
  expect(await pointsOf(theirs.made.id, stranger)).toEqual([[mac_address, 'lobby', 'accepted']])
  const foreign = await foyer.ask(contract.accessPoints, { id: theirs.made.id, accept: [mac_address] }, editor)
  expectRefused(foreign, notFound())
})

test('a packet is its gateway’s by the access point it names, whatever name it gives itself', async () => {
  const { made } = await aPlace()
  const mac_address = aMacAddress()
  const box = await openGateway(radius.ports, made)
  const asked = (notation: string) =>
    box.accessPacket({
      ...guest,
      nas_identifier: 'TP-Link',
      called_station_id: notation,
      calling_station_id: aMacAddress(),
    })
  const bare = mac_address.replaceAll(':', '')
  expect(await box.send(asked(`${dashed(mac_address)}:Guests`), radius.ports.access, 800)).toBeNull()
  await foyer.get(contract.accessPoints, { id: made.id, accept: [mac_address] }, editor)
  const notations = [
    `${dashed(mac_address)}:Guests`,
    `${bare}:Splash`,
    `${(bare.match(/.{4}/g) ?? []).join('-')}:g`,
    bare,
  ]
  for (const notation of notations)
    await expect
      .poll(async () => (await box.send(asked(notation), radius.ports.access, 800))?.code, { timeout: 15_000 })
      .toBe(code.access_accept)
  await box.close()
})

test('an access point has one gateway, and is free again when that is removed', async () => {
  const [one, other] = [await aPlace(), await aPlace()]
  const mac_address = aMacAddress()
  await foyer.get(contract.accessPoints, { id: one.made.id, accept: [mac_address] }, editor)
  const again = () => foyer.ask(contract.accessPoints, { id: other.made.id, accept: [mac_address] }, editor)
  expect(await again()).toMatchObject({ status: 422, text: expect.stringContaining('Drop it there first') })
  await foyer.get(contract.remove, { id: one.made.id }, editor)
  expect((await again()).status).toBe(200)
  const both = await foyer.ask(
    contract.accessPoints,
    { id: other.made.id, accept: [mac_address], drop: [mac_address] },
    editor,
  )
  expect(both).toMatchObject({ status: 422, text: expect.stringContaining('at once') })
})

test('a signed packet that does not bear the gateway’s name teaches which access points it has, and they wait', async () => {
  const { made } = await aPlace()
  await foyer.get(contract.update, { id: made.id, ip_address: '127.0.0.1' }, editor)
  const box = await openGateway(radius.ports, made)
  const [named, unnamed] = [aMacAddress(), aMacAddress()]
  const report = (called: string, nas_identifier = made.nas_identifier) =>
    box.report({
      acct_status_type: status_type.accounting_on,
      called_station_id: `${dashed(called)}:g`,
      nas_identifier,
    })
  await report(named)
  await report(made.mac_address ?? '', 'wlc')
  await report(unnamed, 'wlc')
  await expect.poll(() => pointsOf(made.id), { timeout: 10_000 }).toEqual([[unnamed, null, 'claimed']])
  await box.close()
})

test('a MAC address that others register does not silence the box that has it', async () => {
  const mac_address = aMacAddress()
  const squatters = await Promise.all(Array.from({ length: 10 }, () => foyer.customer()))
  for (const who of squatters) {
    const { id: property_id } = await foyer.property(who)
    await foyer.gateway(who, { property_id, gateway_type_id: 13, mac_address })
  }
  const { made } = await aPlace(editor, mac_address)
  // What it has proven anywhere goes before what nobody has.
  await admin.query(
    `insert into gateway_addresses (customer_id, gateway_id, address) select customer_id, id, '192.0.2.1' from gateways where id = $1`,
    [made.id],
  )
  const box = await openGateway(radius.ports, made)
  const known = { ...guest, calling_station_id: aMacAddress(), called_station_id: dashed(mac_address) }
  expect((await box.access({ ...known, nas_identifier: 'wlc' })).code).toBe(code.access_accept)
  const { rows } = await admin.query<{ count: string }>(
    `select count(*) from door_radius_strangers(array['wlc'], array[$1::macaddr], array['192.0.2.7'::inet])`,
    [mac_address],
  )
  expect(Number(rows[0]?.count)).toBe(8)
  await box.close()
})
