// Billing reports: a statement that is downloaded or sent by a schedule agrees with the billing calls; and who may see bills.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as billing from '#contract/billing-runs.ts'
import * as runs from '#contract/report-runs.ts'
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { invalid } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { later, sinceDay, writeNights } from '#test/nights.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
let property: { id: number; name: string }
let period: { period_start: string; period_end: string }
beforeAll(async () => {
  foyer = await openFoyer({ env: { ROLES: 'all' } })
  editor = await foyer.customer()
  const terms = { total_units: 10, rate_per_unit: 12, minimum_billable_percentage: 60, currency: 'GBP' }
  property = await foyer.property(editor, terms)
  // A bill is of days of the customer, whose month may still be that of before at the property.
  const [{ today } = { today: '' }] = await foyer.query<{ today: string }>(
    'select local_day(now(), time_zone)::text as today from customers where id = $1',
    [editor.user.customer.id],
  )
  const period_end = later(`${today.slice(0, 7)}-01`, -1)
  period = { period_start: `${period_end.slice(0, 7)}-01`, period_end }
  await sinceDay(foyer, property.id, period.period_start)
  await writeNights(foyer)
})
afterAll(() => foyer.close())

const nights = () => (Date.parse(period.period_end) - Date.parse(period.period_start)) / 86_400_000 + 1
const asked = { kind: 'billing', date_range: 'last_month', format: 'csv' } as const
const rowsOf = (bytes: Buffer) => bytes.toString().trim().split(/\r?\n/).slice(1)

test('a statement has the line that the preview has, and below it every night', async () => {
  const { data: drawn } = await foyer.get(billing.previewRun, { property_ids: [property.id], ...period }, editor)
  const { bytes } = await foyer.file(reports.exportFile, asked, editor)
  const [line = '', ...rest] = rowsOf(bytes)
  expect(line).toContain(property.name)
  expect(line).toContain(drawn[0]?.amount)
  expect(rest).toHaveLength(nights())
})

test('it says the same once the nights are in an approved run', async () => {
  const before = rowsOf((await foyer.file(reports.exportFile, asked, editor)).bytes)
  const { data: run } = await foyer.get(billing.createRun, { property_ids: [property.id], ...period }, editor)
  await foyer.get(billing.approveRun, { id: run.id }, editor)
  expect((await foyer.get(billing.previewRun, { property_ids: [property.id], ...period }, editor)).data).toEqual([])
  expect(rowsOf((await foyer.file(reports.exportFile, asked, editor)).bytes)).toEqual(before)
})

test('a schedule makes it for its own period', async () => {
  const monthly = {
    name: 'Statements',
    kind: 'billing',
    frequency: 5,
    start_date: '2026-01-02',
    format: 'csv',
  } as const
  const { data: report } = await foyer.get(
    scheduled.create,
    { ...monthly, date_range: 'last_month', recipients: ['accounts@example.com'] },
    editor,
  )
  const { data: run } = await foyer.get(runs.runNow, { id: report.id }, editor)
  const made = async () => (await foyer.get(runs.getRun, { id: run.id }, editor)).data
  await expect.poll(async () => (await made()).outcome, { timeout: 120_000, interval: 200 }).toBe('done')
  expect(await made()).toMatchObject({ ...period, row_count: nights() + 1, progress: 100 })
  const { bytes } = await foyer.file(runs.downloadRun, { id: run.id }, editor)
  expect(rowsOf(bytes)).toEqual(rowsOf((await foyer.file(reports.exportFile, asked, editor)).bytes))
})

test('it is filtered by places alone, and its rows come from the billing calls', async () => {
  const { id: package_id } = await foyer.package(editor)
  const narrowed = await foyer.ask(reports.exportFile, { ...asked, package_ids: [package_id] }, editor)
  expectRefused(
    narrowed,
    invalid({ package_ids: ['A statement can only be narrowed by properties, groups and collections'] }),
  )
  const { format: _, ...shown } = asked
  expectRefused(
    await foyer.ask(reports.run, shown, editor),
    invalid({
      kind: ['What a period comes to is answered by /billing-runs-preview, and a statement by /reports-export'],
    }),
  )
})

test('no API key can have one made, whoever owns the key', async () => {
  const group = await foyer.group(editor)
  const keys = [await foyer.apiKey(editor), await foyer.apiKey(editor, { group_id: group.id })]
  for (const { program } of keys)
    for (const [endpoint, ask] of [
      [reports.exportFile, asked],
      [scheduled.create, { name: 'Statements', kind: 'billing' }],
    ] as const) {
      const { status } = await foyer.ask(endpoint, ask, program)
      expect([403, 422]).toContain(status)
    }
})
