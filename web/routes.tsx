// Routes: which addresses there are, who may enter them, and how the app opens. Addresses are in paths.ts, screens in screens.tsx.
import { createRootRoute, createRoute, createRouter, Outlet, redirect, type AnyRoute } from '@tanstack/react-router'
import { contexts, type Context } from '#contract/shapes.ts'
import { DefaultLayout } from '#web/frame/default-layout.tsx'
import { Failed, NotFound, ScreenFailed, ScreenNotFound } from '#web/frame/error-pages.tsx'
import { guardOf, heedErrorInAddress, runGuard, type GuardName, type Visit } from '#web/frame/guards.ts'
import { lazyPart } from '#web/frame/lazy-part.tsx'
import { modalScreen, type ModalScreens } from '#web/frame/modal-host.tsx'
import { goesToMobile, isPhone } from '#web/frame/phone.ts'
import { Splash } from '#web/frame/splash.tsx'
import { initialise, start } from '#web/frame/start.ts'
import { fetchListAhead } from '#web/kit/list/list-query.ts'
import { parseSearch, stringifySearch, type Search } from '#web/kit/navigation/search-params.ts'
import { atRest } from '#web/kit/navigation/prefetch.ts'
import { useScreenPath } from '#web/kit/navigation/screen-search.ts'
import { listScreenOf } from '#web/list-screens.ts'
import { NotPermitted } from '#web/kit/form/permitted.tsx'
import { mayOpen } from '#web/may-open.ts'
import { to } from '#web/paths.ts'
import { screen, screenAt, type Screen } from '#web/screens.tsx'
import { appContext, contextOf, enterContext, screenIn } from '#web/session/context.ts'
import { isFrontDesk, useIsFrontDesk } from '#web/session/may.ts'
import { homeContext, session } from '#web/session/session.ts'
import { isUnclaimed } from '#web/session/sign-up.ts'

// Screens outside the contexts, and dialogs

const findGuest = screen(() => import('#web/resources/guest-help/find-guest.tsx').then((m) => m.FindGuestOnPhone))
const todayOnPhone = screen(() => import('#web/resources/guest-help/today.tsx').then((m) => m.TodayOnPhone))
/** Which no desktop needs. */
const MobileLayout = lazyPart(() => import('#web/frame/mobile-layout.tsx').then((m) => m.MobileLayout))
/** A phone opens with the search for a guest, or for a front desk with its whole day. */
const PhoneHome = Object.assign(
  () => <MobileLayout>{useIsFrontDesk() ? <todayOnPhone.component /> : <findGuest.component />}</MobileLayout>,
  {
    preload: async () => {
      await Promise.all([MobileLayout.preload(), (isFrontDesk() ? todayOnPhone : findGuest).component.preload()])
    },
  },
)

/** Closing a dialog that was opened by its own address leads where the specification says (named routes). */
const isOpenedAlone = () => (router.history.location.state.__TSR_index ?? 0) === 0
const toGroupsIfOpenedAlone = () => (appContext() === 'customer' && isOpenedAlone() ? to.groups() : undefined)
const toPortalsIfOpenedAlone = () => (appContext() === 'customer' && isOpenedAlone() ? to.portals() : undefined)
const toCollectionsIfOpenedAlone = () => (isOpenedAlone() ? to.collections() : undefined)

