// Billed estates: generated properties with ledgers over clock changes, leap days and ends of years; made, moved, renamed and removed
// within a month, with rates that change on the 15th; billed in overlapping runs of random length, and corrected at random.
// All figures add up, each night is billed once, and approved runs plus the next correction equal the ledger.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as billing from '#contract/billing-runs.ts'
import { amountOf, daysInMonth, monthOf, sumOf, type Night } from '#server/billing/formula.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { inDatabase, later } from '#test/nights.ts'
import { chance, full, seed } from './proof.ts'

const estates = full ? 1000 : 30
const corrections_of_each = 10

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer({ env: { REQUESTS_PER_MINUTE: '1000000', QUOTA_EXPORTS: '1000000' } })
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

const currencies = ['GBP', 'JPY', 'KWD', 'EUR']
/** First days of periods with a clock change, a leap day or the end of a year in or shortly after them. */
const firsts = ['2024-02-01', '2023-12-10', '2024-03-01', '2023-10-01', '2025-02-14', '2024-10-20']
const zones = ['Europe/London', 'America/Sao_Paulo', 'Pacific/Apia', 'Asia/Kathmandu', 'America/St_Johns']
const days_of_estate = 62

interface Chooser {
  whole: (from: number, to: number) => number
  of: <V>(values: readonly V[]) => V
}
function chooser(part: number): Chooser {
  const next = chance(part)
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    whole,
    of: (values) => {
      const value = values[whole(0, values.length - 1)]
      if (value === undefined) throw new Error('nothing to choose from')
      return value
    },
  }
}

/** A decimal with the given number of places, like rates that people set. */
const decimal = ({ whole }: Chooser, places: number) => (whole(0, 10 ** (places + 3)) / 10 ** places).toFixed(places)

interface Written extends Night {
  property_id: number
  currency: string
  property_name: string
  group_id: number
  time_zone: string
}

/** The ledger of one property: its terms change on the 15th, its name and group within a month. */
function ledgerOf(
  any: Chooser,
  property_id: number,
  group_id: number,
  other_group_id: number,
  first: string,
): Written[] {
  const currency = any.of(currencies)
  const places = { GBP: 2, EUR: 2, JPY: 0, KWD: 3 }[currency] ?? 2
  const total_units = any.whole(0, 40)
  const [rate, later_rate] = [decimal(any, places), decimal(any, places)]
  const [renamed, moved, holiday] = [any.whole(0, 80), any.whole(0, 80), any.whole(0, 70)]
  const begins = any.of([0, 0, any.whole(1, 40)])
  const ends = any.of([days_of_estate, days_of_estate, any.whole(41, days_of_estate)])
  const [minimum, holiday_minimum] = [decimal(any, 0), decimal(any, 2)].map((text) =>
    String(Math.min(100, Number(text) / 10)),
  )
  const time_zone = any.of(zones)
  return Array.from({ length: ends - begins }, (_, index) => {
    const day = begins + index
    const night = later(first, day)
    return {
      property_id,
      night,
      total_units,
      occupied_units: any.whole(0, total_units + 2),
      is_holiday: day >= holiday && day < holiday + 4,
      minimum_billable_percentage: minimum ?? '0',
      holiday_billable_percentage: holiday_minimum ?? '0',
      rate_per_unit: night.endsWith('-01') || Number(night.slice(8)) < 15 ? rate : later_rate,
      currency,
      property_name: day < renamed ? `House ${property_id}` : `Inn ${property_id}`,
      group_id: day < moved ? group_id : other_group_id,
      time_zone,
    }
  })
}

async function writeLedger(nights: Written[], version: number): Promise<void> {
  await inDatabase(
    foyer,
    `insert into occupancy_nights (customer_id, property_id, night, version, total_units, occupied_units, is_holiday,
       minimum_billable_percentage, holiday_billable_percentage, rate_per_unit, currency, property_name, group_id, time_zone)
     select p.customer_id, n.property_id, n.night, $2, n.total_units, n.occupied_units, n.is_holiday, n.minimum_billable_percentage,
       n.holiday_billable_percentage, n.rate_per_unit, n.currency, n.property_name, n.group_id, n.time_zone
     from jsonb_to_recordset($1::jsonb) as n(property_id integer, night date, total_units integer, occupied_units integer,
       is_holiday boolean, minimum_billable_percentage numeric, holiday_billable_percentage numeric, rate_per_unit numeric,
       currency text, property_name text, group_id integer, time_zone text)
     join properties p on p.id = n.property_id`,
    [JSON.stringify(nights), version],
  )
}

