// Not offered: EAP and MS-CHAP are refused in a way that devices understand, and do not count as guesses; Status-Server is answered
// on both ports; and gateways are recognised where we listen on every address.
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import { attemptReasons } from '#contract/sign-in-attempts.ts'
import { attribute, code, microsoft } from '#server/radius-codec/dictionary.ts'
import { ofVendor } from '#server/radius-codec/vendor.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { openGateway, packetOf, textIn } from '#test/radius-client.ts'
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
async function site() {
  const property = await foyer.property(editor)
  await foyer.account(editor, { property_id: property.id, username: guest.user_name, password: guest.password })
  return { property, ...(await radius.gatewayAt(property.id)) }
}
const reasonsAt = async (property_id: number) =>
  (
    await admin.query<{ reason: string }>(
      'select distinct reason from radius_authorisations where property_id = $1 order by 1',
      [property_id],
    )
  ).rows.map(({ reason }) => reason)

test('EAP and MS-CHAP are refused as not offered, and lock nobody out', async () => {
  const { property, gateway } = await site()
  const calling_station_id = aMacAddress()
  const { value: ms_chap } = ofVendor(microsoft.vendor, { type: microsoft.chap2_response, value: Buffer.alloc(50, 1) })
  for (let tried = 0; tried < 11; tried++) {
    const asked = { user_name: guest.user_name, calling_station_id }
    const eap = await gateway.access({ ...asked, eap_message: Buffer.from('0207000b01616d656c6961', 'hex') })
    expect(eap.code).toBe(code.access_reject)
    expect(eap.attributes.map(({ type }) => type)).toEqual([attribute.message_authenticator, attribute.eap_message])
    expect(eap.attributes[1]?.value.toString('hex')).toBe('04070004')
    const chap = await gateway.access({ ...asked, vendor_specific: ms_chap })
    expect(textIn(chap, attribute.reply_message)).toBe(attemptReasons.not_offered)
  }
  expect((await gateway.access({ ...guest, calling_station_id })).code).toBe(code.access_accept)
  expect(await reasonsAt(property.id)).toEqual(['accepted', 'not_offered'])
})

test('Status-Server is answered on both ports if it is signed', async () => {
  const { gateway, made } = await site()
  const asked = (secret: string, signed = true) =>
    packetOf({ nas_identifier: made.nas_identifier }, { secret, signed, kind: code.status_server })
  const { access, accounting } = radius.ports
  const right = made.radius_secret
  expect((await gateway.send(asked(right), access))?.code).toBe(code.access_accept)
  expect((await gateway.send(asked(right), accounting))?.code).toBe(code.accounting_response)
  for (const packet of [asked('another secret'), asked(right, false)])
    expect(await gateway.send(packet, access, 1000)).toBeNull()
})

test('when listening on every address, an IPv4 gateway is recognised by its address', async () => {
  const { property } = await site()
  const from = '127.0.0.1'
  const made = await foyer.gateway(editor, { property_id: property.id, gateway_type_id: 13, ip_address: from })
  const ports = await foyer.radius?.listen('::', { access: 0, accounting: 0 })
  if (!ports) throw new Error('no role')
  // It sends no NAS-Identifier.
  const gateway = await openGateway(ports, made)
  const asked = { ...guest, calling_station_id: aMacAddress() }
  const packet = packetOf(asked, { secret: made.radius_secret, kind: code.access_request })
  expect((await gateway.send(packet, ports.access))?.code).toBe(code.access_accept)
  await gateway.close()
})