export const modalScreens: ModalScreens = {
  'collection-properties': modalScreen<'collection-properties'>(
    () => import('#web/resources/collections/collection-properties.tsx').then((m) => m.CollectionProperties),
    { contexts: ['customer', 'group'], leavesTo: toCollectionsIfOpenedAlone },
  ),
  'collection-team': modalScreen<'collection-team'>(
    () => import('#web/resources/collections/collection-team.tsx').then((m) => m.CollectionTeam),
    { contexts: ['customer', 'group'], leavesTo: toCollectionsIfOpenedAlone },
  ),
  'disconnect-sessions': modalScreen<'disconnect-sessions'>(
    () => import('#web/resources/sessions/disconnect.tsx').then((m) => m.DisconnectSessions),
    { contexts },
  ),
  'end-sample': modalScreen<'end-sample'>(
    () => import('#web/resources/dashboard/sample.tsx').then((m) => m.EndSample),
    {
      contexts: ['customer'],
    },
  ),
  'import-accounts': modalScreen<'import-accounts'>(
    () => import('#web/resources/imports/import-accounts.tsx').then((m) => m.ImportAccounts),
    { contexts },
  ),
  'import-devices': modalScreen<'import-devices'>(
    () => import('#web/resources/imports/import-devices.tsx').then((m) => m.ImportDevices),
    { contexts },
  ),
  'import-portal': modalScreen<'import-portal'>(
    () => import('#web/resources/portals/import-portal.tsx').then((m) => m.ImportPortal),
    { contexts: ['customer'], leavesTo: toPortalsIfOpenedAlone },
  ),
  'import-rooms': modalScreen<'import-rooms'>(
    () => import('#web/resources/imports/import-rooms.tsx').then((m) => m.ImportRooms),
    { contexts },
  ),
  'invite-user': modalScreen<'invite-user'>(() => import('#web/resources/users/invite.tsx').then((m) => m.InviteUser), {
    contexts,
  }),
  'one-voucher': modalScreen<'one-voucher'>(
    () => import('#web/resources/voucher-batches/one-voucher.tsx').then((m) => m.OneVoucher),
    { contexts },
  ),
  'portal-layout': modalScreen<'portal-layout'>(
    () => import('#web/resources/portals/layout-chooser.tsx').then((m) => m.LayoutChooser),
    { contexts: ['customer'], leavesTo: to.portals },
  ),
  'portal-preview': modalScreen<'portal-preview'>(
    () => import('#web/resources/portals/preview-dialog.tsx').then((m) => m.PreviewDialog),
    { contexts: ['customer', 'property'], leavesTo: toPortalsIfOpenedAlone },
  ),
  'portal-sidebar': modalScreen<'portal-sidebar'>(
    () => import('#web/resources/portals/sidebar-address.tsx').then((m) => m.PortalSidebarAddress),
    { contexts: ['customer'] },
  ),
  'property-holiday': modalScreen<'property-holiday'>(
    () => import('#web/resources/property-holidays/form.tsx').then((m) => m.HolidayDialog),
    { contexts: ['customer', 'group'] },
  ),
  'recent-imports': modalScreen<'recent-imports'>(
    () => import('#web/resources/imports/recent-imports.tsx').then((m) => m.RecentImports),
    { contexts },
  ),
  stay: modalScreen<'stay'>(() => import('#web/resources/stays/form.tsx').then((m) => m.StayDialog), { contexts }),
  'suggested-holidays': modalScreen<'suggested-holidays'>(
    () => import('#web/resources/property-holidays/suggested.tsx').then((m) => m.SuggestedHolidays),
    { contexts: ['customer', 'group'] },
  ),
  'test-voucher': modalScreen<'test-voucher'>(
    () => import('#web/resources/vouchers/test-voucher.tsx').then((m) => m.TestVoucher),
    { contexts, leavesTo: toGroupsIfOpenedAlone },
  ),
  trial: modalScreen<'trial'>(() => import('#web/resources/gateways/trial.tsx').then((m) => m.TrialDialog), {
    contexts: ['customer', 'group'],
  }),
  'whose-address': modalScreen<'whose-address'>(
    () => import('#web/resources/sessions/whose-address.tsx').then((m) => m.WhoseAddress),
    { contexts },
  ),
}

const login = screen(() => import('#web/resources/auth/login.tsx').then((m) => m.Login))
const confirmAddress = screen(() => import('#web/resources/auth/confirm-address.tsx').then((m) => m.ConfirmAddress))
const signUp = screen(() => import('#web/resources/auth/signup.tsx').then((m) => m.SignUpScreen))
const forgotPassword = screen(() => import('#web/resources/auth/forgot-password.tsx').then((m) => m.ForgotPassword))
const secondFactorDue = screen(() =>
  import('#web/resources/user-profile/second-factor-due.tsx').then((m) => m.SecondFactorDue),
)
const nothingHere: Screen = { component: Object.assign(NotFound, { preload: () => Promise.resolve() }) }
const resetPassword = screen(() => import('#web/resources/auth/reset-password.tsx').then((m) => m.ResetPassword))

// Routes

interface Step {
  location: { pathname: string; href: string; search: unknown }
  preload: boolean
}
const visitOf = ({ location }: Step): Visit => ({
  pathname: location.pathname,
  href: location.href,
  search: location.search as Search,
})

/** Settles when the code and the rows of the first screen have arrived or failed, as far as they were requested. */
let firstScreen: Promise<unknown> = Promise.resolve()
/** A skeleton that is replaced sooner only flickers, and costs as much to render as the rows. */
const skeleton_after_ms = 150

/** Waits briefly for the first screen's data, so that it is rendered together with it. */
async function awaitFirstScreen() {
  await Promise.race([firstScreen, new Promise((resolve) => setTimeout(resolve, skeleton_after_ms))])
  firstScreen = Promise.resolve()
}

/**
 * Opening the app: the user, the code of the screen and its first rows are all requested at once, before anything is
 * rendered. On a phone, where another screen may open instead, only the user.
 */
