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
    select s.id as session_id, abbrev(t.address) as address, t.since, coalesce(t.until, s.stopped_at) as until
    from session_addresses as t join radius_sessions as s on s.customer_id = t.customer_id and s.id = t.radius_session_id
    where t.address = any(array(
        select network(set_masklen(${address}::inet, bits))::inet
        from generate_series(case family(${address}::inet) when 4 then 32 else 0 end,
           case family(${address}::inet) when 4 then 32 else 128 end) as bits))
      and t.since <= ${at}::timestamptz + make_interval(mins => ${slack_minutes})
      and coalesce(t.until, s.stopped_at, 'infinity') >= ${at}::timestamptz - make_interval(mins => ${slack_minutes})
      and ${scope.inReach('session_addresses', 't')}
    order by t.since desc, t.id desc limit ${holders_max}`)
