// Session: who is signed in in this tab, with which token, and whether the app is ready to be drawn.
//
// The token lives in memory and in sessionStorage (it survives a reload, and ends with the tab). Another open tab of
// the same browser can hand it over: see tabs.ts. Nothing here calls the server.
import { useSyncExternalStore } from 'react'
import type { Reply } from '#contract/endpoint.ts'
import type { secondFactor, switchUser } from '#contract/auth.ts'
import type { Context } from '#contract/shapes.ts'
import { keptToken } from './kept-token.ts'

export type SignedIn = Reply<typeof switchUser>['data']
export type NewSession = Reply<typeof secondFactor>['data']
export type User = SignedIn['user']

export interface SessionState {
  token: string | null
  user: User | null
  /** The other users that the same login may switch to. */
  users: User[]
  /**
   * The name of the user's type says editor, which shows the bulk buttons (specification, section 6); true until it is
   * known. Everything else goes by what the user may do: see may.ts.
   */
  namedEditor: boolean
  /** The layout is drawn only once this is set: on mount and on every change of route. */
  ready: boolean
  /** Reference data has been asked for. */
  initialised: boolean
}

const nobody: SessionState = { token: null, user: null, users: [], namedEditor: true, ready: false, initialised: false }
let state: SessionState = nobody
const listeners = new Set<() => void>()
type Ending = { why: 'left' | 'expired'; wasInside: boolean }
const endings = new Set<(ending: Ending) => void>()
const doubts = new Set<() => void>()

function change(part: Partial<SessionState>) {
  const next = { ...state, ...part }
  // Everything that asks what one may do is drawn again by each change.
  if ((Object.keys(part) as (keyof SessionState)[]).every((key) => next[key] === state[key])) return
  state = next
  for (const listener of listeners) listener()
}

export const session = {
  get: () => state,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  /** The token of an earlier page of this tab. */
  remembered: () => keptToken.read(),
  adopt: (token: string) => {
    keptToken.write(token)
    change({ token })
  },
  enter: (user: User, users: User[]) => change({ user, users }),
  setNamedEditor: (namedEditor: boolean) => change({ namedEditor }),
  setReady: (ready: boolean) => change({ ready }),
  setInitialised: () => change({ initialised: true }),
  /** `left`: by the user's wish. `expired`: the server no longer knows the token. */
  end: (why: 'left' | 'expired') => {
    if (state.token === null) return
    const wasInside = state.user !== null
    keptToken.clear()
    change(nobody)
    for (const heed of endings) heed({ why, wasInside })
  },
  /** The server refused what `can` allows, or the user changed their own permission: what they may do is asked anew. */
  questionRights: () => {
    for (const heed of doubts) heed()
  },
  onQuestion: (heed: () => void) => void doubts.add(heed),
  /** Called after the session ended; what was loaded for the user must go. */
  onEnd: (heed: (ending: Ending) => void) => void endings.add(heed),
}

export const useSession = (): SessionState => useSyncExternalStore(session.subscribe, session.get)

/** The context of a user's own pages; a package signs nobody in. */
export const homeContext = (user: User): Context =>
  user.owner_type === 'Group' ? 'group' : user.owner_type === 'Property' ? 'property' : 'customer'

/** The property of a user who works for one. */
export function useOwnProperty(): number | undefined {
  const { user } = useSession()
  return user && homeContext(user) === 'property' ? user.owner_id : undefined
}
