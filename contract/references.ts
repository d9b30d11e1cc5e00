// References: what is chosen where a field points at another record: where the names are, the word for none, and which are offered.
// The form, the review, the overview, a column and a filter draw a reference by this and by its field.
//
//   references.packages.names    GET /packages-list
import * as accounting from './accounting-integrations.ts'
import * as collections from './collections.ts'
import * as devices from './devices.ts'
import type { Endpoint } from './endpoint.ts'
import * as groups from './groups.ts'
import * as macCategories from './mac-categories.ts'
import * as packages from './packages.ts'
import * as portals from './portals.ts'
import * as properties from './properties.ts'
import type { RefTarget } from './ref-target.ts'
import * as reference from './reference.ts'
import * as reports from './reports.ts'
import * as rooms from './rooms.ts'
import * as users from './users.ts'

export interface Reference {
  /** A GET endpoint of `{id, name}` rows: a `-list`, which is searched page by page while typing, or a look-up. */
  names: Endpoint
  /** What having none is called, unless its field says what it means. */
  none?: string
  /** Disabled ones are not offered; what is chosen already stays. */
  offers?: 'enabled'
  /** The order in which they are offered; by default the newest first, and search results by name. */
  sort?: string
  /** The field that narrows what is offered to that record's, and what is said until it is chosen. */
  within?: { field: string; first: string }
}

/** Schemas are no part of it, so that the browser need not load them for a name. */
const factsOf = ({ input: _input, output: _output, ...facts }: Endpoint) => facts as Endpoint

export const references = {
  accounting_contacts: { names: factsOf(accounting.names), offers: 'enabled', sort: '-created_at' },
  account_types: { names: factsOf(reference.accountTypes) },
  auth_methods: { names: factsOf(reference.authMethods) },
  collections: { names: factsOf(collections.names) },
  connectivity_types: { names: factsOf(reference.connectivityTypes) },
  countries: { names: factsOf(reference.countries) },
  devices: { names: factsOf(devices.names) },
  frequency_types: { names: factsOf(reference.frequencyTypes) },
  gateway_types: { names: factsOf(reference.gatewayTypes) },
  groups: { names: factsOf(groups.names), none: 'No group' },
  mac_categories: { names: factsOf(macCategories.names), none: 'No category', offers: 'enabled' },
  packages: { names: factsOf(packages.names), offers: 'enabled' },
  portal_fonts: { names: factsOf(reference.portalFonts) },
  portal_layouts: { names: factsOf(reference.portalLayouts) },
  portal_types: { names: factsOf(reference.portalTypes) },
  portals: { names: factsOf(portals.names), none: 'No portal', offers: 'enabled' },
  properties: { names: factsOf(properties.names) },
  property_interface_types: { names: factsOf(reference.propertyInterfaceTypes) },
  property_types: { names: factsOf(reference.propertyTypes) },
  reports: { names: factsOf(reports.names) },
  rooms: {
    names: factsOf(rooms.names),
    none: 'No room',
    sort: 'number',
    within: { field: 'property_id', first: 'Choose a property first' },
  },
  user_types: { names: factsOf(reference.userTypes) },
  users: { names: factsOf(users.names) },
} satisfies Partial<Record<RefTarget, Reference>>

/** What can be chosen where a field points at it. */
export type Chosen = keyof typeof references
