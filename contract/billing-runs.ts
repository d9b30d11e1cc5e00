// Billing runs: what properties owe for a period. A run is drafted from the ledger of nights, looked at, and frozen when it is
// approved; its lines open to their nights.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { NightTerms, reasons } from './occupancy-nights.ts'
import { reportFormats } from './reports.ts'
import {
  anyOf,
  byId,
  count,
  currency,
  day,
  done,
  fileContent,
  id,
  listOf,
  moment,
  money,
  page,
  percentage,
  ref,
  text,
} from './shapes.ts'

const { read, write, removal, produced } = callsOf('billing')

export const runStatuses = ['draft', 'approved'] as const
export const lineKinds = ['charge', 'correction'] as const
/** From its first to its last day, at most so many. */
export const period_days_max = 366

const last_before_first = 'The last day cannot be before the first.'
const too_long = `A run is of at most ${period_days_max} days.`
const day_ms = 86_400_000
const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / day_ms + 1

/** The places are one choice, their union; without any, all of the customer's properties, those removed meanwhile among them. */
const places = {
  /** Removed ones may be named, too. */
  property_ids: z.array(id).max(5000).default([]),
  group_ids: z.array(ref('groups')).max(5000).default([]),
  collection_ids: z.array(ref('collections')).max(5000).default([]),
}
/** Both days are billed. It may begin and end within a month. */
const period = { period_start: day, period_end: day }

interface Period {
  period_start: string
  period_end: string
}
const inOrder = ({ period_start, period_end }: Period) => period_end >= period_start
const notTooLong = ({ period_start, period_end }: Period) => days(period_start, period_end) <= period_days_max
const backwards = { path: ['period_end'], message: last_before_first }
const long = { path: ['period_end'], message: too_long }

/** In the places of the currency, as a decimal: `1240.50`. */
export const decimal = z.string()
const Total = z.object({ currency, amount: decimal })

/** Nights of one property that follow each other, and why they cannot be billed yet. */
const Gap = z.object({
  property: z.object({ id, name: z.string() }),
  from: day,
  to: day,
  nights: count,
  because: z.string(),
})
export const RunGaps = z.object({
  /** Nobody knows what was let: a person gives the figures by `/occupancy-nights-correct`. */
  unknown: z.array(Gap),
  /** Nights that are still to come, or not written down yet. */
  not_over: z.array(Gap),
})

export const BillingRun = z
  .object({
    id,
    name: z.string(),
    ...period,
    status: z.enum(runStatuses),
    /** How many properties it has lines of. */
    properties: count,
    /** One for each currency. */
    totals: z.array(Total),
    approved_at: moment.nullable(),
    approved_by: z.string().nullable(),
    /**
     * How many drafts it has become in the accounting system, by their state. `gone`: deleted or voided there, and not made anew.
     * `unsent`: lines that come to something and stand in none of them.
     */
    drafts: z.object({ waiting: count, sent: count, failed: count, gone: count, unsent: count }),
    created_at: moment,
  })
  .meta({ id: 'BillingRun' })
export const OneBillingRun = z
  .object({
    ...BillingRun.shape,
    ...RunGaps.shape,
    /** A draft whose figures are others by now: work it out again before it is approved. */
    outdated: z.boolean(),
  })
  .meta({ id: 'OneBillingRun' })

