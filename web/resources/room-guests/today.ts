// Today: a day of the calendar as the API spells it: `2026-11-21`.

/** At the property whose clock it is; without one, at the desk. */
export const today = (timeZone?: string, now = new Date()): string =>
  // The calendar of Sweden writes its days so.
  new Intl.DateTimeFormat('sv-SE', timeZone === undefined ? {} : { timeZone }).format(now)
