// Completeness: up to which day everything is there that a report asks for. A day is complete once it is over at each property, its
// nights are written, and no gateway that was heard on it still holds back what it has to report of it. A range that goes on is
// looked at as far as it was over when it was asked for.
import { addDays, type Day } from '#contract/days.ts'
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { dayBegins, localDay } from '#server/time/zones.ts'
import type { ReportQuery } from './asked.ts'
import type { ReportKind } from './kind.ts'
import type { Days } from './ranges.ts'
import { askedPlaces } from './sources.ts'

export interface Completeness {
  /** The instant at which the last day is over at the westernmost property. */
  over_at: number
  complete_to: Day
  /** A sentence for each property of which something is missing on the last day that is over everywhere, or before it. */
  missing: string[]
}

/** Hours are counted every five minutes, and again for ten minutes after their end. */
export const settled_after_ms = 15 * 60_000

/** After this time a file is made without what is missing. */
export const waited_max_ms = 12 * 3_600_000
/** How long until what was missing is looked for again. */
export const look_again_ms = 10 * 60_000

interface Asked extends Pick<ReportQuery, 'ids' | 'at'>, Pick<ReportKind, 'waits_for'> {
  /** The owner that it is limited to, beside the scope. */
  within?: { group_id: number | null; property_id: number | null }
}
const owned = (within: Asked['within']) => {
  if (within?.property_id) return sql<boolean>`p.id = ${within.property_id}`
  return within?.group_id ? sql<boolean>`p.group_id = ${within.group_id}` : sql<boolean>`true`
}

interface Place {
  name: string
  zone: string
  /** The last night that is written. Null for a report that has no nights. */
  written_to: Day | null
  /** When each gateway that holds something back was last heard, in milliseconds. */
  heard: number[]
}

export async function completenessOf(
  scope: Scope,
  { ids, at, waits_for, within }: Asked,
  { first, last }: Days,
): Promise<Completeness> {
  const places = await scope.run(sql<Place>`
    select p.name, p.time_zone as zone, ${waits_for === 'nights' ? writtenTo(scope) : sql`null::text`} as written_to,
      ${waits_for === 'nights' ? sql`'{}'::float8[]` : heardAt(scope)} as heard
    from properties as p
    where ${scope.inReach('properties', 'p')} and not p.draft and ${askedPlaces(ids)}
      and ${owned(within)}
    order by p.name, p.id`)
  const zones = places.length > 0 ? [...new Set(places.map(({ zone }) => zone))] : [await zoneOf(scope)]
  const over_at = Math.max(...zones.map((zone) => dayBegins(addDays(last, 1), zone)))
  const whole = zones.map((zone) => addDays(localDay(at - settled_after_ms, zone), -1)).reduce(earlier, last)
  let complete_to = whole
  const missing: string[] = []
  // Of a range that has just begun no day is over.
  for (const { name, zone, written_to, heard } of whole < first ? [] : places) {
    if (written_to !== null && written_to < whole) {
      complete_to = earlier(complete_to, written_to)
      missing.push(`${name}: its nights after ${written_to} are not recorded yet.`)
    }
    if (heard.some((instant) => localDay(instant, zone) === whole)) {
      complete_to = earlier(complete_to, addDays(whole, -1))
      missing.push(`${name}: its gateway was last heard on ${whole}, with guests online.`)
    }
  }
  return { over_at, complete_to, missing }
}

const earlier = (one: Day, other: Day) => (one < other ? one : other)

async function zoneOf(scope: Scope): Promise<string> {
  const [customer] = await scope.run(sql<{ zone: string }>`
    select c.time_zone as zone from customers as c where c.id = ${scope.customer_id}`)
  return customer?.zone ?? 'UTC'
}

const writtenTo = (scope: Scope) => sql`
  (select l.kept_until::text from night_ledgers as l
   where l.customer_id = p.customer_id and l.property_id = p.id and ${scope.inReach('night_ledgers', 'l')})`

const heardAt = (scope: Scope) => sql`
  (select coalesce(array_agg(extract(epoch from g.last_seen_at)::float8 * 1000), '{}') from gateways as g
   where g.customer_id = p.customer_id and g.property_id = p.id and g.active and g.last_seen_at is not null
     and holds_back(g.customer_id, g.property_id, g.id, g.last_seen_at) and ${scope.inReach('gateways', 'g')})`
