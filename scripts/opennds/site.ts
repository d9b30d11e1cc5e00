// Site: a customer of a running Foyer, with a property whose guests get online through an openNDS.
import { secret_place } from '#contract/gateway-kinds.ts'
import { authMethods } from '#contract/portals.ts'
import { aPicture } from '#test/pictures.ts'
import { formOf } from '#test/uploads.ts'
import { gateway } from './network.ts'

const open_nds = 3

const credentials = { email: 'ada@lantern.example', password: 'quiet harbour lantern 42' }

/** Returns a function for calls with the token of the user who signs up (`/auth/signup`) or logs in (`/auth/login`). */
async function enter(foyer_url: string, call: string, body: object) {
  let token = ''
  async function ask<T>(call: string, body: object): Promise<T> {
    const isForm = body instanceof FormData
    const response = await fetch(`${foyer_url}/api/v1${call}`, {
      method: 'POST',
      headers: {
        'app-context': 'customer',
        authorization: `Bearer ${token}`,
        ...(!isForm && { 'content-type': 'application/json' }),
      },
      body: isForm ? body : JSON.stringify(body),
    })
    const answer = await response.text()
    if (!response.ok) throw new Error(`${call} answered ${response.status}: ${answer}`)
    return (JSON.parse(answer) as { data: T }).data
  }
  token = (await ask<{ access_token: string }>(call, body)).access_token
  return ask
}

/** What the gateway's page gives to paste, with the secret in its place. */
async function linesOf(ask: Awaited<ReturnType<typeof enter>>, gateway_id: number, secret: string): Promise<string> {
  const { lines, where } = await ask<{ lines: string | null; where: string }>(`/gateways-set-up/${gateway_id}`, {})
  if (lines === null) throw new Error(`nothing to paste: ${where}`)
  return lines.replace(secret_place, secret)
}

/** The names of the site's properties, as seen by its owner. */
export async function propertiesOf(foyer_url: string): Promise<string[]> {
  const ask = await enter(foyer_url, '/auth/login', credentials)
  return (await ask<{ name: string }[]>('/properties', {})).map(({ name }) => name)
}

export async function makeSite(foyer_url: string) {
  const ask = await enter(foyer_url, '/auth/signup', { ...credentials, name: 'Ada', company_name: 'The Lantern' })
  const make = async (call: string, body: object) => (await ask<{ id: number }>(call, body)).id

  const look = { name: 'Lobby', headline: 'Welcome', company_name: 'The Lantern', terms: 'Be kind.' }
  const auth_method_ids = [authMethods.free, authMethods.voucher]
  const form = formOf({ ...look, auth_method_ids, logo: aPicture('logo.png') })
  const portal = await ask<{ id: number; url: string }>('/portals-create', form)

  const package_id = await make('/packages-create', { name: 'Two hours', session_time_hrs: 2 })
  const place = { address: 'Quay 1', city: 'Bath', country_id: 1, property_type_id: 1, connectivity_type_id: 1 }
  const offer = { package_id, portal_id: portal.id, network_name: 'Lantern Guest' }
  const property_id = await make('/properties-create', { name: 'The Lantern', ...place, ...offer })
  const { address: dns_name, mac_address } = gateway
  const settings = { property_id, gateway_type_id: open_nds, dns_name, mac_address }
  type Made = { id: number; nas_identifier: string; radius_secret: string }
  const { id: gateway_id, nas_identifier, radius_secret: secret } = await ask<Made>('/gateways-create', settings)

  const voucher_batch_id = await make('/voucher-batches-create', { property_id, package_id, quantity: 1 })
  const [voucher] = await ask<{ code: string }[]>('/vouchers', { params: { voucher_batch_id } })
  if (!voucher) throw new Error('the batch has no voucher')
  const lines = await linesOf(ask, gateway_id, secret)
  const box = { gateway_id, nas_identifier, secret, lines }
  return { ...box, property_id, portal_url: portal.url, voucher: voucher.code }
}

export interface Seen {
  online: boolean
  seconds: number
  bytes_up: number
  bytes_down: number
  termination_reason: string | null
}

/**
 * The same site once its box fetches its guests: vouchers of two minutes and 5 MB, a longer one of sixteen minutes, and what the desk sees
 * of who used them.
 */
export async function fetchingSite(
  foyer_url: string,
  {
    gateway_id,
    property_id,
    secret,
  }: Pick<Awaited<ReturnType<typeof makeSite>>, 'gateway_id' | 'property_id' | 'secret'>,
) {
  const ask = await enter(foyer_url, '/auth/login', credentials)
  await ask('/gateways-update', { id: gateway_id, settings: { level: '3' } })
  const { portal_url } = await ask<{ portal_url: string }>(`/gateways/${gateway_id}`, {})
  const lines = await linesOf(ask, gateway_id, secret)
  const vouchersOf = async (limits: { name: string; session_time_hrs: number; volume_gb?: number }) => {
    const { id: package_id } = await ask<{ id: number }>('/packages-create', limits)
    const batch = { property_id, package_id, quantity: 2 }
    const { id: voucher_batch_id } = await ask<{ id: number }>('/voucher-batches-create', batch)
    const [first, second] = await ask<{ code: string }[]>('/vouchers', { params: { voucher_batch_id } })
    if (!first || !second) throw new Error('the batch has no vouchers')
    return [first.code, second.code] as const
  }
  const vouchers = await vouchersOf({ name: 'Two minutes and 5 MB', session_time_hrs: 2 / 60, volume_gb: 0.005 })
  const [longer] = await vouchersOf({ name: 'Sixteen minutes', session_time_hrs: 16 / 60 })
  const newest = async () => (await ask<Seen[]>('/sessions', { params: { property_id } }))[0]
  return { portal_url, lines, vouchers, longer, newest }
}
