// Holiday suggestions: days for a property's holiday calendar, from a list of public holidays or from a user's own list, to be
// reviewed before any is added.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { count, day, id, ref, storedDay, text } from './shapes.ts'

const { read, write } = callsOf('billing')

/** One occurrence, from its first day to its last. */
const Days = z.object({ name: text(), starts_on: storedDay, ends_on: storedDay })

/** Compared with the property's holidays: none on these days, the same days, or the same name on other days of that year. */
export const states = ['new', 'taken', 'moved'] as const
export const HolidaySuggestion = z
  .object({
    name: z.string(),
    starts_on: day,
    ends_on: day,
    /** `public`: nearly everybody is off; `bank`: banks and offices are closed; `own`: from the operator's own calendar. */
    kind: z.enum(['public', 'bank', 'own']),
    /** An observed day, given in addition to the day itself, which may be a working day. */
    substitute: z.boolean(),
    /** The nights that it covers: one for each of its days. */
    nights: count,
    /** How it comes again in the operator's own calendar, in words: `Every year`. Null for a single time. */
    rule: z.string().nullable(),
    state: z.enum(states),
    /** The property's holiday that it equals, or that has the same name. */
    holiday_id: id.nullable(),
  })
  .meta({ id: 'HolidaySuggestion' })

/** Public and bank holidays of a year, where the property is. 422 while the property has no country. */
export const suggestHolidays = read(
  '/property-holidays-suggest',
  z.object({
    property_id: ref('properties'),
    year: z.int().min(2000).max(2100),
    /** A code from `meta.regions`; without it, those of the whole country. */
    region: text(16).nullish(),
  }),
  z.object({
    data: z.array(HolidaySuggestion),
    meta: z.object({
      country: z.string(),
      regions: z.array(z.object({ code: z.string(), name: z.string() })),
      /** Who compiled the days; must be credited wherever they are shown. */
      source: z.string(),
    }),
  }),
)

export const calendar_chars_max = 100_000
/** A calendar file (iCalendar), or a list: one holiday per line, its days before or after its name. */
export const readHolidays = read(
  '/property-holidays-read',
  z.object({ property_id: ref('properties'), text: z.string().trim().min(1).max(calendar_chars_max) }),
  z.object({
    data: z.array(HolidaySuggestion),
    meta: z.object({ problems: z.array(z.object({ line: z.int(), message: z.string() })) }),
  }),
)

/** Adds the chosen ones, all or none. Days that the property already has are left as they are. */
export const takeHolidays = write(
  '/property-holidays-take',
  z.object({
    property_id: ref('properties'),
    holidays: z.array(Days).min(1).max(200),
    /** They come from the public list of the property's country, or of one of its regions. */
    listed: z.object({ region: text(16).nullish() }).nullish(),
  }),
  z.object({ added: z.int(), already: z.int() }),
)

/**
 * Future holidays that were taken from the public list, and that its present release does not have on these days. Nothing is changed
 * automatically.
 */
export const leftOut = read(
  '/property-holidays-left-out',
  z.object({ property_id: ref('properties') }),
  z.object({
    data: z.array(
      z.object({
        holiday_id: id,
        ...Days.shape,
        /** Where the list now has a holiday of this name. */
        moved_to: z.object({ starts_on: day, ends_on: day }).nullable(),
      }),
    ),
    meta: z.object({ source: z.string() }),
  }),
)