export function begin({ pathname, search }: { pathname: string; search: string }) {
  const context = contextOf(pathname)
  if (context) enterContext(context)
  // If it fails, the first route tries again, and reports it.
  start().catch(() => undefined)
  const name = screenIn(pathname)
  const screen = context && screenAt(context, name)
  if (!screen || session.get().token === null || isPhone()) return
  const list = listScreenOf(name)?.list
  firstScreen = Promise.allSettled([screen.component.preload(), list && fetchListAhead(list, parseSearch(search))])
}

const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFound,
  beforeLoad: async (step: Step) => {
    if (step.preload) return
    const { pathname } = step.location
    const context = contextOf(pathname)
    if (context) enterContext(context)
    await start()
    await awaitFirstScreen()
    const { user } = session.get()
    if (user && !context) enterContext(homeContext(user))
    heedErrorInAddress(visitOf(step))
    if (goesToMobile(visitOf(step))) throw redirect({ href: to.mobile(), replace: true })
    if (user && homeContext(user) === appContext()) atRest(() => void initialise())
  },
})

/** Preloading a route must not redirect. */
const guarded = (guard: GuardName) => (step: Step) => {
  if (!step.preload) runGuard(guard, visitOf(step))
}

/** Drops the router's own types of addresses: ours are typed in paths.ts, and the router's would only slow the compiler. */
const untyped = (route: unknown) => route as AnyRoute

const publicRoute = (path: string, screen: Screen, guard?: GuardName): AnyRoute =>
  untyped(
    createRoute({
      getParentRoute: () => rootRoute,
      path,
      component: screen.component,
      ...(guard ? { beforeLoad: guarded(guard) } : {}),
    }),
  )

/** `/` leads to the signed-in user's own dashboard, else to the login, or to signing up before the first login exists. */
const toDashboard = () => {
  const { user } = session.get()
  const outside = isUnclaimed() ? to.signUp() : to.login('customer')
  throw redirect({ href: user ? to.dashboard(homeContext(user)) : outside, replace: true })
}

/** `/group` alone leads to its dashboard. Users of another context have already been redirected by the layout's guard. */
const contextAlone = (context: Context) => (step: Step) => {
  if (!step.preload && screenIn(step.location.pathname) === '')
    throw redirect({ href: to.dashboard(context), replace: true })
}

/** The screens of a context share one route: with a route each, the app would prepare a hundred whenever it opens. */
function contextScreens(context: Context, layout: AnyRoute): AnyRoute {
  const ContextScreen = () => {
    const name = screenIn(useScreenPath())
    const screen = screenAt(context, name)
    if (!screen) return <ScreenNotFound />
    const [list = ''] = name.split('/')
    return mayOpen(list) ? <screen.component key={name} /> : <NotPermitted heading="h1" back={to.dashboard(context)} />
  }
  return untyped(
    createRoute({
      getParentRoute: () => layout,
      path: `/${context}/$`,
      component: ContextScreen,
      notFoundComponent: ScreenNotFound,
      errorComponent: ScreenFailed,
      beforeLoad: contextAlone(context),
      // The previous screen stays until the code has loaded.
      loader: ({ location }) => screenAt(context, screenIn(location.pathname))?.component.preload(),
      staleTime: Infinity,
    }),
  )
}

function contextRoutes(context: Context): AnyRoute[] {
  const layout = untyped(
    createRoute({
      getParentRoute: () => rootRoute,
      id: `${context}-layout`,
      component: DefaultLayout,
      beforeLoad: guarded(guardOf[context]),
    }),
  )
  return [
    publicRoute(`/${context}/login`, login, 'signedOutOnly'),
    publicRoute(`/${context}/forgot-password`, forgotPassword, 'signedOutOnly'),
    publicRoute(`/${context}/reset-password`, resetPassword, 'mailedLink'),
    untyped(layout.addChildren([contextScreens(context, layout)])),
  ]
}

const publicRoutes: AnyRoute[] = [
  untyped(createRoute({ getParentRoute: () => rootRoute, path: '/', beforeLoad: toDashboard })),
  publicRoute('/login', login, 'signedOutOnly'),
  publicRoute('/forgot-password', forgotPassword, 'signedOutOnly'),
  publicRoute('/reset-password', resetPassword, 'mailedLink'),
  publicRoute('/signup', signUp, 'signedOutOnly'),
  publicRoute('/confirm-address', confirmAddress),
  publicRoute('/second-factor', secondFactorDue, 'isDue'),
  untyped(
    createRoute({
      getParentRoute: () => rootRoute,
      path: '/mobile',
      component: PhoneHome,
      beforeLoad: guarded('isSomebody'),
    }),
  ),
  ...contexts.flatMap(contextRoutes),
  publicRoute('/$', nothingHere, 'hasContext'),
]
const routeTree = untyped(rootRoute.addChildren(publicRoutes))

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: false,
  defaultPendingComponent: Splash,
  defaultPendingMs: 400,
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: NotFound,
})
