// Session: who is signed in in this tab, with which token, and whether the app is ready to be rendered.
//
// The token is kept in memory and in sessionStorage (it survives a reload and is gone when the tab closes). Another open tab of
// the same browser can pass it on: see tabs.ts. Nothing here calls the server.
import { useSyncExternalStore } from 'react'
import type { Reply } from '#contract/endpoint.ts'
import type { secondFactor, switchUser } from '#contract/auth.ts'
import { keysOf } from '#contract/keys.ts'
import type { Context } from '#contract/shapes.ts'
import { keptToken } from './kept-token.ts'

export type SignedIn = Reply<typeof switchUser>['data']
export type NewSession = Reply<typeof secondFactor>['data']
export type User = SignedIn['user']

export interface SessionState {
  token: string | null
  user: User | null
  /** The other users that the login may switch to. */
  users: User[]
  /**
   * The user's type is called editor, which shows the bulk buttons (specification, section 6); true until it is known.
   * Everything else depends on what the user may do: see may.ts.
   */
  namedEditor: boolean
  /** The layout is rendered only once this is set: on mount and on every change of route. */
  ready: boolean
  /** Reference data has been requested. */
  initialised: boolean
}

const signedOut: SessionState = {
  token: null,
  user: null,
  users: [],
  namedEditor: true,
  ready: false,
  initialised: false,
}
let state: SessionState = signedOut
const listeners = new Set<() => void>()
/** `left`: the user signed out. `expired`: the server no longer knows the token. */
export type EndReason = 'left' | 'expired'
interface Ending {
  why: EndReason
  /** Of the session that is over. */
  token: string
  wasInside: boolean
}
const endListeners = new Set<(ending: Ending) => void>()
const recheckListeners = new Set<() => void>()

function change(part: Partial<SessionState>) {
  const next = { ...state, ...part }
  // Each change re-renders everything that depends on the user's rights.
  if (keysOf(part).every((key) => next[key] === state[key])) return
  state = next
  for (const listener of listeners) listener()
}

export const session = {
  get: () => state,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  /** The token that an earlier page of this tab stored. */
  remembered: () => keptToken.read(),
  adopt: (token: string) => {
    keptToken.write(token)
    change({ token })
  },
  enter: (user: User, users: User[]) => change({ user, users }),
  setNamedEditor: (namedEditor: boolean) => change({ namedEditor }),
  setReady: (ready: boolean) => change({ ready }),
  setInitialised: () => change({ initialised: true }),
  end: (why: EndReason) => {
    const { token } = state
    if (token === null) return
    const wasInside = state.user !== null
    keptToken.clear()
    change(signedOut)
    for (const listener of endListeners) listener({ why, token, wasInside })
  },
  /** The server refused what `can` allows, or the user changed their own permission: their rights are fetched again. */
  recheckRights: () => {
    for (const listener of recheckListeners) listener()
  },
  onRecheck: (listener: () => void) => void recheckListeners.add(listener),
  /** Called after the session ended; what was loaded for the user must be discarded. */
  onEnd: (listener: (ending: Ending) => void) => {
    endListeners.add(listener)
    return () => void endListeners.delete(listener)
  },
}

export const useSession = (): SessionState => useSyncExternalStore(session.subscribe, session.get, session.get)

/** The context of a user's own pages; no user belongs to a package. */
export const homeContext = (user: User): Context =>
  user.owner_type === 'Group' ? 'group' : user.owner_type === 'Property' ? 'property' : 'customer'

/** The property of a user who works for one. */
export function useOwnProperty(): number | undefined {
  const { user } = useSession()
  return user && homeContext(user) === 'property' ? user.owner_id : undefined
}
