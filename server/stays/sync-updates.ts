// Sync updates: applies one update: a stay that is new, changes or ends, a vacated room, the state of a room, or a snapshot.
import { sql } from 'kysely'
import { day_ms } from '#contract/days.ts'
import { keysOf } from '#contract/keys.ts'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { compareGuests, compareStay, isNameless, isNamesake } from './sync-compare.ts'
import { adoptGuests, restoreGuests, findRoom, findOrCreateRoom, queueStayChanges } from './sync-create.ts'
import {
  staysThere,
  type WrittenStay,
  type Difference,
  type Placement,
  type StoredGuest,
  type SyncedStay,
  type StaySync,
} from './sync-state.ts'
import { flush } from './sync-write.ts'
import {
  boundedStay,
  nameless,
  roomKey,
  isKey,
  stay_key_chars_max,
  stays_max,
  unreported,
  type ReportedGuest,
  type ReportedRoom,
  type ReportedStay,
  type StayUpdate,
} from './stay-updates.ts'

/** A stay that leaves a room and is reported elsewhere within this time has moved, whatever the grace is. */
const move_s = 120
/** A key that is reported again later than this is another stay. */
const again_max_ms = 2 * day_ms

/** Stays with pending writes, after which they are flushed. */
const pending_max = 500

export async function applyUpdate(sync: StaySync, update: Exclude<StayUpdate, { kind: 'all' }>) {
  if (update.kind === 'vacated') return vacateRoom(sync, update.room, update.at, null)
  if (update.kind === 'room') return applyRoomUpdate(sync, update)
  if (!isKey(update.stay_key)) return skipWithoutKey(sync, update)
  const row = (await sync.row(update.stay_key)) ?? sync.newRow(update.stay_key)
  const { newStays: arrivals, rows } = sync.pending
  if (arrivals.has(row) || rows.size + arrivals.size >= pending_max) await flush(sync)
  if ((row.id !== null || sync.pending.rows.has(row)) && update.at < row.told_at) return
  if (update.kind === 'ended') return endStay(sync, row, update.at)
  if (await isOtherGuest(sync, row, update)) await endForNewGuest(sync, row)
  const was = row.told
  const former = update.is_complete || !was ? unreported : was
  const { guests, ...fields } = update.fields
  const only = (guests?.length === 1 && former.guests.length === 1 && former.guests[0]) || nameless
  const reported = guests?.map((guest) => ({ ...only, ...guest })) ?? former.guests
  const next = boundedStay(
    { ...former, ...fields, guests: [...sharingGuests(was, update, reported), ...reported] },
    sync.isDay,
  )
  if (next.room === '') {
    sync.result.gap = true
    return
  }
  if (was === null && sync.in_house >= stays_max) return refuseBeyondLimit(sync)
  if (was === null && row.applied && update.at.getTime() - row.told_at.getTime() > again_max_ms) row.applied = null
  if (was === null) sync.in_house++
  if (row.leaves_at) cancelDeparture(sync, row)
  Object.assign(row, { told: next, told_at: update.at, leaves_at: null })
  if (update.alone) await vacateRoom(sync, next.room, update.at, row.stay_key)
  await reconcile(sync, row, { arrived: update.arrived === true })
  if (update.vacated_room != null && roomKey(update.vacated_room) !== roomKey(next.room))
    await vacateRoom(sync, update.vacated_room, update.at, row.stay_key)
}

/** Whether a stay whose key is its room belongs to another guest than is reported now, who must not get the other's devices. */
async function isOtherGuest(
  sync: StaySync,
  row: SyncedStay,
  { of_room, at, fields }: Extract<StayUpdate, { kind: 'stay' }>,
) {
  const { told, told_at, applied } = row
  if (of_room === undefined || applied === null) return false
  if (told === null && at.getTime() - told_at.getTime() > move_s * 1000) return true
  const reported = (fields.guests ?? [])
    .map((guest) => ({ ...nameless, ...guest }))
    .filter((guest) => !isNameless(guest))
  if (reported.length === 0 || (told !== null && of_room !== 'taken')) return false
  const there = [...(told?.guests ?? []), ...(await sync.guestsOf(row))].filter((guest) => !isNameless(guest))
  return there.length > 0 && !reported.some((one) => there.some((other) => isNamesake(one, other)))
}
/** Guests who stay beside the reported ones, where all guests of a room have one key. */
function sharingGuests(
  was: ReportedStay | null,
  { of_room, fields }: Extract<StayUpdate, { kind: 'stay' }>,
  reported: readonly ReportedGuest[],
) {
  const there = was?.guests ?? []
  const isBeside = fields.guests && (of_room === 'shared' || (of_room === 'changed' && there.length > 1))
  return isBeside ? there.filter((one) => !reported.some((other) => isNamesake(one, other))) : []
}
/** Ends the stay without grace: the room has a new guest. */
async function endForNewGuest(sync: StaySync, row: SyncedStay) {
  if (row.told !== null) {
    sync.in_house--
    sync.record(`Departure from room ${row.told.room}`, row.applied?.guests)
  }
  if (row.leaves_at) cancelDeparture(sync, row)
  await endNow(sync, row)
  Object.assign(row, { told: null, applied: null })
}

