// Statement: a run as a file: each line with its amount, followed by each of its nights. Only lines have amounts, so that their column
// adds up to the run.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { invalid } from '#server/errors/refused.ts'
import { writeTable } from '#server/tables/write.ts'
import type { Column, Format, MadeFile, TableFile } from '#server/tables/table.ts'
import { amountText } from './formula.ts'
import type { Period } from './ledger.ts'
import { mostPlaces, totalsOf, type BilledLine } from './lines.ts'
import { monthName } from './words.ts'

/** Reads more after the transaction of the call has ended. */
type Later = <R>(work: (scope: Scope) => Promise<R>) => Promise<R>

interface StatedRun {
  id: number
  name: string
  period_start: string
  period_end: string
  approved_at: string | null
  approved_by: string | null
}
type Stated = Omit<BilledLine, 'property_id' | 'group_id' | 'accounting_contact_id' | 'why_changed' | 'nights'>
type StatedLine = Stated & { id: number }
interface StatedNight {
  billing_line_id: number
  night: string
  total_units: number
  occupied_units: number
  percentage: string | number
  floor_units: number
  billable_units: number
  reason: 'occupied' | 'minimum' | 'holiday'
  holiday: string | null
  rate_per_unit: string
  currency: string
  room_numbers: string[]
}
/** A line, or one of its nights. */
export type StatedRow = Stated & { of: Omit<StatedNight, 'billing_line_id'> | null }

const lines_at_once = 40

const kinds = { charge: 'Charge', correction: 'Correction' }
const reasons = { occupied: 'Rooms let', minimum: 'Minimum', holiday: 'Holiday' }

const columnsOf = (places: number): Column<StatedRow>[] => [
  { key: 'property', title: 'Property', kind: 'text', value: (row) => row.property_name },
  { key: 'month', title: 'Month', kind: 'text', value: (row) => row.month.slice(0, 7) },
  { key: 'row', title: 'Row', kind: 'text', value: ({ of, kind }) => (of ? 'Night' : kinds[kind]) },
  { key: 'night', title: 'Night', kind: 'date', value: ({ of }) => of?.night },
  { key: 'total_units', title: 'Units', kind: 'number', value: ({ of }) => of?.total_units },
  { key: 'occupied_units', title: 'Let', kind: 'number', value: ({ of }) => of?.occupied_units },
  { key: 'percentage', title: 'Percent', kind: 'number', value: ({ of }) => of && String(Number(of.percentage)) },
  { key: 'floor_units', title: 'At least', kind: 'number', value: ({ of }) => of?.floor_units },
  {
    key: 'billable_units',
    title: 'Billed',
    kind: 'number',
    value: ({ of, unit_days }) => of?.billable_units ?? unit_days,
  },
  {
    key: 'reason',
    title: 'Reason',
    kind: 'text',
    value: ({ of, reason }) =>
      of ? (of.reason === 'holiday' ? (of.holiday ?? reasons.holiday) : reasons[of.reason]) : reason,
  },
  { key: 'rooms', title: 'Rooms', kind: 'text', value: ({ of }) => of?.room_numbers.join(' ') },
  {
    key: 'rate',
    title: 'Rate',
    kind: 'money',
    places,
    value: ({ of, rate_per_unit }) => (of ? amountText(of.rate_per_unit, of.currency) : rate_per_unit),
  },
  { key: 'days', title: 'Days', kind: 'number', value: ({ of, days_in_month }) => (of ? null : days_in_month) },
  { key: 'currency', title: 'Currency', kind: 'text', value: (row) => row.currency },
  { key: 'amount', title: 'Amount', kind: 'money', places, value: ({ of, amount }) => (of ? null : amount) },
]

interface Bill {
  title: string
  file_name: string
  /** Shown first: whose statement it is. */
  head: TableFile<StatedRow>['asked']
  period: Period
  lines: readonly Stated[]
  pages: TableFile<StatedRow>['pages']
  /** Shown last: the state of the bill. */
  foot: TableFile<StatedRow>['asked']
}

