// Today: a front desk's overview of one property: arrivals, departures and stays, recent refusals, and the state of the network.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { Against, Fix, kinds } from './guest-help.ts'
import { count, day, id, moment, named, ref, text, timeOfDay } from './shapes.ts'
import { StaySource } from './stays.ts'

const { read } = callsOf('guest_help')

/** The others are in `/room-guests`, by the filter `stay`. Fewer of those in house, of whom nothing is to be done. */
export const shown_max = 200
export const shown_in_house_max = 50

export const StayOfToday = z.object({
  /** The id of the room guest. */
  id,
  name: z.string(),
  room: named,
  arrives_on: day.nullable(),
  departs_on: day.nullable(),
  /** From arrival to departure; null if one of them is not known. */
  nights: z.int().nullable(),
  /** What the desk has given for the stay. */
  until_time: timeOfDay.nullable(),
  note: z.string().nullable(),
  group_name: z.string().nullable(),
  online: z.boolean(),
  ...StaySource.shape,
})
export type StayOfToday = z.output<typeof StayOfToday>

const Stays = z.object({
  /** Counted up to 1,000. */
  total: count,
  /** There are more than `total` says. */
  more: z.literal(true).optional(),
  /** The first of them, by the relevant day and then by room. */
  rows: z.array(StayOfToday),
})

const Refused = z.object({
  /** As `/guest-help-subject` takes it. */
  kind: z.enum(kinds),
  id: z.int().min(1),
  name: z.string(),
  room: z.string().nullable(),
  tried_at: moment,
  /** What prevents it now. */
  message: z.string(),
  fix: Fix.nullable(),
})

export const Today = z
  .object({
    property: named,
    /** The day at the property. */
    day,
    arriving: Stays,
    leaving: Stays,
    overdue: Stays,
    in_house: Stays,
    /** Who did not come, until their day of departure is over. */
    no_shows: Stays,
    /** Guests who were refused during the last hour and have not got in since, latest first. */
    refused: z.array(Refused),
    /** Words of the property's own system that wait for somebody; counted up to 1,000. */
    differences: count,
    network: z.object({
      /** Problems that affect everybody there, worst first. Empty: it works. */
      warnings: z.array(Against),
      /** In one sentence. */
      sentence: z.string(),
      /** Whom the desk calls, as set for the company; else an address. */
      contact: z.string().nullable(),
    }),
  })
  .meta({ id: 'Today' })
export type Today = z.output<typeof Today>

export const ofProperty = read('/today', z.object({ property_id: ref('properties') }), Today)

/** One of a group, and whether they have come. */
export const StayOfGroup = StayOfToday.extend({ is_in: z.boolean() })
/** Those who travel together and have not left, by room: the first of them. */
export const ofGroup = read(
  '/today-group',
  z.object({ property_id: ref('properties'), group_name: text(100) }),
  z.object({ name: z.string(), day, total: count, more: z.literal(true).optional(), rows: z.array(StayOfGroup) }),
)
