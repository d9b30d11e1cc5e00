// Start: what happens between opening the app and drawing a screen: the token is found, the user is fetched, and the
// reference data is asked for, one look-up after another in the specification's order. Failures of look-ups are only logged.
import type { Endpoint } from '#contract/endpoint.ts'
import { refusals } from '#contract/errors.ts'
import * as collections from '#contract/collections.ts'
import * as groups from '#contract/groups.ts'
import * as macCategories from '#contract/mac-categories.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as portals from '#contract/portals.ts'
import * as reference from '#contract/reference.ts'
import * as rooms from '#contract/rooms.ts'
import { me } from '#contract/auth.ts'
import * as users from '#contract/users.ts'
import { call, Refused, type CallOptions } from '#web/kit/call/call.ts'
import { loadNames } from '#web/kit/call/names.ts'
import { go } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import { enterContext } from '#web/session/context.ts'
import { mayCall } from '#web/session/may.ts'
import { homeContext, session, type SignedIn } from '#web/session/session.ts'
import { askTabs, joinTabs } from '#web/session/tabs.ts'
import { languageOf } from '#web/words/kept-language.ts'
import { speak } from '#web/words/language.ts'

const everywhere: Endpoint[] = [
  reference.propertyTypes,
  reference.userTypes,
  reference.propertyInterfaceTypes,
  macCategories.names,
  users.names,
  rooms.names,
  packages.names,
]
/** The customer context alone loads these. */
const customerOnly: Endpoint[] = [
  groups.names,
  properties.names,
  collections.names,
  portals.names,
  reference.authMethods,
  reference.connectivityTypes,
]

let found: Promise<void> | undefined

/**
 * Finds out who is signed in; done once, however often it is called. A dead token is dropped. Throws `Refused` when there is a
 * token and the server does not answer whose it is: the next call then tries again.
 */
export const start = (): Promise<void> =>
  (found ??= findUser().catch((error: unknown) => {
    found = undefined
    throw error
  }))

async function findUser() {
  joinTabs()
  const token = session.get().token ?? session.remembered() ?? (await askTabs())
  if (!token) return
  session.adopt(token)
  try {
    const { users: others, ...user } = await call(me, {})
    await speak(languageOf(user.language))
    session.enter(user, others)
  } catch (error) {
    // The refusal has ended the session already.
    if (!(error instanceof Refused && error.status === refusals.unauthenticated.status)) throw error
  }
}

/** The user's rights may have changed since they signed in. */
async function askRights(options: CallOptions = {}) {
  const { token } = session.get()
  const answer = await call(me, {}, options).catch(() => undefined)
  const { token: now, user: before, users: othersBefore } = session.get()
  if (!answer || now !== token) return
  const { users: others, ...user } = answer
  await speak(languageOf(user.language))
  // An unchanged answer causes no redraw.
  if (JSON.stringify([user, others]) === JSON.stringify([before, othersBefore])) return
  session.enter(user, others)
  if (user.second_factor_due && !before?.second_factor_due) go(to.secondFactorDue())
  void readTypeName()
}
session.onRecheck(() => void askRights())

const ask_rights_ms = 45_000
let asked_at = Date.now()
/** Every minute, also without input; a hidden page checks when it becomes visible again. */
function askRightsByTheClock() {
  const { token, user } = session.get()
  if (document.visibilityState !== 'visible' || Date.now() - asked_at < ask_rights_ms || !token || !user) return
  asked_at = Date.now()
  void askRights({ background: true })
}
setInterval(askRightsByTheClock, 5000)
document.addEventListener('visibilitychange', askRightsByTheClock)

/** After a login, a sign-up or an accepted invitation: the user is fetched; without an answer, the user from the sign-in is used. */
export async function signIn({ access_token, ...given }: SignedIn) {
  session.adopt(access_token)
  enterContext(homeContext(given.user))
  const { users: others, ...user } = await call(me, {}).catch(() => ({ ...given.user, users: given.users }))
  await speak(languageOf(user.language))
  session.enter(user, others)
}

/**
 * Requests the reference data of the user's context once a session, after the first screen; a screen that needs some of it
 * sooner requests it itself.
 */
export async function initialise(): Promise<void> {
  const { user, initialised } = session.get()
  if (!user || initialised) return
  session.setInitialised()
  const wanted = homeContext(user) === 'customer' ? [...everywhere, ...customerOnly] : everywhere
  const rest = wanted.filter(mayCall)
  const known = rest.indexOf(reference.userTypes) + 1
  await loadInOrder(rest.slice(0, known))
  await readTypeName()
  await loadInOrder(rest.slice(known))
}

async function readTypeName() {
  const types = await loadNames(reference.userTypes).catch(() => [])
  const { user } = session.get()
  session.setNamedEditor(/editor/i.test(types.find((type) => type.id === user?.user_type_id)?.name ?? ''))
}

async function loadInOrder(endpoints: Endpoint[]) {
  const { token } = session.get()
  for (const endpoint of endpoints) {
    // The user may have signed out meanwhile.
    if (session.get().token !== token) return
    await loadNames(endpoint).catch(() => undefined)
  }
}
