// Paths: every address of the app, without components. Those are in screens.tsx.
//
// A new screen is one word in `screens`, one line in `to`, and its component in screens.tsx (which does not compile without it).
// Who may open what is said in may-open.ts. Ids are in the query: `/customer/groups/update?id=4&tab=users`.
import { keysOf } from '#contract/keys.ts'
import * as reports from '#contract/reports.ts'
import type { Context } from '#contract/shapes.ts'
import { parseSearch, stringifySearch } from '#web/kit/navigation/search-params.ts'
import { appContext } from '#web/session/context.ts'
import { isFrontDesk } from '#web/session/may.ts'
import { session } from '#web/session/session.ts'

/** Which contexts have a screen. */
const everywhere: readonly Context[] = ['customer', 'group', 'property']
const aboveProperty: readonly Context[] = ['customer', 'group']
const ofCustomer: readonly Context[] = ['customer']
const ofProperty: readonly Context[] = ['property']

type ReportKind = (typeof reports.reportKinds)[number]
type Dashed<Word extends string> = Word extends `${infer First}_${infer Rest}` ? `${First}-${Dashed<Rest>}` : Word
export type ReportScreen = `reports/${Dashed<ReportKind>}`
/** The screen of a kind of report: `reports/free-wifi`. */
export const reportScreen = (kind: ReportKind) => `reports/${kind.replaceAll('_', '-')}` as ReportScreen

/** The screens that exist, in the specification's order. */
const screens = {
  accounts: everywhere,
  'accounts/update': everywhere,
  'api-keys/create': ofCustomer,
  collections: aboveProperty,
  'collections/create': aboveProperty,
  'collections/create/success': aboveProperty,
  'collections/update': aboveProperty,
  connections: ofCustomer,
  'connections/update': ofCustomer,
  dashboard: everywhere,
  devices: everywhere,
  'devices/update': everywhere,
  'gateways/update': aboveProperty,
  groups: ofCustomer,
  'groups/api-keys/create': ofCustomer,
  'groups/create': ofCustomer,
  'groups/update': ofCustomer,
  guests: everywhere,
  'guests/update': everywhere,
  'guest-help': everywhere,
  'mac-categories': ofCustomer,
  'mac-categories/update': ofCustomer,
  packages: ofCustomer,
  'packages/create': ofCustomer,
  'packages/update': ofCustomer,
  portals: ofCustomer,
  'portals/create': ofCustomer,
  'portals/update': ofCustomer,
  properties: aboveProperty,
  'properties/api-keys/create': aboveProperty,
  'properties/create': aboveProperty,
  'properties/create/success': aboveProperty,
  'properties/update': aboveProperty,
  'property-interfaces': aboveProperty,
  'property-interfaces/update': aboveProperty,
  reports: ofCustomer,
  'reports/create': ofCustomer,
  'reports/create/success': ofCustomer,
  'reports/files': ofCustomer,
  'reports/scheduled': ofCustomer,
  ...(Object.fromEntries(reports.reportKinds.map((kind) => [reportScreen(kind), ofCustomer])) as Record<
    ReportScreen,
    readonly Context[]
  >),
  'room-guests/update': everywhere,
  rooms: ofProperty,
  'rooms/create': everywhere,
  'rooms/update': everywhere,
  sessions: everywhere,
  'sign-in-attempts': everywhere,
  'stay-differences': everywhere,
  'teams/create': ofCustomer,
  'teams/create/success': ofCustomer,
  today: everywhere,
  'due-work': ofCustomer,
  undelivered: ofCustomer,
  'user-profile': everywhere,
  users: everywhere,
  'users/update': everywhere,
  vouchers: everywhere,
  'vouchers/create': everywhere,
  'vouchers/update': everywhere,
  webhooks: everywhere,
  'webhooks/update': everywhere,
}

export type ScreenName = keyof typeof screens
export const screensOf = (context: Context) => keysOf(screens).filter((screen) => screens[screen].includes(context))
export const hasScreen = (context: Context, screen: string): screen is ScreenName =>
  screensOf(context).some((name) => name === screen)

