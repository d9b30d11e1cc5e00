// Heard: how long ago a gateway last asked something, from when on that is too long, and whether it was answered.
import type { Output } from '#contract/endpoint.ts'
import type * as gateways from '#contract/gateways.ts'

/** As the dashboard has it: a gateway that is quiet for longer is silent. */
const silent_ms = 15 * 60_000

const units = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const

const words = new Intl.RelativeTimeFormat('en-GB', { numeric: 'always' })

/** `3 hours ago`; null for one that was never heard. */
export function heardOf(last_seen_at: string | null, now = Date.now()): string | null {
  if (last_seen_at === null) return null
  const ago_ms = now - Date.parse(last_seen_at)
  const unit = units.find(({ ms }) => ago_ms >= ms)
  return unit ? words.format(-Math.floor(ago_ms / unit.ms), unit.unit) : 'Just now'
}

export type Health = 'heard' | 'silent' | 'never'
/** In words: `Heard now`, `Silent for 3 hours`, `Never heard`. */
export function healthOf(last_seen_at: string | null, now = Date.now()): { health: Health; words: string } {
  if (last_seen_at === null) return { health: 'never', words: 'Never heard' }
  if (!isSilent(last_seen_at, now)) return { health: 'heard', words: 'Heard now' }
  const since = heardOf(last_seen_at, now)?.replace(' ago', '') ?? ''
  return { health: 'silent', words: `Silent for ${since}` }
}

export const isSilent = (last_seen_at: string | null, now = Date.now()): boolean =>
  last_seen_at !== null && now - Date.parse(last_seen_at) > silent_ms

/** As the dashboard has it: within a day, and later than it was last answered. */
export const isUnanswered = (
  { refused_at, last_seen_at }: { refused_at: string | null; last_seen_at: string | null },
  now = Date.now(),
): boolean =>
  refused_at !== null &&
  now - Date.parse(refused_at) < 86_400_000 &&
  (last_seen_at === null || Date.parse(refused_at) > Date.parse(last_seen_at))

/** Generic RADIUS (WISPr), of the look-up of types. */
export const generic_type = 13
/** A form that goes from https to http is stopped by browsers, and nobody tells the gateway. */
export const stopsForms = ({ gateway_type_id, login_method, portal_url }: Output<typeof gateways.get>) =>
  gateway_type_id === generic_type && login_method === 'post' && portal_url?.startsWith('https:') === true
