// Gateway health: how long ago a gateway last sent a request, whether it is silent, and whether it is answered.
import { day_ms } from '#contract/days.ts'
import type { Output } from '#contract/endpoint.ts'
import type * as gateways from '#contract/gateways.ts'
import type { GatewayKind } from './kinds.ts'

/** Guests at it would have been heard of meanwhile. */
const lately_ms = 15 * 60_000

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

export type Health = 'heard' | 'quiet' | 'silent' | 'never'
/** With text: `Heard now`, `Heard 3 hours ago`, `Silent for 3 hours`, `Never heard`. Only the server knows whether guests miss it. */
export function healthOf(
  { last_seen_at, silent_since }: { last_seen_at: string | null; silent_since: string | null },
  now = Date.now(),
): { health: Health; words: string } {
  const heard = heardOf(last_seen_at, now)
  if (last_seen_at === null || heard === null) return { health: 'never', words: 'Never heard' }
  if (silent_since !== null) return { health: 'silent', words: `Silent for ${heard.replace(' ago', '')}` }
  const isLately = now - Date.parse(last_seen_at) <= lately_ms
  return isLately ? { health: 'heard', words: 'Heard now' } : { health: 'quiet', words: `Heard ${heard}` }
}

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
