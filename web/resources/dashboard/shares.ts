// Shares: how figures of the moment compare with those of a week ago.

/** In whole per cent; undefined where there is nothing to have a share of. */
export const shareOf = (part: number, whole: number): number | undefined =>
  whole > 0 ? Math.round((part / whole) * 100) : undefined

/** As the server picks properties out: less than half of what were at least ten. */
export const fewerThanBefore = (now: number, before: number | null): boolean =>
  before !== null && before >= 10 && now < before / 2

/** `12 more than a week ago`; nothing where it was not counted then. */
export function sinceWeekAgo(now: number, before: number | null): string | undefined {
  if (before === null) return undefined
  const more = now - before
  if (more === 0) return 'as a week ago'
  return `${Math.abs(more).toLocaleString()} ${more > 0 ? 'more' : 'fewer'} than a week ago`
}
