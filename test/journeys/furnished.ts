// Furnished: an operator with one of everything, and users of each context who may see it.
import type { Page } from '@playwright/test'
import type { Context } from '#contract/shapes.ts'
import type { Ids } from '#test/journeys/addresses.ts'
import { expect } from '#test/journeys/fixtures.ts'
import { ask, join, operatorToken, type Foyer } from '#test/journeys/people.ts'

interface Furnished {
  /** @param user_type_id an editor by default */
  within(context: Context, user_type_id?: number): Promise<{ ids: Ids; token: string }>
}

/** Makes one of everything, the newest in its list, and on demand a token for each context. */
export async function furnish(foyer: Foyer): Promise<Furnished> {
  const customer = await operatorToken(foyer)
  const own = `${Date.now()}-${Math.floor(Math.random() * 1e6)}`
  const make = async (call: string, body: object) => (await ask(foyer, call, body, customer)).data['id']
  const where = { address: '1 Quay', city: 'Porto', country_id: 1, property_type_id: 1, connectivity_type_id: 1 }
  const group = await make('/groups-create', { name: `Group ${own}` })
  const property = await make('/properties-create', { name: `Quay ${own}`, group_id: group, ...where })
  const collection = await make('/collections-create', {
    name: `Seaside ${own}`,
    group_id: group,
    property_ids: [property],
  })
  const team = await make('/teams-create', { name: `Reception ${own}` })
  // Each customer starts with one portal.
  const [portal] = (await ask(foyer, '/portals', {}, customer)).data as unknown as { id: number }[]
  const pack = await make('/packages-create', { name: `Day ${own}` })
  const guest = { name: `Guest ${own}`, username: own, password: 'quay-2345', property_id: property }
  const account = await make('/accounts-create', guest)
  const batch = await make('/voucher-batches-create', { quantity: 3, package_id: pack, property_id: property })
  const room = await make('/rooms-create', { property_id: property, number: '12' })
  const roomGuest = await make('/room-guests-create', { room_id: room, first_name: 'Ana', last_name: 'Reis' })
  const category = await make('/categories-create', { name: `Printers ${own}` })
  const mac_address = `02:${own
    .replace(/\D/g, '')
    .slice(-10)
    .replace(/(..)(?=.)/g, '$1:')}`
  const device = await make('/devices-create', { name: `Printer ${own}`, mac_address, property_id: property })
  const types = await fetch(`${foyer.url}/api/v1/gateway-types`, {
    headers: { Authorization: `Bearer ${customer}`, 'App-Context': 'customer' },
  })
  const [type] = ((await types.json()) as { data: { id: number }[] }).data
  const gateway = await make('/gateways-create', { property_id: property, gateway_type_id: type?.id, mac_address })
  const owner = { owner_type: 'Property', owner_id: property }
  const propertyInterface = await make('/property-interfaces-create', { property_interface_type_id: 1, ...owner })
  const report = await make('/scheduled-reports-create', { name: `Report ${own}` })
  const colleague = { email: `${own}@harbour.example`, name: `Colleague ${own}`, user_type_id: 2 }
  const owners = {
    customer: {},
    group: { owner_type: 'groups', owner_id: group },
    property: { owner_type: 'properties', owner_id: property },
  }
  // A viewer, because other journeys of this Foyer count the editors.
  await join(foyer, { ...colleague, user_type_id: 1 })
  const userBy = async (email: string) => {
    const { data } = await ask(foyer, '/users', { searchValue: email }, customer)
    return (data as unknown as { id: number }[])[0]?.id
  }
  const ids = {
    group,
    property,
    package: pack,
    portal: portal?.id,
    account,
    batch,
    device,
    category,
    collection,
    team,
    gateway,
    guest: absent_id,
    interface: propertyInterface,
    report,
    room,
    roomGuest,
    user: await userBy(colleague.email),
  }
  return {
    // Which user can be seen depends on the context.
    async within(context, user_type_id = 2) {
      if (context === 'customer' && user_type_id === 2) return { ids, token: customer }
      const email = `${context}-${user_type_id}-${colleague.email}`
      const token = await join(foyer, { ...colleague, ...owners[context], email, user_type_id })
      // The team belongs to the customer, so it is out of reach elsewhere.
      return { ids: { ...ids, user: await userBy(email), ...(context !== 'customer' && { team: absent_id }) }, token }
    },
  }
}

/** An id for a guest, who can come only from a portal, and for records out of reach. */
export const absent_id = 2_000_000_000
export const isAbsent = (address: string) => address.endsWith(`=${absent_id}`)

/** Waits until the screen and its data are loaded. */
export async function atRest(page: Page) {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('[class*=skeleton]')).toHaveCount(0)
}
