// Ledger: the data that a run is made from: its properties, the nights that are in no approved run, those that have changed since they
// were billed, and those that cannot be billed yet.
import { addDays, daysIn, lastOfMonth } from '#contract/days.ts'
import { sql, type RawBuilder } from 'kysely'
import { selectedIdsInvalid } from '#contract/errors.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { invalid } from '#server/errors/refused.ts'
import type { BilledBefore, BilledSum, LedgerNight } from './lines.ts'

export interface Period {
  period_start: string
  period_end: string
}
export interface Places {
  property_ids: number[]
  group_ids: number[]
  collection_ids: number[]
}
export interface Gap {
  property: { id: number; name: string }
  from: string
  to: string
  nights: number
  because: string
}
export interface Gaps {
  unknown: Gap[]
  not_written: Gap[]
  not_over: Gap[]
}

/** A run reads and writes all of its nights in one transaction. */
export const nights_max = 150_000

/** The properties in these places that have a ledger, including removed ones; without places, all that the customer has or had. */
export async function propertiesOf(
  scope: Scope,
  { property_ids, group_ids, collection_ids }: Places,
  { period_end }: Period,
): Promise<number[]> {
  await refuseUnknown(scope, property_ids)
  const isAll = property_ids.length + group_ids.length + collection_ids.length === 0
  const rows = await scope.run(sql<{ id: number }>`
    select t.property_id as id
    from night_ledgers as t join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
    where t.begins_on <= ${period_end}::date and ${scope.inReach('night_ledgers', 't')}
      and (${isAll} or p.id = any(${property_ids}::integer[]) or p.group_id = any(${group_ids}::integer[])
        or p.id in (select m.property_id from collection_properties as m
          where m.customer_id = t.customer_id and m.collection_id = any(${collection_ids}::integer[])))
    order by t.property_id`)
  return rows.map(({ id }) => id)
}

/** Refuses ids that are not, and never were, properties of the customer. */
async function refuseUnknown(scope: Scope, ids: readonly number[]): Promise<void> {
  const [found] = await scope.run(sql<{ all: boolean }>`
    select count(*) = ${new Set(ids).size}::integer as all from properties as p
    where p.customer_id = ${scope.customer_id} and p.id = any(${ids}::integer[])`)
  if (!found?.all) throw invalid({ property_ids: [selectedIdsInvalid] })
}

/** Locks the ledgers until the transaction ends, so that no night is recorded, corrected or billed meanwhile. */
export const holdLedgers = (scope: Scope, ids: readonly number[]) =>
  scope.lock('night_ledgers', sql<boolean>`t.property_id = any(${ids}::integer[])`)

const nightColumns = sql`
  t.property_id, t.night::text, t.version, t.total_units, t.occupied_units, t.is_holiday, t.holiday,
  t.minimum_billable_percentage::text, t.holiday_billable_percentage::text, t.rate_per_unit::text, t.currency, t.property_name,
  t.group_id, t.accounting_contact_id, t.room_numbers`

/** True for the newest version of a known night `t` between two days. */
const known = (
  scope: Scope,
  ids: readonly number[],
  from: RawBuilder<unknown>,
  to: RawBuilder<unknown>,
) => sql<boolean>`
  t.property_id = any(${ids}::integer[]) and t.night between ${from} and ${to} and t.known and not t.superseded
  and ${scope.inReach('occupancy_nights', 't')}`

const isBilled = (scope: Scope) => sql<boolean>`
  exists (select from billing_nights as b where b.customer_id = t.customer_id and b.property_id = t.property_id
    and b.night = t.night and b.approved and b.kind = 'charge' and ${scope.inReach('billing_nights', 'b')})`

/** Ordered by property and night. `billed_too`: also those in an approved run. */
export const nightsOf = (
  scope: Scope,
  ids: readonly number[],
  { period_start, period_end }: Period,
  { billed_too }: { billed_too: boolean },
): Promise<LedgerNight[]> =>
  scope.run(sql<LedgerNight>`
    select ${nightColumns} from occupancy_nights as t
    where ${known(scope, ids, sql`${period_start}::date`, sql`${period_end}::date`)}
      and (${billed_too} or not ${isBilled(scope)})
    order by t.property_id, t.night`)

/** How many of these known nights are in an approved run. */
export async function countBilled(
  scope: Scope,
  ids: readonly number[],
  { period_start, period_end }: Period,
): Promise<number> {
  const [counted] = await scope.run(sql<{ nights: number }>`
    select count(*)::integer as nights from occupancy_nights as t
    where ${known(scope, ids, sql`${period_start}::date`, sql`${period_end}::date`)} and ${isBilled(scope)}`)
  return counted?.nights ?? 0
}

