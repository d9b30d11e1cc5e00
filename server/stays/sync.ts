// Sync: applies updates of a property's own system to rooms, stays and guests. The last report of each stay is kept beside what was
// written of it, so that an update counts once, an older one changes nothing, and what a person changed by hand is seen.
import { sql } from 'kysely'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { DueWork } from '#server/due/due-work.ts'
import { removeRows } from '#server/entities/verbs.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { roomGuests } from './guests.ts'
import { StaySync, type SyncResult, type SyncSource } from './sync-state.ts'
import { endDeparted, applyUpdate, applySnapshot } from './sync-updates.ts'
import { departureKind, flush } from './sync-write.ts'
import type { StayUpdate } from './stay-updates.ts'

/** Applies updates in the transaction of the scope; those of one interface wait for one another. */
export async function applyUpdates(
  scope: Scope,
  queue: Queue,
  source: SyncSource,
  updates: readonly StayUpdate[],
  { confirmed = null }: { confirmed?: number | null } = {},
): Promise<SyncResult> {
  const sync = await StaySync.begin(scope, queue, source)
  if (sync.was_elsewhere) await startAtNewProperty(sync)
  await sync.prepare(updates)
  for (const update of updates) {
    if (update.kind === 'all') await applySnapshot(sync, update, confirmed)
    else await applyUpdate(sync, update)
  }
  await flush(sync)
  return sync.result
}

/**
 * An interface of a company, a group or a package is for the only property there is, which may be another by now: its synced stays of the
 * former one are dropped, departures that are queued there take effect, and a snapshot is requested.
 */
async function startAtNewProperty(sync: StaySync) {
  const { scope, source, result } = sync
  const { interface_id } = source
  const leaving = await scope.run(sql<ColumnsOf<'room_guests', 'id'>>`
    select g.id from told_stays as t cross join lateral jsonb_array_elements(t.applied -> 'guests') as a(guest)
    join room_guests as g on g.customer_id = t.customer_id and g.id = (a.guest ->> 'id')::integer
    where t.property_interface_id = ${interface_id} and t.leaves_at is not null
      and ${scope.inReach('told_stays', 't')} and ${scope.inReach('room_guests', 'g')} order by g.id`)
  const ids = leaving.map(({ id }) => id)
  if (ids.length > 0) await removeRows(scope, roomGuests, ids)
  await scope.change('told_stays', sql`t.property_interface_id = ${interface_id}`, { leaves_at: null })
  await forgetSyncedStays(scope, interface_id)
  const anew = { pending: null, pending_moves_out: null }
  await scope.change('property_links', sql`t.property_interface_id = ${interface_id}`, anew)
  sync.in_house = 0
  result.gap = true
}

/**
 * Drops the synced stays of an interface that is removed, or that is for another system with other keys: its guests stay, and may be
 * adopted; its rooms are no longer barred. A queued departure takes effect all the same.
 */
export async function forgetSyncedStays(scope: Scope, interface_id: number) {
  const isThere = sql`t.property_id in (
    select w.property_id from told_stays as w where w.property_interface_id = ${interface_id} and ${scope.inReach('told_stays', 'w')})`
  const isBy = (by: string) => sql`(${sql.ref(by)} = ${interface_id} or ${sql.ref(by)} is null and ${isThere})`
  const isBarred = sql<boolean>`t.barred and ${isBy('t.barred_by')}`
  await scope.change('rooms', isBarred, { barred: false, barred_by: null })
  const isLeftAlone = sql<boolean>`t.do_not_disturb and ${isBy('t.do_not_disturb_by')}`
  await scope.change('rooms', isLeftAlone, { do_not_disturb: false, do_not_disturb_by: null })
  await scope.run(sql`
    delete from told_stays as t where t.property_interface_id = ${interface_id} and t.leaves_at is null
      and ${scope.inReach('told_stays', 't')}`)
}

/** Ends stays whose departure is due. */
export const departureWork: DueWork<{ tenancy: Tenancy; queue: Queue }> = {
  kind: departureKind,
  about: (scope) => sql`(select concat('room ', coalesce(s.applied ->> 'room', '?')) from told_stays as s
    where s.customer_id = t.customer_id and s.id = t.about_id and ${scope.inReach('told_stays', 's')})`,
  promise: 'repeated',
  at_once: 4,
  of_one_customer: 2,
  tries_max: 10,
  wait_s: (tries) => 5 * tries,
  run:
    async ({ queue }, { about_id }) =>
    async (scope) => {
      const [stay] = await scope.run(sql<{ interface_id: number; property_id: number; left_s: number }>`
        select t.property_interface_id as interface_id, t.property_id,
          extract(epoch from t.leaves_at - app_now())::float8 as left_s
        from told_stays as t
        where t.id = ${about_id} and t.told is null and t.leaves_at is not null and ${scope.inReach('told_stays', 't')}`)
      if (!stay) return
      const { left_s, ...of } = stay
      // The departure was queued by a clock that is ahead of the one by which work is due, or was written long after its time was set.
      if (left_s > 0) return { waits_s: left_s }
      const sync = await StaySync.begin(scope, queue, { ...of, package_id: null, grace_minutes: 0 })
      await endDeparted(sync, about_id)
      await flush(sync)
    },
}
