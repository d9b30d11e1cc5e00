// Calendar events: the days of the events in a calendar file (iCalendar, RFC 5545), as the property's clock shows them. Events that come
// again are followed by the library's own iterator, within limits, since a rule can be made to take for ever.
import { addDays, nightsBetween } from '#contract/days.ts'
import ICAL from 'ical.js'
import { dayBegins, instantOf, localDay } from '#server/time/zones.ts'
import { ruleText } from './calendar-rules.ts'

/** One time of an event. */
interface Time {
  name: string
  starts_on: string
  ends_on: string
  /** How it comes again, in words. */
  rule: string | null
}
export interface Times {
  times: Time[]
  problems: { line: number; message: string }[]
}

/** The number of years within which an event is followed, from its first or the present one. */
const years_ahead = 3
/** The times of one event. */
const times_max = 200
/** The steps that all rules of a file may take together, which is a second of work. Every day since 1980 takes 17,000. */
const steps_max = 20_000
/** Rules in which nobody writes a holiday. */
const too_often = new Set(['SECONDLY', 'MINUTELY', 'HOURLY'])

class TooManySteps extends Error {}
interface Budget {
  steps: number
}

class BoundedIterator extends ICAL.RecurIterator {
  private readonly budget: Budget
  constructor(rule: ICAL.Recur, dtstart: ICAL.Time, budget: Budget) {
    super({ rule, dtstart })
    this.budget = budget
  }

  /** Asked at each step, whether it is a time of the event or not. */
  override check_contracting_rules(): boolean {
    this.budget.steps--
    if (this.budget.steps < 0) throw new TooManySteps()
    return super.check_contracting_rules()
  }
}

/** What an event is read with. */
interface Place {
  /** The property's day, and its time zone. */
  today: string
  zone: string
  budget: Budget
}

export function timesOfCalendar(text: string, today: string, zone: string): Times {
  const events = eventsIn(text)
  if (events === null)
    return { times: [], problems: [{ line: 1, message: 'This calendar file cannot be read. Please export it again.' }] }
  const place: Place = { today, zone, budget: { steps: steps_max } }
  const found: Times = { times: [], problems: [] }
  const readable = events.filter((event) => event !== null)
  for (const [index, event] of events.entries()) {
    // A change replaces one time of another event of the file.
    if (event && isChange(event) && readable.some((other) => !isChange(other) && other.uid === event.uid)) continue
    const changes = readable.filter((other) => isChange(other) && other.uid === event?.uid && other !== event)
    const read = event ? timesOf(event, changes, place) : 'This event cannot be read.'
    if (typeof read === 'string') found.problems.push({ line: index + 1, message: read })
    else {
      found.times.push(...read.times)
      if (read.problem !== undefined) found.problems.push({ line: index + 1, message: read.problem })
    }
  }
  return found
}

/** Each is read by itself, so that one that is wrong (null) does not take the others along. Null: there is none that ends. */
function eventsIn(text: string): (ICAL.Event | null)[] | null {
  const calendar = new ICAL.Component('vcalendar')
  for (const zone of partsOf(text, 'VTIMEZONE')) if (zone && isSane(zone)) calendar.addSubcomponent(zone)
  const events = partsOf(text, 'VEVENT')
  if (events.length === 0 && /BEGIN:VEVENT/i.test(text)) return null
  return events.map((event) => {
    if (event) calendar.addSubcomponent(event)
    return event && new ICAL.Event(event)
  })
}

function partsOf(text: string, name: string): (ICAL.Component | null)[] {
  const parts = text.match(new RegExp(`^BEGIN:${name}\\s[^]*?^END:${name}\\b`, 'gim')) ?? []
  return parts.map((part) => {
    try {
      return new ICAL.Component(ICAL.parse(part) as unknown[])
    } catch {
      return null
    }
  })
}

/** Changes of a clock are yearly. The library follows their rules without a limit. */
const isSane = (zone: ICAL.Component) =>
  [...zone.getAllSubcomponents('standard'), ...zone.getAllSubcomponents('daylight')]
    .flatMap((change) => change.getAllProperties('rrule').map((rule) => rule.getFirstValue()))
    .every((rule) => rule instanceof ICAL.Recur && rule.freq === 'YEARLY')

const isChange = (event: ICAL.Event) => event.component.getFirstPropertyValue('recurrence-id') !== null
const isCancelled = (event: ICAL.Event) =>
  String(event.component.getFirstPropertyValue('status')).toUpperCase() === 'CANCELLED'

