// Calendar: reads the dates in an operator's own list of holidays, from a calendar file or from pasted lines.
import ICAL from 'ical.js'
import { CellProblem } from '#server/imports/cells.ts'
import { DayOrder } from '#server/imports/days.ts'
import { addDays } from '#server/time/zones.ts'

export interface Times {
  times: { name: string; starts_on: string; ends_on: string }[]
  problems: { line: number; message: string }[]
}

/** The number of years for which yearly events are listed. */
const years_ahead = 3
/** The most that are read at once. */
const times_max = 200
const name_max = 255

export const readTimes = (text: string, today: string): Times =>
  atMost(/^\s*BEGIN:VCALENDAR/i.test(text) ? ofCalendarFile(text, today) : ofLines(text))

function atMost({ times, problems }: Times): Times {
  const [first_left_out] = times.slice(times_max)
  if (first_left_out === undefined) return { times, problems }
  const { name, starts_on } = first_left_out
  const message = `Only ${times_max} times are read: “${name}” on ${starts_on} and what follows is left out.`
  return { times: times.slice(0, times_max), problems: [{ line: times_max + 1, message }, ...problems] }
}

function ofCalendarFile(text: string, today: string): Times {
  const events = eventsIn(text)
  if (events === null)
    return { times: [], problems: [{ line: 1, message: 'This calendar file cannot be read. Please export it again.' }] }
  const times: Times['times'] = []
  const problems: Times['problems'] = []
  for (const [index, event] of events.entries()) {
    const one = timeOf(event)
    const rule = one && event.component.getFirstPropertyValue('rrule')
    if (one === null) problems.push({ line: index + 1, message: 'This event has no date that can be read.' })
    else if (isYearly(rule)) times.push(...yearly(one, today))
    else times.push(one)
    if (one && rule !== null && !isYearly(rule))
      problems.push({ line: index + 1, message: `“${one.name}” comes again. Only its first time is read.` })
  }
  return { times, problems }
}

function eventsIn(text: string): ICAL.Event[] | null {
  try {
    const calendars = ICAL.parse(text) as [string, unknown, unknown] | [string, unknown, unknown][]
    const [first] = calendars
    const all = Array.isArray(first) ? (calendars as unknown[][]) : [calendars as unknown[]]
    return all
      .flatMap((calendar) => new ICAL.Component(calendar).getAllSubcomponents('vevent'))
      .map((event) => new ICAL.Event(event))
  } catch {
    return null
  }
}

/** Null: it has no date, or none that the library can read. */
function timeOf(event: ICAL.Event): Times['times'][number] | null {
  try {
    const starts_on = isoDay(event.startDate)
    if (starts_on === null) return null
    // For whole-day events the end is the day after the last one; an end with a time is on its own day.
    const end = isoDay(event.endDate) ?? starts_on
    const last = event.endDate.isDate && end > starts_on ? addDays(end, -1) : end
    return { name: nameOf(event.summary), starts_on, ends_on: last < starts_on ? starts_on : last }
  } catch {
    return null
  }
}

function isoDay(time: ICAL.Time | null | undefined): string | null {
  const day = time?.toString().slice(0, 10) ?? ''
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : null
}

const nameOf = (summary: string | null | undefined) => {
  const name = (summary ?? '').replace(/\s+/g, ' ').trim().slice(0, name_max)
  return name === '' ? 'Holiday' : name
}

/** Every year on the same day. Other rules are not evaluated, because rules can be made to take for ever. */
const isYearly = (rule: unknown) =>
  rule instanceof ICAL.Recur && rule.freq === 'YEARLY' && rule.interval === 1 && rule.count === null

function yearly({ name, starts_on, ends_on }: Times['times'][number], today: string): Times['times'] {
  const first = Math.max(Number(starts_on.slice(0, 4)), Number(today.slice(0, 4)))
  const length_days = Math.round((Date.parse(ends_on) - Date.parse(starts_on)) / 86_400_000)
  return Array.from({ length: years_ahead }, (_, index) => `${first + index}${starts_on.slice(4)}`)
    .filter((day) => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day))
    .map((day) => ({ name, starts_on: day, ends_on: addDays(day, length_days) }))
}

/** A date in a line of text; all lines together show which of two numbers is the day. */
const month = String.raw`(?<!\p{L})(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}{0,6}`
const date = String.raw`\d\d?(?:st|nd|rd|th)?`
const written = new RegExp(
  String.raw`\d{4}-\d\d-\d\d|\d\d?[./-]\d\d?[./-]\d{4}|${date} ${month}\.?,? \d{4}|${month}\.? ${date},? \d{4}`,
  'giu',
)

function ofLines(text: string): Times {
  const lines = text.split(/\r\n|\r|\n/)
  const order = new DayOrder(() => text.match(written) ?? [])
  const times: Times['times'] = []
  const problems: Times['problems'] = []
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const days = line.match(written) ?? []
    try {
      const [starts_on, ends_on = starts_on] = days.map((day) =>
        order.dayIn(day.replace(/^(\d\d?)(?:st|nd|rd|th) /, '$1 ')),
      )
      if (starts_on === undefined || ends_on === undefined)
        throw new CellProblem('No date is found. Please write it as 2026-12-24')
      if (days.length > 2) throw new CellProblem('There are more than two dates. Please write one time on a line')
      if (ends_on < starts_on) throw new CellProblem('The last day cannot be before the first')
      times.push({ name: nameOf(aroundDays(line)), starts_on, ends_on })
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error
      problems.push({ line: index + 1, message: `${error.message}.` })
    }
  }
  return { times, problems }
}

/** `Christmas break` in `Christmas break: 2026-12-24 – 2027-01-04`. */
const aroundDays = (line: string) =>
  line
    .replaceAll(written, ' ')
    .replace(/\s(?:to|until|till|bis|au)\s/gi, ' ')
    .replace(/^[\s,;:|()–—-]+|[\s,;:|()–—-]+$/g, '')
