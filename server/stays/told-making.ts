// Told making: writes what a system tells: rooms, stays and guests that were not there, those who were entered by hand before it spoke,
// and those who come back.
import { sql, type RawBuilder } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { sameFold } from '#contract/folded.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { logActivity, logActivityOfMany, logCreated } from '#server/entities/activity-log.ts'
import { oneRow, rowsOf } from '#server/entities/read.ts'
import { createRow } from '#server/entities/verbs.ts'
import { roomGuests } from './guests.ts'
import {
  namesOf,
  type Applied,
  type Arrival,
  type Ours,
  type Row,
  type StayField,
  type Telling,
  type Unkeyed,
} from './told-rows.ts'
import { nameless, roomKey, type ToldGuest, type ToldStay } from './words.ts'

/** A room that the property has. */
export async function knownRoom(telling: Telling, number: string) {
  const key = roomKey(number)
  const known = telling.rooms.get(key)
  if (known) return known
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
    room = await knownRoom(telling, number)
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

/** Stays that nothing was known of, and their guests: all at once, since a group comes within a second. */
export async function makeStays(telling: Telling, arrivals: readonly Arrival[]) {
  if (arrivals.length === 0) return
  const { scope, teller } = telling
  const { property_id, package_id, checks_dispute = false } = teller
  const stays = await idsOf(
    scope,
    sql`insert into stays (customer_id, property_id, room_id, room_number, stay_key, arrives_on, departs_on, until_time,
        may_be_charged, in_dispute, package_id, source, told_at)
      select ${scope.customer_id}, ${property_id}, a.room_id, a.room_number, a.stay_key, a.arrives_on, a.departs_on, a.until_time,
        a.may_be_charged, ${checks_dispute} and coalesce(a.in_dispute, false), ${package_id}::integer, 'system', app_now()
      from ${each(arrivals.map(({ row, next, room }) => ({ ...next, ...numbered(room), stay_key: row.stay_key })))}
        as a(at integer, room_id integer, room_number text, stay_key text, arrives_on date, departs_on date, until_time time,
          may_be_charged boolean, in_dispute boolean)
      order by a.at returning id`,
  )
  const guests = arrivals.flatMap(({ row, next, room }, at) =>
    (next.guests.length > 0 ? next.guests : [nameless]).map((said) => ({ said, row, next, room, stay_id: stays[at] })),
  )
  const made = await idsOf(
    scope,
    sql`insert into room_guests (customer_id, property_id, room_id, stay_id, external_reference, last_name, first_name, email,
        mobile_number, arrives_on, departs_on)
      select ${scope.customer_id}, ${property_id}, a.room_id, a.stay_id, a.stay_key, a.last_name, a.first_name, a.email,
        a.mobile_number, a.arrives_on, a.departs_on
      from ${each(
        guests.map(({ said, row, next: { arrives_on, departs_on }, room, stay_id }) => {
          const days = { arrives_on, departs_on }
          return { ...namesOf(said), ...days, room_id: room.id, stay_id, stay_key: row.stay_key }
        }),
      )} as a(at integer, room_id integer, stay_id integer, stay_key text, last_name text, first_name text, email text,
        mobile_number text, arrives_on date, departs_on date)
      order by a.at returning id`,
  )
  await logCreated(scope, roomGuests, await rowsOf(scope, roomGuests, made))
  telling.heard.arrived.push(...made)
  for (const { row, next } of arrivals) {
    const { room, arrives_on, departs_on, until_time } = next
    row.applied = { in: true, room, arrives_on, departs_on, until_time, guests: [] }
  }
  for (const [at, { said, row }] of guests.entries()) row.applied?.guests.push({ ...said, id: made[at] ?? 0 })
}

const numbered = ({ id, number }: Arrival['room']) => ({ room_id: id, room_number: number })
/** Rows for SQL, numbered in their order. */
const each = (rows: readonly object[]) =>
  sql`json_to_recordset(${JSON.stringify(rows.map((row, at) => ({ ...row, at })))})`
/** Of what an ordered insert has made, in that order. */
const idsOf = async (scope: Scope, insert: RawBuilder<unknown>) =>
  (await scope.run(insert as RawBuilder<{ id: number }>)).map(({ id }) => id).toSorted((a, b) => a - b)

export async function makeGuest(
  telling: Telling,
  said: ToldGuest,
  at: { stay_id: number | null; room_id: number; row: Row; arrives_on: string | null; departs_on: string | null },
) {
  const { row, ...columns } = at
  const { property_id } = telling.teller
  const values = { ...namesOf(said), ...columns, property_id, external_reference: row.stay_key }
  const { id } = await createRow(telling.scope, roomGuests, values)
  telling.heard.arrived.push(id)
  return id
}

/** Guests who were entered or imported before the system spoke, with its number, or in that room by that name. */
export async function adopt(
  telling: Telling,
  stay_key: string,
  told: ToldStay,
  room_id: number,
): Promise<Applied | null> {
  const names = told.guests.map(({ last_name }) => sameFold(last_name ?? '')).filter((name) => name !== '')
  const byKey = (await telling.guestsWithoutKey()).filter((guest) => guest.external_reference === stay_key)
  const inRoom = (guest: Unkeyed) => guest.room_id === room_id && names.includes(sameFold(guest.last_name ?? ''))
  const those = byKey.length > 0 ? byKey : (await telling.guestsWithoutKey()).filter(inRoom)
  telling.unkeyed = telling.unkeyed?.filter((guest) => !those.includes(guest))
  if (those.length === 0) return null
  const ids = those.map(({ id }) => id)
  await telling.scope.change('room_guests', ids, { external_reference: stay_key })
  const ours = await telling.guests(ids)
  const [first] = ours
  if (!first) return null
  if (first.stay_id !== null)
    await telling.scope.change('stays', [first.stay_id], { stay_key, source: 'system', told_at: sql`app_now()` })
  const { room, arrives_on, departs_on, until_time } = first
  return {
    in: true,
    room,
    arrives_on,
    departs_on,
    until_time,
    guests: ours.map((one) => ({ ...namesOf(one), id: one.id })),
  }
}

/** The same rows, so that devices and what they have used come back with them. */
export async function bringBack(telling: Telling, ids: number[]) {
  const back = await telling.scope.run(sql<ColumnsOf<'room_guests', 'id'>>`
    update room_guests as t set deleted_at = null where t.id = any(${ids}) and t.deleted_at is not null
      and t.property_id = ${telling.teller.property_id} and t.customer_id = ${telling.scope.customer_id} returning t.id`)
  if (back.length > 0)
    await logActivityOfMany(telling.scope, {
      action: 'update',
      entity: roomGuests,
      ids: back.map(({ id }) => id),
      after: { undone: 'check_out' },
    })
}

export async function writeStay(
  telling: Telling,
  guests: readonly Ours[],
  written: Partial<Pick<Applied, StayField>>,
  { room, next, arrived }: { room: { id: number }; next: ToldStay; arrived: boolean },
) {
  const ids = guests.map(({ id }) => id)
  const { until_time, room: to, ...days } = written
  const values = { ...days, ...(to !== undefined && { room_id: room.id }) }
  // All at once, so that none of them is parted from the others.
  if (Object.keys(values).length > 0) {
    const before = await Promise.all(ids.map((id) => oneRow(telling.scope, roomGuests, id)))
    await telling.scope.change('room_guests', ids, values)
    for (const guest of before)
      await logActivity(telling.scope, {
        action: 'update',
        entity: roomGuests,
        row: guest,
        before: guest,
        after: await oneRow(telling.scope, roomGuests, guest.id),
      })
  }
  if (arrived) await checkIn(telling, ids)
  const [stay_id] = guests.map((guest) => guest.stay_id)
  const { checks_dispute } = telling.teller
  const in_dispute = checks_dispute && next.in_dispute === true
  if (stay_id != null)
    await telling.scope.change(
      'stays',
      sql`t.id = ${stay_id} and (t.source <> 'system' or t.may_be_charged <> ${next.may_be_charged}
        or t.no_show or ${until_time !== undefined} or t.in_dispute <> ${in_dispute ?? sql`t.in_dispute`})`,
      {
        ...(in_dispute !== undefined && { in_dispute }),
        source: 'system',
        no_show: false,
        may_be_charged: next.may_be_charged,
        told_at: sql`app_now()`,
        ...(until_time !== undefined && { until_time }),
      },
    )
}

async function checkIn(telling: Telling, ids: number[]) {
  const came = await telling.scope.change('room_guests', sql`t.id = any(${ids}) and t.checked_in_at is null`, {
    checked_in_at: sql`app_now()`,
  })
  if (came.length > 0)
    await logActivityOfMany(telling.scope, {
      action: 'update',
      entity: roomGuests,
      ids: came,
      before: { checked_in_at: null },
      after: { checked_in_at: new Date().toISOString() },
    })
}