interface Read {
  times: Time[]
  problem?: string
}

/** The library takes 2 March for 30 February. */
function isThere(event: ICAL.Event): boolean {
  const day = String((event.component.getFirstProperty('dtstart')?.toJSON() as unknown[] | undefined)?.[3]).slice(0, 10)
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) && addDays(day, 0) === day
}

/** The times of an event, or why there are none. */
function timesOf(event: ICAL.Event, changes: readonly ICAL.Event[], place: Place): Read | string {
  if (isCancelled(event)) return { times: [] }
  const name = eventName(event.summary)
  const first = isThere(event) ? daysOf(event, startOf(event), place) : null
  if (first === null) return 'This event has no date that can be read.'
  const rules = event.component.getAllProperties('rrule').map((rule) => rule.getFirstValue() as ICAL.Recur)
  if (rules.length === 0 && event.component.getFirstProperty('rdate') === null)
    return { times: [{ name, ...first, rule: null }] }
  const [rule] = rules
  const text = rule ? ruleText(rule) : 'On chosen days'
  try {
    if (rules.some(({ freq }) => too_often.has(freq))) throw new TooManySteps()
    const times = [...followed(event, rules, changes, place)].map((days) => ({ name, rule: text, ...days }))
    return times.length > 0 ? { times } : `“${name}” does not come again (${text.toLowerCase()}).`
  } catch {
    return {
      times: [{ name, ...first, rule: text }],
      problem: `“${name}” repeats by a rule that Foyer does not support. Only its first date is read.`,
    }
  }
}

type Days = Pick<Time, 'starts_on' | 'ends_on'> & { name?: string }

/** All times of an event that comes again, within the limits, without those that are left out, and with those that are changed. */
function followed(
  event: ICAL.Event,
  rules: readonly ICAL.Recur[],
  changes: readonly ICAL.Event[],
  place: Place,
): Days[] {
  const dtstart = startOf(event)
  const first = dayOf(dtstart, event, place)
  const year = [first.slice(0, 4), place.today.slice(0, 4)].toSorted()[1] ?? ''
  const [from, until] = [`${year}-01-01`, `${Number(year) + years_ahead}-01-01`]
  const starts = new Map<string, ICAL.Time>()
  const add = (time: ICAL.Time) => {
    const day = dayOf(time, event, place)
    if (day >= from && day < until) starts.set(day, time)
  }
  for (const rule of rules) {
    const steps = new BoundedIterator(boundedRule(rule, event, until, place), dtstart, place.budget)
    for (let time = steps.next(); time && starts.size < times_max; time = steps.next()) add(time.clone())
  }
  for (const time of datesOf(event, 'rdate')) add(time)
  for (const time of datesOf(event, 'exdate')) starts.delete(dayOf(time, event, place))
  const times = new Map([...starts].map(([day, time]): [string, Days | null] => [day, daysOf(event, time, place)]))
  for (const change of changes) applyChange(times, change, place)
  return [...times.values()].filter((days) => days !== null).toSorted((a, b) => a.starts_on.localeCompare(b.starts_on))
}

/** A time that is moved or cancelled; of one that says so, all that follow, too. */
function applyChange(times: Map<string, Days | null>, change: ICAL.Event, place: Place) {
  const property = change.component.getFirstProperty('recurrence-id')
  const was = property && dayOf(property.getFirstValue() as ICAL.Time, change, place)
  const days = daysOf(change, startOf(change), place)
  if (!was || !days) return
  const later = property.getParameter('range') === 'THISANDFUTURE' ? [...times.keys()].filter((day) => day > was) : []
  const shift = (day: string, by: string) => addDays(by, nightsBetween(was, day))
  const name = change.component.getFirstProperty('summary') === null ? {} : { name: eventName(change.summary) }
  for (const day of [was, ...later])
    times.set(
      day,
      isCancelled(change)
        ? null
        : { ...name, starts_on: shift(day, days.starts_on), ends_on: shift(day, days.ends_on) },
    )
}

