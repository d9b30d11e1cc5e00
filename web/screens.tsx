// Screens: the component of each name in paths.ts; a name without one does not compile. Their code is loaded when needed.
import { Suspense, type ComponentType, type FunctionComponent } from 'react'
import * as reports from '#contract/reports.ts'
import type { Context } from '#contract/shapes.ts'
import { ScreenNotFound } from '#web/frame/error-pages.tsx'
import { lazyPart } from '#web/frame/lazy-part.tsx'
import type { ListedScreen } from '#web/frame/report-screens.ts'
import type { PersonPageProps } from '#web/kit/detail/overview.tsx'
import { useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { idIn, type Search } from '#web/kit/navigation/search-params.ts'
import { listScreens } from '#web/list-screens.ts'
import { hasScreen, reportScreen, type ReportScreen, type ScreenName } from '#web/paths.ts'
import { kinds } from '#web/resources/reports/kinds.ts'
import { isFrontDesk, useIsFrontDesk } from '#web/session/may.ts'

export interface Screen {
  component: FunctionComponent & { preload: () => Promise<void> }
}

/** The code of a screen is loaded when it is first entered, or earlier while the browser is idle. */
function lazyScreen<P extends object>(
  load: () => Promise<ComponentType<P>>,
  propsOf: (search: Search) => P | undefined,
): Screen {
  const Part = lazyPart(load)
  function Inner() {
    const search = useScreenSearch()
    const props = propsOf(search)
    // Another record is another screen: no state of a form may carry over.
    return props ? <Part key={JSON.stringify(props)} {...props} /> : <ScreenNotFound />
  }
  const LazyScreen = () => (
    <Suspense>
      <Inner />
    </Suspense>
  )
  return { component: Object.assign(LazyScreen, { preload: Part.preload }) }
}

/** `screen(() => import('…').then((m) => m.GroupDetail), { needs: ['id'] })`: the ids in the address become props. */
export const screen = <N extends string = never, M extends string = never>(
  load: () => Promise<ComponentType<Record<N, number> & Partial<Record<M, number>>>>,
  { needs = [], may = [] }: { needs?: readonly N[]; may?: readonly M[] } = {},
): Screen =>
  lazyScreen(load, (search) => {
    const props: Record<string, number> = {}
    for (const name of [...needs, ...may]) {
      const id = idIn(search[name])
      if (id !== undefined) props[name] = id
    }
    if (needs.some((name) => !(name in props))) return undefined
    return props as Record<N, number> & Partial<Record<M, number>>
  })

const figures = screen(() => import('#web/resources/dashboard/dashboard.tsx').then((m) => m.DashboardScreen))
const today = screen(() => import('#web/resources/guest-help/today.tsx').then((m) => m.Today))
/** A front desk opens on its day, everybody else on the figures of the service. */
const Home = () => (useIsFrontDesk() ? <today.component /> : <figures.component />)
const home: Screen = {
  component: Object.assign(Home, { preload: () => (isFrontDesk() ? today : figures).component.preload() }),
}

const reportScreens = Object.fromEntries(
  reports.reportKinds.map((kind) => [
    reportScreen(kind),
    screen<never, 'report_id' | 'run_id'>(kinds[kind].screen.load, { may: ['report_id', 'run_id'] }),
  ]),
) as Record<ReportScreen, Screen>
/** They are listed in the navigation of reports and in the palette. */
export const listedReports: readonly ListedScreen[] = reports.reportKinds.map((kind) => ({
  ...kinds[kind].screen,
  name: kinds[kind].name,
  screen: reportScreen(kind),
}))

const newApiKey = () => import('#web/resources/api-keys/create.tsx').then((m) => m.NewApiKey)

/** Gives the pages of guests, accounts and devices the panel that guest help shows for them. */
const withPerson =
  <P extends { person: ComponentType<PersonPageProps> }>(load: () => Promise<ComponentType<P>>) =>
  async () => {
    const [Page, { PersonPage }] = await Promise.all([load(), import('#web/resources/guest-help/person.tsx')])
    // The page's other props come from its address.
    return (props: Omit<P, 'person'>) => <Page {...({ ...props, person: PersonPage } as P)} />
  }
const account = withPerson(() => import('#web/resources/accounts/detail.tsx').then((m) => m.AccountScreen))
const device = withPerson(() => import('#web/resources/devices/detail.tsx').then((m) => m.DeviceScreen))
const guest = withPerson(() => import('#web/resources/guests/detail.tsx').then((m) => m.GuestDetail))

const screenComponents: Record<ScreenName, Screen> = {
  accounts: screen(listScreens.accounts.load),
  collections: screen(listScreens.collections.load),
  devices: screen(listScreens.devices.load),
  groups: screen(listScreens.groups.load),
  guests: screen(listScreens.guests.load),
  packages: screen(listScreens.packages.load),
  portals: screen(listScreens.portals.load),
  properties: screen(listScreens.properties.load),
  'property-interfaces': screen(listScreens['property-interfaces'].load),
  sessions: screen(listScreens.sessions.load),
  'sign-in-attempts': screen(listScreens['sign-in-attempts'].load),
  'stay-differences': screen(() =>
    import('#web/resources/stay-differences/list.tsx').then((m) => m.StayDifferencesList),
  ),
  users: screen(listScreens.users.load),
  vouchers: screen(listScreens.vouchers.load),
  'accounts/update': screen(account, {
    may: ['id', 'property_id', 'room_id'],
  }),
  'api-keys/create': screen(newApiKey),
  'groups/api-keys/create': screen(newApiKey, { needs: ['group_id'] }),
  'properties/api-keys/create': screen(newApiKey, { needs: ['property_id'] }),
  'collections/create': screen(() => import('#web/resources/collections/form.tsx').then((m) => m.NewCollection)),
  'collections/create/success': screen(
    () => import('#web/resources/collections/created.tsx').then((m) => m.CollectionCreated),
    { needs: ['id'] },
  ),
  'collections/update': screen(() => import('#web/resources/collections/detail.tsx').then((m) => m.CollectionDetail), {
    needs: ['id'],
  }),
  connections: screen(() => import('#web/resources/connections/list.tsx').then((m) => m.ConnectionsList)),
  'connections/update': screen(() => import('#web/resources/connections/detail.tsx').then((m) => m.ConnectionScreen), {
    may: ['id'],
  }),
  dashboard: home,
  today,
  'devices/update': screen(device, {
    may: ['id', 'property_id', 'room_id'],
  }),
  'gateways/update': screen(() => import('#web/resources/gateways/detail.tsx').then((m) => m.GatewayScreen), {
    may: ['id', 'property_id', 'unregistered_id', 'gateway_type_id'],
  }),
  'guest-help': screen(() => import('#web/resources/guest-help/guest-help.tsx').then((m) => m.GuestHelp)),
  'groups/create': screen(() => import('#web/resources/groups/form.tsx').then((m) => m.NewGroup)),
  'groups/update': screen(() => import('#web/resources/groups/detail.tsx').then((m) => m.GroupDetail), {
    needs: ['id'],
  }),
  'guests/update': screen(guest, {
    needs: ['id'],
  }),
  'mac-categories': screen(() => import('#web/resources/mac-categories/list.tsx').then((m) => m.MacCategoriesList)),
  'mac-categories/update': screen(
    () => import('#web/resources/mac-categories/form.tsx').then((m) => m.MacCategoryScreen),
    { may: ['id'] },
  ),
  'packages/create': screen(() => import('#web/resources/packages/form.tsx').then((m) => m.NewPackage)),
  'packages/update': screen(() => import('#web/resources/packages/detail.tsx').then((m) => m.PackageDetail), {
    needs: ['id'],
  }),
  'portals/create': screen(() => import('#web/resources/portals/create.tsx').then((m) => m.NewPortal), {
    may: ['portal_layout_id'],
  }),
  'portals/update': screen(() => import('#web/resources/portals/detail.tsx').then((m) => m.PortalDetail), {
    needs: ['id'],
  }),
  'properties/create': screen(() => import('#web/resources/properties/create.tsx').then((m) => m.NewProperty), {
    may: ['group_id'],
  }),
  'properties/create/success': screen(
    () => import('#web/resources/properties/created.tsx').then((m) => m.PropertyCreated),
    { needs: ['id'] },
  ),
  'properties/update': screen(() => import('#web/resources/properties/detail.tsx').then((m) => m.PropertyDetail), {
    needs: ['id'],
  }),
  'property-interfaces/update': screen(
    () => import('#web/resources/property-interfaces/detail.tsx').then((m) => m.PropertyInterfaceScreen),
    { may: ['id', 'property_id', 'group_id', 'package_id'] },
  ),
  reports: screen(listScreens.reports.load),
  'reports/create': screen(() => import('#web/resources/reports/create.tsx').then((m) => m.NewReport), {
    may: ['id'],
  }),
  'reports/create/success': screen(() => import('#web/resources/reports/created.tsx').then((m) => m.ReportCreated), {
    needs: ['id'],
  }),
  'reports/files': screen(() => import('#web/resources/reports/files.tsx').then((m) => m.ReportFiles)),
  'reports/scheduled': screen(() => import('#web/resources/reports/scheduled.tsx').then((m) => m.ScheduledReports), {
    may: ['report_id'],
  }),
  ...reportScreens,
  'room-guests/update': screen(() => import('#web/resources/room-guests/form.tsx').then((m) => m.RoomGuestScreen), {
    may: ['id', 'room_id', 'property_id'],
  }),
  rooms: screen(() => import('#web/resources/rooms/list.tsx').then((m) => m.RoomsList)),
  'rooms/create': screen(() => import('#web/resources/rooms/create.tsx').then((m) => m.NewRooms), {
    may: ['property_id'],
  }),
  'rooms/update': screen(() => import('#web/resources/rooms/detail.tsx').then((m) => m.RoomDetail), {
    needs: ['id'],
  }),
  'teams/create': screen(() => import('#web/resources/teams/create.tsx').then((m) => m.NewTeam)),
  'teams/create/success': screen(() => import('#web/resources/teams/create.tsx').then((m) => m.TeamCreated), {
    needs: ['id'],
  }),
  'user-profile': screen(() => import('#web/resources/user-profile/profile.tsx').then((m) => m.UserProfile)),
  'due-work': screen(() => import('#web/resources/due-work/list.tsx').then((m) => m.DueWorkList)),
  undelivered: screen(() => import('#web/resources/undelivered/list.tsx').then((m) => m.UndeliveredList)),
  webhooks: screen(() => import('#web/resources/webhooks/list.tsx').then((m) => m.WebhooksList)),
  'webhooks/update': screen(() => import('#web/resources/webhooks/detail.tsx').then((m) => m.WebhookScreen), {
    may: ['id'],
  }),
  'users/update': screen(() => import('#web/resources/users/detail.tsx').then((m) => m.UserScreen), {
    may: ['id', 'property_id', 'group_id'],
  }),
  'vouchers/create': screen(() => import('#web/resources/voucher-batches/form.tsx').then((m) => m.NewVouchers), {
    may: ['property_id', 'group_id'],
  }),
  'vouchers/update': screen(
    () => import('#web/resources/voucher-batches/detail.tsx').then((m) => m.VoucherBatchDetail),
    { needs: ['id'] },
  ),
}

/** The screen of `users/update` in a context; undefined if the context has no such screen. */
export const screenAt = (context: Context, name: string): Screen | undefined =>
  hasScreen(context, name) ? screenComponents[name] : undefined
