// Whose address: which sessions had an address at a time, for answering legal enquiries.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'

export interface AddressHolder {
  session_id: number
  /** As it was reported: the address, or the prefix that it is in. */
  address: string
  since: string
  /** Null: it still has it. */
  until: string | null
}

/** Other people's clocks differ: sessions within this many minutes of the time are included. */
const slack_minutes = 5
const holders_max = 100

/** Newest first. For IPv6, prefixes that contain the address count. */
export const whoseAddress = (scope: Scope, address: string, at: string) =>
  scope.run(sql<AddressHolder>`
    with asked as materialized (
      select ${at}::timestamptz - make_interval(mins => ${slack_minutes}) as since,
        ${at}::timestamptz + make_interval(mins => ${slack_minutes}) as until,
        array(
          select network(set_masklen(${address}::inet, bits))::inet
          from generate_series(case family(${address}::inet) when 4 then 32 else 0 end,
            case family(${address}::inet) when 4 then 32 else 128 end) as bits) as within
    )
    select f.session_id, abbrev(f.address) as address, f.since, f.until from (
      select s.id as session_id, t.address, t.since, coalesce(t.until, s.stopped_at) as until
      from session_addresses as t join radius_sessions as s on s.customer_id = t.customer_id and s.id = t.radius_session_id
      where t.address = any((select a.within from asked as a)::inet[]) and t.since <= (select a.until from asked as a)
        and ${scope.inReach('session_addresses', 't')}
      union all
      select s.id, h.address, s.started_at + h.since * interval '1 microsecond',
        s.started_at + coalesce(h.until, s.stopped) * interval '1 microsecond'
      from packed_sessions as k
      cross join lateral unnest(k.address_session_ids, k.addresses, k.address_since_after, k.address_until_after)
        as h(session_id, address, since, until)
      join lateral unnest(k.session_ids, k.started_ats, k.stopped_after) as s(id, started_at, stopped) on s.id = h.session_id
      where k.began_at <= (select a.until from asked as a) and k.over_at >= (select a.since from asked as a)
        and k.addresses && (select a.within from asked as a)::inet[]
        and h.address = any((select a.within from asked as a)::inet[]) and ${scope.inReach('packed_sessions', 'k')}
    ) as f cross join asked as a
    where f.since <= a.until and coalesce(f.until, 'infinity') >= a.since
    order by f.since desc, f.session_id desc limit ${holders_max}`)
