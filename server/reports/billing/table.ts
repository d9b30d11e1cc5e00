// Billing report: the statement of a period as its nights are now, whether or not they are in an approved run. It is sent by a
// schedule or downloaded; the screens show and save bills through the billing calls.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { countBilled, gapsOf, propertiesOf, type Gap, type Period } from '#server/billing/ledger.ts'
import { shownNight, type BilledLine } from '#server/billing/lines.ts'
import { drawAs } from '#server/billing/runs.ts'
import { billTable, type StatedRow } from '#server/billing/statement.ts'
import type { ReportQuery } from '#server/reports/asked.ts'
import { completenessOf } from '#server/reports/completeness.ts'
import type { OpenedReport } from '#server/reports/kind.ts'
import { writerOf } from '#server/reports/writer.ts'

const lines_at_once = 40

/** A removed property keeps the nights it had. Unknown nights are listed, but not included. */
export async function billingReport(scope: Scope, query: ReportQuery): Promise<OpenedReport> {
  const [customer] = await scope.run(sql<{ name: string; zone: string }>`
    select c.name, c.time_zone as zone from customers as c where c.id = ${scope.customer_id}`)
  if (!customer) throw new Error('a scope has a customer')
  const { first, last } = query.daysIn(customer.zone)
  const period: Period = { period_start: first, period_end: last }
  const properties = await propertiesOf(scope, query.ids, period)
  const lines = await drawAs(scope, properties, period, {})
  const nights = lines.reduce((sum, line) => sum + line.nights.length, 0)
  const { unknown, not_written, not_over } = await gapsOf(scope, properties, period)
  const { complete_to, missing } = await completenessOf(scope, { ...query, waits_for: 'nights' }, { first, last })
  const table = billTable({
    title: 'Statement',
    file_name: `${query.name} ${first} ${last}`,
    head: [
      { label: 'Statement', value: query.name },
      { label: 'Customer', value: customer.name },
    ],
    period,
    lines,
    pages: pagesOf(lines),
    foot: [
      { label: 'Complete to', value: complete_to },
      { label: 'State', value: stateOf(await countBilled(scope, properties, period), nights) },
      ...[...unknown, ...not_written, ...not_over].map((gap) => ({ label: 'Not in it', value: gapText(gap) })),
      { label: 'Made', value: new Date().toISOString() },
    ],
  })
  return { write: writerOf(table), rows: lines.length + nights, first, last, complete_to, missing }
}

function* pagesOf(lines: readonly BilledLine[]): Generator<StatedRow[]> {
  for (let from = 0; from < lines.length; from += lines_at_once)
    yield lines
      .slice(from, from + lines_at_once)
      .flatMap((line): StatedRow[] => [
        { ...line, of: null },
        ...line.nights.map((night) => ({ ...line, of: shownNight(night) })),
      ])
}

function stateOf(billed: number, nights: number): string {
  if (billed === 0) return 'No bill of these nights is approved yet'
  return billed === nights ? 'All of these nights are billed' : `${billed} of ${nights} nights are billed`
}

const gapText = ({ property, from, to, because }: Gap) =>
  `${property.name}, ${from === to ? from : `${from} to ${to}`}. ${because}`
