// Billing runs: previews, drafts, approved runs, their lines and nights, and statements.
import { addDays, firstOfMonth } from '#contract/days.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import * as contract from '#contract/billing-runs.ts'
import { moneyTooFine } from '#contract/money.ts'
import { userIdOf } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { amountText } from '#server/billing/formula.ts'
import { gapsOf, propertiesOf } from '#server/billing/ledger.ts'
import { shownNight, totalsOf, type BilledLine } from '#server/billing/lines.ts'
import { draw, drawAs, freeze, isOutdated, keepLines, type DraftRun } from '#server/billing/runs.ts'
import { statementOf } from '#server/billing/statement.ts'
import { monthName } from '#server/billing/words.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { entity, type Logged, type Stored } from '#server/entities/entity.ts'
import { listRows } from '#server/entities/lists.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { searched, wordsOf } from '#server/entities/list-search.ts'
import { whoChanged } from '#server/entities/overtaken.ts'
import { removeRow } from '#server/entities/verbs.ts'
import { clash, invalid } from '#server/errors/refused.ts'

/** How many lines of a run `t` are in no draft, by the drafts that billing/drafts.ts would make: of what comes to nothing none is made. */
const unsent = sql`
  select count(*) filter (where l.amount <> 0) as lines from billing_lines as l
  left join accounting_contacts as c on c.customer_id = l.customer_id and c.id = l.accounting_contact_id
  left join accounting_integrations as i on i.customer_id = c.customer_id and i.id = c.accounting_integration_id
  where l.customer_id = t.customer_id and l.billing_run_id = t.id and not exists (select from billing_invoice_lines as s
    where s.customer_id = l.customer_id and s.billing_line_id = l.id and not s.released)
  group by l.currency, l.accounting_contact_id,
    case i.invoice_per when 'contact' then '' else concat(l.property_id, ' ', l.property_name) end
  having sum(l.amount) <> 0`

export const billingRunEntity = entity({
  table: 'billing_runs',
  row: contract.BillingRun,
  detail: contract.BillingRun.extend({ mark: contract.OneBillingRun.shape.mark }),
  computed: {
    status: sql`case when t.approved_at is null then 'draft' else 'approved' end`,
    properties: sql`(select count(distinct l.property_id)::integer from billing_lines as l
      where l.customer_id = t.customer_id and l.billing_run_id = t.id)`,
    totals: sql`(select coalesce(json_agg(json_build_object('currency', s.currency, 'amount', s.amount::text) order by s.currency), '[]')
      from (select l.currency, sum(l.amount) as amount from billing_lines as l
        where l.customer_id = t.customer_id and l.billing_run_id = t.id group by l.currency) as s)`,
    mark: sql`(select md5(coalesce(string_agg(concat_ws(' ', l.property_name, l.month, l.kind, l.currency, l.amount, l.unit_days,
        l.rate_per_unit, l.reason), chr(10) order by l.property_name, l.property_id, l.month, l.kind, l.currency), ''))
      from billing_lines as l where l.customer_id = t.customer_id and l.billing_run_id = t.id)`,
    drafts: sql`(select json_build_object('waiting', count(*) filter (where i.state = 'waiting'),
        'sent', count(*) filter (where i.state = 'sent'), 'failed', count(*) filter (where i.state = 'failed'),
        'gone', count(*) filter (where i.state = 'gone' and i.replaced_at is null),
        'unsent', (select coalesce(sum(u.lines), 0) from (${unsent}) as u))
      from billing_invoices as i where i.customer_id = t.customer_id and i.billing_run_id = t.id)`,
  },
  filters: {
    words: wordsOf(sql`t.name`),
    status: ({ is }) => is(sql`case when t.approved_at is null then 'draft' else 'approved' end`),
  },
})

const lines = entity({
  table: 'billing_lines',
  row: contract.BillingLine,
  detail: contract.BillingLine,
  label: 'property_name',
  computed: {
    property: sql`json_build_object('id', t.property_id, 'name', t.property_name)`,
    rate_per_unit: sql`t.rate_per_unit::text`,
    amount: sql`t.amount::text`,
    unrated_nights: sql`(select count(*)::integer from billing_nights as n where n.customer_id = t.customer_id
      and n.billing_line_id = t.id and (n.rate_per_unit = 0 or n.total_units = 0))`,
  },
  filters: { words: wordsOf(sql`t.property_name`) },
  belongs: { property_id: 'property_id' },
})

