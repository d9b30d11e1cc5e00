// Tabs: the open tabs of one browser share a session: a new one asks for the token, and leaving in one leaves in all.
import { session } from './session.ts'

type Message = { say: 'who' } | { say: 'here' | 'changed' | 'left'; token: string }

/**
 * Short enough not to be felt where nobody is in. Where somebody was, so that another tab may well be open, it is worth
 * waiting for one that is busy or asleep.
 */
const answer_ms = { nobodyIn: 120, somebodyIn: 2000 }
/** Says only that somebody is in, never who: the token stays out of what outlives the tabs. */
const mark = 'foyer-somebody-in'

let channel: BroadcastChannel | undefined
const send = (message: Message) => channel?.postMessage(message)

const isMessage = (value: unknown): value is Message => typeof value === 'object' && value !== null && 'say' in value

/** Opens the channel once. Browsers without one simply ask for a login in each tab. */
export function joinTabs() {
  if (channel || typeof BroadcastChannel === 'undefined') return
  channel = new BroadcastChannel('foyer-session')
  let held = session.get().token
  if (held !== null) localStorage.setItem(mark, '1')
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isMessage(data)) return
    const { token } = session.get()
    if (data.say === 'who' && token) send({ say: 'here', token })
    if (data.say === 'left' && data.token === token) session.end('left')
    if (data.say === 'changed' && data.token === token) session.questionRights()
  })
  session.subscribe(() => {
    const { token } = session.get()
    if (token !== null) localStorage.setItem(mark, '1')
    else if (held !== null) {
      localStorage.removeItem(mark)
      send({ say: 'left', token: held })
    }
    held = token
  })
}

/** What is known of the user has changed: every tab of the session asks for it anew. */
export function askAnewInAllTabs() {
  const { token } = session.get()
  if (token !== null) send({ say: 'changed', token })
  session.questionRights()
}

/** The token of another open tab, or null when none answers. */
export function askTabs(): Promise<string | null> {
  if (!channel) return Promise.resolve(null)
  const asked = channel
  return new Promise((resolve) => {
    const done = (token: string | null) => {
      if (token === null) localStorage.removeItem(mark)
      asked.removeEventListener('message', hear)
      clearTimeout(timer)
      resolve(token)
    }
    const hear = ({ data }: MessageEvent<unknown>) => {
      if (isMessage(data) && data.say === 'here') done(data.token)
    }
    const timer = setTimeout(() => done(null), localStorage.getItem(mark) ? answer_ms.somebodyIn : answer_ms.nobodyIn)
    asked.addEventListener('message', hear)
    send({ say: 'who' })
  })
}
