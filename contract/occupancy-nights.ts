// Occupancy nights: the ledger of what each property let on each date, which bills are made from.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { anyOf, count, day, id, listOf, moment, named, no, page, percentage, ref, text } from './shapes.ts'

const { read, write } = callsOf('billing')

export const reasons = ['occupied', 'minimum', 'holiday'] as const

/** What a night is billed by. Of the rate, a decimal with at least two places. */
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
    /** False: nobody knows what was let, and `unknown_because` says why. The figures are null then. */
    known: z.boolean(),
    unknown_because: z.string().nullable(),
    total_units: count.nullable(),
    occupied_units: count.nullable(),
    floor_units: count.nullable(),
    billable_units: count.nullable(),
    reason: z.enum(reasons).nullable(),
    /** What the rooms say now, which may be another number than what was written then. */
    occupied_units_now: count,
    version: count,
    /** A later version takes its place. */
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
      /** The newest version of each night alone, unless this asks for others. */
      superseded: anyOf(z.boolean()),
    },
    { property_id: ref('properties').optional() },
    ['-night', 'night', '-created_at', 'created_at'],
  ),
  page(OccupancyNight),
)

/** So many get the same figure by one call. */
export const nights_at_once = 100
/** Adds a further version of a night; the former ones stay. A property that was removed still owes for its nights. */
export const correctNight = write(
  '/occupancy-nights-correct',
  z.object({
    /** One that has a ledger, removed or not. */
    property_id: id,
    night: day,
    /** The last of several nights that follow each other and get the same figure. Answers that one. */
    last_night: day.nullish(),
    occupied_units: count,
    note: text(500),
    /** Units, percentages, rate, currency and holiday as they are now; else those that the night has had. */
    take_present_terms: no,
  }),
  OccupancyNight,
)
