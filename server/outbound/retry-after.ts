// Retry-After: how long a called system asks us to wait (RFC 9110, section 10.2.3).
import type { OutgoingAnswer } from './safe-fetch.ts'

/** In seconds, also if it was given as a date. At most a day. */
export function retryAfter(headers: OutgoingAnswer['headers']): number | undefined {
  const given = headers['retry-after']
  if (given === undefined) return undefined
  const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), 86_400) : undefined
}
