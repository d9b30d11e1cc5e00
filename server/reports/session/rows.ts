// Session rows: the session report from the sessions themselves, one by one or one for each identifier, page by page.
//
// A page is read from its cursor in the order of an index, and only its own rows are computed. When sorted by usage or duration,
// all sessions of the range are read first.
import type { Condition } from '#server/access/reach.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { terminationReason } from '#contract/sessions.ts'
import type { SessionReportRow, UniqueReportRow } from '#contract/session-report.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Sql } from '#server/entities/entity.ts'
import type { SessionColumn } from '#server/history/pack-columns.ts'
import { identifierFor, withCodesOf, type OfVoucher } from '#server/vouchers/shown-codes.ts'
import type { ReportQuery } from '#server/reports/asked.ts'
import type { PageRequest, Placed } from '#server/reports/kind.ts'
import { columnsToCount, columnsToMatch, matching } from '#server/reports/sources.ts'
import { gigabytes, isInSpan, packIn, used, type Spans } from '#server/reports/spans.ts'

type SessionRow = z.output<typeof SessionReportRow>
type UniqueRow = z.output<typeof UniqueReportRow>

/** Sessions `t` at properties `p` that are in the span `s`. */
const sessionsIn = (sessions: Sql, { relation }: Spans) => sql`
  ${sessions} as t
  join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
  join ${relation} on s.zone = p.time_zone`

/**
 * The same, read in the order of an index until a page is full: the property of each session is looked up instead of joining all
 * properties. Filters by the property's own fields are left to the planner.
 */
const sessionsWalked = (sessions: Sql, { ids }: ReportQuery, spans: Spans) =>
  ids.property_type_ids.length > 0 || ids.connectivity_type_ids.length > 0
    ? sessionsIn(sessions, spans)
    : sql`
  ${sessions} as t
  cross join lateral (
    select p.name, p.time_zone, p.property_type_id, p.connectivity_type_id, p.group_id from properties as p
    where p.customer_id = t.customer_id and p.id = t.property_id offset 0
  ) as p
  join ${spans.relation} on s.zone = p.time_zone`
const where = (scope: Scope, query: ReportQuery, spans: Spans) =>
  sql<boolean>`${matching(scope, 'radius_sessions', query)} and ${isInSpan(spans)}`

/** Besides those that say whether a session counts. */
const counters = ['id', 'seconds', 'bytes_up', 'bytes_down', 'days'] as const
const shown = ['auth_method_id', 'package_id', 'mac_category_id', 'group_id', 'termination_cause'] as const
const columnsOf = (query: ReportQuery, more: readonly SessionColumn[]) => [
  ...new Set([...columnsToCount(query), ...counters, ...more]),
]

const isDescending = (sort: string) => sort.startsWith('-')
const fieldOf = (sort: string) => sort.replace(/^-/, '')

function isAfter({ sort, after }: PageRequest, value: Sql, type: string, id: Sql): Condition {
  if (!after) return sql`true`
  const than = sql.raw(isDescending(sort) ? '<' : '>')
  return sql`(${value}, ${id}) ${than} (${after.value}::${sql.raw(type)}, ${after.id}::bigint)`
}
const direction = (sort: string) => sql.raw(isDescending(sort) ? 'desc' : 'asc')

interface Order {
  value: Sql
  type: string
}

export async function sessionRows(
  scope: Scope,
  query: ReportQuery,
  spans: Spans,
  page: PageRequest,
): Promise<Placed<SessionRow>[]> {
  const orders: Record<string, Order> = {
    start: { value: sql`t.started_at`, type: 'timestamptz' },
    usage_gb: { value: sql`used.bytes`, type: 'bigint' },
    duration: { value: sql`used.seconds`, type: 'bigint' },
    identifier: { value: sql`coalesce(${identifierFor(scope)}, '')`, type: 'text' },
    property: { value: sql`p.name`, type: 'text' },
  }
  const { value, type } = orders[fieldOf(page.sort)] ?? { value: sql`t.started_at`, type: 'timestamptz' }
  const from = { scope, query, spans, value, type }
  const sessions = await spans.sessions(scope)
  const columns = columnsOf(query, shown)
  if (fieldOf(page.sort) !== 'start') return rowsFrom(from, sessionsIn(sessions.of(columns), spans), page)
  const rows: Placed<SessionRow>[] = []
  const { after, rows_max, sort } = page
  for await (const part of sessions.parts(columns, {
    newest_first: isDescending(sort),
    after: after?.value ?? null,
    rows_max,
  })) {
    const left = { sort, after: rows.at(-1)?.after ?? after, rows_max: rows_max - rows.length }
    rows.push(...(await rowsFrom(from, sessionsWalked(part.sessions, query, spans), left, part.began)))
    if (rows.length === rows_max) break
  }
  return rows
}

interface From extends Order {
  scope: Scope
  query: ReportQuery
  spans: Spans
}

