// Runs: makes lines for properties and a period, stores them as a draft, and freezes them.
import { addDays, daysIn } from '#contract/days.ts'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { clash, invalid } from '#server/errors/refused.ts'
import { monthOf } from './formula.ts'
import { changedSince, gapsOf, holdLedgers, nightsOf, nights_max, type Gaps, type Period } from './ledger.ts'
import { chargesOf, correctionsOf, shownNight, type LedgerNight, type BilledLine } from './lines.ts'
import { whyChanged } from './why-changed.ts'
import { dayName } from './words.ts'

export interface Overrides {
  minimum_billable_percentage?: number | null | undefined
  holiday_billable_percentage?: number | null | undefined
  /** A decimal. */
  rate_per_unit?: string | null | undefined
  total_units?: number | null | undefined
}

const inOrder = (one: BilledLine, other: BilledLine) =>
  one.property_name.localeCompare(other.property_name, 'en') ||
  one.property_id - other.property_id ||
  one.month.localeCompare(other.month) ||
  one.kind.localeCompare(other.kind) ||
  one.currency.localeCompare(other.currency)

function refuseTooMany(ids: readonly number[], { period_start, period_end }: Period) {
  const days = daysIn(period_start, period_end)
  if (days * ids.length > nights_max)
    throw invalid({
      period_end: ['These are too many nights for one run. Choose fewer properties or a shorter period.'],
    })
}

/** What these properties owe for a period: nights that are in no approved run, and corrections of billed ones that have changed. */
export async function draw(scope: Scope, ids: readonly number[], period: Period): Promise<BilledLine[]> {
  refuseTooMany(ids, period)
  const charges = await explained(scope, chargesOf(await nightsOf(scope, ids, period, { billed_too: false })))
  const { nights, billed } = await changedSince(scope, ids)
  return [...charges, ...correctionsOf(nights, billed)].toSorted(inOrder)
}

/** Charges for all nights of the period, billed or not, with other terms. */
export async function drawAs(
  scope: Scope,
  ids: readonly number[],
  period: Period,
  overrides: Overrides,
): Promise<BilledLine[]> {
  refuseTooMany(ids, period)
  const given = Object.entries(overrides).flatMap(([name, value]) =>
    value == null ? [] : [[name, name === 'total_units' ? value : String(value)] as const],
  )
  const terms: Partial<LedgerNight> = Object.fromEntries(given)
  const nights = await nightsOf(scope, ids, period, { billed_too: true })
  return chargesOf(nights.map((night) => ({ ...night, ...terms }))).toSorted(inOrder)
}

/** Adds to each charge a sentence that explains how it differs from the month before. */
async function explained(scope: Scope, charges: BilledLine[]): Promise<BilledLine[]> {
  const months = charges.map(({ month }) => month).toSorted()
  const [first, last] = [months[0], months.at(-1)]
  if (first === undefined || last === undefined) return charges
  const period_start = monthOf(addDays(first, -1))
  const ids = [...new Set(charges.map(({ property_id }) => property_id))]
  const nights = await nightsOf(scope, ids, { period_start, period_end: addDays(last, -1) }, { billed_too: true })
  const key = (property_id: number, month: string, currency: string) => `${property_id} ${month} ${currency}`
  const before = Map.groupBy(nights, (night) => key(night.property_id, monthOf(night.night), night.currency))
  return charges.map((line) => {
    const former = before.get(key(line.property_id, monthOf(addDays(line.month, -1)), line.currency)) ?? []
    return { ...line, why_changed: whyChanged(line.nights, former) }
  })
}

/** Replaces the lines of a draft, with their nights. */
export async function keepLines(scope: Scope, run_id: number, lines: readonly BilledLine[]): Promise<void> {
  await scope.unlink('billing_lines', { billing_run_id: run_id })
  const rows = lines.map(({ nights: _, ...line }) => line)
  const kept = await scope.run(sql<{
    id: number
    property_id: number | null
    month: string
    currency: string
    kind: string
  }>`
    insert into billing_lines (customer_id, billing_run_id, kind, property_id, property_name, group_id, accounting_contact_id, month,
      days_in_month, unit_days, rate_per_unit, currency, amount, reason, why_changed)
    select ${scope.customer_id}, ${run_id}, l.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l(kind text, property_id integer, property_name text,
      group_id integer, accounting_contact_id integer, month date, days_in_month integer, unit_days integer, rate_per_unit numeric,
      currency text, amount numeric, reason text, why_changed text)
    returning id, property_id, month::text, currency, kind`)
  const key = (line: Pick<BilledLine, 'kind' | 'property_id' | 'month' | 'currency'> | (typeof kept)[number]) =>
    [line.property_id, line.month, line.currency, line.kind].join()
  const ids = new Map(kept.map((line) => [key(line), line.id]))
  const nights = lines.flatMap((line) =>
    line.nights.map((night) => ({
      ...shownNight(night),
      billing_line_id: ids.get(key(line)),
      property_id: line.property_id,
      version: night.version,
      kind: line.kind,
      rate_per_unit: night.rate_per_unit,
    })),
  )
  await scope.run(sql`
    insert into billing_nights (customer_id, billing_run_id, billing_line_id, property_id, night, version, kind, total_units,
      occupied_units, floor_units, billable_units, percentage, is_holiday, holiday, rate_per_unit, currency, reason, room_numbers)
    select ${scope.customer_id}, ${run_id}, n.*
    from jsonb_to_recordset(${JSON.stringify(nights)}::jsonb) as n(billing_line_id integer, property_id integer, night date,
      version integer, kind text, total_units integer, occupied_units integer, floor_units integer, billable_units integer,
      percentage numeric, is_holiday boolean, holiday text, rate_per_unit numeric, currency text, reason text, room_numbers text[])
    order by n.billing_line_id, n.night`)
}

