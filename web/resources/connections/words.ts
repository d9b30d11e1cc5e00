// Connection words: how a connection is, in a word, and what to do about it.
import type { RowOf } from '#contract/endpoint.ts'
import type * as connections from '#contract/connections.ts'
import type { Tone } from '#web/ui/badge.tsx'

export type Connection = RowOf<typeof connections.list>
type State = Connection['state']

export const states: Record<State, { label: string; tone: Tone }> = {
  connected: { label: 'Works', tone: 'good' },
  choose: { label: 'Not finished', tone: 'waiting' },
  reconnect: { label: 'Needs you', tone: 'wrong' },
  failing: { label: 'Fails', tone: 'wrong' },
  unheard: { label: 'Not heard yet', tone: 'waiting' },
  review: { label: 'Needs your attention', tone: 'waiting' },
  off: { label: 'Off', tone: 'off' },
}
export const stateOptions = Object.entries(states).map(([value, { label }]) => ({ value, label }))

const advice: Partial<Record<State, string>> = {
  choose: 'Choose the organisation or audience that is meant.',
  reconnect: 'Please reconnect it.',
  off: 'It is disabled: no data is exchanged.',
}
/** What went wrong last and what helps; empty where all is well. */
export const troubleOf = ({ state, last_error }: Pick<Connection, 'state' | 'last_error'>): string =>
  last_error ?? advice[state] ?? ''
