// Room guests: the people who stay in a room, checked in and out, and moved within their property.
import { sql } from 'kysely'
import * as contract from '#contract/room-guests.ts'
import { serve } from '#server/api/serve.ts'
import type { Services } from '#server/services.ts'
import { applyHolders } from '#server/sessions/changes.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { entity, nameOf, type Stored } from '#server/entities/entity.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows } from '#server/entities/lists.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { createRow, removeRows, unreachableIds, updateRow } from '#server/entities/verbs.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'
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

/** What the schema cannot check: nobody departs before they arrive. */
function refuseImpossible({ arrives_on, departs_on }: Guest) {
  if (arrives_on !== null && departs_on !== null && departs_on < arrives_on)
    throw invalid({ departs_on: [leavesEarly] })
}

/** Guests expected on a later day have arrived today; guests who are checked in already are left alone. */
async function checkIn(scope: Scope, ids: number[]) {
  const wanted = [...new Set(ids)]
  const locked = await scope.lock('room_guests', sql`t.id = any(${wanted})`)
  if (locked.length !== wanted.length) throw unreachableIds()
  // The day first: with a day of arrival in the future, a trigger would clear `checked_in_at` again.
  await scope.run(sql`
    update room_guests as t set arrives_on = d.today
    from properties as p, lateral (select local_day(app_now(), p.time_zone) as today) as d
    where p.customer_id = t.customer_id and p.id = t.property_id and t.arrives_on > d.today and t.id = any(${wanted})
      and ${scope.inReach('room_guests', 't')}`)
  const expected = sql<boolean>`t.id = any(${wanted}) and t.checked_in_at is null`
  const arrived = await scope.change('room_guests', expected, { checked_in_at: sql`now()` })
  await logActivityOfMany(scope, { action: 'update', entity: roomGuests, ids: arrived, after: { checked_in: true } })
  return { ids: wanted }
}

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
    create: async ({ scope, input }) => {
      const property_id = await propertyOf(scope, input.room_id)
      const guest = await createRow(scope, roomGuests, { ...input, property_id })
      refuseImpossible(guest)
      return guest
    },
    update: async ({ scope, input }) => {
      const before = await lockedRow(scope, roomGuests, input.id)
      const guest = await updateRow(scope, roomGuests, input)
      if (guest.property_id !== before.property_id) throw invalid({ room_id: [elsewhere] })
      refuseImpossible(guest)
      // The room may have a package of its own.
      if (guest.room_id !== before.room_id)
        await applyHolders(
          scope,
          queue,
          sql`t.guest_id = any(array(select g.id from guests as g where g.customer_id = t.customer_id and g.room_guest_id = ${input.id}))`,
        )
      return guest
    },
    checkIn: ({ scope, input }) => checkIn(scope, input.ids),
    checkOut: ({ scope, input }) => removeRows(scope, roomGuests, input.ids),
    remove: async ({ scope, input: { id, roomId } }) => {
      const guest = await lockedRow(scope, roomGuests, id)
      // A guest who was moved meanwhile is not checked out of a room that the caller has not seen.
      if (guest.room_id !== roomId) throw notFound()
      return removeRows(scope, roomGuests, [id])
    },
  })
