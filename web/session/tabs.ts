// Tabs: the open tabs of one browser share a session: a new tab asks the others for the token, and where it ends in one, it ends in
// all, for the same reason: what is typed is kept when it has expired, and forgotten when the user has signed out.
import { session, type EndReason } from './session.ts'

type Message = { say: 'who' } | { say: 'here' | 'changed' | EndReason; token: string }

/**
 * How long to wait for another tab. Too short to be noticed when nobody is signed in; when somebody was, another tab may well
 * be open, and it is worth waiting for one that is busy or asleep.
 */
const timeout_ms = { signedOut: 120, signedIn: 2000 }
/** In localStorage: that somebody is signed in, not who. The token is never stored where it would outlive the tabs. */
const signed_in_key = 'foyer-somebody-in'

let channel: BroadcastChannel | undefined
const send = (message: Message) => channel?.postMessage(message)

const isMessage = (value: unknown): value is Message => typeof value === 'object' && value !== null && 'say' in value

/** Opens the channel once. In browsers without channels each tab needs its own login. */
export function joinTabs() {
  if (channel || typeof BroadcastChannel === 'undefined') return
  channel = new BroadcastChannel('foyer-session')
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isMessage(data)) return
    const { token } = session.get()
    if (data.say === 'who' && token) send({ say: 'here', token })
    if ((data.say === 'left' || data.say === 'expired') && data.token === token) session.end(data.say)
    if (data.say === 'changed' && data.token === token) session.recheckRights()
  })
  noteSignedIn()
  session.subscribe(noteSignedIn)
  session.onEnd(({ why, token }) => {
    localStorage.removeItem(signed_in_key)
    send({ say: why, token })
  })
}

const noteSignedIn = () => {
  if (session.get().token !== null) localStorage.setItem(signed_in_key, '1')
}

/** The user's data has changed: every tab of the session fetches it again. */
export function recheckRightsInAllTabs() {
  const { token } = session.get()
  if (token !== null) send({ say: 'changed', token })
  session.recheckRights()
}

/** The token of another open tab, or null if none answers in time. */
export function askTabs(): Promise<string | null> {
  if (!channel) return Promise.resolve(null)
  const open = channel
  return new Promise((resolve) => {
    const done = (token: string | null) => {
      if (token === null) localStorage.removeItem(signed_in_key)
      open.removeEventListener('message', onMessage)
      clearTimeout(timer)
      resolve(token)
    }
    const onMessage = ({ data }: MessageEvent<unknown>) => {
      if (isMessage(data) && data.say === 'here') done(data.token)
    }
    const timer = setTimeout(
      () => done(null),
      localStorage.getItem(signed_in_key) ? timeout_ms.signedIn : timeout_ms.signedOut,
    )
    open.addEventListener('message', onMessage)
    send({ say: 'who' })
  })
}
