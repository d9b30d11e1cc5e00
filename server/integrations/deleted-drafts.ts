// Deleted drafts: finds out which of a run's drafts were deleted or voided in the books, for a user who is about to have them made
// again. Only an explicit answer counts: a draft that the provider does not know, or does not answer for, is not gone.
import { accounting } from '#server/connections/accounting/kind.ts'
import { sql } from 'kysely'
import type { Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import type { DraftKind, Gone } from './accounting-provider.ts'
import type { Integrations } from './integrations.ts'
import { ProviderFailure } from '#server/connections/provider.ts'
import { pushReference } from './push.ts'
import { recordFailure } from '#server/connections/state.ts'

interface SentDraft {
  id: number
  kind: DraftKind
  idempotency_key: string
  tenant_id: string
  /** Null: its organisation is no longer connected. */
  integration_id: number | null
  integration_type: string | null
  connected_at: string | null
  short_code: string | null
}
export interface DeletedDrafts {
  gone: { id: number; as: Gone }[]
  /** Why not all of them could be looked up. */
  failure: string | null
}

const sentDrafts = (scope: Scope, run_id: number) =>
  scope.run(sql<SentDraft>`
    select t.id, t.kind, t.idempotency_key, t.tenant_id, i.id as integration_id, i.integration_type, i.connected_at::text,
      i.short_code
    from billing_invoices as t
    left join accounting_integrations as i on i.customer_id = t.customer_id and i.integration_type = t.integration_type
      and i.tenant_id = t.tenant_id and i.organisation_id is not null and ${scope.inReach('accounting_integrations', 'i')}
    where t.billing_run_id = ${run_id} and t.state = 'sent' and t.tenant_id is not null and ${scope.inReach('billing_invoices', 't')}
    order by t.id`)

interface Options {
  tenancy: Tenancy
  integrations: Integrations
}

export async function findDeletedDrafts(options: Options, caller: Caller, run_id: number): Promise<DeletedDrafts> {
  const sent = await options.tenancy.enter(caller, 'read', (scope) => sentDrafts(scope, run_id))
  const looked: DeletedDrafts = { gone: [], failure: null }
  for (const drafts of Map.groupBy(sent, ({ integration_id, kind }) => `${integration_id} ${kind}`).values())
    try {
      looked.gone.push(...(await goneAmong(options, caller, drafts)))
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      looked.failure = error.message
    }
  return looked
}

/** For drafts of one connection and one kind. */
async function goneAmong({ tenancy, integrations }: Options, caller: Caller, drafts: SentDraft[]) {
  const [first] = drafts
  if (!first) return []
  const { integration_id: id, integration_type, connected_at, tenant_id, short_code, kind } = first
  if (id === null || integration_type === null)
    throw new ProviderFailure('refused', 'This organisation is no longer connected. Connect it, then look again.')
  const connection = { kind: accounting, id, connected_at }
  try {
    const { provider, ask } = integrations.accounting.use(caller, id, integration_type)
    const found = await provider.findDrafts(ask, { tenant_id, short_code }, kind, drafts.map(pushReference))
    return drafts.flatMap((draft) => {
      const as = found.get(pushReference(draft))?.gone ?? null
      return as === null ? [] : [{ id: draft.id, as }]
    })
  } catch (error) {
    if (error instanceof ProviderFailure && error.failing === 'reconnect')
      await recordFailure(tenancy, caller, connection, error)
    throw error
  }
}

/** Marks the drafts that are gone. */
export async function storeDeletedDrafts(scope: Scope, { gone }: DeletedDrafts): Promise<void> {
  for (const { id, as } of gone)
    await scope.change('billing_invoices', sql<boolean>`(t.id = ${id} and t.state = 'sent')`, {
      state: 'gone',
      gone_as: as,
    })
}
