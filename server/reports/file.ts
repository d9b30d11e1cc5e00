// File: a report as a file with all of its rows, written while it is sent: page by page, one transaction each.
import type { Day } from '#contract/days.ts'
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Parsed } from '#contract/endpoint.ts'
import type { exportFile } from '#contract/reports.ts'
import { userIdOf } from '#server/access/principal.ts'
import { allows } from '#contract/permissions.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { logActivity, logActivityOfList } from '#server/entities/activity-log.ts'
import type { Stored } from '#server/entities/entity.ts'
import { oneRow } from '#server/entities/read.ts'
import { invalid } from '#server/errors/refused.ts'
import type { FileAnswer } from '#server/files/send.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { Column, TableFile, Value } from '#server/tables/table.ts'
import type { KindWord, ReportQuery } from './asked.ts'
import { completenessOf, type Completeness } from './completeness.ts'
import { filtersApplied } from './filters.ts'
import type {
  ColumnOfReport as ReportColumn,
  ReportFormat,
  OpenedReport,
  Placed,
  ReportKind,
  ReportRow,
  ReportRows,
  Summary,
} from './kind.ts'
import { kinds, refuseReserved } from './kinds.ts'
import { reports } from './record.ts'
import { reportQueryOf } from './report-query.ts'
import { sumsSince } from './retention.ts'
import { beginRun } from './runs.ts'
import { rowsAfter, reportSummary } from './run.ts'
import { spansOf, type Spans } from './spans.ts'
import { writerOf } from './writer.ts'

/** Reads more for the same caller, each time in its own transaction. */
type Later = <R>(work: (scope: Scope) => Promise<R>) => Promise<R>
interface Call {
  input: Parsed<typeof exportFile>
  later: Later
}

const rows_of_page = 1000

/** Users who may not change guests' records may not export lists of them. */
export const mayNameGuests = (scope: Scope) => allows(scope.can, 'guests', 'write')

type Content = Pick<ReportQuery, 'kind' | 'view_as' | 'columns'>

export function namesGuests(asked: Content): boolean {
  const { content } = kinds[asked.kind]
  return content.by === 'rows' && content.namesGuests(asked)
}

export function refuseIdentifiers(scope: Scope, asked: Content) {
  if (mayNameGuests(scope) || !namesGuests(asked)) return
  throw invalid({ columns: ['Only editors can export identifiers. Leave that column out.'] })
}

/** A schedule runs within the rights of its owner: whoever lets it leave, or says how it does, may take such a file away themselves. */
export function refuseLeaving(scope: Scope, report: Content) {
  refuseReserved(scope, report.kind)
  refuseIdentifiers(scope, report)
}

/** The same of a file that is made. */
export function refuseTaking(scope: Scope, { kind, names_guests }: { kind: KindWord; names_guests: boolean }) {
  const { reserved } = kinds[kind]
  if (reserved && !reserved.isOpenTo(scope)) throw invalid({ id: [reserved.taking] })
  if (names_guests && !mayNameGuests(scope))
    throw invalid({ id: ['It names guests, so only editors can download it.'] })
}

/** Prepares a requested report to be written to a file. */
export async function openReport(scope: Scope, query: ReportQuery, later: Later): Promise<OpenedReport> {
  const { content, waits_for } = kinds[query.kind]
  if (content.by === 'rows') return rowsReport(scope, { content, waits_for }, query, later)
  return content.open(scope, query)
}

async function rowsReport(
  scope: Scope,
  { content, waits_for }: { content: ReportRows } & Pick<ReportKind, 'waits_for'>,
  query: ReportQuery,
  later: Later,
): Promise<OpenedReport> {
  const spans = await spansOf(scope, query)
  const { complete_to, missing } = await completenessOf(scope, { ...query, waits_for }, spans)
  const summary = await reportSummary(scope, content, query, spans)
  async function* pages() {
    let after: Placed<ReportRow>['after'] | null = null
    let read: Placed<ReportRow>[]
    do {
      const from: Placed<ReportRow>['after'] | null = after
      read = await later((reader) => rowsAfter(reader, content, query, spans, { after: from, rows_max: rows_of_page }))
      yield read
      after = read.at(-1)?.after ?? null
    } while (read.length === rows_of_page)
  }
  const table: TableFile<Placed<ReportRow>> = {
    title: query.name,
    file_name: `${query.name} ${spans.first} ${spans.last}`,
    asked: await describeRequest(scope, { content, query }, spans, {
      complete_to,
      missing,
      sessions_since: summary.sessions_since,
      hours_since: summary.hours_since,
      sums_since: sumsSince(spans),
    }),
    columns: content.columns(query).map((column) => fileColumn(column)),
    pages: pages(),
    totals: totalsByColumn(summary),
    zone: ({ zone }) => zone,
  }
  return { rows: summary.rows, first: spans.first, last: spans.last, complete_to, missing, write: writerOf(table) }
}

/** A row's cells, by the keys of its columns. */
type Cells = Readonly<Record<string, string | number | null>>

