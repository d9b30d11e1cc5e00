// Dates: as people read them, in the browser's language and time zone.
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const minute = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** `21 Nov 2026`; nothing for nothing. */
export const dateOf = (moment: string | null | undefined): string => (moment ? day.format(new Date(moment)) : '')
/** `21 Nov 2026, 14:05` */
export const timeOf = (moment: string | null | undefined): string => (moment ? minute.format(new Date(moment)) : '')
