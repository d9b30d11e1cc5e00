// Room guests: the people who stay in a room, checked in and out, and moved within their property.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import * as contract from '#contract/room-guests.ts'
import { serve } from '#server/api/serve.ts'
import type { Services } from '#server/services.ts'
import { applyGuests } from '#server/sessions/apply-guests.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import { helpIn } from '#catalogue/spoken.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows } from '#server/entities/lists.ts'
import { oneRow } from '#server/entities/read.ts'
import { createRow, removeRows, updateRow } from '#server/entities/verbs.ts'
import { refuseOccupied, takeBack, toldOf } from '#server/stays/acts.ts'
import {
  checkIn,
  refuseChanged,
  refuseFar,
  refuseGone,
  refuseImpossible,
  roomGuests,
  staying,
  stayUntil,
} from '#server/stays/guests.ts'
import { cardsOf } from '#server/resources/guest-help/instructions.ts'
import { markNoShow, reinstate } from '#server/stays/no-shows.ts'

/** The property of a room that a guest is put into, which is also stored with the guest. What its own system says is kept elsewhere. */
async function propertyOf(scope: Scope, room_id: number): Promise<number> {
  const [room] = await scope.run(sql<ColumnsOf<'rooms', 'property_id' | 'number' | 'status'>>`
    select t.property_id, t.number, t.status from rooms as t where t.id = ${room_id} and ${scope.inReach('rooms', 't')}`)
  if (!room) throw notFound()
  if (room.status !== 'active')
    throw invalid({ room_id: [helpIn(scope.language)('refuse.room-closed', { room: room.number })] })
  return room.property_id
}

export default ({ queue, portal_url }: Pick<Services, 'queue' | 'portal_url'>) =>
  serve(contract, {
    list: ({ scope, input }) => listRows(scope, roomGuests, input),
    exportList: (call) => exportRows(call, roomGuests),
    get: ({ scope, input }) => oneRow(scope, roomGuests, input.id),
    create: async ({ scope, input: { share, ...input } }) => {
      const property_id = await propertyOf(scope, input.room_id)
      if (share === false) await refuseOccupied(scope, input.room_id)
      const guest = await createRow(scope, roomGuests, { ...input, property_id })
      await refuseFar(scope, guest)
      refuseImpossible(scope, guest)
      return guest
    },
    update: async ({ scope, input: { share, ...input } }) => {
      const before = await staying(scope, input.id)
      await refuseChanged(scope, before, input.was)
      if (input.room_id !== undefined && input.room_id !== before.room_id) {
        if ((await propertyOf(scope, input.room_id)) !== before.property_id)
          throw invalid({ room_id: [helpIn(scope.language)('refuse.elsewhere')] })
        if (share === false) await refuseOccupied(scope, input.room_id)
      }
      const guest = await updateRow(scope, roomGuests, input)
      await refuseFar(scope, guest, before)
      refuseImpossible(scope, guest)
      if (guest.room_id !== before.room_id) await applyGuests(scope, queue, [input.id])
      return guest
    },
    checkIn: ({ scope, input }) => checkIn(scope, input.ids),
    checkOut: async ({ scope, input: { ids } }) => {
      await refuseGone(scope, ids)
      return removeRows(scope, roomGuests, ids)
    },
    extend: ({ scope, input }) => stayUntil(scope, input),
    cards: ({ scope, input }) => cardsOf(scope, input.ids, portal_url),
    noShow: ({ scope, input }) => markNoShow(scope, input.ids),
    reinstate: ({ scope, input }) => reinstate(scope, input.ids),
    undo: async ({ scope, input: { ids, act } }) => {
      const moved = await takeBack(scope, roomGuests, ids, act)
      if (moved.length > 0) await applyGuests(scope, queue, moved)
      return { ids }
    },
    remove: async ({ scope, input: { id, roomId } }) => {
      const guest = await staying(scope, id)
      // A guest who was moved meanwhile is not checked out of a room that the caller has not seen.
      if (guest.room_id !== roomId) throw (await toldOf(scope, [id])) ?? notFound()
      return removeRows(scope, roomGuests, [id])
    },
  })
