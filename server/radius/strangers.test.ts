// Strangers: false claims about a gateway do not affect its owner, and do not reveal to others that it exists.
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import * as contract from '#contract/gateways.ts'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import { invalid } from '#server/errors/refused.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { openGateway, textIn } from '#test/radius-client.ts'
import { withRadius, type TestRadius } from '#test/radius.ts'
import { expectRefused } from '#test/refused.ts'

let radius: TestRadius
let foyer: TestFoyer
let admin: Client
let editor: Person
withRadius((opened) => {
  radius = opened
  ;({ foyer, admin, editor } = radius)
})

const guest = { user_name: 'amelia', password: 'a guest password' }
const asked = () => ({ ...guest, calling_station_id: aMacAddress() })
const unanswered_ms = 1000

/** A property with a guest, of the given user's customer. */
async function aPlace(of: Person = editor) {
  const property = await foyer.property(of)
  await foyer.account(of, { property_id: property.id, username: guest.user_name, password: guest.password })
  return property
}
const provenAt = async (id: number) =>
  (await admin.query('select from gateway_addresses where gateway_id = $1', [id])).rowCount
async function prove(gateway: Awaited<ReturnType<typeof openGateway>>, id: number) {
  await gateway.report({ acct_status_type: status_type.accounting_on })
  await expect.poll(() => provenAt(id)).toBe(1)
}

test('a customer who registers another’s address learns nothing about packets from there', async () => {
  const property = await aPlace()
  const { made, gateway } = await radius.gatewayAt(property.id)
  await prove(gateway, made.id)
  const stranger = await foyer.customer()
  const elsewhere = await foyer.property(stranger)
  const theirs = await foyer.gateway(stranger, {
    property_id: elsewhere.id,
    gateway_type_id: 13,
    ip_address: '127.0.0.1',
  })
  // A box that the operator has not registered yet, and the registered one with another secret.
  const nameless = { ...asked(), nas_identifier: 'new-box' }
  expect(await gateway.send(gateway.accessPacket(nameless), radius.ports.access, unanswered_ms)).toBeNull()
  const wrong = gateway.accessPacket(asked(), { secret: 'another secret' })
  expect(await gateway.send(wrong, radius.ports.access, unanswered_ms)).toBeNull()
  const seen = (who: Person, property_id: number) => foyer.get(contract.unregistered, { property_id }, who)
  await expect
    .poll(async () => (await seen(editor, property.id)).data.map(({ nas_identifier }) => nas_identifier))
    .toEqual(['new-box'])
  await expect
    .poll(async () => (await foyer.get(contract.get, { id: made.id }, editor)).data.refused_for)
    .toBe('wrong_secret')
  expect((await seen(stranger, elsewhere.id)).data).toEqual([])
  expect((await foyer.get(contract.get, { id: theirs.id }, stranger)).data.last_seen_at).toBeNull()
})

test('a gateway that has never been heard from is answered through the queue of unknown senders, and is then known', async () => {
  const property = await aPlace()
  const { made, gateway } = await radius.gatewayAt(property.id)
  expect((await gateway.access(asked())).code).toBe(code.access_accept)
  await expect.poll(() => provenAt(made.id)).toBe(1)
  const refused = await gateway.access({ ...asked(), password: 'guess' })
  expect(textIn(refused, attribute.reply_message)).toMatch(/not right/)
})

test('a customer cannot use one NAS-Identifier twice', async () => {
  const property = await aPlace()
  const made = await foyer.gateway(editor, { property_id: property.id, gateway_type_id: 13, nas_identifier: 'attic' })
  const again = await foyer.ask(
    contract.create,
    { property_id: property.id, gateway_type_id: 13, nas_identifier: made.nas_identifier },
    editor,
  )
  expectRefused(again, invalid({ nas_identifier: ['Another gateway has this NAS identifier.'] }))
})

test('another customer’s gateway of the same name, MAC and address silences no proven one, even without signatures', async () => {
  const property = await aPlace()
  const mac_address = aMacAddress()
  const names = { nas_identifier: 'cellar', mac_address, ip_address: '127.0.0.1' }
  const made = await foyer.gateway(editor, {
    property_id: property.id,
    gateway_type_id: 13,
    takes_unsigned: true,
    ...names,
  })
  const gateway = await openGateway(radius.ports, made)
  await prove(gateway, made.id)
  const stranger = await foyer.customer()
  const elsewhere = await foyer.property(stranger)
  const theirs = await foyer.ask(
    contract.create,
    { property_id: elsewhere.id, gateway_type_id: 13, ...names },
    stranger,
  )
  expect(theirs.status).toBe(201)
  // A node caches what it has read for some seconds, but another node has read nothing yet.
  const node = await foyer.radius?.listen('127.0.0.1', { access: 0, accounting: 0 })
  if (!node) throw new Error('no role')
  const again = await openGateway(node, made)
  const packets = [again.accessPacket(asked()), again.accessPacket(asked(), { signed: false })]
  for (const packet of packets) expect((await again.send(packet, node.access))?.code).toBe(code.access_accept)
  await Promise.all([gateway.close(), again.close()])
})
