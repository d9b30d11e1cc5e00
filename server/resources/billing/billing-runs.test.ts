// Billing runs: what a preview says, what a draft keeps, what an approved run freezes, and how later changes are billed.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as billing from '#contract/billing-runs.ts'
import * as nights from '#contract/occupancy-nights.ts'
import * as properties from '#contract/properties.ts'
import { refusals, selectedIdsInvalid, selectedInvalid } from '#contract/errors.ts'
import { amountOf, sumOf } from '#server/billing/formula.ts'
import { clash, invalid, notFound } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { inDatabase, later, sinceDay, todayAt, writeNights } from '#test/nights.ts'
import { expectRefused, expectRefusedBut } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

/** A property whose ledger has every night since the first of the month before last. */
async function aLedger(values: Parameters<TestFoyer['property']>[1] = {}) {
  const terms = { total_units: 10, rate_per_unit: 12, minimum_billable_percentage: 60, currency: 'GBP' }
  const property = await foyer.property(editor, { ...terms, ...values })
  const today = await todayAt(foyer, property.id)
  const month = `${later(`${today.slice(0, 7)}-01`, -1).slice(0, 7)}-01`
  const former = `${later(month, -1).slice(0, 7)}-01`
  await sinceDay(foyer, property.id, former)
  await writeNights(foyer)
  const period_end = later(`${today.slice(0, 7)}-01`, -1)
  return { ...property, today, month, former, period: { period_start: month, period_end } }
}
type Ledger = Awaited<ReturnType<typeof aLedger>>

const preview = async ({ id, period }: Pick<Ledger, 'id' | 'period'>, more = {}) =>
  foyer.get(billing.previewRun, { property_ids: [id], ...period, ...more }, editor)
const draft = async ({ id, period }: Pick<Ledger, 'id' | 'period'>, more = {}) =>
  (await foyer.get(billing.createRun, { property_ids: [id], ...period, ...more }, editor)).data
const approve = async (id: number) => (await foyer.get(billing.approveRun, { id }, editor)).data
const linesOf = async (billing_run_id: number) =>
  (await foyer.get(billing.lineList, { params: { billing_run_id }, per_page: 200 }, editor)).data
const nightsOf = async (billing_line_id: number) =>
  (await foyer.get(billing.billedNightList, { params: { billing_line_id }, per_page: 200 }, editor)).data
const correction = (property_id: number, night: string, occupied_units: number) => ({
  property_id,
  night,
  occupied_units,
  note: 'Counted again',
})
const correct = async (property_id: number, night: string, occupied_units: number, more = {}) =>
  foyer.get(nights.correctNight, { ...correction(property_id, night, occupied_units), ...more }, editor)
const daysOf = ({ period_start, period_end }: Ledger['period']) =>
  (Date.parse(period_end) - Date.parse(period_start)) / 86_400_000 + 1

test('a preview says what a month comes to, and stores nothing', async () => {
  const ledger = await aLedger()
  await correct(ledger.id, ledger.month, 9)
  const { data, meta } = await preview(ledger)
  const days = daysOf(ledger.period)
  const amount = sumOf([amountOf((data[0]?.nights ?? []).map(asFormula), 'GBP')])
  expect(data).toMatchObject([
    {
      kind: 'charge',
      property: { id: ledger.id, name: ledger.name },
      month: ledger.month,
      days_in_month: days,
      unit_days: 6 * days + 3,
      rate_per_unit: '12.00',
      currency: 'GBP',
      amount,
      reason: `1 night by rooms let, ${days - 1} nights at the minimum.`,
    },
  ])
  expect(data[0]?.nights).toHaveLength(days)
  expect(data[0]?.why_changed).toMatch(/^GBP \d+\.\d\d (more|less) than in |^The same as in /)
  expect(meta).toEqual({ totals: [{ currency: 'GBP', amount }], unknown: [], not_written: [], not_over: [] })
  expect((await foyer.get(billing.runList, {}, editor)).data).toEqual([])
  const { data: bare } = await preview(ledger, { with_nights: false })
  expect(bare).toEqual(data.map((line) => ({ ...line, nights: [] })))
})
const asFormula = (night: {
  night: string
  total_units: number
  occupied_units: number
  is_holiday: boolean
  percentage: number
  rate_per_unit: string
}) => ({
  ...night,
  minimum_billable_percentage: String(night.percentage),
  holiday_billable_percentage: String(night.percentage),
})

