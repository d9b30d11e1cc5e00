// Guests of stays: their records, the days they may be given, and their arrival; whoever comes too late is told who was there before.
import { sql } from 'kysely'
import { constants } from '#contract/constants.ts'
import type { Parsed } from '#contract/endpoint.ts'
import * as contract from '#contract/room-guests.ts'
import { stayDayRefusal } from '#contract/stay-days.ts'
import { helpIn } from '#catalogue/spoken.ts'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { clash, invalid, notFound } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'
import { entity, nameOf, type Stored } from '#server/entities/entity.ts'
import { oneRow } from '#server/entities/read.ts'
import { unreachableIds } from '#server/entities/verbs.ts'
import { toldOf, toldOfEnd } from './acts.ts'
import { daysAsText, daySorts, isInStay } from './in-house.ts'

export const roomGuests = entity({
  table: 'room_guests',
  row: contract.RoomGuestRow,
  detail: contract.RoomGuest,
  fields: contract.fields,
  computed: { room: nameOf('rooms', 'room_id', 'number'), property: nameOf('properties', 'property_id') },
  filters: {
    group_id: ({ is }) => sql`
      t.property_id in (select p.id from properties as p where p.customer_id = t.customer_id and ${is(sql`p.group_id`)})`,
    stay: (asked) => isInStay(asked, 't'),
  },
  sorts: daySorts,
  belongs: { property_id: 'property_id' },
})
export type StoredRoomGuest = Stored<typeof roomGuests>
type Days = Pick<StoredRoomGuest, 'arrives_on' | 'departs_on'>

/** What the schema cannot check: nobody departs before they arrive. */
export function refuseImpossible({ language }: Pick<Scope, 'language'>, { arrives_on, departs_on }: Days) {
  if (arrives_on !== null && departs_on !== null && departs_on < arrives_on)
    throw invalid({ departs_on: [helpIn(language)('refuse.leaves-early')] })
}

/** Refuses a new arrival or departure that is too far from the property's today. A stored day may be sent back as it is. */
export async function refuseFar(scope: Scope, guest: Days & { property_id: number }, before?: Days) {
  const [property] = await scope.run(sql<{ today: string; lets_by_lease: boolean }>`
    select local_day(app_now(), t.time_zone)::text as today,
      coalesce(t.property_type_id = any(${constants.leased_property_types}::integer[]), false) as lets_by_lease
    from properties as t where t.id = ${guest.property_id} and ${scope.inReach('properties', 't')}`)
  const refusals = (['arrives_on', 'departs_on'] as const).flatMap((name): [string, string[]][] => {
    const day = guest[name]
    if (!property || day === null || day === before?.[name]) return []
    const refusal = stayDayRefusal(day, property.today, property.lets_by_lease)
    return refusal === null ? [] : [[name, [refusal]]]
  })
  if (refusals.length > 0) throw invalid(Object.fromEntries(refusals))
}

/** The guest, locked. Who comes too late reads who has checked them out. */
export async function staying(scope: Scope, id: number): Promise<StoredRoomGuest> {
  const [locked] = await scope.lock('room_guests', sql`t.id = ${id}`)
  if (locked === undefined) throw (await toldOfEnd(scope, [id])) ?? notFound()
  return oneRow(scope, roomGuests, id)
}

export async function refuseGone(scope: Scope, ids: number[]) {
  const locked = await scope.lock('room_guests', sql`t.id = any(${ids})`)
  const gone = ids.filter((id) => !locked.includes(id))
  if (gone.length > 0) throw (await toldOfEnd(scope, gone)) ?? unreachableIds()
}

