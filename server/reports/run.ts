// Run: answers a report page by page. Its totals and series come with the first page, from one reading of the database; further pages
// repeat its totals.
//
// Statements that do not wait for each other are sent together, in one round trip.
import { z } from 'zod'
import { ReportTotals, runSorts, type run } from '#contract/reports.ts'
import type { Output, Parsed } from '#contract/endpoint.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { reportQueryOf, type ReportQuery } from './report-query.ts'
import { completenessOf } from './completeness.ts'
import { freeWifiColumns, freeWifiDays, freeWifiFirst, freeWifiRows, freeWifiSummary } from './free-wifi.ts'
import { sessionReportColumns, sessionSummary, type Column, type Summary } from './session-report.ts'
import { sessionRows, uniqueRows, type PageRequest, type Placed } from './session-rows.ts'
import { planForValues, spansOf, type Spans } from './spans.ts'

type Answer = Output<typeof run>
export type ReportRow = Answer['data'][number]

const viewOf = ({ kind, view_as }: ReportQuery) => (kind === 'free_wifi' ? kind : view_as)
const defaultSorts = { all_sessions: '-start', unique: '-usage_gb', free_wifi: '-day' } as const

export const columnsOfReport = (asked: ReportQuery): Column[] =>
  asked.kind === 'free_wifi' ? freeWifiColumns : sessionReportColumns(asked)

export async function summaryOf(scope: Scope, asked: ReportQuery, spans: Spans): Promise<Summary> {
  const planned = planForValues(scope)
  const summary =
    asked.kind === 'free_wifi'
      ? freeWifiSummary(scope, asked, spans, freeWifiDays(scope, asked, spans))
      : sessionSummary(scope, asked, spans)
  const [read] = await Promise.all([summary, planned])
  return read
}

/** The rows after a given one, in the report's default order unless another is requested. */
export async function rowsAfter(
  scope: Scope,
  asked: ReportQuery,
  spans: Spans,
  page: Omit<PageRequest, 'sort'> & { sort?: string | undefined },
): Promise<Placed<ReportRow>[]> {
  const sorted = { ...page, sort: page.sort ?? defaultSorts[viewOf(asked)] }
  const planned = planForValues(scope)
  const rows = readers[viewOf(asked)](scope, asked, spans, sorted)
  const [read] = await Promise.all([rows, planned])
  return read
}
const readers: Record<
  ReturnType<typeof viewOf>,
  (scope: Scope, asked: ReportQuery, spans: Spans, page: PageRequest) => Promise<Placed<ReportRow>[]>
> = { all_sessions: sessionRows, unique: uniqueRows, free_wifi: freeWifiRows }

/** The first page with the totals of all rows. The days of free Wi-Fi are computed once for both. */
async function firstPage(
  scope: Scope,
  asked: ReportQuery,
  spans: Spans,
  page: { sort: string | undefined; rows_max: number },
) {
  const from = { ...page, after: null }
  if (asked.kind !== 'free_wifi') {
    const [summary, rows] = await Promise.all([summaryOf(scope, asked, spans), rowsAfter(scope, asked, spans, from)])
    return { before: 0, total: summary.rows, totals: summary.totals, summary, rows }
  }
  const planned = planForValues(scope)
  const first = freeWifiFirst(scope, asked, spans, { ...from, sort: page.sort ?? defaultSorts.free_wifi })
  const days = first.then((read) => read.days)
  const [summary, { rows }] = await Promise.all([freeWifiSummary(scope, asked, spans, days), first, planned])
  return { before: 0, total: summary.rows, totals: summary.totals, summary, rows }
}

/** The value and id of the row after which a page begins, the number of rows up to it and of all rows, and the totals of all. */
const Cursor = z.tuple([z.string(), z.int(), z.int().min(0), z.int().min(0), ReportTotals])
type Cursor = z.output<typeof Cursor>
const writeCursor = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url')
function readCursor(text: string): Cursor {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    throw invalid({ cursor: ['This is no cursor of this report'] })
  }
}

async function furtherPage(
  scope: Scope,
  asked: ReportQuery,
  spans: Spans,
  {
    cursor: [value, id, before, total, totals],
    ...page
  }: { sort: string | undefined; rows_max: number; cursor: Cursor },
) {
  const rows = await rowsAfter(scope, asked, spans, { ...page, after: { value, id } })
  return { before, total, totals, summary: null, rows }
}

function refuseSort(asked: ReportQuery, sort: string | null | undefined) {
  const known: readonly string[] = runSorts[viewOf(asked)]
  if (sort && !known.includes(sort.replace(/^-/, '')))
    throw invalid({ sort: [`This report is sorted by ${known.join(', ')}`] })
}

export async function runReport(scope: Scope, input: Parsed<typeof run>): Promise<Answer> {
  const { sort, cursor, per_page, ...given } = input
  const asked = await reportQueryOf(scope, given)
  if (asked.kind === 'billing')
    throw invalid({
      kind: ['What a period comes to is answered by /billing-runs-preview, and a statement by /reports-export'],
    })
  refuseSort(asked, sort)
  const spans = await spansOf(scope, asked)
  const completeness = cursor ? null : await completenessOf(scope, asked, spans.last)
  const page = { sort: sort ?? undefined, rows_max: per_page }
  const { before, total, totals, summary, rows } = cursor
    ? await furtherPage(scope, asked, spans, { ...page, cursor: readCursor(cursor) })
    : await firstPage(scope, asked, spans, page)
  const to = before + rows.length
  const last = rows.at(-1)
  const isLast = rows.length < per_page || to >= total
  return {
    data: rows.map(({ row }) => row),
    meta: {
      // Sessions may have begun or gone since the first page.
      total: isLast ? to : total,
      from: rows.length > 0 ? before + 1 : 0,
      to,
      per_page,
      next_cursor: isLast || !last ? null : writeCursor([last.after.value, last.after.id, to, total, totals]),
      columns: columnsOfReport(asked),
      totals,
      series: summary?.series ?? null,
      range: { start_date: spans.first, end_date: spans.last },
      complete_to: completeness?.complete_to ?? null,
      sessions_since: summary?.sessions_since ?? null,
    },
  }
}