test('a draft keeps its lines and nights; approved, it is frozen, and its nights are billed once', async () => {
  const ledger = await aLedger()
  const run = await draft(ledger)
  expect(run).toMatchObject({ status: 'draft', properties: 1, approved_at: null, outdated: false, unknown: [] })
  const approved = await approve(run.id)
  expect(approved).toMatchObject({ status: 'approved', approved_by: editor.user.name, totals: run.totals })
  // A retry after a lost answer.
  expect(await approve(run.id)).toEqual(approved)
  const [line] = await linesOf(run.id)
  expect(line).toMatchObject({ kind: 'charge', amount: run.totals[0]?.amount, billing_run_id: run.id })
  const kept = await nightsOf(line?.id ?? 0)
  expect(kept.map(({ night }) => night)).toEqual(
    Array.from({ length: daysOf(ledger.period) }, (_, index) => later(ledger.month, index)),
  )
  expect(amountOf(kept.map(asFormula), 'GBP')).toBe(line?.amount)
  // The same period has nothing more to bill, and an approved run can be neither removed nor changed.
  expect((await preview(ledger)).data).toEqual([])
  expectRefused(
    await foyer.ask(billing.createRun, { property_ids: [ledger.id], ...ledger.period }, editor),
    invalid({ period_end: ['Everything in this period has already been billed.'] }),
  )
  expectRefused(
    await foyer.ask(billing.removeRun, { id: run.id }, editor),
    clash('This run is approved and can no longer be changed.'),
  )
  expectRefused(
    await foyer.ask(billing.redraftRun, { id: run.id }, editor),
    clash('This run is approved and can no longer be changed.'),
  )
  await expect(
    inDatabase(foyer, `update billing_lines set amount = 1 where billing_run_id = $1`, [run.id]),
  ).rejects.toThrow('cannot be changed')
  await expect(
    inDatabase(foyer, `update billing_nights set occupied_units = 1 where billing_run_id = $1`, [run.id]),
  ).rejects.toThrow('cannot be changed')
})

test('a night is billed in one approved run: of two drafts over the same nights one is refused', async () => {
  const ledger = await aLedger()
  const [one, other] = [await draft(ledger), await draft(ledger, { name: 'Once more' })]
  const answers = await Promise.all([one, other].map(({ id }) => foyer.ask(billing.approveRun, { id }, editor)))
  expectRefusedBut(
    1,
    answers,
    clash('The figures have changed since this draft was made. Recalculate it, and check it before you approve it.'),
  )
  const [count] = await inDatabase<{ count: number }>(
    foyer,
    `select count(*)::integer as count from billing_nights where property_id = $1 and approved`,
    [ledger.id],
  )
  expect(count?.count).toBe(daysOf(ledger.period))
  await expect(
    inDatabase(
      foyer,
      `insert into billing_nights (customer_id, billing_run_id, billing_line_id, property_id, night, version, kind, approved, total_units,
         occupied_units, floor_units, billable_units, percentage, is_holiday, rate_per_unit, currency, reason)
       select t.customer_id, d.id, t.billing_line_id, t.property_id, t.night, t.version, t.kind, true, 1, 1, 1, 1, 1,
          false, 1, 'GBP', 'minimum'
       from billing_nights t, billing_runs d where t.property_id = $1 and t.approved and d.approved_at is null limit 1`,
      [ledger.id],
    ),
  ).rejects.toThrow('billing_nights_once')
})

