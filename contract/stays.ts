// Stays: a room and its days, for whoever stays there, and what the desk gives for them: until what time, which package, how many devices.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import {
  anyOf,
  anyOrNone,
  byId,
  changesTo,
  count,
  day,
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
  timeOfDay,
} from './shapes.ts'

const { read, write } = callsOf('room_guests')

/** Who has said that they stay: the desk, a list of who lives where, or the property's own system. */
export const sources = ['desk', 'import', 'system'] as const
const devices_max = 100

/** Where a stay comes from. */
export const StaySource = z.object({
  source: z.enum(sources),
  /** The name of the interface whose system has told of it. */
  told_by: z.string().nullable(),
})

/** What the desk gives for a stay. */
export const StayInput = z.object({
  /** For all its guests. */
  departs_on: storedDay.nullish(),
  /** On the day of departure, by the property's clock; without it, its guests are online until that day is over. */
  until_time: timeOfDay.nullish(),
  /** Instead of the room's, or the property's; what a guest has of their own goes before it. */
  package_id: ref('packages', 'The room’s, or the property’s').nullish(),
  /** Of all its guests together, instead of so many for each guest as the package allows. */
  devices: z.int().min(1).max(devices_max).nullish(),
  /** For whoever is at the desk next. */
  note: text(1000).nullish(),
  /** By which those who travel together are found. */
  group_name: text(100).nullish(),
})
export const StayRow = z.object({
  id,
  /** The number of its room, since every record has a name. */
  name: z.string(),
  property: named,
  room: named,
  /** Those who have not left. */
  guests: z.array(named),
  /** By which the property's own system knows it. */
  stay_key: z.string().nullable(),
  arrives_on: day.nullable(),
  departs_on: day.nullable(),
  until_time: timeOfDay.nullable(),
  package: named.nullable(),
  devices: count.nullable(),
  note: z.string().nullable(),
  group_name: z.string().nullable(),
  source: z.enum(sources),
  no_show: z.boolean(),
  /** Whether what they use may be put on the room. */
  may_be_charged: z.boolean(),
  /** As the property's own system says of their bill. */
  in_dispute: z.boolean(),
  /** When its source last said something of it. */
  told_at: moment.nullable(),
  created_at: moment,
})
export const Stay = z
  .object({
    ...StayRow.shape,
    property_id: id,
    room_id: id,
    package_id: id.nullable(),
    /** Of its room. */
    do_not_disturb: z.boolean(),
    barred: z.boolean(),
  })
  .meta({ id: 'Stay' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [StayInput, Stay, StayRow],
  {
    arrives_on: 'Arrival',
    departs_on: 'Departure',
    until_time: 'Until',
    group_name: 'Group',
    devices: 'Devices together',
  },
  { stay: ['departs_on', 'until_time', 'package_id', 'devices', 'group_name', 'note'] },
)

const StayParams = {
  room_id: ref('rooms').optional(),
  property_id: ref('properties').optional(),
  group_id: ref('groups').optional(),
}
const StayFilters = {
  property_id: anyOf(id),
  source: anyOf(z.enum(sources)),
  arrives_on: anyOrNone(day),
  departs_on: anyOrNone(day),
  group_name: anyOrNone(z.string()),
}
const sorts = ['-created_at', 'created_at', 'arrives_on', '-arrives_on', 'departs_on', '-departs_on'] as const

/** Searched by group and note; guests are found by name in `/room-guests`. */
export const stayList = read('/stays', listOf(StayFilters, StayParams, sorts), page(StayRow))
export const getStay = read('/stays/{id}', byId('stays'), Stay)
/** Another departure holds for each of its guests, as if each had been given it. */
export const updateStay = write('/stays-update', changesTo('stays', StayInput), Stay)

export const slipWays = ['print', 'email', 'sms'] as const
/** What was used of the Wi-Fi, and what is left. */
export const Slip = z.object({
  title: z.string(),
  /** The names of its guests. */
  note: z.string(),
  lines: z.array(z.object({ label: z.string(), value: z.string() })),
  /** The address or number that it was sent to. */
  sent_to: z.string().nullable(),
})
/** Answered to be printed, or sent: to the address or number given, else to that of one of its guests. */
export const slip = write(
  '/stays-slip',
  z.object({
    id: rowOf('stays'),
    by: z.enum(slipWays),
    email: guestEmail.nullish(),
    mobile_number: mobile.nullish(),
  }),
  Slip,
)
