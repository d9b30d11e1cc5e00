// Addresses: what each screen is opened with, so that every one of them can be checked by axe and by people.

import { reportKinds } from '#contract/reports.ts'
import { reportScreen, type ReportScreen, type ScreenName } from '#web/paths.ts'

/** One record of each kind. */
export interface Ids {
  group: unknown
  property: unknown
  package: unknown
  portal: unknown
  account: unknown
  batch: unknown
  device: unknown
  category: unknown
  collection: unknown
  team: unknown
  gateway: unknown
  guest: unknown
  interface: unknown
  report: unknown
  room: unknown
  roomGuest: unknown
  user: unknown
}

const bare = (_: Ids) => ['']
/** Each kind of report has a screen. */
const ofKinds = Object.fromEntries(reportKinds.map((kind) => [reportScreen(kind), bare])) as Record<
  ReportScreen,
  (ids: Ids) => string[]
>

/** The queries that a screen is opened with; tabs are not listed, they are found on the screen. */
export const examples: Record<ScreenName, (ids: Ids) => string[]> = {
  accounts: () => ['', '?q=nobody-at-all'],
  'accounts/update': ({ account }) => ['', `?id=${String(account)}`],
  'api-keys/create': () => [''],
  'groups/api-keys/create': ({ group }) => [`?group_id=${String(group)}`],
  'properties/api-keys/create': ({ property }) => [`?property_id=${String(property)}`],
  collections: () => [''],
  'collections/create': () => [''],
  'collections/create/success': ({ collection }) => [`?id=${String(collection)}`],
  'collections/update': ({ collection }) => [`?id=${String(collection)}`],
  dashboard: () => [''],
  today: () => [''],
  devices: () => [''],
  'devices/update': ({ device }) => ['', `?id=${String(device)}`],
  'gateways/update': ({ gateway, property }) => [`?property_id=${String(property)}`, `?id=${String(gateway)}`],
  'guest-help': ({ account }) => ['', '?q=nobody-at-all', `?kind=account&id=${String(account)}`],
  groups: () => [''],
  'groups/create': () => [''],
  'groups/update': ({ group }) => [`?id=${String(group)}`],
  'mac-categories': () => [''],
  'mac-categories/update': ({ category }) => ['', `?id=${String(category)}`],
  packages: () => [''],
  'packages/create': () => [''],
  'packages/update': (ids) => [`?id=${String(ids.package)}`],
  portals: () => [''],
  'portals/create': () => ['', '?portal_layout_id=3'],
  'portals/update': ({ portal }) => [`?id=${String(portal)}`],
  properties: () => [''],
  'properties/create': () => [''],
  'properties/create/success': ({ property }) => [`?id=${String(property)}`],
  'properties/update': ({ property }) => [`?id=${String(property)}`],
  'property-interfaces': () => [''],
  'property-interfaces/update': ({ property, interface: one }) => [
    `?property_id=${String(property)}`,
    `?id=${String(one)}`,
  ],
  reports: () => [''],
  ...ofKinds,
  'reports/billing': () => ['', '?period_start=2026-10-01&period_end=2026-10-31'],
  'reports/create': ({ report }) => ['', `?id=${String(report)}`],
  'reports/create/success': ({ report }) => [`?id=${String(report)}`],
  'reports/files': () => [''],
  'reports/scheduled': ({ report }) => ['', `?report_id=${String(report)}`],
  'reports/session': ({ report }) => ['', '?date_range=custom', `?report_id=${String(report)}`],
  'room-guests/update': ({ room, roomGuest }) => [`?room_id=${String(room)}`, `?id=${String(roomGuest)}`],
  rooms: () => [''],
  'rooms/create': ({ property }) => [`?property_id=${String(property)}`],
  'rooms/update': ({ room }) => [`?id=${String(room)}`],
  guests: () => [''],
  'guests/update': ({ guest }) => [`?id=${String(guest)}`],
  sessions: () => [''],
  'sign-in-attempts': () => [''],
  'due-work': () => [''],
  'stay-differences': () => [''],
  connections: () => [''],
  'connections/update': () => [''],
  webhooks: () => [''],
  'webhooks/update': () => [''],
  undelivered: () => [''],
  'teams/create': () => [''],
  'teams/create/success': ({ team }) => [`?id=${String(team)}`],
  'user-profile': ({ user, team }) => [
    '',
    `?user_id=${String(user)}`,
    `?context=team&id=${String(team)}`,
    '?context=integrations&error_message=access_denied',
  ],
  users: () => [''],
  'users/update': ({ user, property }) => [`?property_id=${String(property)}`, `?id=${String(user)}`],
  vouchers: () => [''],
  'vouchers/create': () => [''],
  'vouchers/update': ({ batch }) => [`?id=${String(batch)}`],
}

const token = 'a'.repeat(40)
/** The screens before signing in. */
export const signedOut = [
  '/customer/login',
  '/group/login?loggedOutAt=1',
  '/customer/forgot-password',
  '/customer/reset-password',
  `/customer/reset-password?token=${token}`,
  `/customer/reset-password?token=${token}&invite=1`,
  `/confirm-address?token=${token}`,
  '/confirm-address',
  '/nowhere/at/all',
]