/** Decimals are kept as the database has them; `shownKept` rounds to the decimal places of the currency. */
const KeptNight = contract.BillingNight.extend({ percentage: contract.BillingNight.shape.rate_per_unit })
const nights = entity({
  table: 'billing_nights',
  row: KeptNight,
  detail: KeptNight,
  label: 'property_id',
  computed: {
    percentage: sql`t.percentage::text`,
    rate_per_unit: sql`t.rate_per_unit::text`,
    was: sql`(select json_build_object('total_units', b.total_units, 'occupied_units', b.occupied_units,
        'billable_units', b.billable_units, 'percentage', b.percentage, 'rate_per_unit', b.rate_per_unit::text,
        'currency', b.currency)
      from billing_nights as b where t.kind = 'correction' and b.customer_id = t.customer_id and b.property_id = t.property_id
        and b.night = t.night and b.approved and b.version < t.version
      order by b.version desc, b.id desc limit 1)`,
  },
  filters: { words: wordsOf(sql`array_to_string(t.room_numbers, ' ')`) },
  belongs: { property_id: 'property_id' },
})

type KeptNight = z.output<typeof KeptNight>
const shownKept = ({ percentage, was, ...night }: KeptNight): z.output<typeof contract.BillingNight> => ({
  ...night,
  percentage: Number(percentage),
  rate_per_unit: amountText(night.rate_per_unit, night.currency),
  was: was && { ...was, rate_per_unit: amountText(was.rate_per_unit, was.currency) },
})

const logged: Logged = billingRunEntity

const shownLine = ({ property_id, property_name, group_id: _, accounting_contact_id: __, ...line }: BilledLine) => ({
  ...line,
  property: { id: property_id, name: property_name },
  unrated_nights: line.nights.filter(contract.isUnrated).length,
})

/** The period and properties of a draft; null for an approved run, which is frozen. */
async function draftOf(scope: Scope, id: number): Promise<DraftRun | null> {
  const [run] = await scope.run(sql<DraftRun>`
    select t.id, t.period_start::text, t.period_end::text, t.property_ids from billing_runs as t
    where t.id = ${id} and t.approved_at is null and ${scope.inReach('billing_runs', 't')}`)
  return run ?? null
}

/** A run, with what prevents its approval. */
export async function oneRun(scope: Scope, id: number): Promise<z.output<typeof contract.OneBillingRun>> {
  const row = await oneRow(scope, billingRunEntity, id)
  const draft = await draftOf(scope, id)
  if (!draft) return { ...row, unknown: [], not_written: [], not_over: [], outdated: false }
  const gaps = await gapsOf(scope, draft.property_ids, draft)
  return { ...row, ...gaps, outdated: await isOutdated(scope, draft) }
}

/** The month's name for a whole month, otherwise the first and last day. */
function nameOf({ period_start, period_end }: { period_start: string; period_end: string }): string {
  const isMonth = period_start.endsWith('-01') && addDays(period_end, 1) === firstOfMonth(period_start, 1)
  return isMonth ? monthName(period_start) : `${period_start} to ${period_end}`
}

/** The draft, locked against others who change it. */
async function lockedDraft(scope: Scope, id: number): Promise<DraftRun> {
  await lockedRow(scope, billingRunEntity, id)
  const draft = await draftOf(scope, id)
  if (!draft) throw clash('This run is approved and can no longer be changed.')
  return draft
}

/** Refuses to approve lines that the caller has not seen, since somebody else has worked them out anew. */
async function refuseUnseen(scope: Scope, { id, status, mark }: Stored<typeof billingRunEntity>, seen: string | null) {
  if (seen === null || seen === mark) return
  const who = (await whoChanged(scope, billingRunEntity, id)) ?? 'Somebody else'
  throw clash(
    status === 'approved'
      ? `${who} has approved this run meanwhile, with other figures.`
      : `${who} has recalculated this run meanwhile. Check its figures before you approve them.`,
  )
}

