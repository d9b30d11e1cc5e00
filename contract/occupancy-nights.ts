// Occupancy nights: the ledger of what each property let on each date, from which bills are made.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { anyOf, count, day, id, listOf, moment, named, no, page, percentage, ref, text, storedDay } from './shapes.ts'

const { read, write } = callsOf('billing')

export const reasons = ['occupied', 'minimum', 'holiday'] as const

/** The terms by which a night is billed. The rate is a decimal with the places of its currency. */
export const NightTerms = z.object({
  night: day,
  percentage,
  is_holiday: z.boolean(),
  holiday: z.string().nullable(),
  rate_per_unit: z.string(),
  room_numbers: z.array(z.string()),
})

export const OccupancyNight = z
  .object({
    id,
    ...NightTerms.shape,
    property: named,
    currency: z.string(),
    /** False: it is not known what was let, and `unknown_because` says why. The figures are then null. */
    known: z.boolean(),
    unknown_because: z.string().nullable(),
    total_units: count.nullable(),
    occupied_units: count.nullable(),
    floor_units: count.nullable(),
    billable_units: count.nullable(),
    reason: z.enum(reasons).nullable(),
    /** The figure from the rooms as they are now, which may differ from what was recorded. */
    occupied_units_now: count,
    version: count,
    /** A later version has replaced it. */
    superseded: z.boolean(),
    noted_by: z.string().nullable(),
    note: z.string().nullable(),
    created_at: moment,
  })
  .meta({ id: 'OccupancyNight' })

export const nightList = read(
  '/occupancy-nights',
  listOf(
    {
      property_id: anyOf(id),
      from: day.optional(),
      to: day.optional(),
      known: anyOf(z.boolean()),
      /** Only the newest version of each night, unless this asks for others. */
      superseded: anyOf(z.boolean()),
    },
    { property_id: ref('properties').optional() },
    ['-night', 'night', '-created_at', 'created_at'],
  ),
  page(OccupancyNight),
)

/** At most this many nights are corrected in one call. */
export const nights_at_once = 100
/** Adds a new version of a night; the former ones stay. A removed property still owes for its nights. */
export const correctNight = write(
  '/occupancy-nights-correct',
  z.object({
    /** A property with a ledger, removed or not. */
    property_id: id,
    night: storedDay,
    /** The last of several consecutive nights that get the same figure. Answers that one. */
    last_night: storedDay.nullish(),
    /** Nights that are corrected with these, all or none of them. */
    other_nights: z.array(storedDay).max(nights_at_once).default([]),
    /** Without it, each night keeps the figure that it has, and takes the present terms. */
    occupied_units: count.nullish(),
    note: text(500),
    /** True: the present units, percentages, rate, currency and holiday; else those of the night's former version. */
    take_present_terms: no,
    /** The version of `night` that was read. Where there is a newer one, nothing is changed: 409. */
    version: count.nullish(),
  }),
  OccupancyNight,
)
