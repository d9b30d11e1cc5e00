// Room guests: the people who stay in a room. They are checked in and out, and moved to another room.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import {
  byId,
  changesTo,
  day,
  done,
  email,
  id,
  listOf,
  mobile,
  moment,
  named,
  page,
  ref,
  rowOf,
  text,
} from './shapes.ts'

const { read, write, listFile, removal } = callsOf('room_guests')

export const RoomGuestInput = z.object({
  room_id: ref('rooms'),
  first_name: text(100).nullish(),
  /** What a portal asks for beside the room's number. */
  last_name: text(100),
  email: email.nullish(),
  mobile_number: mobile.nullish(),
  /** The reservation, as the property's own system calls it. */
  external_reference: text().nullish(),
  arrives_on: day.nullish(),
  /** The last day on which the guest gets online. */
  departs_on: day.nullish(),
})
export const RoomGuestRow = z.object({
  id,
  /** First and last name. */
  name: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  room: named,
  property: named,
  email: z.string().nullable(),
  mobile_number: z.string().nullable(),
  external_reference: z.string().nullable(),
  arrives_on: day.nullable(),
  departs_on: day.nullable(),
  created_at: moment,
})
export const RoomGuest = z.object({ ...RoomGuestRow.shape, room_id: id, property_id: id }).meta({ id: 'RoomGuest' })

const RoomGuestParams = {
  room_id: ref('rooms').optional(),
  property_id: ref('properties').optional(),
  group_id: ref('groups').optional(),
}

export const list = read(
  '/room-guests',
  listOf({}, RoomGuestParams, ['-created_at', 'created_at', 'name', '-name']),
  page(RoomGuestRow),
)
export const exportList = listFile('/room-guests-list-export', list)
export const get = read('/room-guests/{id}', byId('room_guests'), RoomGuest)
/** Checks a guest in. */
export const create = write('/room-guests-create', RoomGuestInput, RoomGuest)
/** Another `room_id` moves the guest, within the property. */
export const update = write('/room-guests-update', changesTo('room_guests', RoomGuestInput), RoomGuest)
/** Checks a guest out of the room that they are in. */
export const remove = removal(
  '/room-guests-remove',
  z.object({ id: rowOf('room_guests'), roomId: rowOf('rooms') }),
  done,
)
