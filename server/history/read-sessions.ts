// Read sessions: those of former months stand in a fifteenth of the room, a row of the database for some thousand of a property. Whoever
// reads sessions of long ago asks here where they are read from.
import type { Condition } from '#server/access/reach.ts'
import { sql } from 'kysely'
import { day_ms } from '#contract/days.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Sql } from '#server/entities/entity.ts'
import { hot_days_min } from '#server/start/config.ts'
import { now } from '#server/time/clock.ts'
import { sessions_per_pack, unpacked, type Began, type SessionColumn } from './pack-columns.ts'

/** For the meta of a list, which shows what is not packed: since which day of the customer's that is all there is. */
export const listedSince = ({ customer_id }: Scope): Sql => sql`(
  select json_build_object('listed_since', local_day(c.sessions_packed_before - interval '1 microsecond', c.time_zone) + 1)
  from customers as c
  where c.id = ${customer_id} and c.sessions_packed_before > coalesce(c.sessions_kept_since, '-infinity'))`

/** Relations whose reach is asked of each row `t` as of `radius_sessions`. */
export interface Sessions {
  /** With these columns alone: each further one costs what it takes to unpack it. */
  of(columns: readonly SessionColumn[]): Sql
  /** The same in two: those of packs that lie wholly in some time, of which no session has to be asked for it, and all others. */
  apart(columns: Record<keyof Apart, readonly SessionColumn[]>, pack: PackInTime): Apart
  /** For a page in the order in which they began: the same in parts, which together have each once. */
  parts(columns: readonly SessionColumn[], page: PageInOrder): AsyncIterable<Part>
}
interface Apart {
  whole: Sql
  others: Sql
}
/** Of a row `k` of `packed_sessions`. */
interface PackInTime {
  isWhole: Condition
  touches: Condition
}
export interface Part {
  sessions: Sql
  /** What is asked of `t` besides. */
  began: Condition
}
interface PageInOrder {
  newest_first: boolean
  /** When that one began after which the page begins; null: it begins with the first. */
  after: string | null
  rows_max: number
}

/**
 * A session that ended less than `hot_days_min` ago is not packed, and counts for less than a week after its end. Another day is for
 * those who read for long.
 */
const never_packed_ms = (hot_days_min - 8) * day_ms

/** The columns of the table, and nothing of packs. */
const unpackedAlone: Sessions = {
  of: tableAlone,
  apart: (columns) => ({ whole: none(columns.whole), others: tableAlone(columns.others) }),
  parts: async function* (columns) {
    yield await Promise.resolve({ sessions: tableAlone(columns), began: sql`true` })
  },
}

/** From the first instant to before the last. */
interface Between {
  since: Date
  until: Date
}

/**
 * Where the sessions with any time between two instants are read from: the table itself unless some of them are packed, so that it is
 * asked as ever. Nothing is looked for of a time of which nothing is packed.
 */
export async function sessionsBetween(scope: Scope, between: Between): Promise<Sessions> {
  if (between.since.getTime() > now() - never_packed_ms) return unpackedAlone
  const [since, until] = [instant(between.since), instant(between.until)]
  const [, [packed]] = await Promise.all([
    // What is packed between this look and the reading would be in neither: nothing of the customer is, until the transaction ends.
    scope.run(sql`select pg_advisory_xact_lock_shared(hashtext('pack sessions'), ${scope.customer_id})`),
    scope.run(sql<{ id: number }>`
      select k.id from packed_sessions as k
      where k.began_at < ${until} and k.over_at >= ${since} and ${scope.inReach('packed_sessions', 'k')} limit 1`),
  ])
  if (!packed) return unpackedAlone
  const overlapping = sql`k.began_at < ${until} and k.over_at >= ${since}`
  const began = (columns: readonly SessionColumn[], between?: Began) =>
    both(columns, unpacked(columns, overlapping, between))
  return {
    of: began,
    apart: (columns, { isWhole, touches }) => ({
      whole: sql`(${unpacked(columns.whole, sql`${overlapping} and ${isWhole}`)})`,
      others: both(
        columns.others,
        unpacked(columns.others, sql`${overlapping} and ${touches} and not ${isWhole}`, {
          from: sql`'-infinity'`,
          to: until,
        }),
      ),
    }),
    parts: (columns, page) => partsOf(scope, { since, until, began: (between) => began(columns, between) }, page),
  }
}