/** What the ledger now says about the nights of each approved charge, calculated here and summed by property, month and currency. */
async function ledgerSays(group_id: number): Promise<Map<string, string>> {
  const nights = await inDatabase<Written & { billing_line_id: number }>(
    foyer,
    `select b.billing_line_id, t.property_id, t.night::text, t.total_units, t.occupied_units, t.is_holiday, t.currency,
       t.minimum_billable_percentage::text, t.holiday_billable_percentage::text, t.rate_per_unit::text
     from billing_nights b join occupancy_nights t on t.property_id = b.property_id and t.night = b.night and not t.superseded
     join properties p on p.id = b.property_id
     where p.group_id = $1 and b.approved and b.kind = 'charge' order by t.night`,
    [group_id],
  )
  const charges = Map.groupBy(nights, ({ billing_line_id, currency }) => `${billing_line_id} ${currency}`)
  const amounts = [...charges.values()].flatMap((of) =>
    of[0] ? [{ ...of[0], amount: amountOf(of, of[0].currency) }] : [],
  )
  return summed(
    amounts.map(({ property_id, night, currency, amount }) => ({
      property_id,
      month: monthOf(night),
      currency,
      amount,
    })),
  )
}

interface Amount {
  property_id: number
  month: string
  currency: string
  amount: string
}
const summed = (amounts: Amount[]) =>
  new Map(
    [...Map.groupBy(amounts, ({ property_id, month, currency }) => `${property_id} ${month} ${currency}`)]
      .map(([key, of]) => [key, sumOf(of.map(({ amount }) => amount))] as const)
      .filter(([, amount]) => /[1-9]/.test(amount)),
  )

const billedOf = (group_id: number) =>
  inDatabase<Amount>(
    foyer,
    `select l.property_id, l.month::text, l.currency, l.amount::text from billing_lines l
     join billing_runs r on r.id = l.billing_run_id and r.approved_at is not null
     join properties p on p.id = l.property_id where p.group_id = $1`,
    [group_id],
  )

/** Every line equals its nights, the run equals its lines, and the statement equals the run. */
async function addsUp(run_id: number, with_statement: boolean) {
  const { data: run } = await foyer.get(billing.getRun, { id: run_id }, editor)
  const { data: lines } = await foyer.get(
    billing.lineList,
    { params: { billing_run_id: run_id }, per_page: 200 },
    editor,
  )
  for (const line of lines.filter(({ kind }) => kind === 'charge')) {
    const { data: nights } = await foyer.get(
      billing.billedNightList,
      { params: { billing_line_id: line.id }, per_page: 200 },
      editor,
    )
    const terms = nights.map((night) => ({
      ...night,
      minimum_billable_percentage: String(night.percentage),
      holiday_billable_percentage: String(night.percentage),
    }))
    expect(amountOf(terms, line.currency)).toBe(line.amount)
    expect(nights.reduce((sum, { billable_units }) => sum + billable_units, 0)).toBe(line.unit_days)
    expect(line.days_in_month).toBe(daysInMonth(line.month))
  }
  const byCurrency = Map.groupBy(lines, ({ currency }) => currency)
  const totals = [...byCurrency].map(([currency, of]) => ({
    currency,
    amount: sumOf(of.map(({ amount }) => amount)),
  }))
  expect(totals.toSorted((one, other) => one.currency.localeCompare(other.currency))).toEqual(run.totals)
  if (!with_statement) return
  const { bytes } = await foyer.file(billing.exportRun, { id: run_id, format: 'csv' }, editor)
  const stated = bytes
    .toString()
    .trim()
    .split('\r\n')
    .slice(1)
    .map((row) => row.split(',').slice(-2))
  for (const { currency, amount } of run.totals) {
    const amounts = stated.flatMap(([of, text = '']) => (of === currency && text !== '' ? [text] : []))
    expect(sumOf(amounts)).toBe(amount)
  }
}

