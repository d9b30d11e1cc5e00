// Report query: what a report asks of the sessions, given by a saved report, by the fields of a call or by both; and the days it covers.
import { addDays } from '#contract/days.ts'
import { columnsTicked, frequency_once, type DateRange, type run } from '#contract/reports.ts'
import type { Parsed } from '#contract/endpoint.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { oneRow } from '#server/entities/read.ts'
import { now } from '#server/time/clock.ts'
import { localDay } from '#server/time/zones.ts'
import type { Stored } from '#server/entities/entity.ts'
import type { ReportIds, ReportQuery } from './asked.ts'
import { filterKeys } from './filters.ts'
import { kinds, refuseReserved } from './kinds.ts'
import { dueBefore } from './periods.ts'
import { daysOf, type Days } from './ranges.ts'
import { reports, wrongDays, wrongFilters } from './record.ts'

type Given = Omit<Parsed<typeof run>, 'sort' | 'cursor' | 'per_page'>
type Kept = Stored<typeof reports>

/**
 * Fields given together with an id override those of its record. `days`: given for a run of its schedule. `at`: when it was asked, where
 * that was before now.
 */
export async function reportQueryOf(
  scope: Scope,
  { id, ...given }: Given,
  { days, at = now() }: { days?: Days | undefined; at?: number | undefined } = {},
): Promise<ReportQuery> {
  const record = id ? await oneRow(scope, reports, id) : null
  const kind = given.kind ?? record?.kind ?? 'session'
  refuseReserved(scope, kind)
  const ids = Object.fromEntries(filterKeys.map((key) => [key, given[key] ?? record?.[key] ?? []])) as ReportIds
  const range = rangeOf(given, record)
  const errors = { ...(days ? {} : wrongDays(range)), ...wrongFilters({ kind, ...ids }) }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return {
    report_id: record?.id ?? null,
    name: given.name ?? record?.name ?? kinds[kind].title,
    kind,
    view_as: given.view_as ?? record?.view_as ?? 'all_sessions',
    ids,
    group_of: kinds[kind].group_of,
    methods: kinds[kind].methodsOf(ids),
    columns: given.columns ?? record?.columns ?? [...columnsTicked],
    at,
    daysIn: (zone) => days ?? daysAsOf(range, localDay(at, zone)),
  }
}

interface Range {
  date_range: DateRange | null
  start_date: string | null
  end_date: string | null
  frequency: number | null
}

/** Days that are given override those of the record, even without a `date_range`. */
function rangeOf(given: Given, record: Kept | null): Range {
  const own = given.date_range ?? (given.start_date || given.end_date ? 'custom' : null)
  const frequency = scheduleOf(record)
  const { start_date, end_date } = own ? given : (record ?? given)
  const kept = record?.date_range ?? (frequency === null && start_date && end_date ? 'custom' : null)
  return { date_range: own ?? kept, start_date: start_date ?? null, end_date: end_date ?? null, frequency }
}

/** Null where the report is not sent by a schedule. */
const scheduleOf = (record: Kept | null) =>
  record === null || record.frequency === frequency_once ? null : record.frequency

function daysAsOf({ date_range, start_date, end_date, frequency }: Range, today: string): Days {
  if (date_range === 'custom' && start_date && end_date) return { first: start_date, last: end_date }
  if (date_range && date_range !== 'custom') return daysOf(date_range, today)
  // A schedule without a range looks back to when it was last due.
  return frequency === null
    ? daysOf('last_30_days', today)
    : { first: dueBefore(frequency, today), last: addDays(today, -1) }
}
