// Sync create: creates missing rooms and guests, adopts guests who were entered by hand before the system reported them, restores those
// who come back, and queues the changes of a stay.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { sameFold } from '#contract/folded.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'
import { createRow } from '#server/entities/verbs.ts'
import { roomGuests } from './guests.ts'
import {
  reportedNames,
  wholeName,
  type WrittenStay,
  type Placement,
  type StoredGuest,
  type SyncedStay,
  type StayField,
  type StaySync,
  type UnsyncedGuest,
} from './sync-state.ts'
import { nameless, roomKey, type ReportedGuest, type ReportedStay } from './stay-updates.ts'

/** Finds a room of the property by its number. */
export async function findRoom(sync: StaySync, number: string) {
  const known = sync.rooms.get(roomKey(number))
  return known ?? (sync.areRoomsRead ? undefined : readRoom(sync, number))
}
async function readRoom(sync: StaySync, number: string) {
  const key = roomKey(number)
  const [room] = await sync.scope.run(sql<ColumnsOf<'rooms', 'id' | 'number'>>`
    select t.id, t.number from rooms as t where t.property_id = ${sync.source.property_id} and lower(btrim(t.number)) = ${key}
      and ${sync.scope.inReach('rooms', 't')}`)
  if (room) sync.rooms.set(key, room)
  return room
}

/** Creates the room where the property wants that. */
export async function findOrCreateRoom(sync: StaySync, number: string) {
  const { property_id } = sync.source
  let room = await findRoom(sync, number)
  if (!room && (sync.makes_rooms || sync.accepted_room === number)) {
    await sync.scope.run(sql`insert into rooms (customer_id, property_id, number)
      values (${sync.scope.customer_id}, ${property_id}, ${number}) on conflict do nothing`)
    room = await readRoom(sync, number)
    if (room) {
      const made = { object: 'rooms' as const }
      await logActivityOfMany(sync.scope, {
        action: 'create',
        entity: { table: made.object, label: 'number', belongs: { property_id: 'property_id' } },
        ids: [room.id],
        after: { number, property_id },
      })
      sync.record(`Room ${number} was made`)
    }
  }
  return room
}

export async function createGuest(
  sync: StaySync,
  reported: ReportedGuest,
  { row, ...columns }: Placement & { row: SyncedStay },
) {
  const { property_id } = sync.source
  const values = { ...reportedNames(reported), ...columns, property_id, external_reference: row.stay_key }
  const { id } = await createRow(sync.scope, roomGuests, values)
  sync.result.arrived.push(id)
  return id
}

/** Adopts guests whom no system reports (entered, imported, or of a removed interface): by the stay's key, else by name in that room. */
export async function adoptGuests(
  sync: StaySync,
  stay_key: string,
  told: ReportedStay,
  room_id: number,
): Promise<WrittenStay | null> {
  const untold = await sync.unsyncedGuests()
  const byKey = untold.filter((guest) => guest.external_reference === stay_key)
  const inRoom = untold.filter((guest) => guest.room_id === room_id)
  const those = byKey.length > 0 ? byKey : namesakes(told.guests, inRoom)
  sync.unsynced = untold.filter((guest) => !those.includes(guest))
  if (those.length === 0) return null
  const ids = those.map(({ id }) => id)
  await sync.scope.change('room_guests', ids, { external_reference: stay_key })
  const stored = await sync.guests(ids)
  const [first] = stored
  if (!first) return null
  await markAsSynced(sync, stay_key, stored)
  /** An entered value counts as reported where the system reports one; a field that it leaves empty was never reported. */
  const known = (field: 'arrives_on' | 'departs_on' | 'until_time') => (told[field] === null ? null : first[field])
  return {
    in: true,
    room: first.room,
    arrives_on: known('arrives_on'),
    departs_on: known('departs_on'),
    until_time: known('until_time'),
    guests: ids.map((id) => ({ ...nameless, id })),
  }
}

/** For each reported guest one unsynced guest of the same name, else of the same last name. */
function namesakes(guests: readonly ReportedGuest[], untold: readonly UnsyncedGuest[]): UnsyncedGuest[] {
  const left = [...untold]
  const take = (fits: (one: UnsyncedGuest) => boolean) => {
    const at = left.findIndex(fits)
    return at < 0 ? [] : left.splice(at, 1)
  }
  const named = guests.filter(({ last_name }) => last_name !== null)
  const found = named.map((reported) => take((one) => sameFold(wholeName(one)) === sameFold(wholeName(reported))))
  const isOfFamily = (one: UnsyncedGuest, { last_name }: ReportedGuest) =>
    sameFold(one.last_name ?? '') === sameFold(last_name ?? '')
  return named.flatMap((reported, at) => (found[at]?.length ? found[at] : take((one) => isOfFamily(one, reported))))
}

/** Gives the stays the interface's package, unless the desk has given another. */
async function markAsSynced(
  { scope, source: { package_id }, result }: StaySync,
  stay_key: string,
  stored: readonly StoredGuest[],
) {
  const stays = [...new Set(stored.flatMap(({ stay_id }) => stay_id ?? []))]
  const of = { stay_key, source: 'system', told_at: sql`app_now()` } as const
  await scope.change('stays', stays, { ...of, package_id: sql`coalesce(package_id, ${package_id}::integer)` })
  if (package_id !== null) result.moved.push(...stored.map(({ id }) => id))
}

/** Restores the same guests, so that their devices and usage come back with them. */
export function restoreGuests({ pending }: StaySync, row: SyncedStay, stored: readonly StoredGuest[]) {
  const back = stored.filter(({ gone }) => gone)
  if (back.length > 0) pending.touch(row, back)
  for (const one of back) {
    pending.restored.add(one.id)
    one.gone = false
  }
}

export function queueStayChanges(
  { pending, source: { checks_dispute } }: StaySync,
  {
    row,
    stored,
    written,
    room,
    next,
    arrived,
  }: {
    row: SyncedStay
    stored: readonly StoredGuest[]
    written: Partial<Pick<WrittenStay, StayField>>
    room: { id: number }
    next: ReportedStay
    arrived: boolean
  },
) {
  const { until_time, room: to, ...days } = written
  const values = { ...days, ...(to !== undefined && { room_id: room.id }) }
  const isWritten = Object.keys(values).length > 0
  const come = arrived ? stored.filter(({ checked_in }) => !checked_in) : []
  if (isWritten || come.length > 0 || until_time !== undefined) pending.touch(row, stored)
  for (const { id } of isWritten ? stored : []) pending.guestChanges.set(id, values)
  for (const { id } of come) pending.checkedIn.add(id)
  const [stay_id] = stored.map((guest) => guest.stay_id)
  if (stay_id != null)
    pending.stayChanges.set(stay_id, {
      may_be_charged: next.may_be_charged,
      ...(checks_dispute !== undefined && { in_dispute: checks_dispute && next.in_dispute === true }),
      ...(until_time !== undefined && { until_time }),
    })
}
