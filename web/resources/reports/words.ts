// Words: the names of ranges, views and outcomes of reports, and values as text.
import type { RowOf } from '#contract/endpoint.ts'
import type * as runs from '#contract/report-runs.ts'
import type * as reports from '#contract/reports.ts'
import { dayOf, wallClockOf, shortDayOf } from '#web/kit/display/dates.ts'
import { lengthOf, wholeOf } from '#web/kit/display/numbers.ts'
import type { Option } from '#web/ui/select.tsx'
import type { Tone } from '#web/ui/badge.tsx'

/** The range of a scheduled report for which no days are chosen. */
export const since_last = 'Since it was last sent'

export const rangeNames: Record<reports.DateRange, string> = {
  today: 'Today',
  yesterday: 'Yesterday',
  last_7_days: 'Last 7 days',
  last_30_days: 'Last 30 days',
  this_week: 'This week',
  last_week: 'Last week',
  this_month: 'This month',
  last_month: 'Last month',
  this_quarter: 'This quarter',
  last_quarter: 'Last quarter',
  this_year: 'This year',
  custom: 'From … to …',
}

export type Run = RowOf<typeof runs.listRuns>
type Outcome = Run['outcome']
export const outcomeNames: Record<Outcome, string> = {
  queued: 'Waiting',
  running: 'Being made',
  done: 'Ready',
  failed: 'Failed',
  cancelled: 'Cancelled',
}
export const outcomeTones: Record<Outcome, Tone> = {
  queued: 'waiting',
  running: 'waiting',
  done: 'good',
  failed: 'wrong',
  cancelled: 'off',
}
/** Not finished yet. */
export const isUnderWay = ({ outcome }: { outcome: Outcome }) => outcome === 'queued' || outcome === 'running'

export const stateNames: Record<(typeof reports.scheduleStates)[number], string> = {
  active: 'On its days',
  paused: 'Paused',
}
export const pausedNames: Record<reports.PausedFor, string> = {
  owner_left: 'Paused: its owner is gone',
  owner_lowered: 'Paused: its owner may not send it',
  owner_reach: 'Paused: something in it is gone',
  failed: 'Paused after failures',
}
/** What has happened, and what helps. */
export const pausedSentences: Record<reports.PausedFor, string> = {
  owner_left:
    'This report is paused: its owner, or the API key that saved it, no longer exists. Take it over, and it will be sent again.',
  owner_lowered:
    'This report is paused: its owner may no longer send reports. Take it over, and it will be sent again.',
  owner_reach:
    'This report is paused: a property, group or something else that it names no longer exists. Edit what it covers.',
  failed: 'This report is paused: it failed several times in a row. Fix what went wrong, then activate it again.',
}
export const receiverNames: Record<(typeof reports.receiverStates)[number], string> = {
  confirmed: 'confirmed',
  unconfirmed: 'not confirmed yet',
  stopped: 'wants no reports',
}

export const optionsOf = <W extends string>(names: Record<W, string>): Option[] =>
  Object.entries<string>(names).map(([value, label]) => ({ value, label }))

/** A moment in its property's local time: `21 Nov, 14:05`; with the year, if it is not the current one. */
function localTimeOf(moment: string): string {
  const day = moment.slice(0, 10)
  const isThisYear = day.slice(0, 4) === String(new Date().getFullYear())
  return `${isThisYear ? shortDayOf(day) : dayOf(day)}, ${wallClockOf(moment)}`
}

type ColumnKind = (typeof reports.columnKinds)[number]
/** A value of a report, by the kind of its column. */
export function textOf(kind: ColumnKind, value: unknown): string {
  if (typeof value === 'number') {
    if (kind === 'duration') return lengthOf(value)
    return kind === 'gigabytes' ? value.toFixed(3).replace(/^\d+/, (whole) => wholeOf(Number(whole))) : wholeOf(value)
  }
  if (typeof value !== 'string') return ''
  if (kind === 'moment') return localTimeOf(value)
  return kind === 'date' ? dayOf(value) : value
}
export const isFigure = (kind: ColumnKind) => kind === 'number' || kind === 'gigabytes' || kind === 'duration'
