// Days: how long a time of whole days is.

const day_ms = 86_400_000

/** Both its first and its last day count. */
export const daysIn = ({ starts_on, ends_on }: { starts_on: string; ends_on: string }): number =>
  Math.round((Date.parse(ends_on) - Date.parse(starts_on)) / day_ms) + 1