test('a draft whose figures have changed is not approved until it is worked out again', async () => {
  const ledger = await aLedger()
  const run = await draft(ledger)
  await correct(ledger.id, ledger.month, 10)
  expect((await foyer.get(billing.getRun, { id: run.id }, editor)).data.outdated).toBe(true)
  expectRefused(
    await foyer.ask(billing.approveRun, { id: run.id }, editor),
    clash('The figures have changed since this draft was made. Recalculate it, and check it before you approve it.'),
  )
  const { data: redrafted } = await foyer.get(billing.redraftRun, { id: run.id }, editor)
  expect(redrafted.outdated).toBe(false)
  expect(redrafted.totals).not.toEqual(run.totals)
  expect((await approve(run.id)).totals).toEqual(redrafted.totals)
})

test('figures that somebody else has worked out meanwhile are not approved by whoever saw others', async () => {
  const [ledger, colleague] = [await aLedger(), await foyer.invited(editor)]
  const { id, mark } = await draft(ledger)
  const redrawn = async () => (await foyer.get(billing.redraftRun, { id }, colleague)).data.mark
  expect(await redrawn()).toBe(mark)
  await correct(ledger.id, ledger.month, 10)
  const told = async () => (await foyer.ask(billing.approveRun, { id, mark }, editor)).text
  const seen = { id, mark: await redrawn() }
  expect(await told()).toContain(`${colleague.user.name} has recalculated this run meanwhile`)
  expect((await foyer.get(billing.approveRun, seen, colleague)).data.status).toBe('approved')
  expect(await told()).toContain(`${colleague.user.name} has approved this run meanwhile`)
})

test('a night without figures is named, and no run over it is approved before a user enters them', async () => {
  const ledger = await aLedger()
  const [from, to] = [ledger.month, later(ledger.month, 2)]
  await inDatabase(foyer, `alter table occupancy_nights disable trigger all`)
  await inDatabase(foyer, `delete from occupancy_nights where property_id = $1 and night between $2 and $3`, [
    ledger.id,
    from,
    to,
  ])
  await inDatabase(foyer, `alter table occupancy_nights enable trigger all`)
  const { data, meta } = await preview(ledger)
  expect(data[0]?.nights).toHaveLength(daysOf(ledger.period) - 3)
  expect(meta.unknown).toMatchObject([{ property: { id: ledger.id }, from, to, nights: 3 }])
  const run = await draft(ledger)
  expect(run.unknown).toEqual(meta.unknown)
  const refused = await foyer.ask(billing.approveRun, { id: run.id }, editor)
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(ledger.name)])
  for (const index of [0, 1, 2]) await correct(ledger.id, later(from, index), 2)
  await foyer.get(billing.redraftRun, { id: run.id }, editor)
  expect((await approve(run.id)).unknown).toEqual([])
})

test('a period that is not over is not approved', async () => {
  const ledger = await aLedger()
  const period = { period_start: ledger.today, period_end: ledger.today }
  const run = await draft({ id: ledger.id, period })
  expect(run.not_over).toMatchObject([{ property: { id: ledger.id }, from: ledger.today, to: ledger.today, nights: 1 }])
  expect(run.not_written).toEqual([])
  const refused = await foyer.ask(billing.approveRun, { id: run.id }, editor)
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('The period is not over')])
  const early = await foyer.ask(nights.correctNight, correction(ledger.id, ledger.today, 1), editor)
  expect([early.status, early.text]).toEqual([422, expect.stringContaining('This night is not over yet.')])
})

test('a night that is over but not written yet is not said to be to come', async () => {
  const ledger = await aLedger()
  const [from, to] = [later(ledger.today, -3), later(ledger.today, -1)]
  await sinceDay(foyer, ledger.id, from)
  await inDatabase(foyer, 'delete from occupancy_nights where property_id = $1 and night >= $2', [ledger.id, from])
  const run = await draft({ id: ledger.id, period: { period_start: from, period_end: ledger.today } })
  expect(run.not_written).toMatchObject([{ property: { id: ledger.id, name: ledger.name }, from, to, nights: 3 }])
  expect(run.not_over).toMatchObject([{ from: ledger.today, to: ledger.today, nights: 1 }])
  const refused = await foyer.ask(billing.approveRun, { id: run.id }, editor)
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('although they are over')])
  const early = await foyer.ask(nights.correctNight, correction(ledger.id, to, 1), editor)
  expect([early.status, early.text]).toEqual([422, expect.stringContaining('has not recorded it yet')])
  await writeNights(foyer)
  const written = (await foyer.get(billing.getRun, { id: run.id }, editor)).data
  expect([written.not_written, written.not_over.length]).toEqual([[], 1])
})