function fileColumn({ key, title, kind }: ReportColumn): Column<Placed<ReportRow>> {
  const cell = ({ row }: Placed<Cells>) => row[key]
  const word = (placed: Placed<Cells>) => cell(placed)?.toString()
  if (kind === 'moment' || kind === 'date') return { key, title, kind, value: word }
  return { key, title, kind, value: cell, ...(kind === 'gigabytes' ? { places: 3 } : {}) }
}

const totalsByColumn = ({ totals }: Summary): Record<string, Value> => ({
  usage_gb: totals.usage_gb,
  duration: totals.seconds,
  sessions: totals.sessions,
})

const keptSince = (day: string) => `kept since ${day}; the days before are counted by their sums`

async function describeRequest(
  scope: Scope,
  { content, query }: { content: ReportRows; query: ReportQuery },
  { first, last }: Spans,
  {
    complete_to,
    missing,
    sessions_since,
    sums_since,
    hours_since,
  }: Pick<Completeness, 'complete_to' | 'missing'> &
    Pick<Summary, 'sessions_since' | 'hours_since'> & { sums_since: Day | null },
) {
  const [customer] = await scope.run(sql<ColumnsOf<'customers', 'name'>>`
    select c.name from customers as c where c.id = ${scope.customer_id}`)
  const filters = await filtersApplied(scope, query.ids)
  return [
    { label: 'Report', value: query.name },
    { label: 'Kind', value: content.describe(query) },
    { label: 'Customer', value: customer?.name ?? '' },
    { label: 'First day', value: first },
    { label: 'Last day', value: last },
    { label: 'Days', value: 'Each property’s own' },
    { label: 'Complete to', value: complete_to },
    ...(sessions_since === null ? [] : [{ label: 'Single sessions', value: keptSince(sessions_since) }]),
    ...(sums_since === null ? [] : [{ label: 'Sums', value: `kept since ${sums_since}; the days before are empty` }]),
    ...(hours_since === null
      ? []
      : [{ label: 'Hours', value: `kept since ${hours_since}; nobody knows how many were online at once before` }]),
    ...missing.map((value) => ({ label: 'Missing', value })),
    ...filters.map(({ title, values }) => ({ label: title, value: values.join(', ') })),
    { label: 'Made', value: new Date().toISOString() },
    { label: 'Made for', value: scope.principal.name },
  ]
}

/** A requested file, and what it would contain. */
interface OpenedFile {
  query: ReportQuery
  given: LongReport['given']
  format: ReportFormat
  record: Stored<typeof reports> | null
  opened: OpenedReport
}

/** Counting and adding up takes long, so it is read in the same way as the rows. */
export const openFile = ({ input, later }: Call): Promise<OpenedFile> =>
  later(async (scope) => {
    const { format: wanted, ...given } = input
    const query = await reportQueryOf(scope, given)
    refuseIdentifiers(scope, query)
    const record = query.report_id === null ? null : await oneRow(scope, reports, query.report_id)
    const format: ReportFormat = wanted ?? record?.format ?? 'xls'
    return { query, given, format, record, opened: await openReport(scope, query, later) }
  })

interface Making {
  queue: Queue
  /** A file with more rows is made by a job. */
  rows_at_once: number
}

/** The file or, if it is long, the run that makes it. */
export async function reportFile(
  scope: Scope,
  { query, given, format, record, opened: { rows, first, last, write } }: OpenedFile,
  { queue, rows_at_once }: Making,
): Promise<FileAnswer | { id: number }> {
  const begun =
    rows > rows_at_once && reachesAsOwner(scope) ? await begin(scope, queue, { query, given, format }) : null
  const after = { format, rows, start_date: first, end_date: last, ...(begun && { run: begun.id }) }
  if (record) await logActivity(scope, { action: 'export', entity: reports, row: record, before: null, after })
  else await logActivityOfList(scope, { action: 'export', table: 'reports', after })
  return begun ?? write(format)
}

/**
 * A key limited to some of its owner's properties gets its file at once: a run would be made with that key's reach, and yet stand among
 * its owner's own.
 */
const reachesAsOwner = ({ owner, reach }: Scope) =>
  owner.owner_type === 'Customer'
    ? reach.of === 'Customer'
    : reach.of === owner.owner_type && reach.ids.length === 1 && reach.ids[0] === owner.owner_id

interface LongReport {
  query: ReportQuery
  given: Omit<Parsed<typeof exportFile>, 'format'>
  format: ReportFormat
}

async function begin(scope: Scope, queue: Queue, { query, given, format }: LongReport) {
  const { owner_type, owner_id } = scope.owner
  const { id: _, ...fields } = given
  const begun = await beginRun(scope, queue, {
    report_id: query.report_id,
    name: query.name,
    format,
    user_id: userIdOf(scope),
    api_key_id: scope.asked?.key_id ?? null,
    group_id: owner_type === 'Group' ? owner_id : null,
    property_id: owner_type === 'Property' ? owner_id : null,
    asked: fields,
    mails: false,
    due_on: null,
    days: null,
    asked_at: query.at,
  })
  if (!begun) throw new Error('a run that no schedule begins is the only one of its time')
  return begun
}