async function rowsFrom(
  { scope, query, spans, value, type }: From,
  sessions: Sql,
  page: PageRequest,
  which: Condition = sql`true`,
): Promise<Placed<SessionRow>[]> {
  const rows = await scope.run(sql<SessionRow & OfVoucher & { after: string; zone: string; cause: string | null }>`
    select t.id, t.voucher_id, (select r.name from auth_methods as r where r.id = t.auth_method_id) as auth_method,
      ${identifierFor(scope)} as identifier, ${nameOf('packages', 'package_id')} as package,
      ${nameOf('mac_categories', 'mac_category_id')} as category,
      local_moment(t.started_at, p.time_zone) as start, local_moment(t.stopped_at, p.time_zone) as "end",
      t.termination_cause as cause, ${gigabytes(sql`used.bytes`)} as usage_gb, ${nameOf('groups', 'group_id')} as "group",
      p.name as property, (select r.name from property_types as r where r.id = p.property_type_id) as property_type,
      used.seconds as duration, (${value})::text as after, p.time_zone as zone
    from ${sessions} cross join ${used}
    where ${where(scope, query, spans)} and ${which} and ${isAfter(page, value, type, sql`t.id`)}
    order by ${value} ${direction(page.sort)}, t.id ${direction(page.sort)} limit ${page.rows_max}`)
  return (await withCodesOf(scope, rows)).map(({ after, zone, cause, ...row }) => ({
    row: { ...row, termination_reason: row.end === null ? 'Online' : terminationReason(cause ?? '') },
    after: { value: after, id: row.id },
    zone,
  }))
}

const nameOf = (table: 'packages' | 'mac_categories' | 'groups', by: string) => sql`
  (select r.name from ${sql.table(table)} as r where r.customer_id = t.customer_id and r.id = t.${sql.ref(by)})`

/** What sessions are told apart by: their voucher, whose last four characters another may have, too; else their identifier. */
const identity = sql`t.voucher_id, case when t.voucher_id is null then t.identifier end`

/** A row for each identifier's sessions; those of erased guests have no identifier and make one row together. */
export async function uniqueRows(
  scope: Scope,
  query: ReportQuery,
  spans: Spans,
  page: PageRequest,
): Promise<Placed<UniqueRow>[]> {
  const orders: Record<string, Order> = {
    usage_gb: { value: sql`u.bytes`, type: 'bigint' },
    duration: { value: sql`u.seconds`, type: 'bigint' },
    sessions: { value: sql`u.sessions`, type: 'bigint' },
    identifier: { value: sql`coalesce(u.shown, '')`, type: 'text' },
  }
  const { value, type } = orders[fieldOf(page.sort)] ?? { value: sql`u.bytes`, type: 'bigint' }
  const sessions = (await spans.sessions(scope)).of(columnsOf(query, ['mac_category_id']))
  const rows = await scope.run(sql<UniqueRow & OfVoucher & { after: string; id: number }>`
    select u.shown as identifier, u.voucher_id,
      (select r.name from mac_categories as r where r.customer_id = ${scope.customer_id} and r.id = u.latest[2]) as category,
      ${gigabytes(sql`u.bytes`)} as usage_gb, u.seconds as duration, u.sessions, (${value})::text as after, u.latest[1] as id
    from (
      select t.voucher_id, min(${identifierFor(scope)}) as shown, sum(used.bytes)::bigint as bytes, sum(used.seconds)::bigint as seconds,
        count(*) as sessions, max(array[t.id, t.mac_category_id]) as latest
      from ${sessionsIn(sessions, spans)} cross join ${used}
      where ${where(scope, query, spans)} group by ${identity}
    ) as u
    where ${isAfter(page, value, type, sql`u.latest[1]`)}
    order by ${value} ${direction(page.sort)}, u.latest[1] ${direction(page.sort)} limit ${page.rows_max}`)
  return (await withCodesOf(scope, rows)).map(({ after, id, ...row }) => ({
    row,
    after: { value: after, id },
    zone: 'UTC',
  }))
}

export interface Counted {
  sessions: number
  identifiers: number
  /** Sessions without an identifier are one more row of the unique view. */
  rows: number
}

/** Counts the sessions with any time in the range, and their identifiers. Read from the sessions: no roll-up has identifiers. */
export async function countedSessions(scope: Scope, query: ReportQuery, spans: Spans): Promise<Counted> {
  const columns = { whole: columnsToMatch(query), others: columnsToCount(query) }
  const { whole, others } = (await spans.sessions(scope)).apart(columns, packIn(spans))
  // `group by` can be hashed; `distinct` would always sort millions of values.
  const [row] = await scope.run(sql<Counted & { nameless: number }>`
    select coalesce(sum(u.sessions), 0)::bigint as sessions, count(u.identifier) as identifiers,
      count(*) filter (where u.identifier is null) as nameless
    from (
      select min(t.identifier) as identifier, count(*) as sessions
      from (
        select t.voucher_id, t.identifier from ${sessionsIn(others, spans)} where ${where(scope, query, spans)}
        union all
        select t.voucher_id, t.identifier
        from ${whole} as t join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
        where ${matching(scope, 'radius_sessions', query)}
      ) as t
      group by ${identity}
    ) as u`)
  const { sessions = 0, identifiers = 0, nameless = 0 } = row ?? {}
  return { sessions, identifiers, rows: identifiers + nameless }
}