/** Identifies the content of a line: the same versions of the same nights have the same amount. */
interface Mark {
  property_id: number | null
  month: string
  currency: string
  kind: string
  amount: string
  /** `2026-10-01 1`: a night and its version. */
  nights: string[]
}

async function keptMarks(scope: Scope, run_id: number): Promise<Mark[]> {
  return scope.run(sql<Mark>`
    select t.property_id, t.month::text, t.currency, t.kind, t.amount::text,
      array(select n.night || ' ' || n.version from billing_nights as n where n.customer_id = t.customer_id
        and n.billing_line_id = t.id and ${scope.inReach('billing_nights', 'n')} order by n.night) as nights
    from billing_lines as t where t.billing_run_id = ${run_id} and ${scope.inReach('billing_lines', 't')}`)
}

const marksOf = (lines: readonly BilledLine[]): Mark[] =>
  lines.map(({ property_id, month, currency, kind, amount, nights }) => ({
    property_id,
    month,
    currency,
    kind,
    amount,
    nights: nights.map(({ night, version }) => `${night} ${version}`),
  }))

const sorted = (marks: Mark[]) => marks.map((mark) => JSON.stringify(mark)).toSorted()

export interface DraftRun extends Period {
  id: number
  property_ids: number[]
}

/** Whether the ledger has changed since the draft was made. */
export async function isOutdated(scope: Scope, run: DraftRun): Promise<boolean> {
  const drawn = marksOf(await draw(scope, run.property_ids, run))
  const kept = (await keptMarks(scope, run.id)).map(({ property_id, month, currency, kind, amount, nights }): Mark => ({
    property_id,
    month,
    currency,
    kind,
    amount,
    nights,
  }))
  return !isDeepStrictEqual(sorted(drawn), sorted(kept))
}

const nights = ({ from, to }: Gaps['unknown'][number]) =>
  from === to ? dayName(from) : `${dayName(from)} to ${dayName(to)}`
const named = (gaps: Gaps['unknown']) => {
  const [first] = gaps
  if (!first) return ''
  const more = gaps.length > 1 ? `, and ${gaps.length - 1} more` : ''
  return `${first.property.name}, ${nights(first)}${more}`
}

/** Freezes a draft, in the scope's transaction: its ledgers are locked, and it must still agree with them. */
export async function freeze(scope: Scope, run: DraftRun, by: { user_id: number | null; name: string }): Promise<void> {
  await holdLedgers(scope, run.property_ids)
  const { unknown, not_written, not_over } = await gapsOf(scope, run.property_ids, run)
  if (unknown.length > 0)
    throw clash(
      `The number of rooms let is missing: ${named(unknown)}. Enter the figures for these nights, then recalculate the run.`,
    )
  if (not_written.length > 0)
    throw clash(
      `Foyer has not recorded these nights yet, although they are over: ${named(not_written)}. Approve the run when it has.`,
    )
  if (not_over.length > 0) throw clash(`The period is not over: ${named(not_over)}.`)
  if (await isOutdated(scope, run))
    throw clash(
      'The figures have changed since this draft was made. Recalculate it, and check it before you approve it.',
    )
  const lines = await scope.run(sql<{ count: number }>`
    select count(*)::integer as count from billing_lines as t
    where t.billing_run_id = ${run.id} and ${scope.inReach('billing_lines', 't')}`)
  if (lines[0]?.count === 0) throw clash('There is nothing to bill in this run.')
  await scope.change('billing_nights', sql<boolean>`t.billing_run_id = ${run.id}`, { approved: true })
  await scope.change('billing_runs', [run.id], {
    approved_at: sql`now()`,
    approved_by_user_id: by.user_id,
    approved_by: by.name,
  })
}
