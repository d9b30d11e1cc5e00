// Calendar: reads the dates in an operator's own list of holidays, from a calendar file or from pasted lines.
import { eventName, timesOfCalendar, type Times } from './calendar-events.ts'
import { CellProblem } from './cells.ts'
import { datesIn, rangeOf } from './day-ranges.ts'
import { DayOrder } from './days.ts'

/** The most that are read at once. */
const times_max = 200

/** @param zone of the property, by whose clock a time of a calendar is a day. */
export const readTimes = (text: string, today: string, zone: string): Times =>
  atMost(/^\s*BEGIN:VCALENDAR/i.test(text) ? timesOfCalendar(text, today, zone) : ofLines(text))

function atMost({ times, problems }: Times): Times {
  const [first_left_out] = times.slice(times_max)
  if (first_left_out === undefined) return { times, problems }
  const { name, starts_on } = first_left_out
  const message = `Only ${times_max} times are read: “${name}” on ${starts_on} and what follows is left out.`
  return { times: times.slice(0, times_max), problems: [{ line: times_max + 1, message }, ...problems] }
}

function ofLines(text: string): Times {
  const lines = text.split(/\r\n|\r|\n/).map((line) => ({ line, dated: datesIn(line) }))
  // All lines together show which of two numbers is the day.
  const order = new DayOrder(() => lines.flatMap(({ dated }) => dated.dates))
  const found: Times = { times: [], problems: [] }
  for (const [index, { line, dated }] of lines.entries()) {
    if (line.trim() === '') continue
    try {
      found.times.push({ name: eventName(aroundDays(dated.rest)), ...rangeOf(dated, order), rule: null })
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error
      found.problems.push({ line: index + 1, message: `${error.message}.` })
    }
  }
  return found
}

/** `Christmas break` in `Christmas break: 2026-12-24 – 2027-01-04`. */
const aroundDays = (rest: string) =>
  rest
    .replace(/\s(?:to|until|till|through|bis|au|al|tot)(?=\s)/gi, ' ')
    .replace(/^(?:from|von|vom|du|del|dal|van)\s/i, '')
    .replace(/^[\s,;:|()–—-]+|[\s,;:|()–—-]+$/g, '')
