// Sync resolve: decides differences between the system and the desk. Whoever comes too late reads who has decided.
import { sql } from 'kysely'
import { clash, type Refused } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'
import { unreachableIds } from '#server/entities/verbs.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { restoreGuests } from './sync-create.ts'
import { guestFields, StaySync, type Difference, type SyncSource } from './sync-state.ts'
import { reconcile } from './sync-updates.ts'
import { flush } from './sync-write.ts'
import type { ReportedGuest } from './stay-updates.ts'

/** `ask_again`: our value was kept, and the difference is opened once more. */
export type Resolution = 'accept' | 'keep' | 'ask_again'

type OpenDifference = Difference & { id: number; told_stay_id: number } & Required<Omit<SyncSource, 'grace_minutes'>>

const resolved_hours = 24
/** Decided differences that one refusal names. */
const named_max = 3

/** The guest whom a difference `t` is about, else the first of its stay. */
export const guestOfDifference = sql`coalesce(t.room_guest_id, (select (s.applied -> 'guests' -> 0 ->> 'id')::integer
  from told_stays as s where s.customer_id = t.customer_id and s.id = t.told_stay_id))`

const differences = {
  table: 'stay_differences' as const,
  label: sql`coalesce((select g.name from room_guests as g where g.customer_id = t.customer_id and g.id = ${guestOfDifference}),
    'room ' || t.system)`,
  belongs: { property_id: 'property_id' },
}

/** Resolves all differences, or none. Answers the guests who are in another room than before. */
export async function resolveDifferences(
  scope: Scope,
  queue: Queue,
  ids: readonly number[],
  as: Resolution,
): Promise<number[]> {
  const wanted = [...new Set(ids)]
  // Updates of the same system wait for this lock, so that of two people who decide at once the second finds it done.
  await scope.lock(
    'property_links',
    sql`t.property_interface_id in (select s.property_interface_id from stay_differences as d
      join told_stays as s on s.customer_id = d.customer_id and s.id = d.told_stay_id
      where d.customer_id = t.customer_id and d.id = any(${wanted}) and ${scope.inReach('stay_differences', 'd')})`,
  )
  const asked = await scope.run(sql<OpenDifference>`
    select t.id, t.room_guest_id, t.field, t.system, t.ours, t.told_stay_id, t.property_id, i.id as interface_id, i.package_id,
      i.active and i.check_account_in_dispute as checks_dispute
    from stay_differences as t join told_stays as s on s.customer_id = t.customer_id and s.id = t.told_stay_id
    join property_interfaces as i on i.customer_id = s.customer_id and i.id = s.property_interface_id
    where t.id = any(${wanted}) and t.kept = ${as === 'ask_again'} and ${scope.inReach('stay_differences', 't')}
    order by s.property_interface_id, t.id for no key update of t`)
  const found = new Set(asked.map(({ id }) => id))
  if (found.size < wanted.length)
    throw await alreadyResolved(
      scope,
      wanted.filter((id) => !found.has(id)),
    )
  // Logged before the system's value is written, since that deletes the difference.
  await logActivityOfMany(scope, { action: 'update', entity: differences, ids: wanted, after: { settled: as } })
  if (as !== 'accept') {
    await scope.change('stay_differences', wanted, { kept: as === 'keep' })
    return []
  }
  const moved: number[] = []
  for (const some of Map.groupBy(asked, (one) => one.interface_id).values()) {
    const [of] = some
    if (!of) continue
    const { interface_id, property_id, package_id, checks_dispute } = of
    const sync = await StaySync.begin(scope, queue, {
      interface_id,
      property_id,
      package_id,
      checks_dispute,
      grace_minutes: 0,
    })
    for (const [id, those] of Map.groupBy(some, ({ told_stay_id }) => told_stay_id)) await accept(sync, id, those)
    await flush(sync)
    moved.push(...sync.result.moved)
  }
  return moved
}

/** The refusal that names who has decided them meanwhile. */
async function alreadyResolved(scope: Scope, ids: number[]): Promise<Refused> {
  const lines = await scope.run(sql<{ name: string | null; actor_name: string | null; settled: string; at: string }>`
    select distinct on (t.object_id) t.object_name as name, t.actor_name, t.after ->> 'settled' as settled,
      to_char(t.created_at at time zone p.time_zone, 'HH24:MI') as at
    from activity as t join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
    where t.object_type = 'stay_differences' and t.object_id = any(${ids}::bigint[]) and t.after ? 'settled'
      and t.created_at > now() - make_interval(hours => ${resolved_hours}) and ${scope.inReach('activity', 't')}
    order by t.object_id, t.id desc`)
  if (lines.length === 0) return unreachableIds()
  return clash(lines.slice(0, named_max).map(sentenceOf).join(' '))
}

const sentenceOf = ({
  name,
  actor_name,
  settled,
  at,
}: {
  name: string | null
  actor_name: string | null
  settled: string
  at: string
}) => {
  const did =
    settled === 'accept' ? "accepted the system's word for" : settled === 'keep' ? 'kept ours for' : 'asked again about'
  return `${actor_name ?? 'Somebody else'} ${did} ${name ?? 'this guest'} at ${at}.`
}

/** Writes the accepted values as if nobody had changed them by hand. */
async function accept(sync: StaySync, id: number, those: readonly Difference[]) {
  const [row] = await sync.rowsWhere(sql`t.id = ${id}`)
  if (!row?.told) return
  const stored = await sync.guestsOf(row)
  for (const { field, room_guest_id, ours: said } of those) {
    if (field === 'room' && said === null) sync.accepted_room = row.told.room
    else if (field === 'presence')
      restoreGuests(
        sync,
        row,
        stored.filter(({ id: guest_id }) => guest_id === room_guest_id),
      )
    else {
      const guest = row.applied?.guests.find((one) => one.id === room_guest_id)
      const its = stored.find((one) => one.id === room_guest_id)
      if (guest && its && isGuestField(field)) guest[field] = its[field]
    }
  }
  await reconcile(sync, row, { accepted: those })
}

const isGuestField = (field: string): field is keyof ReportedGuest => (guestFields as readonly string[]).includes(field)
