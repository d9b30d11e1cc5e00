// Run: answers a report page by page. Its totals and series come with the first page, from one reading of the database; further pages
// repeat its totals.
//
// Statements that do not wait for each other are sent together, in one round trip.
import { z } from 'zod'
import { ReportTotals, type run } from '#contract/reports.ts'
import type { Output, Parsed } from '#contract/endpoint.ts'
import { day_ms } from '#contract/days.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { now } from '#server/time/clock.ts'
import type { ReportQuery } from './asked.ts'
import { completenessOf } from './completeness.ts'
import type { PageRequest, Placed, ReportRow, ReportRows, Summary } from './kind.ts'
import { kinds } from './kinds.ts'
import { reportQueryOf } from './report-query.ts'
import { sumsSince } from './retention.ts'
import { planForValues, spansOf, type Spans } from './spans.ts'

type Answer = Output<typeof run>

export async function reportSummary(
  scope: Scope,
  { summary }: ReportRows,
  query: ReportQuery,
  spans: Spans,
): Promise<Summary> {
  const planned = planForValues(scope)
  const [read] = await Promise.all([summary(scope, query, spans), planned])
  return read
}

type AskedPage = Omit<PageRequest, 'sort'> & { sort?: string | undefined }
const ordered = ({ sort }: ReportRows, query: ReportQuery, page: AskedPage): PageRequest => ({
  ...page,
  sort: page.sort ?? sort(query),
})

/** The rows after a given one, in the report's default order unless another is requested. */
export async function rowsAfter(
  scope: Scope,
  content: ReportRows,
  query: ReportQuery,
  spans: Spans,
  page: AskedPage,
): Promise<Placed<ReportRow>[]> {
  const planned = planForValues(scope)
  const [read] = await Promise.all([content.page(scope, query, spans, ordered(content, query, page)), planned])
  return read
}

/** The first page with the totals of all rows. */
async function firstPage(
  scope: Scope,
  content: ReportRows,
  query: ReportQuery,
  spans: Spans,
  page: { sort: string | undefined; rows_max: number },
) {
  const from = ordered(content, query, { ...page, after: null })
  const planned = planForValues(scope)
  const both = content.firstPage
    ? content.firstPage(scope, query, spans, from)
    : Promise.all([content.summary(scope, query, spans), content.page(scope, query, spans, from)]).then(
        ([summary, rows]) => ({ summary, rows }),
      )
  const [{ summary, rows }] = await Promise.all([both, planned])
  return { before: 0, total: summary.rows, totals: summary.totals, summary, rows }
}

/**
 * The value and id of the row after which a page begins, the number of rows up to it and of all rows, the totals of all, and beside those
 * when the first page was asked, whose days the others have. Nodes of the release before leave that out where they read it, and write none.
 */
const Cursor = z.tuple([
  z.string(),
  z.int(),
  z.int().min(0),
  z.int().min(0),
  ReportTotals.extend({
    at: z
      .int()
      .min(0)
      .refine((at) => at < now() + day_ms)
      .optional(),
  }),
])
type Cursor = z.output<typeof Cursor>
const writeCursor = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url')
function readCursor(text: string): Cursor {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    throw invalid({ cursor: ['This cursor is not of this report'] })
  }
}

async function furtherPage(
  scope: Scope,
  content: ReportRows,
  query: ReportQuery,
  spans: Spans,
  { after, ...page }: { sort: string | undefined; rows_max: number; after: Cursor },
) {
  const [value, id, before, total, { at: _at, ...totals }] = after
  const rows = await rowsAfter(scope, content, query, spans, { ...page, after: { value, id } })
  return { before, total, totals, summary: null, rows }
}

function refuseSort({ sorts }: ReportRows, query: ReportQuery, sort: string | null | undefined) {
  const known = sorts(query)
  if (sort && !known.includes(sort.replace(/^-/, '')))
    throw invalid({ sort: [`This report is sorted by ${known.join(', ')}`] })
}

export async function runReport(scope: Scope, input: Parsed<typeof run>): Promise<Answer> {
  const { sort, cursor, per_page, ...given } = input
  const after = cursor ? readCursor(cursor) : null
  const query = await reportQueryOf(scope, given, { at: after?.[4].at })
  const { content, waits_for } = kinds[query.kind]
  if (content.by === 'file') throw invalid({ kind: [content.shown_elsewhere] })
  refuseSort(content, query, sort)
  const spans = await spansOf(scope, query)
  const page = { sort: sort ?? undefined, rows_max: per_page }
  const [completeness, { before, total, totals, summary, rows }] = await Promise.all([
    after ? null : completenessOf(scope, { ...query, waits_for }, spans),
    after
      ? furtherPage(scope, content, query, spans, { ...page, after })
      : firstPage(scope, content, query, spans, page),
  ])
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
      next_cursor:
        isLast || !last ? null : writeCursor([last.after.value, last.after.id, to, total, { ...totals, at: query.at }]),
      columns: content.columns(query),
      totals,
      series: summary?.series ?? null,
      range: { start_date: spans.first, end_date: spans.last },
      complete_to: completeness?.complete_to ?? null,
      sessions_since: summary?.sessions_since ?? null,
      sums_since: after ? null : sumsSince(spans),
      hours_since: summary?.hours_since ?? null,
    },
  }
}
