// Pack columns: how each column of a session stands in `packed_sessions`, a row of which has an array for each, in the order in which its
// sessions began. What reads packs takes apart the arrays of the columns that it names, and no others: that is what it costs.
import { sql } from 'kysely'
import { keysOf } from '#contract/keys.ts'
import type { Sql } from '#server/entities/entity.ts'

/** More take less room, and longer to be read where a few of them are asked for. */
export const sessions_per_pack = 5000

interface Stored {
  arrays: readonly string[]
  /** Of the elements `u` of those arrays, and of the row `k`. */
  value: Sql
}

const ofRow = (column: string): Stored => ({ arrays: [], value: sql.ref(`k.${column}`) })
const element = (array: string): Stored => ({ arrays: [array], value: sql.ref(`u.${array}`) })
const after = (array: string): Stored => ({
  arrays: ['started_ats', array],
  value: sql`u.started_ats + u.${sql.ref(array)} * interval '1 microsecond'`,
})

/**
 * All but the key by which packets find their session, where those of one that is online come from, the words by which people search,
 * and trials, which are never packed.
 */
const stored = {
  id: element('session_ids'),
  customer_id: ofRow('customer_id'),
  property_id: ofRow('property_id'),
  gateway_id: element('gateway_ids'),
  group_id: element('group_ids'),
  acct_session_id: element('acct_session_ids'),
  auth_method_id: element('auth_method_ids'),
  package_id: element('package_ids'),
  mac_category_id: element('mac_category_ids'),
  account_id: element('account_ids'),
  voucher_id: element('voucher_ids'),
  device_id: element('device_ids'),
  guest_id: element('guest_ids'),
  identifier: element('identifiers'),
  username: element('usernames'),
  mac_address: element('mac_addresses'),
  calling_station: element('calling_stations'),
  ip: element('ips'),
  ipv6: { arrays: ['ipv6s'], value: sql`string_to_array(coalesce(u.ipv6s, ''), ' ')` },
  started_at: element('started_ats'),
  last_seen_at: after('last_seen_after'),
  stopped_at: after('stopped_after'),
  created_at: after('created_after'),
  accepted_at: after('accepted_after'),
  ends_at: after('ends_after'),
  disconnect_asked_at: after('disconnect_asked_after'),
  disconnect_agreed_at: after('disconnect_agreed_after'),
  disconnect_unknown_at: after('disconnect_unknown_after'),
  seconds: element('seconds'),
  bytes_up: element('bytes_up'),
  bytes_down: element('bytes_down'),
  termination_cause: element('termination_causes'),
  stop_inferred: element('stops_inferred'),
  disconnect_for: element('disconnect_for'),
  authorisation_id: { arrays: ['authorisation_ids', 'session_ids'], value: sql`u.authorisation_ids + u.session_ids` },
  days: {
    arrays: ['only_days', 'days', 'seconds', 'bytes_up', 'bytes_down'],
    value: sql`case when u.only_days is null then u.days
      else jsonb_build_object(to_char(u.only_days, 'YYYY-MM-DD'), jsonb_build_array(u.seconds, u.bytes_up, u.bytes_down)) end`,
  },
  terms: element('terms'),
  box_session: element('box_sessions'),
} satisfies Record<string, Stored>

export type SessionColumn = keyof typeof stored
export const sessionColumns = keysOf(stored)

/** Moments between which they began. */
export interface Began {
  from: Sql
  to: Sql
}

/**
 * A statement that answers columns of packed sessions of the present customer, whatever its reach.
 * @param where which rows `k` of `packed_sessions` are taken apart
 * @param began leaves out what is not between, by halving, since they stand in order
 */
export function unpacked(columns: readonly SessionColumn[], where: Sql, began?: Began): Sql {
  const arrays = [...new Set(columns.flatMap((name) => stored[name].arrays))]
  // A slice is a copy.
  const whole = (name: string) => sql.ref(`k.${name}`)
  const taken = arrays.map((name) =>
    began ? sql`case when w.is_whole then ${whole(name)} else ${whole(name)}[w.first:w.last] end` : whole(name),
  )
  // The places are found once, by the offsets.
  const places = began
    ? sql`
    cross join lateral (
      select b.first, b.last, b.first = 1 and b.last = cardinality(k.started_ats) as is_whole
      from (
        select width_bucket((${began.from})::timestamptz - interval '1 microsecond', k.started_ats) + 1 as first,
          width_bucket((${began.to})::timestamptz, k.started_ats) as last offset 0) as b offset 0) as w`
    : sql``
  const bounds = began ? sql`and k.began_at <= ${began.to} and k.over_at >= ${began.from}` : sql``
  return sql`
    select ${sql.join(columns.map((name) => sql`${stored[name].value} as ${sql.ref(name)}`))}
    from packed_sessions as k ${places}
    cross join lateral unnest(${sql.join(taken)}) as u(${sql.join(arrays.map((name) => sql.ref(name)))})
    where ${where} ${bounds}`
}