/** What a night came to. */
export const BilledNight = z.object({
  night: NightTerms.shape.night,
  total_units: count,
  occupied_units: count,
  floor_units: count,
  billable_units: count,
  percentage: NightTerms.shape.percentage,
  is_holiday: z.boolean(),
  holiday: z.string().nullable(),
  rate_per_unit: decimal,
  currency,
  reason: z.enum(reasons),
  room_numbers: z.array(z.string()),
})
/** A property in a month, in one currency. */
const line = {
  kind: z.enum(lineKinds),
  /** As it was called in the month. No id: it was erased. */
  property: z.object({ id: id.nullable(), name: z.string() }),
  /** Its first day. */
  month: day,
  days_in_month: count,
  /** Billable units, summed over the nights; of a correction, how many more or fewer. */
  unit_days: z.int(),
  /** Of a unit and a calendar month. Null where it changed within the month. */
  rate_per_unit: decimal.nullable(),
  currency,
  amount: decimal,
  /** What it is made of, in a sentence. */
  reason: z.string(),
  /** How a charge differs from the month before, and why, in a sentence. Null where nothing is known of that month. */
  why_changed: z.string().nullable(),
}
export const BillingLine = z.object({ id, ...line, billing_run_id: id, created_at: moment }).meta({ id: 'BillingLine' })
export const DrawnLine = z.object({ ...line, nights: z.array(BilledNight) }).meta({ id: 'DrawnBillingLine' })
export const BillingNight = z
  .object({
    id,
    ...BilledNight.shape,
    property_id: id,
    /** Of a correction: as it was billed before. */
    was: BilledNight.pick({
      total_units: true,
      occupied_units: true,
      billable_units: true,
      percentage: true,
      rate_per_unit: true,
      currency: true,
    }).nullable(),
    created_at: moment,
  })
  .meta({ id: 'BillingNight' })

/** Reckons and stores nothing. */
export const previewRun = read(
  '/billing-runs-preview',
  z
    .object({
      ...places,
      ...period,
      /** What if: all nights of the period, billed or not, as if these were their terms. */
      overrides: z
        .object({
          minimum_billable_percentage: percentage.nullish(),
          holiday_billable_percentage: percentage.nullish(),
          rate_per_unit: money.nullish(),
          total_units: count.nullish(),
        })
        .nullish(),
      /** False: the lines alone. */
      with_nights: z.boolean().default(true),
    })
    .refine(inOrder, backwards)
    .refine(notTooLong, long),
  z.object({ data: z.array(DrawnLine), meta: z.object({ totals: z.array(Total), ...RunGaps.shape }) }),
)
export const runList = read(
  '/billing-runs',
  listOf({ status: anyOf(z.enum(runStatuses)) }, {}, [
    '-created_at',
    'created_at',
    '-period_start',
    'period_start',
    'name',
    '-name',
  ]),
  page(BillingRun),
)
export const getRun = read('/billing-runs/{id}', byId('billing_runs'), OneBillingRun)
/** A draft: its lines and nights stand as they are now. */
export const createRun = write(
  '/billing-runs-create',
  z
    .object({ name: text().nullish(), ...places, ...period })
    .refine(inOrder, backwards)
    .refine(notTooLong, long),
  OneBillingRun,
)
/** Makes a draft's lines and nights anew from what the ledger says now. */
export const redraftRun = write('/billing-runs-redraft', byId('billing_runs'), OneBillingRun)
/** Freezes a draft for ever. Refused where the ledger says something else by now, or a night is not known or not over. */
export const approveRun = write('/billing-runs-approve', byId('billing_runs'), OneBillingRun)
/** Of a draft. What is approved stays. */
export const removeRun = removal('/billing-runs-delete/{id}', byId('billing_runs'), done)
/** The statement: each line with all its nights, of one property or of all. */
export const exportRun = produced(
  '/billing-runs-export',
  byId('billing_runs').extend({
    /** One that the run has lines of, removed or not. */
    property_id: id.nullish(),
    format: z.enum(reportFormats).default('xlsx'),
  }),
  fileContent,
)

export const lineList = read(
  '/billing-lines',
  listOf(
    { kind: anyOf(z.enum(lineKinds)), property_id: anyOf(id) },
    { billing_run_id: ref('billing_runs').optional() },
    ['-created_at', 'created_at', 'property_name', '-property_name', 'month', '-month'],
  ),
  page(BillingLine),
)
export const billedNightList = read(
  '/billing-nights',
  listOf({ property_id: anyOf(id) }, { billing_line_id: ref('billing_lines').optional() }, [
    '-created_at',
    'created_at',
    'night',
    '-night',
  ]),
  page(BillingNight),
)