/** Cancels a pending departure: the stay was reported again. */
function cancelDeparture({ pending }: StaySync, row: SyncedStay) {
  pending.departures.delete(row)
  pending.cancelledDepartures.add(row)
}

/** Skips a stay beyond the limit, with one record however many they are. Only a snapshot can report the skipped ones again. */
function refuseBeyondLimit(sync: StaySync) {
  if (sync.result.doubt === null) sync.record(too_many)
  sync.result.doubt = too_many
  sync.result.gap = true
}
export const too_many =
  `More than ${stays_max.toLocaleString('en')} stays are not taken: somebody has to end those that are over, and the whole list ` +
  'has to be sent again.'

/**
 * Writes the state of a known room. Barring counts only where the interface has that switched on. What another interface has said stands
 * until that one takes it back, or is disabled or removed.
 */
async function applyRoomUpdate(sync: StaySync, { room: number, fields }: Extract<StayUpdate, { kind: 'room' }>) {
  const room = await findRoom(sync, number)
  if (!room) return
  const { barred, do_not_disturb } = fields
  const { scope, source } = sync
  const reported = {
    ...(do_not_disturb !== undefined && { do_not_disturb }),
    ...(barred !== undefined && source.checks_dispute && { barred }),
  }
  for (const name of keysOf(reported)) {
    const value = reported[name]
    const by = sql.ref(`t.${name}_by`)
    const isOfAnother = sql`${by} <> ${source.interface_id} and exists (
      select from property_interfaces as i where i.id = ${by} and i.active and ${scope.inReach('property_interfaces', 'i')})`
    const isNews = sql`${sql.ref(`t.${name}`)} <> ${value} and (${value} or (${isOfAnother}) is not true)`
    const said = { [`${name}_by`]: value ? source.interface_id : null }
    const changed = await scope.change('rooms', sql<boolean>`t.id = ${room.id} and ${isNews}`, {
      [name]: value,
      ...said,
    })
    if (changed.length > 0) sync.record(`Room ${room.number} ${roomSentences[name][value ? 0 : 1]}`)
    else if (value) await scope.change('rooms', sql<boolean>`t.id = ${room.id} and (${isOfAnother}) is not true`, said)
  }
}
const roomSentences: Record<keyof ReportedRoom, readonly [is: string, isNot: string]> = {
  barred: ['is barred', 'is not barred any more'],
  do_not_disturb: ['is not to be disturbed', 'may be disturbed again'],
}

/** Records an update whose key cannot be stored, so that a person reads of it. */
function skipWithoutKey(sync: StaySync, update: Extract<StayUpdate, { kind: 'stay' | 'ended' }>) {
  const { room, guests } = boundedStay({ ...unreported, ...reportedPart(update) }, sync.isDay)
  const what = update.kind === 'ended' ? 'A departure' : room === '' ? 'A stay' : `A stay in room ${room}`
  const key =
    update.stay_key === ''
      ? 'without a number'
      : `whose number is more than ${stay_key_chars_max} letters or cannot be kept`
  sync.record(`${what} ${key} was skipped`, guests)
}
const reportedPart = (update: Extract<StayUpdate, { kind: 'stay' | 'ended' }>) => {
  if (update.kind === 'ended') return {}
  const { room = '', guests = [] } = update.fields
  return { room, guests: guests.map((guest) => ({ ...nameless, ...guest })) }
}