test('a correction of a billed night becomes a correction line of the next run', async () => {
  const ledger = await aLedger({ minimum_billable_percentage: 0 })
  const run = await draft(ledger)
  await approve(run.id)
  expect(run.totals).toEqual([{ currency: 'GBP', amount: '0.00' }])
  await correct(ledger.id, ledger.month, 10)
  const days = daysOf(ledger.period)
  const amount = (120 / days).toFixed(2)
  const { data: drawn } = await preview(ledger)
  expect(drawn).toMatchObject([{ kind: 'correction', month: ledger.month, unit_days: 10, amount }])
  expect(drawn[0]?.reason).toMatch(/^The night of \d+ \w+ \d{4} changed after the bill: it was 0\.00, and is .+ now\.$/)
  const next = await draft(ledger)
  await approve(next.id)
  const [line] = await linesOf(next.id)
  expect(await nightsOf(line?.id ?? 0)).toMatchObject([
    { night: ledger.month, occupied_units: 10, was: { occupied_units: 0, billable_units: 0, rate_per_unit: '12.00' } },
  ])
  expect((await preview(ledger)).data).toEqual([])
  // A reduction is below zero.
  await correct(ledger.id, ledger.month, 0)
  expect((await preview(ledger)).data).toMatchObject([{ kind: 'correction', amount: `-${amount}`, unit_days: -10 }])
})

test('a rate that changes within the month is shown at each night, and the line has none', async () => {
  const ledger = await aLedger()
  await foyer.get(properties.update, { id: ledger.id, rate_per_unit: 24 }, editor)
  await correct(ledger.id, later(ledger.month, 14), 0, { take_present_terms: true })
  const { data } = await preview(ledger)
  expect(data).toMatchObject([
    { rate_per_unit: null, why_changed: expect.stringContaining('the rate went from 12.00 to 24.00') },
  ])
  expect(data[0]?.nights.map(({ rate_per_unit }) => rate_per_unit).filter((rate) => rate === '24.00')).toHaveLength(1)
})

test('a preview with overrides bills the nights of a period on other terms, whether they are billed already or not', async () => {
  const ledger = await aLedger()
  await approve((await draft(ledger)).id)
  const overrides = { rate_per_unit: 20, minimum_billable_percentage: 50 }
  const { data } = await preview(ledger, { overrides, with_nights: false })
  expect(data).toMatchObject([{ kind: 'charge', amount: '100.00', rate_per_unit: '20.00' }])
})

test('a removed property’s nights are billed with its group, and everything if no place is given', async () => {
  const group = await foyer.group(editor)
  const ledger = await aLedger({ group_id: group.id })
  const other = await aLedger()
  await foyer.get(properties.remove, { id: ledger.id }, editor)
  const of = async (places: object) =>
    (await foyer.get(billing.previewRun, { ...places, ...ledger.period, with_nights: false }, editor)).data.map(
      ({ property }) => property.id,
    )
  expect(await of({ group_ids: [group.id] })).toEqual([ledger.id])
  expect(await of({ property_ids: [ledger.id] })).toEqual([ledger.id])
  const neighbour = await foyer.customer()
  for (const [ids, who] of [
    [[ledger.id], neighbour],
    [[ledger.id, other.id + 10_000], editor],
  ] as const)
    for (const call of [billing.previewRun, billing.createRun])
      expectRefused(
        await foyer.ask(call, { property_ids: [...ids], ...ledger.period }, who),
        invalid({ property_ids: [selectedIdsInvalid] }),
      )
  expect(await of({})).toEqual(expect.arrayContaining([ledger.id, other.id]))
})

