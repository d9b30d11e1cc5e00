// Packed: sessions of former months stand in a fifteenth of the room, a row of the database for some thousand of a property. Whoever
// reads sessions of long ago asks here where they are read from.
import { sql } from 'kysely'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { whileMore } from '#server/access/steps.ts'
import { leavesAtWork, type Release } from '#server/db/releases.ts'
import type { Sql } from '#server/entities/entity.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'
import { now } from '#server/time/clock.ts'
import type { Log } from '#server/watch/log.ts'

/** More take less room, and longer to be read where a few of them are asked for. */
const sessions_per_pack = 5000

/** What both have; packed ones lack the key by which packets find their session, and the words by which people search. */
const columns = sql`id, customer_id, property_id, gateway_id, group_id, acct_session_id, auth_method_id, package_id, mac_category_id,
  account_id, voucher_id, device_id, guest_id, identifier, username, mac_address, calling_station, ip, ipv6, started_at, last_seen_at,
  stopped_at, created_at, accepted_at, ends_at, disconnect_asked_at, disconnect_agreed_at, disconnect_unknown_at, seconds, bytes_up,
  bytes_down, termination_cause, stop_inferred, disconnect_for, authorisation_id, days, terms, box_session`

/**
 * Where the sessions with any time between two instants are read from: the table itself unless some of them are packed, so that it is
 * asked as ever. A relation that has most columns of `radius_sessions`, whose reach is asked of each row as of those.
 */
export async function sessionsBetween(scope: Scope, since: Sql, until: Sql): Promise<Sql> {
  // What is packed between this look and the reading would be in neither: nothing of the customer is, until the transaction ends.
  await scope.run(sql`select pg_advisory_xact_lock_shared(hashtext('pack sessions'), ${scope.customer_id})`)
  const [packed] = await scope.run(sql<{ id: number }>`
    select k.id from packed_sessions as k
    where k.began_at < ${until} and k.over_at >= ${since} and ${scope.inReach('packed_sessions', 'k')} limit 1`)
  return packed
    ? both(sql`sessions_of_packs(${since}, ${until}, '-infinity', 'infinity', null, null)`)
    : sql`radius_sessions`
}

/** All sessions of guests, and some of others. @param guests an array of ids */
export const sessionsOfGuests = (guests: Sql): Sql =>
  both(sql`sessions_of_packs('-infinity', 'infinity', '-infinity', 'infinity', ${guests}, null)`)

/** All sessions of a voucher, and some of others: none was over before it was first used. */
export const sessionsOfVoucher = ({ customer_id }: Scope, id: number): Sql =>
  both(sql`(
    select p.* from vouchers as v
    cross join lateral sessions_of_packs(v.redeemed_at, 'infinity', '-infinity', 'infinity', null, array[v.id]) as p
    where v.customer_id = ${customer_id} and v.id = ${id})`)

const both = (packed: Sql) =>
  sql`(select ${columns} from radius_sessions union all select ${columns} from ${packed} as k)`

/** What a first time has to pack may take many hours; the next round goes on. */
const round_ms = 10 * 60_000

/** Nodes of a release before do not look for packed sessions. */
const read_since = '1.0.0'

interface Needs {
  tenancy: Pick<Tenancy, 'callFunction'>
  log: Pick<Log, 'info'>
}

export async function packSessions({ tenancy, log }: Needs, hot_ms: number): Promise<void> {
  const releases = await tenancy.callFunction(sql<Release>`select * from door_releases()`)
  if (leavesAtWork(releases, read_since)) {
    log.info('no sessions are packed before the next release: nodes of the one before may be at work')
    return
  }
  const ends_at = now() + round_ms
  const step = sql`door_pack_sessions(${Math.round(hot_ms / 1000)}, ${sessions_per_pack})`
  await whileMore(tenancy, step, () => now() < ends_at)
}

export const packSessionsJob = job({
  kind: jobKind('pack_sessions'),
  cron: '47 * * * *',
  title: 'Packing sessions of former months',
  run: async ({ config, ...needs }: Needs & { config: { sessions_hot_ms: number | null } }) => {
    if (config.sessions_hot_ms !== null) await packSessions(needs, config.sessions_hot_ms)
  },
})