/** Applies a list of all stays. Single updates that are newer than the snapshot win over it. */
export async function applySnapshot(
  sync: StaySync,
  { at, stays, again = false }: Extract<StayUpdate, { kind: 'all' }>,
  confirmed: number | null,
) {
  if (stays.length > stays_max) return refuseBeyondLimit(sync)
  await flush(sync)
  const there = await sync.rowsWhere(sql`t.told is not null`)
  const records_before = sync.result.records.length
  const listed = new Set(stays.map(({ stay_key }) => stay_key))
  const gone = there.filter(({ stay_key, told_at }) => !listed.has(stay_key) && told_at <= at)
  const moves_out = gone.reduce((sum, { applied }) => sum + (applied?.guests.length ?? 0), 0)
  if (confirmed !== moves_out && (await vacatesManyRooms(sync, gone, there, stays))) {
    sync.result.awaits_confirmation = { moves_out }
    // Systems that are polled report it every few minutes.
    if ((await awaited(sync)) !== moves_out)
      sync.record(`A whole list would move ${moves_out} guests out. It is waiting for review.`)
    return
  }
  await sync.readGuests(gone)
  for (const row of gone) await endStay(sync, row, at)
  for (const { stay_key, arrived, of_room, ...fields } of stays)
    await applyUpdate(sync, {
      kind: 'stay',
      stay_key,
      at,
      fields,
      is_complete: true,
      arrived: arrived === true,
      ...(of_room && { of_room }),
    })
  if (again && sync.result.records.length === records_before) return
  const taken = stays.filter(({ stay_key }) => isKey(stay_key)).length
  sync.record(`The whole list was processed: ${taken} ${taken === 1 ? 'stay' : 'stays'}.`)
}

/** How many guests the list would move out that waits already; null: none does. */
async function awaited({ scope, source }: StaySync): Promise<number | null> {
  const [link] = await scope.run(sql<ColumnsOf<'property_links', 'pending_moves_out'>>`
    select t.pending_moves_out from property_links as t
    where t.property_interface_id = ${source.interface_id} and t.pending is not null and ${scope.inReach('property_links', 't')}`)
  return link?.pending_moves_out ?? null
}

async function vacatesManyRooms(
  sync: StaySync,
  gone: SyncedStay[],
  there: SyncedStay[],
  stays: readonly ReportedStay[],
) {
  const leaving = new Set(gone)
  const peopled = new Set([
    ...stays.map(({ room }) => roomKey(room)),
    ...there.filter((row) => !leaving.has(row)).map(({ told }) => roomKey(told?.room ?? '')),
  ])
  const emptied = new Set(gone.map(({ applied }) => roomKey(applied?.room ?? '')).filter((room) => !peopled.has(room)))
  emptied.delete('')
  if (emptied.size === 0) return false
  const [counted] = await sync.scope.run(sql<{ rooms: number }>`
    select count(*)::integer as rooms from rooms as t
    where t.property_id = ${sync.source.property_id} and ${sync.scope.inReach('rooms', 't')}`)
  return emptied.size * 5 > (counted?.rooms ?? 0)
}

/** Ends the other stays in a room after a short grace, since they may be reported in another room a moment later. */
async function vacateRoom(sync: StaySync, room: string, at: Date, but: string | null) {
  const others = (await sync.inRoom(room)).filter((row) => row.stay_key !== but && row.told_at <= at)
  if (others.some((row) => sync.pending.newStays.has(row))) await flush(sync)
  for (const row of others) await endStay(sync, row, at, Math.min(move_s, sync.source.grace_minutes * 60))
}

async function endStay(sync: StaySync, row: SyncedStay, at: Date, grace_s = sync.source.grace_minutes * 60) {
  if (row.told !== null) sync.in_house--
  const room = row.applied?.room ?? row.told?.room
  // A second departure of a stay that is leaving changes nothing of when it ends.
  const isLeaving = row.told === null && row.leaves_at !== null
  Object.assign(row, { told: null, told_at: at })
  const isIn = row.applied?.in === true
  if (isIn && !isLeaving) sync.record(`Departure from room ${room}`, row.applied?.guests)
  if (isIn && grace_s > 0) {
    row.leaves_at ??= new Date(Date.now() + grace_s * 1000)
    if (!isLeaving) sync.pending.departures.set(row, grace_s)
    return sync.save(row)
  }
  await endNow(sync, row)
}

export async function endDeparted(sync: StaySync, id: number) {
  const [row] = await sync.rowsWhere(sql`t.id = ${id}`)
  if (row && row.told === null && row.leaves_at !== null) await endNow(sync, row)
}

async function endNow(sync: StaySync, row: SyncedStay, no_show = false) {
  if (sync.pending.hasStay(row)) await flush(sync)
  const { pending } = sync
  const leaving = (await sync.guestsOf(row)).filter(({ gone }) => !gone)
  if (leaving.length > 0) pending.touch(row, leaving)
  for (const { id } of leaving) {
    pending.checkedOut.add(id)
    if (no_show) pending.noShows.add(id)
  }
  row.leaves_at = null
  // Names of guests who have left are not kept.
  if (row.applied)
    row.applied = { ...row.applied, in: false, guests: row.applied.guests.map(({ id }) => ({ ...nameless, id })) }
  sync.save(row, [])
}