async function billOnce(
  group_id: number,
  period: { period_start: string; period_end: string },
  with_statement: boolean,
) {
  const ask = { group_ids: [group_id], ...period }
  const [one, other] = [
    await foyer.get(billing.previewRun, ask, editor),
    await foyer.get(billing.previewRun, ask, editor),
  ]
  expect(one).toEqual(other)
  if (one.data.length === 0) return 0
  const { data: run } = await foyer.get(billing.createRun, ask, editor)
  expect(run.totals).toEqual(one.meta.totals)
  const { data: approved } = await foyer.get(billing.approveRun, { id: run.id }, editor)
  expect(approved.totals).toEqual(run.totals)
  await addsUp(run.id, with_statement)
  return 1
}

test(
  `${estates} estates, from seed ${seed}: all figures add up, each night is billed once, corrections settle every change`,
  { timeout: 3_600_000 },
  async ({ task }) => {
    const counts = { runs: 0, nights: 0, corrections: 0 }
    for (let estate = 0; estate < estates; estate++) {
      const any = chooser(estate)
      const [group, other] = [await foyer.group(editor), await foyer.group(editor)]
      const first = any.of(firsts)
      const ledgers = new Map<number, Written[]>()
      for (let house = any.whole(1, 2); house > 0; house--) {
        const { id } = await foyer.property(editor, { group_id: group.id })
        const nights = ledgerOf(any, id, group.id, other.id, first)
        ledgers.set(id, nights)
        const [begins, ends] = [nights[0]?.night ?? first, nights.at(-1)?.night ?? first]
        await inDatabase(
          foyer,
          `insert into night_ledgers (customer_id, property_id, begins_on, kept_from, kept_until)
           select customer_id, id, $2, $2, $3 from properties where id = $1
           on conflict (customer_id, property_id) do update
             set begins_on = excluded.begins_on, kept_from = excluded.kept_from, kept_until = excluded.kept_until`,
          [id, begins, ends],
        )
        await writeLedger(nights, 1)
        // Removed on the day after its last night.
        const removal = `update properties set deleted_at = ($2::date + 1)::timestamp at time zone time_zone where id = $1`
        await inDatabase(foyer, removal, [id, ends])
      }
      const nights = [...ledgers.values()].flat()
      counts.nights += nights.length
      const corrected = async () => {
        const { version, ...night } = any.of(newest)
        const changed: Written = {
          ...night,
          occupied_units: any.whole(0, night.total_units + 1),
          ...(any.whole(0, 3) === 0 && { rate_per_unit: String(any.whole(0, 900)) }),
          ...(any.whole(0, 9) === 0 && { currency: any.of(currencies) }),
        }
        await writeLedger([changed], version + 1)
        newest = newest.map((one) =>
          one.property_id === night.property_id && one.night === night.night
            ? { ...changed, version: version + 1 }
            : one,
        )
        counts.corrections++
      }
      let newest = nights.map((night) => ({ ...night, version: 1 }))
      // Two periods, split at a random day, with some nights in both.
      const cut = any.whole(1, days_of_estate - 2)
      const periods = [
        { period_start: first, period_end: later(first, cut) },
        { period_start: later(first, Math.max(0, cut - any.whole(0, 9))), period_end: later(first, days_of_estate) },
      ]
      if (any.whole(0, 1) === 1) periods.reverse()
      for (const [index, period] of periods.entries()) {
        counts.runs += await billOnce(group.id, period, index === 0)
        for (let count = 0; count < corrections_of_each / 2; count++) await corrected()
      }
      counts.runs += await billOnce(group.id, { period_start: first, period_end: later(first, days_of_estate) }, true)
      const [billed] = await inDatabase<{ nights: number; different: number }>(
        foyer,
        `select count(*)::integer as nights, count(distinct (b.property_id, b.night))::integer as different
         from billing_nights b join properties p on p.id = b.property_id
         where p.group_id = $1 and b.approved and b.kind = 'charge'`,
        [group.id],
      )
      expect(billed).toEqual({ nights: nights.length, different: nights.length })
      expect(summed(await billedOf(group.id))).toEqual(await ledgerSays(group.id))
      const rest = { group_ids: [group.id], period_start: first, period_end: later(first, days_of_estate) }
      expect((await foyer.get(billing.previewRun, rest, editor)).data).toEqual([])
    }
    task.meta.figures =
      `${estates} estates with ${counts.nights} nights, ${counts.runs} runs approved, ` +
      `${counts.corrections} corrections, seed ${seed}`
    console.log(task.meta.figures)
  },
)