/** The table of a statement, whatever the source of its lines and nights. */
export function billTable({ title, file_name, head, period, lines, pages, foot }: Bill): TableFile<StatedRow> {
  const totals = totalsOf(lines)
  const [only] = totals
  return {
    title,
    file_name,
    asked: [
      ...head,
      { label: 'First night', value: period.period_start },
      { label: 'Last night', value: period.period_end },
      { label: 'Months', value: [...new Set(lines.map(({ month }) => monthName(month)))].join(', ') },
      ...totals.map(({ currency, amount }) => ({ label: `Total ${currency}`, value: amount })),
      ...foot,
    ],
    columns: columnsOf(mostPlaces(totals.map(({ amount }) => amount))),
    pages,
    ...(only && totals.length === 1 ? { totals: { amount: only.amount } } : {}),
    zone: 'UTC',
  }
}

/**
 * `run`: locked, so that a draft is not calculated anew between its lines and their nights. `property_id`: only that property's
 * statement.
 */
export async function statementOf(
  scope: Scope,
  later: Later,
  run: StatedRun,
  { format, property_id }: { format: Format; property_id: number | null },
): Promise<MadeFile> {
  const lines = await scope.run(sql<StatedLine>`
    select t.id, t.property_name, t.month::text, t.kind, t.days_in_month, t.unit_days, t.rate_per_unit::text, t.currency,
      t.amount::text, t.reason
    from billing_lines as t
    where t.billing_run_id = ${run.id} and (${property_id}::integer is null or t.property_id = ${property_id})
      and ${scope.inReach('billing_lines', 't')}
    order by t.property_name, t.property_id, t.month, t.kind, t.currency`)
  if (property_id !== null && lines.length === 0)
    throw invalid({ property_id: ['This run has no lines of the property.'] })
  const ofDraft = run.approved_at === null ? await nightsOfLines(scope, lines) : null
  async function* pages(): AsyncGenerator<StatedRow[]> {
    for (let from = 0; from < lines.length; from += lines_at_once) {
      const these = lines.slice(from, from + lines_at_once)
      const nights = ofDraft ?? (await later((reader) => nightsOfLines(reader, these)))
      yield these.flatMap((line): StatedRow[] => [
        { ...line, of: null },
        ...(nights.get(line.id) ?? []).map((night) => ({ ...line, of: night })),
      ])
    }
  }
  const [customer] = await scope.run(sql<ColumnsOf<'customers', 'name'>>`
    select c.name from customers as c where c.id = ${scope.customer_id}`)
  const of = property_id === null ? [] : lines.slice(0, 1)
  const table = billTable({
    title: run.approved_at === null ? 'Statement (draft)' : 'Statement',
    file_name: ['Statement', ...of.map(({ property_name }) => property_name), run.name].join(' '),
    head: [
      { label: 'Statement', value: run.name },
      { label: 'Customer', value: customer?.name ?? '' },
      ...of.map(({ property_name }) => ({ label: 'Property', value: property_name })),
    ],
    period: run,
    lines,
    pages: pages(),
    foot: [
      run.approved_at === null
        ? { label: 'State', value: 'Draft: not approved, and may change' }
        : { label: 'Approved', value: `${run.approved_at}, ${run.approved_by}` },
    ],
  })
  return writeTable(format, table)
}

async function nightsOfLines(scope: Scope, lines: readonly StatedLine[]): Promise<Map<number, StatedNight[]>> {
  const ids = lines.map(({ id }) => id)
  const nights = await scope.run(sql<StatedNight>`
    select t.billing_line_id, t.night::text, t.total_units, t.occupied_units, t.percentage::text, t.floor_units, t.billable_units,
      t.reason, t.holiday, t.rate_per_unit::text, t.currency, t.room_numbers
    from billing_nights as t where t.billing_line_id = any(${ids}) and ${scope.inReach('billing_nights', 't')}
    order by t.billing_line_id, t.night`)
  return Map.groupBy(nights, ({ billing_line_id }) => billing_line_id)
}
