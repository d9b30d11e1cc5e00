// Gateway health: how long ago a gateway last sent a request, when it counts as silent, and whether it is answered.
import { day_ms } from '#contract/days.ts'
import type { Output } from '#contract/endpoint.ts'
import type * as gateways from '#contract/gateways.ts'
import type { GatewayKind } from './kinds.ts'

/** A gateway not heard for longer is silent; the same limit as on the dashboard. */
const silent_ms = 15 * 60_000

const units = [
  { unit: 'day', ms: day_ms },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const

const words = new Intl.RelativeTimeFormat('en-GB', { numeric: 'always' })

/** `3 hours ago`; null if it was never heard. */
export function heardOf(last_seen_at: string | null, now = Date.now()): string | null {
  if (last_seen_at === null) return null
  const ago_ms = now - Date.parse(last_seen_at)
  const unit = units.find(({ ms }) => ago_ms >= ms)
  return unit ? words.format(-Math.floor(ago_ms / unit.ms), unit.unit) : 'Just now'
}

export type Health = 'heard' | 'silent' | 'never'
/** With text: `Heard now`, `Silent for 3 hours`, `Never heard`. */
export function healthOf(last_seen_at: string | null, now = Date.now()): { health: Health; words: string } {
  if (last_seen_at === null) return { health: 'never', words: 'Never heard' }
  if (!isSilent(last_seen_at, now)) return { health: 'heard', words: 'Heard now' }
  const since = heardOf(last_seen_at, now)?.replace(' ago', '') ?? ''
  return { health: 'silent', words: `Silent for ${since}` }
}

export const isSilent = (last_seen_at: string | null, now = Date.now()): boolean =>
  last_seen_at !== null && now - Date.parse(last_seen_at) > silent_ms

/** Refused within the last day, and since it was last answered; the same rule as on the dashboard. */
export const isUnanswered = (
  { refused_at, last_seen_at }: { refused_at: string | null; last_seen_at: string | null },
  now = Date.now(),
): boolean =>
  refused_at !== null &&
  now - Date.parse(refused_at) < day_ms &&
  (last_seen_at === null || Date.parse(refused_at) > Date.parse(last_seen_at))

/** Browsers stop a form that is sent from https to http, so the gateway never receives the sign-in. Other kinds find a way. */
export const stopsForms = (
  { login_method, portal_url }: Output<typeof gateways.get>,
  kind: Pick<GatewayKind, 'fields'> | null | undefined,
) =>
  kind?.fields.includes('login_method') === true && login_method === 'post' && portal_url?.startsWith('https:') === true
