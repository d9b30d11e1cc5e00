// Policies: who may read and write what. Anything not listed here is denied.
//
// What somebody may do depends on two things: the level they act at (the customer's, a group's or a property's), and the
// role of their user type, never its name. Which rows they see is decided in reach.ts.
import * as addressConfirmation from '#contract/address-confirmation.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { actions, allows, areas, type Action, type Area, type Can } from '#contract/permissions.ts'
import type { roles } from '#contract/reference.ts'
import * as auth from '#contract/auth.ts'
import * as madeSince from '#contract/made-since.ts'

/** In a sample people have a role of its own, whatever they are at home. */
export type Role = (typeof roles)[number] | 'sample'
type Level = 'customer' | 'group' | 'property'
type Standing = `${Level} ${Role}`
type Policy = Partial<Record<Action, readonly Standing[]>>

const of = (levels: readonly Level[], ...some: Role[]): Standing[] =>
  levels.flatMap((level) => some.map((role): Standing => `${level} ${role}`))

const every: readonly Level[] = ['customer', 'group', 'property']
const aboveProperty: readonly Level[] = ['customer', 'group']

const everybody = of(every, 'editor', 'viewer', 'front_desk')
const readers = of(every, 'editor', 'viewer')
const readersAboveProperty = of(aboveProperty, 'editor', 'viewer')
const customersReaders = of(['customer'], 'editor', 'viewer')
const editors = of(every, 'editor')
const editorsAboveProperty = of(aboveProperty, 'editor')
const customersEditors = of(['customer'], 'editor')
const deskAndEditors = of(every, 'editor', 'front_desk')

/** Those who may write here may also delete. */
const writableBy = (who: readonly Standing[]): Policy => ({ write: who, delete: who })

const policies: Record<Area, Policy> = {
  accounting_integrations: { read: customersReaders, ...writableBy(customersEditors) },
  accounts: { read: everybody, desk: deskAndEditors, ...writableBy(editors) },
  activity: { read: readers },
  api_keys: { read: readersAboveProperty, ...writableBy(editorsAboveProperty) },
  billing: { read: customersReaders, ...writableBy(customersEditors) },
  collections: { read: readersAboveProperty, ...writableBy(editorsAboveProperty) },
  // What applies to a customer as a whole: read by all who see what depends on it.
  company: { read: readers, write: customersEditors },
  connections: { read: customersReaders, ...writableBy(customersEditors) },
  dashboard: { read: everybody, write: editors },
  devices: { read: everybody, desk: deskAndEditors, ...writableBy(editors) },
  // Mails to guests, drafts, files: what waits to be done for the customer as a whole.
  due_work: { read: customersEditors, ...writableBy(customersEditors) },
  // What has happened, without anything personal.
  events: { read: readers },
  gateways: { read: readers, ...writableBy(editorsAboveProperty) },
  groups: { read: readersAboveProperty, ...writableBy(customersEditors) },
  // Why a guest cannot get online, which all may know; what helps is done by the desk and by editors.
  guest_help: { read: everybody, desk: deskAndEditors },
  // When guests were online, and ending their sessions.
  guest_sessions: { read: everybody, desk: deskAndEditors, write: editors },
  // What people entered at a portal: only editors may hand it out and erase it.
  guests: { read: readers, desk: editors, ...writableBy(editors) },
  imports: { read: readers, write: editors },
  mac_categories: { read: everybody, ...writableBy(customersEditors) },
  marketing_integrations: { read: customersReaders, ...writableBy(customersEditors) },
  packages: { read: everybody, ...writableBy(customersEditors) },
  portal_footers: { read: readers, ...writableBy(customersEditors) },
  portals: { read: readers, ...writableBy(customersEditors) },
  properties: { read: everybody, ...writableBy(editorsAboveProperty) },
  property_interfaces: { read: readers, ...writableBy(editorsAboveProperty) },
  reference: { read: everybody },
  // What is saved is the customer's; everybody but the desk runs what they reach.
  reports: { read: readers, ...writableBy(customersEditors) },
  // Guests are checked in, moved and out at the desk.
  room_guests: { read: everybody, ...writableBy(deskAndEditors) },
  rooms: { read: everybody, ...writableBy(editors) },
  security: { read: customersEditors, write: customersEditors },
  // One's own session: to see, switch and end it.
  sessions: { read: everybody, write: everybody },
  sign_in_attempts: { read: everybody },
  teams: { read: readers, ...writableBy(editorsAboveProperty) },
  // To whom messages could not be delivered: guests, and colleagues who forgot a password.
  undelivered: { read: customersEditors, ...writableBy(customersEditors) },
  users: { read: readers, invite: editors, ...writableBy(editorsAboveProperty) },
  voucher_batches: { read: everybody, desk: deskAndEditors, ...writableBy(editors) },
  vouchers: { read: everybody, desk: deskAndEditors },
  // Where what happens is told: it leaves the product.
  webhooks: { read: editors, ...writableBy(editors) },
}

/** What is served without a token. */
const open: readonly Endpoint[] = [
  auth.login,
  auth.secondFactor,
  auth.signup,
  auth.forgotPassword,
  auth.resetPassword,
  auth.acceptInvitation,
  addressConfirmation.toConfirm,
  addressConfirmation.confirmAddress,
  addressConfirmation.notMe,
  madeSince.madeSinceByLink,
]
/** Open calls for which it counts who is signed in. */
const knowing: readonly Endpoint[] = [addressConfirmation.toConfirm, addressConfirmation.confirmAddress]
export const knowsSession = (endpoint: Endpoint) => knowing.includes(endpoint)
export const isOpen = (endpoint: Endpoint) => open.includes(endpoint)

const levelOf = { Customer: 'customer', Group: 'group', Property: 'property' } as const

/** Areas in which nothing is allowed are left out. */
function rightsFrom(standing: Standing): Can {
  const granted = areas.map((area): [Area, Action[]] => [
    area,
    actions.filter((action) => policies[area][action]?.includes(standing)),
  ])
  return Object.fromEntries(granted.filter(([, allowed]) => allowed.length > 0))
}
/** What would leave a sample, or let others in: to be looked at there, and not to be made. */
const outward: readonly Area[] = [
  'accounting_integrations',
  'api_keys',
  'company',
  'connections',
  'gateways',
  'marketing_integrations',
  'property_interfaces',
  'security',
  'teams',
  'users',
  'webhooks',
]
/** What an editor may do, without what would leave. */
function rightsInSample(): Can {
  const can = rightsFrom('customer editor')
  for (const area of outward) can[area] = ['read']
  return can
}
const rights: Partial<Record<Standing, Can>> = {
  ...Object.fromEntries(everybody.map((standing) => [standing, rightsFrom(standing)])),
  'customer sample': rightsInSample(),
}

/** Everything that somebody may do, for `auth/me` and for each of their requests. */
export const rightsOf = (owner_type: keyof typeof levelOf, role: Role): Can =>
  rights[`${levelOf[owner_type]} ${role}`] ?? {}

/** Until the second factor that the customer asks for is set up. */
export const rightsWithoutSecondFactor: Can = { sessions: ['read', 'write'] }

export const may = (caller: { can: Can }, endpoint: Endpoint): boolean =>
  allows(caller.can, endpoint.area, endpoint.action) ||
  (isOfNames(endpoint) && allows(caller.can, endpoint.area, 'names'))

/** A look-up, or the names of records for a dropdown: `…-list`, and the short list of categories. */
const isOfNames = ({ kind, method, path }: Endpoint) =>
  kind === 'read' && (method === 'GET' || path.endsWith('-list') || path === '/mac-categories')