/** The rule with an end: its own, or that of the limit. Its own is meant by the clock of the event. */
function boundedRule(rule: ICAL.Recur, event: ICAL.Event, until: string, place: Place): ICAL.Recur {
  const bounded = rule.clone()
  // The library takes the next day for 29 February in other years, and for the 31st in other months.
  const { day, month } = startOf(event)
  const isPlain = !Object.keys(bounded.parts).some((part) => part.startsWith('BY'))
  if (isPlain && ['YEARLY', 'MONTHLY'].includes(bounded.freq)) bounded.setComponent('BYMONTHDAY', [day])
  if (isPlain && bounded.freq === 'YEARLY') bounded.setComponent('BYMONTH', [month])
  const limit = ICAL.Time.fromDateString(until)
  const own = rule.until
  if (!own || dayOf(own, event, place) >= until) bounded.until = limit
  else if (own.isDate || startOf(event).isDate)
    bounded.until = endOf(own.isDate ? own.toString() : dayOf(own, event, place))
  else bounded.until = onClockOf(own, event, place)
  return bounded
}
const endOf = (day: string) => ICAL.Time.fromDateTimeString(`${day}T23:59:59`)

/** A moment in UTC as the clock of the event shows it. */
function onClockOf(time: ICAL.Time, event: ICAL.Event, place: Place): ICAL.Time {
  const zone = zoneOf(event) ?? place.zone
  if (time.zone !== ICAL.Timezone.utcTimezone) return time
  const instant = time.toUnixTime() * 1000
  const day = localDay(instant, zone)
  const seconds = Math.round((instant - dayBegins(day, zone)) / 1000)
  const clock = ICAL.Time.fromDateTimeString(`${day}T00:00:00`)
  clock.addDuration(ICAL.Duration.fromSeconds(seconds))
  return clock
}

const startOf = (event: ICAL.Event) => event.startDate

function datesOf(event: ICAL.Event, name: 'rdate' | 'exdate'): ICAL.Time[] {
  const values: unknown[] = event.component.getAllProperties(name).flatMap((property) => property.getValues())
  return values.flatMap((value) =>
    value instanceof ICAL.Time ? [value] : value instanceof ICAL.Period ? [value.start] : [],
  )
}

/** The days of a time of the event, both included: one that ends at midnight ends on the day before. */
function daysOf(event: ICAL.Event, start: ICAL.Time | null, place: Place): Days | null {
  try {
    if (!start) return null
    const starts_on = dayOf(start, event, place)
    const end = start.clone()
    end.addDuration(event.duration)
    const ends_at = dayOf(end, event, place)
    const last = isMidnight(end, event, place) && ends_at > starts_on ? addDays(ends_at, -1) : ends_at
    return { starts_on, ends_on: last < starts_on ? starts_on : last }
  } catch {
    return null
  }
}

/** Its day at the property. Throws for a date that does not exist. */
function dayOf(time: ICAL.Time, event: ICAL.Event, { zone }: Place): string {
  const instant = instantIn(time, event)
  const day = instant === null ? time.toString().slice(0, 10) : localDay(instant, zone)
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || addDays(day, 0) !== day) throw new Error('no such date')
  return day
}

function isMidnight(time: ICAL.Time, event: ICAL.Event, { zone }: Place): boolean {
  const instant = instantIn(time, event)
  if (instant === null) return time.isDate || (time.hour === 0 && time.minute === 0 && time.second === 0)
  return dayBegins(localDay(instant, zone), zone) === instant
}

/** Null: a whole day, or a time by whatever clock hangs on the wall. */
function instantIn(time: ICAL.Time, event: ICAL.Event): number | null {
  if (time.isDate) return null
  if (time.zone === ICAL.Timezone.utcTimezone) return time.toUnixTime() * 1000
  const zone = zoneOf(event)
  if (zone !== null)
    return instantOf(time.toString().slice(0, 10), time.hour + time.minute / 60 + time.second / 3600, zone)
  // A name of its own, such as those of Windows, which the file explains.
  return time.zone === ICAL.Timezone.localTimezone ? null : time.toUnixTime() * 1000
}

/** The IANA name of the event's zone, which may stand behind the name of whoever has written the file. */
function zoneOf(event: ICAL.Event): string | null {
  const written = event.component.getFirstProperty('dtstart')?.getParameter('tzid')
  const parts = typeof written === 'string' ? written.split('/') : []
  const names = parts.map((_, index) => parts.slice(index).join('/'))
  return names.find((name) => /^[A-Za-z]/.test(name) && isZone(name)) ?? null
}

function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

const name_max = 255
export const eventName = (summary: string | null | undefined) => {
  const name = (summary ?? '').replace(/\s+/g, ' ').trim().slice(0, name_max)
  return name === '' ? 'Holiday' : name
}