test('a property that is removed in mid-month owes until the day before; its statement and corrections go on', async () => {
  const group = await foyer.group(editor)
  const stays = await aLedger({ group_id: group.id })
  const terms = { total_units: 10, rate_per_unit: 12, minimum_billable_percentage: 60, currency: 'GBP' }
  const ledger = { ...stays, ...(await foyer.property(editor, { ...terms, group_id: group.id })) }
  await sinceDay(foyer, ledger.id, ledger.month)
  const gone_on = later(ledger.month, 14)
  await foyer.get(properties.remove, { id: ledger.id }, editor)
  // It was removed then and not now.
  await inDatabase(
    foyer,
    `update properties set deleted_at = ($2 || ' 12:00')::timestamp at time zone time_zone where id = $1`,
    [ledger.id, gone_on],
  )
  await writeNights(foyer)
  // For one night it is unknown what was let.
  await inDatabase(
    foyer,
    `update occupancy_nights set unknown_because = 'A node was down.', total_units = null, occupied_units = null
     where property_id = $1 and night = $2`,
    [ledger.id, ledger.month],
  )
  const ask = { group_ids: [group.id], ...ledger.period }
  const { data: run } = await foyer.get(billing.createRun, ask, editor)
  expect(run.not_over).toEqual([])
  expect(run.unknown).toMatchObject([{ property: { id: ledger.id, name: ledger.name }, nights: 1 }])
  const missing = new RegExp(
    `^The number of rooms let is missing: ${ledger.name}, \\d+ \\w+\\. Enter the figures for these nights, then recalculate the run\\.$`,
  )
  expectRefused(await foyer.ask(billing.approveRun, { id: run.id }, editor), { ...refusals.clash, message: missing })
  await correct(ledger.id, ledger.month, 7, { take_present_terms: true })
  await foyer.get(billing.redraftRun, { id: run.id }, editor)
  await approve(run.id)
  const lines = await linesOf(run.id)
  const own = lines.find(({ property }) => property.id === ledger.id)
  expect(own).toMatchObject({ property: { name: ledger.name }, unit_days: 6 * 14 + 1 })
  expect(lines.find(({ property }) => property.id === stays.id)?.unit_days).toBe(6 * daysOf(ledger.period))
  expect((await nightsOf(own?.id ?? 0)).at(-1)?.night).toBe(later(gone_on, -1))

  const statement = await foyer.file(billing.exportRun, { id: run.id, property_id: ledger.id, format: 'csv' }, editor)
  const text = statement.bytes.toString()
  expect(text).toContain(own?.amount)
  expect(text).not.toContain(stays.name)
  expectRefused(
    await foyer.ask(billing.exportRun, { id: run.id, property_id: stays.id + 10_000 }, editor),
    invalid({ property_id: ['This run has no lines of the property.'] }),
  )
  expect((await foyer.get(billing.previewRun, ask, editor)).data).toEqual([])
  // A later correction is billed next time.
  await correct(ledger.id, later(ledger.month, 1), 10)
  expect((await foyer.get(billing.previewRun, ask, editor)).data).toMatchObject([
    { kind: 'correction', property: { id: ledger.id }, unit_days: 4 },
  ])
  const neighbour = await foyer.customer()
  const theirs = { property_id: ledger.id, night: ledger.month, occupied_units: 1, note: 'Not mine' }
  expectRefused(
    await foyer.ask(nights.correctNight, theirs, neighbour),
    invalid({ night: ['The property has no night of this date.'] }),
  )
})

test('a draft is removed with its lines, and is hidden from other customers', async () => {
  const ledger = await aLedger()
  const run = await draft(ledger)
  const [line] = await linesOf(run.id)
  await foyer.get(billing.removeRun, { id: run.id }, editor)
  expectRefused(await foyer.ask(billing.getRun, { id: run.id }, editor), notFound())
  const asked = { params: { billing_line_id: line?.id ?? 0 } }
  expectRefused(
    await foyer.ask(billing.billedNightList, asked, editor),
    invalid({ 'params.billing_line_id': [selectedInvalid('billing_line_id')] }),
  )
  const neighbour = await foyer.customer()
  const kept = await draft(ledger)
  expectRefused(await foyer.ask(billing.getRun, { id: kept.id }, neighbour), notFound())
})

