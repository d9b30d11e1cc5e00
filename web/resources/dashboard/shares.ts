// Shares: how current figures compare with those of a week ago.
import { wholeOf } from '#web/kit/display/numbers.ts'
import { worth_a_look } from '#contract/dashboard.ts'

/** In whole per cent; undefined if the whole is 0. */
export const shareOf = (part: number, whole: number): number | undefined =>
  whole > 0 ? Math.round((part / whole) * 100) : undefined

/** The same thresholds by which the server picks out properties. */
export const fewerThanBefore = (now: number, before: number | null): boolean =>
  before !== null && before >= worth_a_look.online_min && 1 - now / before > worth_a_look.drop_min

/** `12 more than a week ago`; undefined if it was not counted then. */
export function sinceWeekAgo(now: number, before: number | null): string | undefined {
  if (before === null) return undefined
  const more = now - before
  if (more === 0) return 'as a week ago'
  return `${wholeOf(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} than a week ago`
}
