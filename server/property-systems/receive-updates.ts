// Receive updates: applies the updates of an interface, and stores with it when they came, a record of each, and a snapshot that waits.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { applyGuests } from '#server/sessions/apply-guests.ts'
import { applyUpdates } from '#server/stays/sync.ts'
import type { SyncResult, SyncSource } from '#server/stays/sync-state.ts'
import type { StayUpdate } from '#server/stays/stay-updates.ts'
import { usual_grace_minutes } from './definition.ts'
import type { Interface } from './interfaces.ts'
import { addLinkRecords, markUp } from './link-state.ts'
import { rawJson } from './raw-json.ts'

const graceOf = ({ settings: { grace_minutes } }: Interface) =>
  typeof grace_minutes === 'number' && grace_minutes >= 0 ? Math.min(grace_minutes, 24 * 60) : usual_grace_minutes

const sourceOf = (of: Interface, property_id: number): SyncSource => ({
  interface_id: of.id,
  property_id,
  package_id: of.package_id,
  grace_minutes: graceOf(of),
  checks_dispute: of.checks_dispute,
})

/** Null: the interface is for no single property. */
export async function receiveUpdates(
  scope: Scope,
  queue: Queue,
  of: Interface,
  updates: readonly StayUpdate[],
  { confirmed = null, doubt = null }: { confirmed?: number | null; doubt?: string | null } = {},
): Promise<SyncResult | null> {
  if (of.property_id === null) return null
  const result = await applyUpdates(scope, queue, sourceOf(of, of.property_id), updates, { confirmed })
  const lists = updates.filter((update) => update.kind === 'all')
  const list = lists.at(-1)
  const isTaken = list !== undefined && result.awaits_confirmation === null && result.doubt === null
  await markUp(scope, of.id, {
    doubt: result.doubt ?? doubt,
    // A snapshot makes up for all updates that were missed.
    ...(isTaken && { wants_all: false, pending: null, pending_moves_out: null }),
    ...(list &&
      result.awaits_confirmation && {
        pending: rawJson({ ...list, doubt }),
        pending_moves_out: result.awaits_confirmation.moves_out,
      }),
    ...(result.gap && !isTaken && { wants_all: true }),
  })
  await addLinkRecords(scope, of.id, result.records)
  // Guests in another room may have another package there, also while they are online.
  if (result.moved.length > 0) await applyGuests(scope, queue, result.moved)
  return result
}

/** The time of the newest stored update, in milliseconds since 1970; 0: there is none. Another node's clock may be ahead of ours. */
export async function lastUpdateAt(scope: Scope, interface_id: number): Promise<number> {
  const [newest] = await scope.run(sql<{ at: number | null }>`
    select ceil(extract(epoch from max(t.told_at)) * 1000)::float8 as at from told_stays as t
    where t.property_interface_id = ${interface_id} and ${scope.inReach('told_stays', 't')}`)
  return newest?.at ?? 0
}

/** A snapshot that waits for confirmation, with what a person should look into. */
type Pending = Omit<Extract<StayUpdate, { kind: 'all' }>, 'at'> & { at: string; doubt?: string | null }

/** Applies the waiting snapshot that a person has confirmed. Null: none waits. */
export async function receivePending(
  scope: Scope,
  queue: Queue,
  of: Interface,
  moves_out: number,
): Promise<SyncResult | null> {
  const [link] = await scope.run(sql<{ pending: Pending | null }>`
    select t.pending from property_links as t where t.property_interface_id = ${of.id} and ${scope.inReach('property_links', 't')}
    for no key update of t`)
  if (!link?.pending) return null
  const { doubt = null, ...pending } = link.pending
  const list: StayUpdate = { ...pending, at: new Date(pending.at) }
  return receiveUpdates(scope, queue, of, [list], { confirmed: moves_out, doubt })
}