/** Refuses a rate to try that has more decimal places than the coin of one of these properties. Their present rate is taken as it is. */
async function refuseTooFine(scope: Scope, ids: readonly number[], rate: string) {
  const coins = await scope.run(sql<{ currency: string }>`
    select distinct property_currency(p) as currency from properties as p
    where p.customer_id = ${scope.customer_id} and p.id = any(${ids}::integer[]) and p.rate_per_unit <> ${rate}::numeric`)
  const [refusal] = coins.flatMap(({ currency }) => moneyTooFine(rate, currency) ?? [])
  if (refusal) throw invalid({ 'overrides.rate_per_unit': [refusal] })
}

export default serve(contract, {
  previewRun: async ({ scope, input }) => {
    const { overrides, with_nights } = input
    const ids = await propertiesOf(scope, input, input)
    if (overrides?.rate_per_unit != null)
      await refuseTooFine(scope, [...ids, ...input.property_ids], overrides.rate_per_unit)
    const drawn = overrides ? await drawAs(scope, ids, input, overrides) : await draw(scope, ids, input)
    const data = drawn.map((line) => ({ ...shownLine(line), nights: with_nights ? line.nights.map(shownNight) : [] }))
    return { data, meta: { totals: totalsOf(drawn), ...(await gapsOf(scope, ids, input)) } }
  },
  runList: ({ scope, input }) => listRows(scope, billingRunEntity, searched(input)),
  getRun: ({ scope, input }) => oneRun(scope, input.id),
  createRun: async ({ scope, input }) => {
    const { period_start, period_end } = input
    const property_ids = await propertiesOf(scope, input, input)
    const drawn = await draw(scope, property_ids, input)
    const gaps = await gapsOf(scope, property_ids, input)
    if (drawn.length + gaps.unknown.length + gaps.not_written.length + gaps.not_over.length === 0)
      throw invalid({ period_end: ['Everything in this period has already been billed.'] })
    const name = input.name ?? nameOf(input)
    const id = await scope.insert('billing_runs', { name, period_start, period_end, property_ids })
    await keepLines(scope, id, drawn)
    const row = await oneRun(scope, id)
    const after = { name, period_start, period_end, totals: row.totals }
    await logActivity(scope, { action: 'create', entity: logged, row, before: null, after })
    return row
  },
  redraftRun: async ({ scope, input }) => {
    const draft = await lockedDraft(scope, input.id)
    const before = await oneRow(scope, billingRunEntity, input.id)
    await keepLines(scope, input.id, await draw(scope, draft.property_ids, draft))
    const row = await oneRun(scope, input.id)
    const totals = { before: { totals: before.totals }, after: { totals: row.totals } }
    await logActivity(scope, { action: 'update', entity: logged, row, ...totals })
    return row
  },
  approveRun: async ({ scope, input }) => {
    await refuseUnseen(scope, await lockedRow(scope, billingRunEntity, input.id), input.mark ?? null)
    const draft = await draftOf(scope, input.id)
    // A retry after a lost answer: the run is already approved, and stays as it is.
    if (!draft) return oneRun(scope, input.id)
    await freeze(scope, draft, { user_id: userIdOf(scope), name: scope.principal.name })
    const row = await oneRun(scope, input.id)
    const states = { before: { status: 'draft' }, after: { status: row.status, totals: row.totals } }
    await logActivity(scope, { action: 'update', entity: logged, row, ...states })
    return row
  },
  removeRun: async ({ scope, input }) => {
    await lockedDraft(scope, input.id)
    await scope.unlink('billing_lines', { billing_run_id: input.id })
    return removeRow(scope, billingRunEntity, input.id)
  },
  exportRun: async ({ scope, input: { id, format, property_id }, later }) => {
    const row = await lockedRow(scope, billingRunEntity, id)
    await logActivity(scope, { action: 'export', entity: logged, row, before: null, after: { format } })
    return statementOf(scope, later, row, { format, property_id: property_id ?? null })
  },
  lineList: ({ scope, input }) => listRows(scope, lines, { ...searched(input), sort: input.sort ?? 'property_name' }),
  billedNightList: async ({ scope, input }) => {
    const asked = { ...searched(input), sort: input.sort ?? ('night' as const) }
    const { data, meta } = (await listRows(scope, nights, asked)).parsed()
    return { data: data.map(shownKept), meta }
  },
})