/** The sections of the user profile, by the `context` of its query. */
export type ProfileSection =
  'profile' | 'security' | 'company' | 'team' | 'activity' | 'integrations' | 'api_keys' | 'footer_branding'
/** The sections that exist; the user menu shows no others. */
export const profileSections = [
  'profile',
  'security',
  'company',
  'team',
  'activity',
  'integrations',
  'api_keys',
  'footer_branding',
] as const satisfies readonly ProfileSection[]

type Query = Record<string, unknown>
const at = (path: string, query: Query = {}) => path + stringifySearch(query)
/** A screen of the current context. */
const here = (screen: ScreenName, query: Query = {}) => at(`/${appContext()}/${screen}`, query)

interface SessionHolder {
  account_id: number | null
  device_id: number | null
  voucher_batch_id: number | null
}

export const to = {
  root: () => '/',
  signUp: () => '/signup',
  secondFactorDue: () => '/second-factor',
  mobile: () => '/mobile',
  login: (context: Context = appContext(), query: { loggedOutAt?: number } = {}) => at(`/${context}/login`, query),
  forgotPassword: (context: Context = appContext()) => `/${context}/forgot-password`,
  dashboard: (context: Context = appContext()) => `/${context}/dashboard`,
  /** A front desk has it at home. */
  today: () => (isFrontDesk() ? to.dashboard() : here('today')),
  userProfile: (user_id: number, section: ProfileSection, query: { error_message?: string; id?: number } = {}) =>
    at(`/${appContext()}/user-profile`, { user_id, context: section, ...query }),

  groups: () => here('groups'),
  newGroup: () => here('groups/create'),
  group: (id: number, tab?: string) => here('groups/update', { id, tab }),

  collections: () => here('collections'),
  newCollection: () => here('collections/create'),
  collectionCreated: (id: number) => here('collections/create/success', { id }),
  collection: (id: number, tab?: string) => here('collections/update', { id, tab }),

  packages: () => here('packages'),
  newPackage: () => here('packages/create'),
  package: (id: number, tab?: string) => here('packages/update', { id, tab }),

  portals: () => here('portals'),
  newPortal: (portal_layout_id?: number) => here('portals/create', { portal_layout_id }),
  portal: (id: number) => here('portals/update', { id }),

  properties: (query: Record<string, string> = {}) => here('properties', query),
  newProperty: (group_id?: number) => here('properties/create', { group_id }),
  propertyCreated: (id: number) => here('properties/create/success', { id }),
  property: (id: number, tab?: string) => here('properties/update', { id, tab }),

  newApiKey: ({ group_id, property_id }: { group_id?: number; property_id?: number }): string =>
    property_id
      ? here('properties/api-keys/create', { property_id })
      : group_id
        ? here('groups/api-keys/create', { group_id })
        : here('api-keys/create'),

  users: () => here('users'),
  user: (id: number, tab?: string) => here('users/update', { id, tab }),
  newUser: (place: { property_id?: number; group_id?: number } = {}) => here('users/update', place),

  teams: () => to.userProfile(session.get().user?.id ?? 0, 'team'),
  newTeam: () => here('teams/create'),
  teamCreated: (id: number) => here('teams/create/success', { id }),
  team: (id: number) => to.userProfile(session.get().user?.id ?? 0, 'team', { id }),

  stayDifferences: (property_id?: number) => here('stay-differences', { 'filter.property_id': property_id }),

  undelivered: () => here('undelivered'),
  dueWork: () => here('due-work'),
  connections: () => here('connections'),
  newConnection: () => here('connections/update'),
  connection: (id: number, tab?: string) => here('connections/update', { id, tab }),

  webhooks: () => here('webhooks'),
  newWebhook: () => here('webhooks/update'),
  webhook: (id: number, tab?: string) => here('webhooks/update', { id, tab }),

  vouchers: (query: Record<string, string> = {}) => here('vouchers', query),
  /** The batches of a property or group, in its tab where the context has one. */
  vouchersOf: ({ property_id, group_id }: { property_id?: number; group_id?: number }): string =>
    property_id && hasScreen(appContext(), 'properties/update')
      ? to.property(property_id, 'vouchers')
      : group_id && hasScreen(appContext(), 'groups/update')
        ? to.group(group_id, 'vouchers')
        : to.vouchers(),
  voucherBatch: (id: number) => here('vouchers/update', { id }),
  newVouchers: (place: { property_id?: number; group_id?: number } = {}) => here('vouchers/create', place),

  rooms: (query: { q?: string } = {}) => here('rooms', query),
  /** The rooms of a property, in its tab where the context has one. */
  roomsOf: (property_id?: number): string =>
    property_id && hasScreen(appContext(), 'properties/update') ? to.property(property_id, 'rooms') : to.rooms(),
  newRooms: (property_id?: number) => here('rooms/create', { property_id }),
  room: (id: number, tab?: string) => here('rooms/update', { id, tab }),
  newRoomGuest: (room_id: number) => here('room-guests/update', { room_id }),
  /** The room is chosen in the form. */
  checkIn: (property_id?: number) => here('room-guests/update', { property_id }),
  roomGuest: (id: number) => here('room-guests/update', { id }),

  accounts: (query: { q?: string } = {}) => here('accounts', query),
  accountsOf: (property_id?: number): string =>
    property_id && hasScreen(appContext(), 'properties/update') ? to.property(property_id, 'accounts') : to.accounts(),
  newAccount: (place: { property_id?: number; room_id?: number } = {}) => here('accounts/update', place),
  account: (id: number, tab?: string) => here('accounts/update', { id, tab }),

  /** With a search text, or a guest who was picked. */
  guestHelp: (query: { q?: string; kind?: string; id?: number } = {}) => here('guest-help', query),

  devices: (query: { q?: string } = {}) => here('devices', query),
  devicesOf: (property_id?: number): string =>
    property_id && hasScreen(appContext(), 'properties/update') ? to.property(property_id, 'devices') : to.devices(),
  newDevice: (place: { property_id?: number; room_id?: number } = {}) => here('devices/update', place),
  device: (id: number, tab?: string) => here('devices/update', { id, tab }),

  guests: () => here('guests'),
  guest: (id: number, tab?: string) => here('guests/update', { id, tab }),

  sessions: (query: Record<string, string> = {}) => here('sessions', query),
  /** The record that a session belongs to; undefined if none is known, or it cannot be opened in this context. */
  sessionHolder: ({ account_id, device_id, voucher_batch_id }: SessionHolder): string | undefined => {
    if (account_id !== null) return to.account(account_id)
    if (device_id !== null) return to.device(device_id)
    return voucher_batch_id !== null && hasScreen(appContext(), 'vouchers/update')
      ? to.voucherBatch(voucher_batch_id)
      : undefined
  },
  signInAttempts: (
    query: { q?: string; 'filter.accepted'?: string; 'filter.property_id'?: number; 'filter.group_id'?: number } = {},
  ) => here('sign-in-attempts', query),

  /** The gateways of a property are in its tab. */
  gatewaysOf: (property_id?: number): string => (property_id ? to.property(property_id, 'gateways') : to.properties()),
  /** Prefilled from the unregistered gateway, if one is given. */
  newGateway: (property_id?: number, unregistered_id?: number, gateway_type_id?: number) =>
    here('gateways/update', { property_id, unregistered_id, gateway_type_id }),
  gateway: (id: number, tab?: string) => here('gateways/update', { id, tab }),

  propertyInterfaces: () => here('property-interfaces'),
  /** The interfaces of a property, group or package, in its tab where the context has one. */
  propertyInterfacesOf: (of: { property_id?: number; group_id?: number; package_id?: number }): string =>
    of.property_id && hasScreen(appContext(), 'properties/update')
      ? to.property(of.property_id, 'interfaces')
      : of.group_id && hasScreen(appContext(), 'groups/update')
        ? to.group(of.group_id, 'interfaces')
        : of.package_id && hasScreen(appContext(), 'packages/update')
          ? to.package(of.package_id, 'interfaces')
          : to.propertyInterfaces(),
  newPropertyInterface: (of: { property_id?: number; group_id?: number; package_id?: number } = {}) =>
    here('property-interfaces/update', of),
  propertyInterface: (id: number, tab?: string) => here('property-interfaces/update', { id, tab }),

  reports: () => here('reports'),
  /** Prefilled with the query of a report's screen. */
  newReport: (asked: Query = {}) => here('reports/create', asked),
  /** Steps are counted from 1; a draft opens at the step where it was left. */
  editReport: (id: number, step?: number) => here('reports/create', { id, step }),
  reportCreated: (id: number) => here('reports/create/success', { id }),
  report: (kind: ReportKind, asked: Query = {}) => here(reportScreen(kind), asked),
  scheduledReports: () => here('reports/scheduled'),
  scheduledReport: (report_id: number) => here('reports/scheduled', { report_id }),
  reportFiles: () => here('reports/files'),
  billing: () => here('reports/billing'),
  billingRun: (run_id: number) => here('reports/billing', { run_id }),
  /** A preview of a period; without a place, of all properties. */
  newBillingRun: (asked: Query) => here('reports/billing', asked),

  macCategories: () => here('mac-categories'),
  newMacCategory: () => here('mac-categories/update'),
  macCategory: (id: number) => here('mac-categories/update', { id }),
}

