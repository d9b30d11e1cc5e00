// Rooms: what a property lets. A guest or an account in it makes a room occupied, whatever its status.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { constants } from './constants.ts'
import { RoomGuest, stay, StayFilters } from './room-guests.ts'
import {
  anyOf,
  anyOrNone,
  byId,
  byIds,
  changesTo,
  count,
  day,
  done,
  id,
  listOf,
  moment,
  named,
  namesOf,
  no,
  nothing,
  page,
  ref,
  text,
  yes,
} from './shapes.ts'
import { occupancy, status } from './status.ts'

const { lookup, read, write, listFile, removal } = callsOf('rooms')

/** A room's number as written on the door: `204`, `A-12`, `Garden suite`. Must be unique within the property. */
export const number = text(50)

export const RoomInput = z.object({
  property_id: ref('properties'),
  number,
  external_reference: text().nullish(),
  /** The package of people in the room who have none of their own. */
  package_id: ref('packages', 'The property’s package').nullish(),
  draft: no,
  active: yes,
})
export const RoomRow = z.object({
  id,
  /** The number again, since every record has a name. */
  name: z.string(),
  number: z.string(),
  external_reference: z.string().nullable(),
  property: named,
  package: named.nullable(),
  occupancy,
  /** Guests and accounts. */
  occupants: count,
  /** Two of their names, then `, +N`; null where the room is vacant. */
  occupants_string: z.string().nullable(),
  /** What the day holds for its guests: the first that is true of `overdue`, `leaving`, `arriving`, `in_house`; null without guests. */
  stay: stay.nullable(),
  /** The earliest arrival of the guests in it, past or future. */
  arrives_on: day.nullable(),
  /** When the last of them leaves; null if somebody in it has no day of departure. */
  departs_on: day.nullable(),
  /** As the property's own system says: not to be called or knocked at, and barred from what packages keep from such rooms. */
  do_not_disturb: z.boolean(),
  barred: z.boolean(),
  status,
  draft: z.boolean(),
  active: z.boolean(),
  created_at: moment,
})
export const Room = z
  .object({
    ...RoomRow.shape,
    property_id: id,
    package_id: id.nullable(),
    /** Guests who are checked in, in that order. Accounts of the room are listed by `/accounts`. */
    guests: z.array(RoomGuest.omit({ room: true, property: true })),
  })
  .meta({ id: 'Room' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [RoomInput, Room, RoomRow],
  {
    occupants_string: 'Guests',
    arrives_on: 'Arrival',
    departs_on: 'Departure',
  },
  { room: ['number', 'external_reference'], service: ['package_id'] },
)

/** One room by its `number`, or many alike by `numbers`: all or none of them. */
const oneOrMany = 'Give number or numbers'
export const NewRooms = RoomInput.extend({
  number: number.optional(),
  numbers: z.array(number).min(1).max(constants.rooms.created_max).optional(),
}).refine((given) => (given.number === undefined) !== (given.numbers === undefined), {
  path: ['number'],
  message: oneOrMany,
})

const RoomFilters = {
  status: anyOf(status),
  occupancy: anyOf(occupancy),
  package_id: anyOrNone(id),
  property_id: anyOf(id),
  ...StayFilters,
}
const RoomParams = { property_id: ref('properties').optional(), group_id: ref('groups').optional() }
const sorts = [
  ...(['-created_at', 'created_at', 'number', '-number'] as const),
  ...(['arrives_on', '-arrives_on', 'departs_on', '-departs_on'] as const),
] as const
export const RoomName = named.extend({ status, property_id: id, occupancy })
/** For a choice: also who lives there, as in `RoomRow`. */
export const RoomOffered = RoomName.extend({ occupants_string: z.string().nullable() })

export const list = read('/rooms', listOf(RoomFilters, RoomParams, sorts), page(RoomRow))
export const exportList = listFile('/rooms-list-export', list)
export const names = lookup('/rooms-list', nothing, z.array(RoomName))
export const nameList = read(
  '/rooms-list',
  namesOf({ property_id: ref('properties').optional() }, ['number', '-number']),
  page(RoomOffered),
)
export const get = read('/rooms/{id}', byId('rooms'), Room)
/** Answers the room, or the `ids` of several. */
export const create = write('/rooms-create', NewRooms, z.union([Room, done]))
export const update = write('/rooms-update', changesTo('rooms', RoomInput), Room)
/** Active becomes disabled; anything else becomes active. */
export const toggle = write('/rooms-toggle-active', byId('rooms'), Room)
export const deactivate = write('/rooms-deactivate', byIds('rooms'), done)
export const activate = write('/rooms-activate/{id}', byId('rooms'), Room)
export const remove = removal('/rooms-delete', byId('rooms'), done)
