// Calendars: dates that a list has by the Thai Buddhist or the Persian calendar, told by their years.
import {
  BuddhistCalendar,
  CalendarDate,
  GregorianCalendar,
  PersianCalendar,
  toCalendar,
  type Calendar,
} from '@internationalized/date'

interface OtherCalendar {
  name: string
  /** Years that are no year of today's records by the Gregorian calendar. Those of the Islamic one, 1440 and later, are neither. */
  from: number
  to: number
  calendar: Calendar
}
const others: readonly OtherCalendar[] = [
  { name: 'Thai Buddhist', from: 2443, to: 2742, calendar: new BuddhistCalendar() },
  { name: 'Persian', from: 1300, to: 1430, calendar: new PersianCalendar() },
]
const gregorian = new GregorianCalendar()

/** What was converted in a list: an example of each calendar, `2569-11-28 is 2026-11-28`. */
export type Converted = Map<string, string>

/** A date as the list has it, by the Gregorian calendar; null if there is none. Notes in `converted` where it was by another. */
export function inGregorian(
  year: number,
  month: number,
  day: number,
  converted: Converted,
): [number, number, number] | null {
  const other = others.find(({ from, to }) => year >= from && year <= to)
  if (!other) return [year, month, day]
  const read = new CalendarDate(other.calendar, year, month, day)
  // The library takes the nearest date for one that does not exist.
  if (read.month !== month || read.day !== day) return null
  const date = toCalendar(read, gregorian)
  const written = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
  if (!converted.has(other.name)) converted.set(other.name, `${written} is ${date.toString()}`)
  return [date.year, date.month, date.day]
}

/** Sentences for whoever imports the list. */
export const conversionNotes = (converted: Converted): string[] =>
  [...converted].map(([name, example]) => `Dates were read by the ${name} calendar: ${example}.`)
