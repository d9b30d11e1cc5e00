// Room guests: the people who stay in a room. They are checked in and out, and moved to another room.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { keysOf } from './keys.ts'
import {
  anyOf,
  anyOrNone,
  byId,
  byIds,
  changesTo,
  day,
  done,
  guestEmail,
  id,
  listOf,
  mobile,
  moment,
  named,
  page,
  ref,
  rowOf,
  storedDay,
  text,
} from './shapes.ts'
import { stayActs } from './stay-acts.ts'

const { read, write, listFile, removal } = callsOf('room_guests')

const undoable = keysOf(stayActs)

export const RoomGuestInput = z.object({
  room_id: ref('rooms'),
  first_name: text(100).nullish(),
  /** What a portal asks for in addition to the room's number. */
  last_name: text(100),
  email: guestEmail.nullish(),
  mobile_number: mobile.nullish(),
  /** The reservation's number in the property's own system. */
  external_reference: text().nullish(),
  arrives_on: storedDay.nullish(),
  /** The last day on which the guest gets online. */
  departs_on: storedDay.nullish(),
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
  /** When they checked in; null while they are expected. */
  checked_in_at: moment.nullable(),
  /** What the desk gives for the room and these days: `/stays/{id}`. Null until an upgrade has made the stays of those who were there. */
  stay_id: id.nullable(),
  created_at: moment,
})
export const RoomGuest = z.object({ ...RoomGuestRow.shape, room_id: id, property_id: id }).meta({ id: 'RoomGuest' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [RoomGuestInput, RoomGuest, RoomGuestRow],
  {
    external_reference: 'Reservation',
    arrives_on: 'Arrival',
    departs_on: 'Departure',
  },
  {
    guest: ['last_name', 'first_name', 'email', 'mobile_number'],
    stay: ['room_id', 'external_reference', 'arrives_on', 'departs_on'],
  },
)

/**
 * The state of a stay on the property's day. `arriving`: it has begun, and the guest has not come yet; `leaving`: today is its last
 * day; `overdue`: its last day has passed, and the guest was not checked out; `in_house`: the guest is there, until today or later.
 */
export const stays = ['arriving', 'leaving', 'overdue', 'in_house'] as const
export const stay = z.enum(stays)
export type StayKind = (typeof stays)[number]
/** As the day, the lists and their filters call them. */
export const stayWords = {
  arriving: 'Arriving',
  leaving: 'Leaving',
  overdue: 'Overdue',
  in_house: 'In house',
} as const satisfies Record<StayKind, string>
export const StayFilters = { stay: anyOf(stay), arrives_on: anyOrNone(day), departs_on: anyOrNone(day) }

const RoomGuestParams = {
  room_id: ref('rooms').optional(),
  property_id: ref('properties').optional(),
  group_id: ref('groups').optional(),
}

const RoomGuestFilters = { ...StayFilters, property_id: anyOf(id) }
const sorts = [
  ...(['-created_at', 'created_at', 'name', '-name'] as const),
  ...(['arrives_on', '-arrives_on', 'departs_on', '-departs_on'] as const),
] as const

/** False: refused where somebody lives in the room by now; without it, guests share a room unasked. */
export const SharingInput = RoomGuestInput.extend({ share: z.boolean().optional() })

/** Sorted by a day, guests without one are placed with the latest. */
export const list = read('/room-guests', listOf(RoomGuestFilters, RoomGuestParams, sorts), page(RoomGuestRow))
export const exportList = listFile('/room-guests-list-export', list)
export const get = read('/room-guests/{id}', byId('room_guests'), RoomGuest)
/** Checks a guest in; one who arrives on a later day is expected. */
export const create = write('/room-guests-create', SharingInput, RoomGuest)
/** A different `room_id` moves the guest, within the property. */
export const update = write('/room-guests-update', changesTo('room_guests', SharingInput), RoomGuest)
/** Checks in guests who were expected. Of somebody who is in or out by now, 409 says who did it, and when. */
export const checkIn = write('/room-guests-check-in', byIds('room_guests'), done)
/** Checks out several guests at once. */
export const checkOut = removal('/room-guests-check-out', byIds('room_guests'), done)
/** One departure for several at once, such as a group. */
export const extend = write('/room-guests-extend', byIds('room_guests').extend({ departs_on: storedDay }), done)
/** What each needs to get online, to be handed to them at the desk. */
export const Card = z.object({
  id,
  name: z.string(),
  property: named,
  /** The Wi-Fi's name; null if it is not set. */
  network: z.string().nullable(),
  /** The address of the sign-in page. */
  page: z.string().nullable(),
  /** What to type there. */
  rows: z.array(z.object({ label: z.string(), value: z.string() })),
})
export const cards = read('/room-guests-cards', byIds('room_guests'), z.array(Card))
/**
 * Who was expected and did not come: they leave the lists, and get nobody online. Until the day of departure is over they are in
 * `/today`, and can be reinstated.
 */
export const noShow = write('/room-guests-no-show', byIds('room_guests'), done)
/** No-shows who come after all are expected again. */
export const reinstate = write('/room-guests-reinstate', byIds('room_guests'), done)
/**
 * Takes back what the caller has just done to these guests: a check-in, a check-out, a move, another departure, a no-show. For a
 * minute, and only while nothing newer has been done to them: else 409 says what, by whom and when.
 */
export const undo = write('/room-guests-undo', byIds('room_guests').extend({ act: z.enum(undoable) }), done)
/** Checks a guest out of their room. */
export const remove = removal(
  '/room-guests-remove',
  z.object({ id: rowOf('room_guests'), roomId: rowOf('rooms') }),
  done,
)
