// Guest site: a property for journeys of guests, with each way in that needs no message, and its gateway, which asks RADIUS over UDP.
import { openSimulatedGateway, type SimulatedGateway } from '#scripts/simulation/gateway.ts'
import type { SimulatedSite } from '#scripts/simulation/site.ts'
import type { RadiusPorts } from '#server/apps/radius.ts'
import { freePort } from '#server/start/free-port.ts'
import { expect, test as base } from '#test/journeys/fixtures.ts'
import { ask, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { pngOf } from '#test/pictures.ts'

export const host = 'hotspot.quayside.example'
export const test = base.extend<object, { ports: RadiusPorts }>({
  ports: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the dependencies of a fixture from the pattern
    async ({}, provide) => {
      const access = await freePort(2)
      await provide({ access, accounting: access + 1 })
    },
    { scope: 'worker' },
  ],
  settings: [
    ({ ports }, provide) =>
      provide({ RADIUS_AUTH_PORT: String(ports.access), RADIUS_ACCT_PORT: String(ports.accounting) }),
    { scope: 'worker' },
  ],
})

let device_number = 0
let site_number = 0
export const aDevice = () => `00-00-5e-00-53-${(++device_number).toString(16).padStart(2, '0')}`

export interface Site {
  /** The address of the portal. */
  url: string
  registered: SimulatedSite['gateway']
  gateway: SimulatedGateway
  voucher: string
}

/**
 * A hotel with a guest in room 12, an account, a conference code and a voucher.
 *
 * @param more further fields of its gateway
 */
export async function site(foyer: Foyer, ports: RadiusPorts, gateway_type_id = 13, more: object = {}): Promise<Site> {
  const token = await operatorToken(foyer)
  const make = async (call: string, body: object) => {
    const { status, data } = await ask(foyer, call, body, token)
    expect(status, `${call} ${JSON.stringify(data)}`).toBeLessThan(300)
    return data
  }
  const form = new FormData()
  const picture = new File([new Uint8Array(await pngOf({ width: 400, height: 100, colour: '#345d7e' }))], 'logo.png', {
    type: 'image/png',
  })
  const name = `Quayside ${++site_number}`
  const fields = { name, company_name: 'Quayside', button_fill_colour: '#1F5FD0', terms: 'Be kind.' }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const method of [1, 2, 3, 4, 7]) form.append('auth_method_ids[]', String(method))
  form.append('logo', picture)
  const response = await fetch(`${foyer.url}/api/v1/portals-create`, {
    method: 'POST',
    headers: { 'App-Context': 'customer', Authorization: `Bearer ${token}` },
    body: form,
  })
  const portal = ((await response.json()) as { data: { id: number; url: string } }).data
  const { id: package_id } = await make('/packages-create', { name, session_time_hrs: 2, volume_gb: 1 })
  const place = { address: 'Quay 1', city: 'Bath', country_id: 1, property_type_id: 1, connectivity_type_id: 1 }
  const shown = { package_id, portal_id: portal.id, network_name: 'Quayside Guest' }
  const { id: property_id } = await make('/properties-create', { name, ...place, ...shown })
  const mac_address = `02:00:5e:00:01:0${site_number}`
  const box = { gateway_type_id, property_id, dns_name: host, mac_address, ...more }
  const made = (await make('/gateways-create', box)) as unknown as Pick<
    SimulatedSite['gateway'],
    'id' | 'nas_identifier' | 'radius_secret'
  >
  const registered = { ...made, gateway_type_id, mac_address }
  await make('/accounts-create', { property_id, name: 'Ada', username: 'ada', password: 'quiet lantern 7' })
  await make('/accounts-create', { property_id, name: 'Summit', username: 'summit', account_type_id: 2 })
  const { id: room_id } = await make('/rooms-create', { property_id, number: '12' })
  await make('/room-guests-create', { room_id, last_name: 'Müller' })
  const { id: batch } = await make('/voucher-batches-create', { property_id, package_id, quantity: 2 })
  const { data: vouchers } = (await (
    await fetch(`${foyer.url}/api/v1/vouchers`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'App-Context': 'customer', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ params: { voucher_batch_id: batch } }),
    })
  ).json()) as { data: { code: string }[] }
  const gateway = await openSimulatedGateway(ports, { gateway: registered })
  await make('/gateways-update', { id: made.id, disconnect_port: gateway.port })
  return { url: portal.url, registered, gateway, voucher: vouchers[0]?.code ?? '' }
}
