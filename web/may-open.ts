// May open: which screens, menu entries and profile sections this user may open, and where a record that another refers to is opened.
// Menus show only what `screens` of paths.ts has, so there are no dead links.
import { areas, type Area } from '#contract/permissions.ts'
import type { RefTarget } from '#contract/ref-target.ts'
import type { Context } from '#contract/shapes.ts'
import { appContext } from '#web/session/context.ts'
import { isFrontDesk, may } from '#web/session/may.ts'
import { say } from '#web/words/frame.ts'
import { hasScreen, profileSections, to, type ProfileSection, type ScreenName } from './paths.ts'

/** The menu of each context; entries without a screen are not drawn. */
export const menus = {
  customer: [
    ...(['dashboard', 'today', 'guest-help', 'groups', 'properties', 'collections', 'packages', 'vouchers'] as const),
    ...(['accounts', 'sessions', 'guests', 'portals', 'devices', 'reports', 'users'] as const),
  ],
  group: [
    ...(['dashboard', 'today', 'guest-help', 'properties', 'vouchers', 'accounts', 'sessions', 'guests'] as const),
    ...(['collections', 'devices', 'users'] as const),
  ],
  property: [
    ...(['dashboard', 'today', 'guest-help', 'rooms', 'vouchers', 'accounts', 'sessions', 'guests'] as const),
    ...(['devices', 'users'] as const),
  ],
} satisfies Record<Context, readonly ScreenName[]>
const entriesOf = (context: Context): readonly (typeof menus)[Context][number][] => menus[context]
/** The home of a front desk is its day, with the search for guests. */
const atHome: readonly string[] = ['guest-help', 'today']
/** At one property the field of Today finds every guest; above it, Help a guest looks through all properties. */
const isInToday = (context: Context, screen: string) =>
  context === 'property' && screen === 'guest-help' && mayOpen('today')
/** The entries whose screen exists and that the user may read. */
export const menuOf = (context: Context) =>
  entriesOf(context)
    .filter(
      (screen) =>
        hasScreen(context, screen) &&
        mayOpen(screen) &&
        !(isFrontDesk() && atHome.includes(screen)) &&
        !isInToday(context, screen),
    )
    .map((screen) => ({ title: say(`menu.${screen === 'dashboard' && isFrontDesk() ? 'today' : screen}`), screen }))

/** The menu entry of screens that have none of their own. */
const parentEntries: Partial<Record<string, string>> = {
  connections: 'dashboard',
  gateways: 'properties',
  'mac-categories': 'devices',
  'property-interfaces': 'properties',
  'room-guests': 'rooms',
  rooms: 'properties',
  'stay-differences': 'rooms',
  'sign-in-attempts': 'sessions',
  teams: 'users',
  undelivered: 'dashboard',
  'due-work': 'dashboard',
  webhooks: 'dashboard',
}
/** The menu entry that a screen belongs to; undefined for the user's own profile. */
export function menuEntryOf(context: Context, pathname: string): string | undefined {
  let [, , found] = pathname.split('/')
  while (found !== undefined && !entriesOf(context).some((screen) => screen === found)) found = parentEntries[found]
  return found
}

/** The areas of lists whose address is spelt differently. */
const areasOfScreens: Partial<Record<string, Area>> = {
  'guest-help': 'guest_help',
  vouchers: 'voucher_batches',
  'property-interfaces': 'property_interfaces',
  // The guests' sessions; a user's own have no list.
  sessions: 'guest_sessions',
  'sign-in-attempts': 'sign_in_attempts',
  'stay-differences': 'room_guests',
}
const isArea = (name: string): name is Area => (areas as readonly string[]).includes(name)
/** Whether this user may read the records of a list. Screens below it (`users/update`) are checked by the list's name. */
export function mayOpen(screen: string): boolean {
  // The day is for those who check guests in.
  if (screen === 'today') return may('room_guests')
  const area = areasOfScreens[screen] ?? screen
  return !isArea(area) || may(area, 'read')
}

/** The area that a section's lists and switches belong to; the other sections are open to every user. */
const sectionAreas: Partial<Record<ProfileSection, Area>> = {
  company: 'company',
  team: 'teams',
  activity: 'activity',
  integrations: 'accounting_integrations',
  api_keys: 'api_keys',
  footer_branding: 'portal_footers',
}
/** The sections that this user may open. */
export const openSections = () =>
  profileSections.filter((name) => {
    const area = sectionAreas[name]
    return area === undefined || may(area, 'read')
  })

/** The screens of records that others refer to. */
const recordScreens: Partial<Record<RefTarget, readonly [screen: ScreenName, href: (id: number) => string]>> = {
  accounts: ['accounts/update', to.account],
  collections: ['collections/update', to.collection],
  devices: ['devices/update', to.device],
  gateways: ['gateways/update', to.gateway],
  groups: ['groups/update', to.group],
  packages: ['packages/update', to.package],
  portals: ['portals/update', to.portal],
  properties: ['properties/update', to.property],
  rooms: ['rooms/update', to.room],
}
/** Where a record that another one refers to is opened; undefined where this user cannot. */
export function recordAddress(target: RefTarget, id: number): string | undefined {
  const [screen, href] = recordScreens[target] ?? []
  return screen && href && hasScreen(appContext(), screen) && mayOpen(target) ? href(id) : undefined
}
