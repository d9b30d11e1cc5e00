// Told making: rooms and guests that were not there, those who were entered by hand before the system spoke, those who come back, and what
// it says of a stay that is there.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { sameFold } from '#contract/folded.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'
import { createRow } from '#server/entities/verbs.ts'
import { roomGuests } from './guests.ts'
import {
  namesOf,
  wholeName,
  type Applied,
  type Host,
  type Ours,
  type Row,
  type StayField,
  type Telling,
  type Untold,
} from './told-rows.ts'
import { nameless, roomKey, type ToldGuest, type ToldStay } from './words.ts'

/** A room that the property has. */
export async function knownRoom(telling: Telling, number: string) {
  const known = telling.rooms.get(roomKey(number))
  return known ?? (telling.knowsRooms ? undefined : readRoom(telling, number))
}
async function readRoom(telling: Telling, number: string) {
  const key = roomKey(number)
  const [room] = await telling.scope.run(sql<ColumnsOf<'rooms', 'id' | 'number'>>`
    select t.id, t.number from rooms as t where t.property_id = ${telling.teller.property_id} and lower(btrim(t.number)) = ${key}
      and ${telling.scope.inReach('rooms', 't')}`)
  if (room) telling.rooms.set(key, room)
  return room
}

/** Makes it, where the property wants that. */
export async function roomOf(telling: Telling, number: string) {
  const { property_id } = telling.teller
  let room = await knownRoom(telling, number)
  if (!room && (telling.makes_rooms || telling.room_wanted === number)) {
    await telling.scope.run(sql`insert into rooms (customer_id, property_id, number)
      values (${telling.scope.customer_id}, ${property_id}, ${number}) on conflict do nothing`)
    room = await readRoom(telling, number)
    if (room) {
      const made = { object: 'rooms' as const }
      await logActivityOfMany(telling.scope, {
        action: 'create',
        entity: { table: made.object, label: 'number', belongs: { property_id: 'property_id' } },
        ids: [room.id],
        after: { number, property_id },
      })
      telling.record(`Room ${number} was made`)
    }
  }
  return room
}

export async function makeGuest(telling: Telling, said: ToldGuest, { row, ...columns }: Host & { row: Row }) {
  const { property_id } = telling.teller
  const values = { ...namesOf(said), ...columns, property_id, external_reference: row.stay_key }
  const { id } = await createRow(telling.scope, roomGuests, values)
  telling.heard.arrived.push(id)
  return id
}

/** Guests of whom no system tells: entered or imported, or told by an interface that is gone; by its number, or in that room by name. */
export async function adopt(
  telling: Telling,
  stay_key: string,
  told: ToldStay,
  room_id: number,
): Promise<Applied | null> {
  const untold = await telling.untoldGuests()
  const byKey = untold.filter((guest) => guest.external_reference === stay_key)
  const inRoom = untold.filter((guest) => guest.room_id === room_id)
  const those = byKey.length > 0 ? byKey : namesakes(told.guests, inRoom)
  telling.untold = untold.filter((guest) => !those.includes(guest))
  if (those.length === 0) return null
  const ids = those.map(({ id }) => id)
  await telling.scope.change('room_guests', ids, { external_reference: stay_key })
  const ours = await telling.guests(ids)
  const [first] = ours
  if (!first) return null
  await takeOver(telling, stay_key, ours)
  /** What was entered counts as told where the system says something; what it does not say it has never said. */
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

/** For each guest who is told another one of that name, or of that last name. */
function namesakes(guests: readonly ToldGuest[], untold: readonly Untold[]): Untold[] {
  const left = [...untold]
  const take = (fits: (one: Untold) => boolean) => {
    const at = left.findIndex(fits)
    return at < 0 ? [] : left.splice(at, 1)
  }
  const named = guests.filter(({ last_name }) => last_name !== null)
  const found = named.map((said) => take((one) => sameFold(wholeName(one)) === sameFold(wholeName(said))))
  const isOfFamily = (one: Untold, { last_name }: ToldGuest) =>
    sameFold(one.last_name ?? '') === sameFold(last_name ?? '')
  return named.flatMap((said, at) => (found[at]?.length ? found[at] : take((one) => isOfFamily(one, said))))
}

/** With the package of the interface, unless the desk has given another. */
async function takeOver({ scope, teller: { package_id }, heard }: Telling, stay_key: string, ours: readonly Ours[]) {
  const stays = [...new Set(ours.flatMap(({ stay_id }) => stay_id ?? []))]
  const of = { stay_key, source: 'system', told_at: sql`app_now()` } as const
  await scope.change('stays', stays, { ...of, package_id: sql`coalesce(package_id, ${package_id}::integer)` })
  if (package_id !== null) heard.moved.push(...ours.map(({ id }) => id))
}

/** The same guests, so that devices and what they have used come back with them. */
export function bringBack({ unwritten }: Telling, row: Row, ours: readonly Ours[]) {
  const back = ours.filter(({ gone }) => gone)
  if (back.length > 0) unwritten.touch(row, back)
  for (const one of back) {
    unwritten.back.add(one.id)
    one.gone = false
  }
}

export function writeStay(
  { unwritten, teller: { checks_dispute } }: Telling,
  {
    row,
    ours,
    written,
    room,
    next,
    arrived,
  }: {
    row: Row
    ours: readonly Ours[]
    written: Partial<Pick<Applied, StayField>>
    room: { id: number }
    next: ToldStay
    arrived: boolean
  },
) {
  const { until_time, room: to, ...days } = written
  const values = { ...days, ...(to !== undefined && { room_id: room.id }) }
  const isWritten = Object.keys(values).length > 0
  const come = arrived ? ours.filter(({ checked_in }) => !checked_in) : []
  if (isWritten || come.length > 0 || until_time !== undefined) unwritten.touch(row, ours)
  for (const { id } of isWritten ? ours : []) unwritten.days.set(id, values)
  for (const { id } of come) unwritten.come.add(id)
  const [stay_id] = ours.map((guest) => guest.stay_id)
  if (stay_id != null)
    unwritten.news.set(stay_id, {
      may_be_charged: next.may_be_charged,
      ...(checks_dispute !== undefined && { in_dispute: checks_dispute && next.in_dispute === true }),
      ...(until_time !== undefined && { until_time }),
    })
}
