// Strangers: what somebody else claims of a gateway takes nothing away from whoever has it, and tells nobody that they have.
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import * as contract from '#contract/gateways.ts'
import { attribute, code, status_type } from '#server/radius/dictionary.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { openGateway, textIn } from '#test/radius-client.ts'
import { withRadius, type TestRadius } from '#test/radius.ts'

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

/** A property with a guest, of whoever is asked for. */
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

test('who registers the address of another is told nothing of what comes from there', async () => {
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

test('a gateway that nobody has heard yet is answered in the line of strangers, and is then known', async () => {
  const property = await aPlace()
  const { made, gateway } = await radius.gatewayAt(property.id)
  expect((await gateway.access(asked())).code).toBe(code.access_accept)
  await expect.poll(() => provenAt(made.id)).toBe(1)
  const refused = await gateway.access({ ...asked(), password: 'guess' })
  expect(textIn(refused, attribute.reply_message)).toMatch(/not right/)
})

test('a name belongs to one customer’s gateways alone', async () => {
  const property = await aPlace()
  const made = await foyer.gateway(editor, { property_id: property.id, gateway_type_id: 13, nas_identifier: 'attic' })
  const again = await foyer.ask(
    contract.create,
    { property_id: property.id, gateway_type_id: 13, nas_identifier: made.nas_identifier },
    editor,
  )
  expect(again.status).toBe(422)
})

test('somebody else’s gateway of the same name, MAC and address silences none that is proven, not even an old one', async () => {
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
  // What a node has read holds for some seconds: another node knows nothing yet.
  const node = await foyer.radius?.listen('127.0.0.1', { access: 0, accounting: 0 })
  if (!node) throw new Error('no role')
  const again = await openGateway(node, made)
  const packets = [again.accessPacket(asked()), again.accessPacket(asked(), { signed: false })]
  for (const packet of packets) expect((await again.send(packet, node.access))?.code).toBe(code.access_accept)
  await Promise.all([gateway.close(), again.close()])
})
