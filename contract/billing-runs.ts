// Billing runs: what properties owe for a period. A run is drafted from the ledger of nights, reviewed, and frozen by approval; each
// line can be opened to see its nights.
import { daysIn } from './days.ts'
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
  storedDay,
} from './shapes.ts'

const { read, write, removal, produced } = callsOf('billing')

export const runStatuses = ['draft', 'approved'] as const
export const lineKinds = ['charge', 'correction'] as const
/** The longest period, counting its first and last day. */
export const period_days_max = 366

const last_before_first = 'The last day cannot be before the first.'
const too_long = `A run is of at most ${period_days_max} days.`

/** The places are combined (union); without any, all of the customer's properties, including removed ones. */
const places = {
  /** May name removed properties, too. */
  property_ids: z.array(id).max(5000).default([]),
  group_ids: z.array(ref('groups')).max(5000).default([]),
  collection_ids: z.array(ref('collections')).max(5000).default([]),
}
/** Both days are billed. It may begin and end in the middle of a month. */
const period = { period_start: storedDay, period_end: storedDay }

interface Period {
  period_start: string
  period_end: string
}
const inOrder = ({ period_start, period_end }: Period) => period_end >= period_start
const notTooLong = ({ period_start, period_end }: Period) => daysIn(period_start, period_end) <= period_days_max
const backwards = { path: ['period_end'], message: last_before_first }
const long = { path: ['period_end'], message: too_long }

/** A decimal with the currency's number of places: `1240.50`. */
export const decimal = z.string()
const Total = z.object({ currency, amount: decimal })

/** Consecutive nights of one property, and why they cannot be billed yet. */
const Gap = z.object({
  property: z.object({ id, name: z.string() }),
  from: day,
  to: day,
  nights: count,
  because: z.string(),
})
export const RunGaps = z.object({
  /** It is not known what was let: a person enters the figures by `/occupancy-nights-correct`. */
  unknown: z.array(Gap),
  /** Nights that are over, and not recorded yet: this takes a few minutes, or longer after an outage. */
  not_written: z.array(Gap),
  /** The present night, and those of the future. */
  not_over: z.array(Gap),
})

export const BillingRun = z
  .object({
    id,
    name: z.string(),
    ...period,
    status: z.enum(runStatuses),
    /** Number of properties it has lines for. */
    properties: count,
    /** One for each currency. */
    totals: z.array(Total),
    approved_at: moment.nullable(),
    approved_by: z.string().nullable(),
    /**
     * Number of its drafts in the accounting system, by state. `gone`: deleted or voided there, and not recreated. `unsent`: lines with
     * an amount that are in no draft.
     */
    drafts: z.object({ waiting: count, sent: count, failed: count, gone: count, unsent: count }),
    created_at: moment,
  })
  .meta({ id: 'BillingRun' })
export const OneBillingRun = z
  .object({
    ...BillingRun.shape,
    ...RunGaps.shape,
    /** Stands for its lines as they are, and is another one where they are others. */
    mark: z.string(),
    /** A draft whose figures have changed since: recalculate it before approving it. */
    outdated: z.boolean(),
  })
  .meta({ id: 'OneBillingRun' })

/** The amount of one night. */
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
/** One property in one month, in one currency. */
const line = {
  kind: z.enum(lineKinds),
  /** Its name in that month. No id: it was erased. */
  property: z.object({ id: id.nullable(), name: z.string() }),
  /** The first day of the month. */
  month: day,
  days_in_month: count,
  /** Billable units, summed over the nights; for a correction, the difference. */
  unit_days: z.int(),
  /** Nights whose rate or total units are 0, so that nothing is owed for them. */
  unrated_nights: count,
  /** Per unit and calendar month. Null if it changed within the month. */
  rate_per_unit: decimal.nullable(),
  currency,
  amount: decimal,
  /** How it is made up, as a sentence. */
  reason: z.string(),
  /** How and why a charge differs from the month before, as a sentence. Null if nothing is known of that month. */
  why_changed: z.string().nullable(),
}
export const BillingLine = z.object({ id, ...line, billing_run_id: id, created_at: moment }).meta({ id: 'BillingLine' })
export const DrawnLine = z.object({ ...line, nights: z.array(BilledNight) }).meta({ id: 'DrawnBillingLine' })
export const BillingNight = z
  .object({
    id,
    ...BilledNight.shape,
    property_id: id,
    /** For a correction: as it was billed before. */
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

/** Without a rate or without units: it comes to nothing, however many rooms are let. */
export const isUnrated = ({ rate_per_unit, total_units }: { rate_per_unit: string; total_units: number }) =>
  Number(rate_per_unit) === 0 || total_units === 0

/** Calculates, and stores nothing. */
export const previewRun = read(
  '/billing-runs-preview',
  z
    .object({
      ...places,
      ...period,
      /** What if: all nights of the period, billed or not, as if these terms applied. */
      overrides: z
        .object({
          minimum_billable_percentage: percentage.nullish(),
          holiday_billable_percentage: percentage.nullish(),
          rate_per_unit: money.nullish(),
          total_units: count.nullish(),
        })
        .nullish(),
      /** False: only the lines. */
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
/** A draft: its lines and nights are a copy of the current ones. */
export const createRun = write(
  '/billing-runs-create',
  z
    .object({ name: text().nullish(), ...places, ...period })
    .refine(inOrder, backwards)
    .refine(notTooLong, long),
  OneBillingRun,
)
/** Recalculates a draft's lines and nights from the current ledger. */
export const redraftRun = write('/billing-runs-redraft', byId('billing_runs'), OneBillingRun)
/** Freezes a draft permanently. Refused if the ledger has changed since, or a night is not known, not recorded or not over. */
export const approveRun = write(
  '/billing-runs-approve',
  byId('billing_runs').extend({
    /** The run's mark as it was read. Where its lines are others by now, nothing is frozen: 409. */
    mark: text().nullish(),
  }),
  OneBillingRun,
)
/** Deletes a draft. An approved run cannot be deleted. */
export const removeRun = removal('/billing-runs-delete/{id}', byId('billing_runs'), done)
/** The statement: each line with all its nights, for one property or for all. */
export const exportRun = produced(
  '/billing-runs-export',
  byId('billing_runs').extend({
    /** A property the run has lines for, removed or not. */
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