/** Writes the reported fields where nobody has changed them by hand, or somebody has accepted the system's value. */
export async function reconcile(
  sync: StaySync,
  row: SyncedStay,
  { arrived = false, accepted = [] }: { arrived?: boolean; accepted?: readonly Difference[] } = {},
) {
  const { told } = row
  if (!told) return
  if (told.no_show) {
    if (row.applied?.in) sync.record(`No show in room ${row.applied.room}`, row.applied.guests)
    return endNow(sync, row, true)
  }
  const room = await findOrCreateRoom(sync, told.room)
  if (!room) {
    sync.record(`Room ${told.room} is not known`, told.guests)
    return sync.save(row, [{ room_guest_id: null, field: 'room', system: told.room, ours: null }])
  }
  const wasEnteredByHand = row.applied === null
  row.applied ??= await adoptGuests(sync, row.stay_key, told, room.id)
  const was = row.applied
  if (!was) {
    const isUnreported = told.arrives_on === null || told.arrives_on > sync.today
    const next = { ...told, arrives_on: arrived && isUnreported ? sync.today : told.arrives_on }
    sync.record(`Arrival in room ${room.number}${untilOf(next)}`, next.guests)
    sync.pending.newStays.set(row, { row, next, room })
    return
  }
  if (sync.pending.hasStay(row) || (await sync.guestsOf(row)).some((one) => sync.pending.hasGuest(one)))
    await flush(sync)
  const stored = await sync.guestsOf(row)
  const wasOut = !was.in
  if (wasOut) restoreGuests(sync, row, stored)
  const differences: Difference[] = []
  const reconciling = { row, was, stored, next: told, differences }
  const host = reconcileStays(sync, { ...reconciling, room, arrived, wasEnteredByHand, wasOut, accepted })
  await compareGuests(sync, { ...reconciling, host, isUnknown: wasEnteredByHand || wasOut })
  was.in = true
  sync.save(row, differences)
}

interface Reconciling {
  row: SyncedStay
  was: WrittenStay
  stored: StoredGuest[]
  next: ReportedStay
  room: { id: number }
  arrived: boolean
  wasEnteredByHand: boolean
  wasOut: boolean
  accepted: readonly Difference[]
  differences: Difference[]
}

/** Reconciles each stored stay that a synced stay has become by itself. Answers the placement that further guests get. */
function reconcileStays(sync: StaySync, { row, was, stored, next, room, ...reconciling }: Reconciling): Placement {
  const { arrived, wasEnteredByHand, wasOut, accepted, differences } = reconciling
  const former = { ...was }
  const [asReported, otherwise]: [Placement[], Placement[]] = [[], []]
  for (const [at, those] of staysThere(was, stored).entries()) {
    const [there] = those
    if (!there) continue
    // A difference of the first stay has no guest.
    const isAbout = (id: number | null) => (id === null ? at === 0 : those.some((one) => one.id === id))
    const isAccepted = (field: string) => accepted.some((one) => one.field === field && isAbout(one.room_guest_id))
    const before = differences.length
    const room_guest_id = at === 0 ? null : there.id
    const comparing = {
      former,
      was,
      stored: there,
      next,
      arrived,
      wasEnteredByHand,
      isAccepted,
      room_guest_id,
      differences,
    }
    const written = compareStay(sync, comparing)
    queueStayChanges(sync, { row, stored: those, written, room, next, arrived })
    if (written.room !== undefined) sync.result.moved.push(...those.map(({ id }) => id))
    if (wasOut) sync.record(`Back in room ${written.room ?? there.room}`, those)
    else if (written.room !== undefined) sync.record(`From room ${there.room} to room ${written.room}`, those)
    else if (Object.keys(written).length > 0) sync.record(`Another stay in room ${there.room}${untilOf(next)}`, those)
    const { stay_id, room_id, arrives_on, departs_on } = { ...there, ...written }
    const host = { stay_id, room_id: written.room === undefined ? room_id : room.id, arrives_on, departs_on }
    ;(differences.length === before ? asReported : otherwise).push(host)
  }
  const { arrives_on, departs_on } = was
  return (
    asReported[0] ?? otherwise[0] ?? { stay_id: stored[0]?.stay_id ?? null, room_id: room.id, arrives_on, departs_on }
  )
}

const untilOf = ({ departs_on }: ReportedStay) => (departs_on === null ? '' : `, until ${departs_on}`)