/** For months with a billed night that has a newer version than the billed one: all their billed nights as they are now. */
export async function changedSince(
  scope: Scope,
  ids: readonly number[],
): Promise<{ nights: BilledBefore[]; billed: BilledSum[] }> {
  const newest = sql`
    (select b.version, b.currency from billing_nights as b where b.customer_id = t.customer_id and b.property_id = t.property_id
      and b.night = t.night and b.approved and ${scope.inReach('billing_nights', 'b')}
      order by b.version desc, b.id desc limit 1)`
  const months = await scope.run(sql<{ property_id: number; month: string }>`
    select distinct t.property_id, date_trunc('month', t.night)::date::text as month
    from occupancy_nights as t cross join lateral ${newest} as last
    where t.property_id = any(${ids}::integer[]) and t.version > 1 and not t.superseded and t.version > last.version
      and ${isBilled(scope)} and ${scope.inReach('occupancy_nights', 't')}`)
  if (months.length === 0) return { nights: [], billed: [] }
  const asked = months.map((one) => ({ ...one, last: lastOfMonth(one.month) }))
  const months_asked = sql`jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as m(property_id integer, month date, last date)`
  const nights = await scope.run(sql<BilledBefore>`
    select ${nightColumns}, c.billing_line_id, last.version as billed_version, last.currency as billed_currency,
      (select scale(l.amount) from billing_lines as l where l.customer_id = c.customer_id and l.id = c.billing_line_id
        and l.currency = t.currency and ${scope.inReach('billing_lines', 'l')}) as billed_places
    from ${months_asked}
    join billing_nights as c on c.property_id = m.property_id and c.approved and c.kind = 'charge'
      and c.night between m.month and m.last and ${scope.inReach('billing_nights', 'c')}
    join occupancy_nights as t on t.customer_id = c.customer_id and t.property_id = c.property_id and t.night = c.night
      and t.known and not t.superseded and ${scope.inReach('occupancy_nights', 't')}
    cross join lateral ${newest} as last
    order by t.property_id, t.night`)
  const billed = await scope.run(sql<BilledSum>`
    select t.property_id, t.month::text, t.currency, sum(t.amount)::text as amount, sum(t.unit_days)::integer as unit_days
    from ${months_asked}
    join billing_lines as t on t.property_id = m.property_id and t.month = m.month and ${scope.inReach('billing_lines', 't')}
    join billing_runs as r on r.customer_id = t.customer_id and r.id = t.billing_run_id and r.approved_at is not null
      and ${scope.inReach('billing_runs', 'r')}
    group by t.property_id, t.month, t.currency`)
  return { nights, billed }
}

interface Open {
  property_id: number
  name: string
  night: string
  because: string | null
}

/** The nights of a period that cannot be billed yet, grouped into consecutive ones. */
export async function gapsOf(
  scope: Scope,
  ids: readonly number[],
  { period_start, period_end }: Period,
): Promise<Gaps> {
  const unknown = await scope.run(sql<Open>`
    select t.property_id, p.name, d.night::date::text as night, n.unknown_because as because
    from night_ledgers as t join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
    cross join lateral generate_series(greatest(t.begins_on, ${period_start}::date),
      least(t.kept_until, ${period_end}::date), interval '1 day') as d(night)
    left join occupancy_nights as n on n.customer_id = t.customer_id and n.property_id = t.property_id and n.night = d.night::date
      and not n.superseded and ${scope.inReach('occupancy_nights', 'n')}
    where t.property_id = any(${ids}::integer[]) and n.known is not true and ${scope.inReach('night_ledgers', 't')}
    order by p.name, t.property_id, d.night`)
  // A property that was removed has no nights from that day on.
  const coming = await scope.run(sql<Coming>`
    select s.*, s."from"::text, s."to"::text, s.today::text from (
      select t.property_id, p.name, greatest(t.kept_until + 1, t.begins_on, ${period_start}::date) as "from",
        least(${period_end}::date, local_day(p.deleted_at, p.time_zone) - 1) as "to", local_day(app_now(), p.time_zone) as today
      from night_ledgers as t join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
      where t.property_id = any(${ids}::integer[]) and ${scope.inReach('night_ledgers', 't')}
    ) as s where s."from" <= s."to" order by s.name, s.property_id`)
  return {
    unknown: grouped(unknown),
    not_written: coming.flatMap(({ to, ...of }) =>
      partOf(of, of.from, earlier(to, addDays(of.today, -1)), not_written),
    ),
    not_over: coming.flatMap(({ from, ...of }) => partOf(of, later(from, of.today), of.to, not_over)),
  }
}

interface Coming {
  property_id: number
  name: string
  from: string
  to: string
  today: string
}
const not_written = 'These nights are over, but Foyer has not recorded them yet.'
const not_over = 'These nights are not over yet.'
const earlier = (one: string, other: string) => (one < other ? one : other)
const later = (one: string, other: string) => (one > other ? one : other)

function partOf(
  { property_id, name }: Pick<Coming, 'property_id' | 'name'>,
  from: string,
  to: string,
  because: string,
) {
  if (from > to) return []
  const nights = daysIn(from, to)
  return [{ property: { id: property_id, name }, from, to, nights, because }]
}

const before_the_ledger = 'These nights were over before Foyer started to record rooms let.'

function grouped(nights: readonly Open[]): Gap[] {
  const gaps: Gap[] = []
  for (const { property_id, name, night, because } of nights) {
    const last = gaps.at(-1)
    const reason = because ?? before_the_ledger
    if (last?.property.id === property_id && last.because === reason && addDays(last.to, 1) === night) {
      last.to = night
      last.nights += 1
    } else gaps.push({ property: { id: property_id, name }, from: night, to: night, nights: 1, because: reason })
  }
  return gaps
}