/** Guests expected on a later day have arrived today. */
export async function checkIn(scope: Scope, ids: number[]) {
  const wanted = [...new Set(ids)]
  await refuseGone(scope, wanted)
  const before = await scope.run(sql<{ id: number; early_on: string | null; today: string; is_in: boolean }>`
    select t.id, d.today::text as today, case when t.arrives_on > d.today then t.arrives_on::text end as early_on,
      t.checked_in_at is not null as is_in
    from room_guests as t join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
    cross join lateral (select local_day(app_now(), p.time_zone) as today) as d
    where t.id = any(${wanted}) and ${scope.inReach('room_guests', 't')}`)
  const there = before.filter(({ is_in }) => is_in).map(({ id }) => id)
  if (there.length > 0) throw (await toldOf(scope, there)) ?? clash(helpIn(scope.language)('refuse.already-in'))
  await refuseClosedRooms(scope, wanted)
  // The day first: with a day of arrival in the future, a trigger would clear `checked_in_at` again.
  await scope.run(sql`
    update room_guests as t set arrives_on = d.today
    from properties as p, lateral (select local_day(app_now(), p.time_zone) as today) as d
    where p.customer_id = t.customer_id and p.id = t.property_id and t.arrives_on > d.today and t.id = any(${wanted})
      and ${scope.inReach('room_guests', 't')}`)
  await scope.change('room_guests', wanted, { checked_in_at: sql`now()` })
  // A line says what was before, so that it can be taken back: the same for all but those who are early.
  const checked_in_at = new Date().toISOString()
  const days = Map.groupBy(before, ({ early_on, today }) => (early_on === null ? '' : `${early_on} ${today}`))
  for (const some of days.values()) {
    const { early_on, today } = some[0] ?? { early_on: null, today: '' }
    const [was, is] = early_on === null ? [{}, {}] : [{ arrives_on: early_on }, { arrives_on: today }]
    await logActivityOfMany(scope, {
      action: 'update',
      entity: roomGuests,
      ids: some.map(({ id }) => id),
      before: { checked_in_at: null, ...was },
      after: { checked_in_at, ...is },
    })
  }
  return { ids: wanted }
}

/** A room may have been disabled since its guests were expected. */
async function refuseClosedRooms(scope: Scope, ids: readonly number[]) {
  const [closed] = await scope.run(sql<ColumnsOf<'rooms', 'number'>>`
    select r.number from room_guests as t join rooms as r on r.customer_id = t.customer_id and r.id = t.room_id
      and ${scope.inReach('rooms', 'r')}
    where t.id = any(${[...ids]}) and r.status <> 'active' and ${scope.inReach('room_guests', 't')} order by r.id limit 1`)
  if (closed) throw clash(helpIn(scope.language)('refuse.room-closed', { room: closed.number }))
}

/** One departure for several, with a line of the log each, so that it can be taken back. */
export async function stayUntil(scope: Scope, { ids, departs_on }: Parsed<typeof contract.extend>) {
  const wanted = [...new Set(ids)]
  await refuseGone(scope, wanted)
  const before = await scope.run(sql<{
    id: number
    property_id: number
    arrives_on: string | null
    departs_on: string | null
  }>`
    select t.id, t.property_id, ${daysAsText('t')} from room_guests as t
    where t.id = any(${wanted}) and ${scope.inReach('room_guests', 't')} order by t.id`)
  for (const guest of before) refuseImpossible(scope, { ...guest, departs_on })
  // Of one property all have the same today.
  for (const [one] of Map.groupBy(before, ({ property_id }) => property_id).values())
    if (one) await refuseFar(scope, { ...one, arrives_on: null, departs_on })
  await scope.change('room_guests', wanted, { departs_on })
  for (const [was, some] of Map.groupBy(before, (guest) => guest.departs_on))
    if (was !== departs_on)
      await logActivityOfMany(scope, {
        action: 'update',
        entity: roomGuests,
        ids: some.map(({ id }) => id),
        before: { departs_on: was },
        after: { departs_on },
      })
  return { ids: wanted }
}

/** What two at the desk change at once. Somebody who has seen other days or another room reads what was done to them meanwhile. */
const atOnce = ['room_id', 'arrives_on', 'departs_on'] as const
export async function refuseChanged(scope: Scope, before: StoredRoomGuest, was: Record<string, unknown> = {}) {
  const changed = atOnce.filter((field) => Object.hasOwn(was, field) && (was[field] ?? null) !== before[field])
  if (changed.length === 0) return
  const told = await toldOf(scope, [before.id], changed)
  // Else by something that leaves no line: the form says that it has changed.
  if (told) throw told
}

/** The stays of these guests were told by a list of who lives where. */
export const saidByList = (scope: Scope, ids: readonly number[]) =>
  scope.run(sql`
    update stays as t set source = 'import', told_at = now() where ${scope.inReach('stays', 't')} and t.id in (
      select g.stay_id from room_guests as g where g.id = any(${[...ids]}) and ${scope.inReach('room_guests', 'g')})`)
