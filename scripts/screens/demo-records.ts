// Demo records: logging in to the demo, and finding one record of each kind to open, if possible one with content.
import type { Context } from '#contract/shapes.ts'
import type { Demo } from '#scripts/simulation/demo-file.ts'
import type { Ids } from '#test/journeys/addresses.ts'

export interface Login {
  token: string
  context: Context
}

async function ask(url: string, call: string, body: object, login?: Login): Promise<unknown> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${login?.token}`,
    'app-context': login?.context ?? 'customer',
  }
  const response = await fetch(`${url}/api/v1${call}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${call} answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { data: unknown }).data
}

export async function loginOf(url: string, { logins }: Demo, email: string): Promise<Login> {
  const password = logins.find((login) => login.email === email)?.password
  const data = (await ask(url, '/auth/login', { email, password })) as {
    access_token: string
    user: { owner_type: string }
  }
  return { token: data.access_token, context: data.user.owner_type.toLowerCase() as Context }
}

/** Ids that the user may not read are undefined: their screens are then shown without a record. */
export async function idsOf(url: string, login: Login): Promise<Ids & { session: unknown }> {
  const rows = async (call: string, body: object = {}) =>
    (await ask(url, call, body, login).catch(() => [])) as Record<string, unknown>[]
  const newest = async (call: string, body: object = {}) => (await rows(call, body))[0]?.['id']
  const property = await newest('/properties', { searchValue: 'Lantern' })
  const here = { params: property === undefined ? {} : { property_id: property } }
  const sessions = await rows('/sessions', { filters: { online: [true] }, ...here })
  const holder = (what: string) => sessions.find((session) => session[what] !== null)?.[what]
  const roomGuests = await rows('/room-guests', here)
  return {
    property,
    group: await newest('/groups', { searchValue: 'Harbour' }),
    package: await newest('/packages', { searchValue: 'Plus' }),
    portal: await newest('/portals', { searchValue: 'Harbour' }),
    account: holder('account_id') ?? (await newest('/accounts', here)),
    batch: await newest('/voucher-batches', here),
    device: holder('device_id') ?? (await newest('/macs', here)),
    category: await newest('/mac-categories'),
    collection: await newest('/collections'),
    team: await newest('/teams', { searchValue: 'Network' }),
    gateway: await newest('/gateways', here),
    guest: await newest('/guests', here),
    interface: await newest('/property-interfaces', here),
    report: await newest('/reports'),
    room: (roomGuests[0]?.['room'] as { id?: unknown } | undefined)?.id ?? (await newest('/rooms', here)),
    roomGuest: roomGuests[0]?.['id'],
    user: await newest('/users'),
    session: sessions[0]?.['id'],
  }
}