test('a statement has each line and every night, and its amounts add up to the run', async () => {
  const [ledger, other] = [await aLedger({ currency: 'JPY', rate_per_unit: 900 }), await aLedger({ currency: 'JPY' })]
  const { data: run } = await foyer.get(
    billing.createRun,
    { property_ids: [ledger.id, other.id], ...ledger.period },
    editor,
  )
  const { bytes } = await foyer.file(billing.exportRun, { id: run.id, format: 'csv' }, editor)
  const [head = '', ...rows] = bytes.toString().replace(/^﻿/, '').trim().split('\r\n')
  expect(head.split(',').at(-1)).toBe('Amount')
  const amounts = rows.map((row) => row.split(',').at(-1) ?? '').filter((amount) => amount !== '')
  expect(amounts).toHaveLength(2)
  expect(run.totals).toEqual([{ currency: 'JPY', amount: sumOf(amounts) }])
  expect(rows).toHaveLength(2 + 2 * daysOf(ledger.period))
  const one = await foyer.file(billing.exportRun, { id: run.id, format: 'csv', property_id: other.id }, editor)
  expect(one.bytes.toString()).not.toContain(ledger.name)
  for (const format of ['xlsx', 'xls', 'pdf'] as const)
    expect((await foyer.file(billing.exportRun, { id: run.id, format }, editor)).bytes.length).toBeGreaterThan(1000)
})

test('the total of an approved run is the same under another ICU, and in the places that it was rounded to', async () => {
  // ISO 4217 gives the forint two places, and no runtime does.
  const ledger = await aLedger({ currency: 'HUF', rate_per_unit: '31.37' })
  const approved = await approve((await draft(ledger)).id)
  expect(approved.totals).toEqual([{ currency: 'HUF', amount: expect.stringMatching(/^\d+\.\d\d$/) as string }])
  const formats = vi.spyOn(Intl.NumberFormat.prototype, 'resolvedOptions').mockImplementation(() => {
    throw new Error('another ICU')
  })
  try {
    expect((await foyer.get(billing.getRun, { id: approved.id }, editor)).data.totals).toEqual(approved.totals)
    expect((await preview(await aLedger({ currency: 'HUF', rate_per_unit: '31.37' }))).meta.totals).toEqual(
      approved.totals,
    )
  } finally {
    formats.mockRestore()
  }
  // A run of a release that knew no fillers: its statement adds up to it, and its correction is as coarse.
  const former = await approve((await draft(await aLedger({ currency: 'HUF', rate_per_unit: '31.37' }))).id)
  const [line] = await linesOf(former.id)
  const { id: property_id = 0 } = line?.property ?? {}
  await inDatabase(foyer, 'alter table billing_lines disable trigger user')
  await inDatabase(foyer, 'update billing_lines set amount = round(amount) where billing_run_id = $1', [former.id])
  await inDatabase(foyer, 'alter table billing_lines enable trigger user')
  const { data: kept } = await foyer.get(billing.getRun, { id: former.id }, editor)
  expect(kept.totals).toEqual([{ currency: 'HUF', amount: expect.stringMatching(/^\d+$/) as string }])
  const statement = await foyer.file(billing.exportRun, { id: former.id, format: 'csv' }, editor)
  expect(statement.bytes.toString()).toContain(`,HUF,${kept.totals[0]?.amount}\r\n`)
  await correct(property_id ?? 0, ledger.month, 10)
  const { data: correction } = await preview({ id: property_id ?? 0, period: ledger.period })
  expect(correction).toMatchObject([{ kind: 'correction', amount: expect.stringMatching(/^\d+$/) as string }])
})
