// Billing invoices: sending an approved run to an accounting provider, and the draft invoices that it became there.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { z } from 'zod'
import * as contract from '#contract/billing-invoices.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve, staged } from '#server/api/serve.ts'
import { planDrafts, releaseGone, type Planned } from '#server/billing/drafts.ts'
import { amountText } from '#server/billing/formula.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { entity } from '#server/entities/entity.ts'
import { listRows } from '#server/entities/lists.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { searched, wordsOf } from '#server/entities/list-search.ts'
import { clash } from '#server/errors/refused.ts'
import { contactName } from '#server/integrations/contact-name.ts'
import { storeDeletedDrafts, findDeletedDrafts } from '#server/integrations/deleted-drafts.ts'
import { no_longer_connected, sendRun } from '#server/integrations/push.ts'
import { oneRun, billingRunEntity } from './billing-runs.ts'
import type { Services } from '#server/services.ts'

const invoices = entity({
  table: 'billing_invoices',
  row: contract.BillingInvoice,
  detail: contract.BillingInvoice,
  label: 'number',
  computed: {
    property: sql`case when t.property_name is not null then json_build_object('id', t.property_id, 'name', t.property_name) end`,
    properties: sql`(select count(distinct (l.property_id, l.property_name))::integer
      from billing_invoice_lines as i join billing_lines as l on l.customer_id = i.customer_id and l.id = i.billing_line_id
      where i.customer_id = t.customer_id and i.billing_invoice_id = t.id)`,
    contact: contactName,
    amount: sql`t.amount::text`,
    amount_answered: sql`t.amount_answered::text`,
    tax_answered: sql`t.tax_answered::text`,
    error: sql`t.last_error`,
    fix: sql`case when t.state = 'failed' then t.last_fix end`,
  },
  filters: { words: wordsOf(sql`concat_ws(' ', t.property_name, t.number)`) },
  belongs: { property_id: 'property_id' },
})
type KeptInvoice = z.output<typeof contract.BillingInvoice>
const shownInvoice = ({ amount_answered, tax_answered, ...invoice }: KeptInvoice): KeptInvoice => ({
  ...invoice,
  amount_answered: amount_answered && amountText(amount_answered, invoice.currency),
  tax_answered: tax_answered && amountText(tax_answered, invoice.currency),
})
const shownPlanned = ({ contact, obstacle, lines: _, connection: __, ...draft }: Planned) => ({
  ...draft,
  contact: contact && { id: contact.id, name: contact.name },
  ready: !obstacle?.stops,
  problem: obstacle?.problem ?? null,
  fix: obstacle?.fix ?? null,
})

/** The approved run, locked against others who send it. */
async function lockedApproved(scope: Scope, id: number) {
  const row = await lockedRow(scope, billingRunEntity, id)
  if (row.status === 'draft') throw clash('Approve this run first. A draft is not sent.')
  return row
}

/** Queues what can be sent. If nothing can, the refusal says why. */
async function plan(scope: Scope, queue: Services['queue'], id: number, renew: boolean) {
  const before = await lockedApproved(scope, id)
  if (renew) await releaseGone(scope, id)
  const planned = await sendRun(scope, queue, id)
  const row = await oneRun(scope, id)
  const obstacle = planned.find((draft) => draft.obstacle?.fix)?.obstacle
  if (row.drafts.waiting + row.drafts.sent === 0)
    throw clash(
      obstacle?.problem ??
        (row.drafts.failed > 0
          ? no_longer_connected
          : row.drafts.gone > 0
            ? 'The drafts of this run were deleted in the books. Confirm that they should be made again.'
            : 'There is nothing to send in this run.'),
    )
  const drafts = { before: { drafts: before.drafts }, after: { drafts: row.drafts } }
  await logActivity(scope, { action: 'integration', entity: billingRunEntity, row, ...drafts })
  return row
}

export default (services: Pick<Services, 'tenancy' | 'queue' | 'integrations'>) =>
  serve(contract, {
    preview: async ({ scope, input }) => {
      const row = await oneRow(scope, billingRunEntity, input.id)
      const planned = row.status === 'approved' ? await planDrafts(scope, input.id) : []
      const [connected] = await scope.run(sql<ColumnsOf<'accounting_integrations', 'integration_type'>>`
      select t.integration_type from accounting_integrations as t where ${scope.inReach('accounting_integrations', 't')} limit 1`)
      const providers = services.integrations.accounting.providers()
      const found = providers.find(({ integration_type, available }) =>
        connected ? integration_type === connected.integration_type : available,
      )
      return {
        data: planned.map(shownPlanned),
        meta: { provider: found?.name ?? null, connected: connected !== undefined },
      }
    },
    push: ({ scope, input }) => plan(scope, services.queue, input.id, input.renew),
    check: staged(
      ({ caller, input }) => findDeletedDrafts(services, caller, input.id),
      async ({ scope, input, prepared }) => {
        const before = await lockedApproved(scope, input.id)
        await storeDeletedDrafts(scope, prepared)
        const row = await oneRun(scope, input.id)
        // What was found is kept; the rest is looked up next time.
        if (prepared.failure !== null && prepared.gone.length === 0) throw clash(prepared.failure)
        if (row.drafts.gone > before.drafts.gone) {
          const drafts = { before: { drafts: before.drafts }, after: { drafts: row.drafts } }
          await logActivity(scope, { action: 'integration', entity: billingRunEntity, row, ...drafts })
        }
        return row
      },
    ),
    list: async ({ scope, input }) => {
      const asked = { ...searched(input), sort: input.sort ?? ('created_at' as const) }
      const { data, meta } = (await listRows(scope, invoices, asked)).parsed()
      return { data: data.map(shownInvoice), meta }
    },
  })