/**
 * Every dialog that has an address, with the ids it may carry: `?modal=invite-user&group_id=4`. Closing removes exactly
 * `modal` and those of these ids that are the dialog's own; the rest of the address stays.
 */
export const modals = {
  'collection-properties': ['collection_id', 'group_id', 'property_id'],
  'collection-team': ['id', 'collection_id'],
  'disconnect-sessions': ['session_id'],
  'end-sample': [],
  'import-accounts': ['property_id'],
  'import-devices': ['property_id'],
  'import-portal': ['portal_id'],
  'import-rooms': ['property_id'],
  'invite-user': ['property_id', 'group_id', 'team_id'],
  'one-voucher': ['property_id'],
  'portal-layout': [],
  'portal-preview': ['portal_id'],
  'portal-sidebar': ['portal_id'],
  'property-holiday': ['property_id', 'property_holiday_id'],
  'recent-imports': ['property_id'],
  stay: ['stay_id'],
  'suggested-holidays': ['property_id'],
  'test-voucher': ['batch_id', 'id'],
  trial: ['property_id'],
  'whose-address': ['session_id', 'property_id'],
} as const satisfies Record<string, readonly string[]>

export type ModalName = keyof typeof modals
export type ModalIds<M extends ModalName> = Partial<Record<(typeof modals)[M][number], number>>
export const isModal = (name: unknown): name is ModalName => typeof name === 'string' && Object.hasOwn(modals, name)

/** On screens whose own address has an `id`, that `id` is never the dialog's. */
const ownsId = (pathname: string) => /\/(update|success|user-profile)$/.test(pathname)
/** The query keys that belong to a dialog when it is open on the given screen. */
export const modalKeys = (name: ModalName, pathname: string): readonly string[] =>
  modals[name].filter((key: string) => key !== 'id' || !ownsId(pathname))

/** The same address with a dialog over it: `go(withModal(here(), 'invite-user', { group_id: 4 }))`. */
export function withModal<M extends ModalName>(href: string, name: M, ids: ModalIds<M>): string {
  const [path = '', query = ''] = withoutModal(href).split('?')
  return path + stringifySearch({ ...parseSearch(query), modal: name, ...ids })
}

/** The same address without its dialog. */
export function withoutModal(href: string): string {
  const [path = '', query = ''] = href.split('?')
  const search = parseSearch(query)
  const name = search['modal']
  const removed = isModal(name) ? modalKeys(name, path) : []
  return (
    path +
    stringifySearch(
      Object.fromEntries(Object.entries(search).filter(([key]) => key !== 'modal' && !removed.includes(key))),
    )
  )
}
