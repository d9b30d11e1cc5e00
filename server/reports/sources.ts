// Sources: what the filters of a report mean for each table that it is read from. A session's package and category are those it had
// then, and so is its group in a report of sessions; one of several tables goes by the group that the property is in now in all of them.
import type { Condition } from '#server/access/reach.ts'
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import type { Sql } from '#server/entities/entity.ts'
import { allOf } from '#server/entities/list-conditions.ts'
import type { SessionColumn } from '#server/history/pack-columns.ts'
import type { ReportQuery, ReportIds } from './asked.ts'

type Source =
  'radius_sessions' | 'session_days' | 'guest_days' | 'guest_day_sums' | 'property_hours' | 'consent_records'
/** Whether a table has a group, package and category of its own. */
const keepsTerms: Record<Source, boolean> = {
  radius_sessions: true,
  session_days: true,
  guest_days: false,
  guest_day_sums: false,
  property_hours: false,
  consent_records: false,
}

/**
 * In the index of guest_days the method comes after the guest: PostgreSQL 18 overestimates the cost of finding it there, and reads
 * the guests of all properties on those days for one property's. An expression is only checked on the rows that were found.
 */
const methodOf: Partial<Record<Source, Sql>> = { guest_days: sql`(t.auth_method_id + 0)` }

/** Rows `t` of a source in reach that match, where `p` is their property. */
export function matching(scope: Scope, source: Source, { ids, group_of, methods: asked }: ReportQuery): Condition {
  const sessions = keepsTerms[source]
  const methods = source === 'property_hours' || source === 'consent_records' ? [] : asked
  return allOf([
    scope.inReach(source, 't'),
    atPlaces(ids, group_of === 'then' ? sql`t.group_id` : sql`p.group_id`),
    isBy(source, methods),
    sessions ? isOf(sql`t.package_id`, ids.package_ids) : undefined,
    sessions ? isOf(sql`t.mac_category_id`, ids.mac_category_ids) : undefined,
    ...ofTypes(ids),
  ])
}

/** Those of a session that say whose it is, and whether it matches. */
export const columnsToMatch = ({ ids, methods }: ReportQuery): SessionColumn[] => [
  ...(['customer_id', 'property_id', 'voucher_id', 'identifier'] as const),
  ...(methods.length > 0 ? (['auth_method_id'] as const) : []),
  ...(ids.package_ids.length > 0 ? (['package_id'] as const) : []),
  ...(ids.mac_category_ids.length > 0 ? (['mac_category_id'] as const) : []),
  ...(ids.group_ids.length > 0 ? (['group_id'] as const) : []),
]

/** Whether it is in the range, too. */
export const columnsToCount = (query: ReportQuery): SessionColumn[] => [
  ...columnsToMatch(query),
  ...(['started_at', 'stopped_at', 'last_seen_at'] as const),
]

/** The properties `p` whose days a report covers. */
export const askedPlaces = (ids: ReportIds): Condition =>
  allOf([
    sql`true`,
    atPlaces(ids, sql`p.group_id`, { customer: sql`p.customer_id`, property: sql`p.id` }),
    ...ofTypes(ids),
  ])

/** The properties `p` that may have something of a report: of sessions of a group also those that were in it on these days. */
export function reportPlaces(scope: Scope, { ids, group_of, daysIn }: ReportQuery): Condition {
  if (group_of === 'now' || ids.group_ids.length === 0) return askedPlaces(ids)
  const were = sql<boolean>`exists (select from session_days as t where t.customer_id = p.customer_id and t.property_id = p.id
    and t.day between ${daysIn(zones.first).first}::date and ${daysIn(zones.last).last}::date
    and ${isAmong(sql`t.group_id`, ids.group_ids)} and ${scope.inReach('session_days', 't')})`
  return sql<boolean>`(${askedPlaces(ids)} or ${allOf([were, ...ofTypes(ids)])})`
}
/** The same, or more, where it takes longer to say which: each row of a table is asked whether it matches. */
export const placesRead = ({ ids, group_of }: ReportQuery): Condition =>
  group_of === 'then' && ids.group_ids.length > 0 ? allOf([sql`true`, ...ofTypes(ids)]) : askedPlaces(ids)
/** Those in which it is the earliest and the latest day. */
const zones = { first: 'Etc/GMT+12', last: 'Pacific/Kiritimati' }

function isBy(source: Source, methods: number[]) {
  if (source === 'guest_day_sums' && methods.length > 0) return sql<boolean>`t.auth_method_ids && ${methods}::integer[]`
  return isOf(methodOf[source] ?? sql`t.auth_method_id`, methods)
}
const isOf = (column: Sql, wanted: number[]) => (wanted.length > 0 ? isAmong(column, wanted) : undefined)
const ofTypes = (ids: ReportIds) => [
  isOf(sql`p.property_type_id`, ids.property_type_ids),
  isOf(sql`p.connectivity_type_id`, ids.connectivity_type_ids),
]

/** A single value is compared by `=`, so that an index keeps the order of its rows. */
const isAmong = (column: Sql, wanted: number[]) =>
  wanted.length === 1 ? sql<boolean>`${column} = ${wanted[0]}` : sql<boolean>`${column} = any(${wanted})`

function atPlaces(
  { property_ids, group_ids, collection_ids }: ReportIds,
  group: Sql,
  { customer, property } = { customer: sql`t.customer_id`, property: sql`t.property_id` },
): Condition | undefined {
  const places = [
    ...(property_ids.length > 0 ? [isAmong(property, property_ids)] : []),
    ...(group_ids.length > 0 ? [isAmong(group, group_ids)] : []),
    ...(collection_ids.length > 0
      ? [
          sql`${property} = any(array(select m.property_id from collection_properties as m
            where m.customer_id = ${customer} and m.collection_id = any(${collection_ids})))`,
        ]
      : []),
  ]
  return places.length > 0 ? sql`(${sql.join(places, sql` or `)})` : undefined
}
