// Days: the length of a period of whole days.

const day_ms = 86_400_000

/** Includes both the first and the last day. */
export const daysIn = ({ starts_on, ends_on }: { starts_on: string; ends_on: string }): number =>
  Math.round((Date.parse(ends_on) - Date.parse(starts_on)) / day_ms) + 1
