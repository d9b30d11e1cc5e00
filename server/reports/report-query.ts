// Report query: what a report asks of the sessions, given by a saved report, by the fields of a call or by both; and the days it covers.
import { allows } from '#contract/permissions.ts'
import {
  columnsTicked,
  frequency_once,
  type DateRange,
  type reportKinds,
  type run,
  type SessionColumn,
} from '#contract/reports.ts'
import type { Parsed } from '#contract/endpoint.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { oneRow } from '#server/entities/read.ts'
import type { Stored } from '#server/entities/entity.ts'
import { filterKeys, type FilterKey } from './filters.ts'
import { addDays } from '#server/time/zones.ts'
import { daysOf, monthsLater, type Days } from './ranges.ts'
import { reports, wrongDays, wrongFilters } from './record.ts'

export type ReportIds = Record<FilterKey, number[]>

export interface ReportQuery {
  /** Null where only fields were given. */
  report_id: number | null
  name: string
  kind: (typeof reportKinds)[number]
  view_as: 'all_sessions' | 'unique'
  ids: ReportIds
  columns: SessionColumn[]
  /** As of a property's today. */
  days: (today: string) => Days
}

type Given = Omit<Parsed<typeof run>, 'sort' | 'cursor' | 'per_page'>
type Kept = Stored<typeof reports>

const titles = { session: 'Sessions', free_wifi: 'Free Wi-Fi', billing: 'Statement' }

export const mayReadBills = ({ can }: Scope) => allows(can, 'billing', 'read')

/** API keys and users of a group or a property cannot have statements made, neither now nor by a schedule. */
export function refuseBills(scope: Scope, kind: ReportQuery['kind']) {
  if (kind === 'billing' && !mayReadBills(scope))
    throw invalid({ kind: ['Bills are open to the customer’s own people alone'] })
}

/** Fields given together with an id override those of its record. `days`: given for a run of its schedule. */
export async function reportQueryOf(scope: Scope, { id, ...given }: Given, days?: Days): Promise<ReportQuery> {
  const record = id ? await oneRow(scope, reports, id) : null
  const kind = given.kind ?? record?.kind ?? 'session'
  refuseBills(scope, kind)
  const ids = Object.fromEntries(filterKeys.map((key) => [key, given[key] ?? record?.[key] ?? []])) as ReportIds
  const range = rangeOf(given, record)
  const errors = { ...(days ? {} : wrongDays(range)), ...wrongFilters({ kind, ...ids }) }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return {
    report_id: record?.id ?? null,
    name: given.name ?? record?.name ?? titles[kind],
    kind,
    view_as: given.view_as ?? record?.view_as ?? 'all_sessions',
    ids,
    columns: given.columns ?? record?.columns ?? [...columnsTicked],
    days: (today) => days ?? daysIn(range, today),
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

/** How far back a schedule without a range looks: to when it was last due. Keyed by the id of its frequency. */
const lookingBack: Record<number, (today: string) => string> = {
  2: (today) => addDays(today, -1),
  3: (today) => addDays(today, -7),
  4: (today) => addDays(today, -14),
  5: (today) => monthsLater(today, -1),
  6: (today) => monthsLater(today, -3),
  7: (today) => monthsLater(today, -12),
}

function daysIn({ date_range, start_date, end_date, frequency }: Range, today: string): Days {
  if (date_range === 'custom' && start_date && end_date) return { first: start_date, last: end_date }
  if (date_range && date_range !== 'custom') return daysOf(date_range, today)
  const back = frequency === null ? undefined : lookingBack[frequency]
  return back ? { first: back(today), last: addDays(today, -1) } : daysOf('last_30_days', today)
}
