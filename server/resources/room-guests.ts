// Room guests: the people who stay in a room, checked in and out, and moved within their property.
import { sql } from 'kysely'
import { constants } from '#contract/constants.ts'
import * as contract from '#contract/room-guests.ts'
import { stayDayRefusal } from '#contract/stay-days.ts'
import { serve } from '#server/api/serve.ts'
import type { Services } from '#server/services.ts'
import { applyHolders } from '#server/sessions/changes.ts'
import { clash, invalid, notFound } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { entity, nameOf, type Stored } from '#server/entities/entity.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows } from '#server/entities/lists.ts'
import { oneRow } from '#server/entities/read.ts'
import { createRow, removeRows, unreachableIds, updateRow } from '#server/entities/verbs.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'
import { refuseOccupied, takeBack, toldOf, toldOfEnd } from './stay-acts.ts'
import { isInStay } from './stays.ts'

const roomGuests = entity({
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
  belongs: { property_id: 'property_id' },
})
type Guest = Stored<typeof roomGuests>

const leavesEarly = 'A guest leaves on the day of arrival or later.'
const elsewhere = 'Choose a room of the same property.'
const alreadyIn = 'This guest is checked in already.'

/** What the schema cannot check: nobody departs before they arrive. */
function refuseImpossible({ arrives_on, departs_on }: Guest) {
  if (arrives_on !== null && departs_on !== null && departs_on < arrives_on)
    throw invalid({ departs_on: [leavesEarly] })
}

/** Refuses a new arrival or departure that is too far from the property's today. A stored day may be sent back as it is. */
async function refuseFar(scope: Scope, guest: Guest, before?: Guest) {
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
async function staying(scope: Scope, id: number): Promise<Guest> {
  const [locked] = await scope.lock('room_guests', sql`t.id = ${id}`)
  if (locked === undefined) throw (await toldOfEnd(scope, [id])) ?? notFound()
  return oneRow(scope, roomGuests, id)
}

async function refuseGone(scope: Scope, ids: number[]) {
  const locked = await scope.lock('room_guests', sql`t.id = any(${ids})`)
  const gone = ids.filter((id) => !locked.includes(id))
  if (gone.length > 0) throw (await toldOfEnd(scope, gone)) ?? unreachableIds()
}

/** Guests expected on a later day have arrived today. */
async function checkIn(scope: Scope, ids: number[]) {
  const wanted = [...new Set(ids)]
  await refuseGone(scope, wanted)
  const before = await scope.run(sql<{ id: number; early_on: string | null; today: string; is_in: boolean }>`
    select t.id, d.today::text as today, case when t.arrives_on > d.today then t.arrives_on::text end as early_on,
      t.checked_in_at is not null as is_in
    from room_guests as t join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
    cross join lateral (select local_day(app_now(), p.time_zone) as today) as d
    where t.id = any(${wanted}) and ${scope.inReach('room_guests', 't')}`)
  const there = before.filter(({ is_in }) => is_in).map(({ id }) => id)
  if (there.length > 0) throw (await toldOf(scope, there)) ?? clash(alreadyIn)
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

/** What two at the desk change at once. Somebody who has seen other days or another room reads what was done to them meanwhile. */
const atOnce = ['room_id', 'arrives_on', 'departs_on'] as const
async function refuseChanged(scope: Scope, before: Guest, was: Record<string, unknown> = {}) {
  const changed = atOnce.filter((field) => Object.hasOwn(was, field) && (was[field] ?? null) !== before[field])
  if (changed.length === 0) return
  const told = await toldOf(scope, [before.id], changed)
  // Else by something that leaves no line: the form says that it has changed.
  if (told) throw told
}

/** The room may have a package of its own. */
const applyRoom = (scope: Scope, queue: Services['queue'], ids: number[]) =>
  applyHolders(
    scope,
    queue,
    sql`t.guest_id = any(array(select g.id from guests as g where g.customer_id = t.customer_id and g.room_guest_id = any(${ids})))`,
  )

/** The property of the room, which is also stored with the guest. */
async function propertyOf(scope: Scope, room_id: number): Promise<number> {
  const [room] = await scope.run(sql<{ property_id: number }>`
    select t.property_id from rooms as t where t.id = ${room_id} and ${scope.inReach('rooms', 't')}`)
  if (!room) throw notFound()
  return room.property_id
}

export default ({ queue }: Services) =>
  serve(contract, {
    list: ({ scope, input }) => listRows(scope, roomGuests, input),
    exportList: (call) => exportRows(call, roomGuests),
    get: ({ scope, input }) => oneRow(scope, roomGuests, input.id),
    create: async ({ scope, input: { share, ...input } }) => {
      const property_id = await propertyOf(scope, input.room_id)
      if (share === false) await refuseOccupied(scope, input.room_id)
      const guest = await createRow(scope, roomGuests, { ...input, property_id })
      await refuseFar(scope, guest)
      refuseImpossible(guest)
      return guest
    },
    update: async ({ scope, input: { share, ...input } }) => {
      const before = await staying(scope, input.id)
      await refuseChanged(scope, before, input.was)
      if (share === false && input.room_id !== undefined && input.room_id !== before.room_id)
        await refuseOccupied(scope, input.room_id)
      const guest = await updateRow(scope, roomGuests, input)
      if (guest.property_id !== before.property_id) throw invalid({ room_id: [elsewhere] })
      await refuseFar(scope, guest, before)
      refuseImpossible(guest)
      if (guest.room_id !== before.room_id) await applyRoom(scope, queue, [input.id])
      return guest
    },
    checkIn: ({ scope, input }) => checkIn(scope, input.ids),
    checkOut: async ({ scope, input }) => {
      const ids = [...new Set(input.ids)]
      await refuseGone(scope, ids)
      return removeRows(scope, roomGuests, ids)
    },
    undo: async ({ scope, input }) => {
      const ids = [...new Set(input.ids)]
      const moved = await takeBack(scope, roomGuests, ids, input.act)
      if (moved.length > 0) await applyRoom(scope, queue, moved)
      return { ids }
    },
    remove: async ({ scope, input: { id, roomId } }) => {
      const guest = await staying(scope, id)
      // A guest who was moved meanwhile is not checked out of a room that the caller has not seen.
      if (guest.room_id !== roomId) throw (await toldOf(scope, [id])) ?? notFound()
      return removeRows(scope, roomGuests, [id])
    },
  })