const instant = (at: Date) => sql`${at.toISOString()}::timestamptz`

/** By the same columns, so that one which is forgotten is missed at once. */
function fromTable(columns: readonly SessionColumn[]) {
  return sql`select ${sql.join(columns.map((name) => sql.ref(name)))} from radius_sessions`
}
function none(columns: readonly SessionColumn[]) {
  return sql`(${fromTable(columns)} where false)`
}
function tableAlone(columns: readonly SessionColumn[]) {
  return sql`(${fromTable(columns)})`
}
const both = (columns: readonly SessionColumn[], packed: Sql) => sql`(${fromTable(columns)} union all ${packed})`

/** A part is so many times as long as the one before. */
const longer = 8

/**
 * The first part has about as much as the page, by packs that are full, and those after it grow, since nobody knows how many sessions
 * the page leaves out. So a page reads what is packed of its own time, however much the whole time has.
 */
async function* partsOf(
  scope: Scope,
  { since, until, began }: { since: Sql; until: Sql; began: (between: Began) => Sql },
  { newest_first, after, rows_max }: PageInOrder,
): AsyncGenerator<Part> {
  const edge = sql`${after}::timestamptz`
  const beyond = after === null ? sql`true` : newest_first ? sql`k.began_at <= ${edge}` : sql`k.over_at >= ${edge}`
  const [first] = await scope.run(sql<{ at: string | null; takes_s: number; whole_s: number }>`
    with near as (
      select k.began_at, k.over_at from packed_sessions as k
      where k.began_at < ${until} and k.over_at >= ${since} and ${beyond} and ${scope.inReach('packed_sessions', 'k')})
    select a.at::text, extract(epoch from a.last - a.first)::float8 as whole_s, (
      select ${rows_max} / sum(${sessions_per_pack} / greatest(1, extract(epoch from n.over_at - n.began_at)))
      from near as n where n.began_at <= a.at and n.over_at >= a.at)::float8 as takes_s
    from (
      select min(n.began_at) as first, max(n.over_at) as last,
        ${newest_first ? sql`least(${edge}, max(n.over_at))` : sql`greatest(${edge}, min(n.began_at))`} as at
      from near as n) as a`)
  let from: Sql = after !== null ? edge : newest_first ? sql`'infinity'` : sql`'-infinity'`
  if (first?.at) {
    const at = sql`${first.at}::timestamptz`
    for (let long_s = first.takes_s; long_s < first.whole_s; long_s *= longer) {
      const length = sql`${long_s} * interval '1 second'`
      const to = newest_first ? sql`${at} - ${length}` : sql`${at} + ${length}`
      yield partOf(began, newest_first ? { from: to, to: from } : { from, to })
      from = to
    }
  }
  yield partOf(began, newest_first ? { from: sql`'-infinity'`, to: from } : { from, to: sql`'infinity'` })
}

const partOf = (began: (between: Began) => Sql, between: Began): Part => ({
  sessions: began(between),
  began: sql`t.started_at between ${between.from} and ${between.to}`,
})

/** All sessions of guests, and some of others. @param guests an array of ids */
export const sessionsOfGuests = (columns: readonly SessionColumn[], guests: Sql): Sql =>
  both(columns, unpacked(columns, sql`k.guest_ids && ${guests}`))

/** All sessions of a voucher, and some of others: none was over before it was first used. */
export const sessionsOfVoucher = (columns: readonly SessionColumn[], { customer_id }: Scope, id: number): Sql =>
  both(
    columns,
    unpacked(
      columns,
      sql`k.voucher_ids && array[${id}::bigint] and k.over_at >= (
        select v.redeemed_at from vouchers as v where v.customer_id = ${customer_id} and v.id = ${id})`,
    ),
  )

/** These sessions, and some others. */
export const sessionsNamed = (columns: readonly SessionColumn[], ids: readonly number[]): Sql =>
  both(columns, unpacked(columns, sql`k.session_ids && ${ids}::bigint[]`))
