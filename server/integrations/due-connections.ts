// Due connections: the due work that keeps connections in line with their provider: each hour, sooner where an audience is to be told
// something, and after growing waits while the provider fails.
import { sql, type RawBuilder } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { doubling, dueKind, queueDue, TriedInVain, type DueKind, type DueWork } from '#server/due/due-work.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { syncAccounting } from './accounting.ts'
import { knownBy, tableOf } from '#server/connections/kinds.ts'
import { retry_max_s, retry_s, type Round } from '#server/connections/state.ts'
import type { Integrations } from './integrations.ts'
import { keepAudience } from './marketing.ts'
import { jobMessage, ProviderFailure, type Kind } from '#server/connections/provider.ts'
import { isInUse } from '#server/connections/tokens.ts'

interface Options {
  tenancy: Tenancy
  integrations: Integrations
}

/** Tries after a fault of ours: three days of them. */
const tries_max = 20

export const dueKinds: Record<Kind, DueKind> = {
  accounting: dueKind('accounting_connection'),
  marketing: dueKind('marketing_connection'),
}

/** At once, and not when its time comes. */
export const syncNow = (scope: Scope, queue: Pick<Queue, 'send'>, kind: Kind, ids: readonly number[]) =>
  queueDue(
    scope,
    queue,
    dueKinds[kind],
    ids.map((about_id) => ({ about_id, urgent: true })),
  )

/** Audiences that may have somebody who was just erased. */
export async function tellErased(scope: Scope, queue: Pick<Queue, 'send'>) {
  const all = await scope.run(sql<ColumnsOf<'marketing_integrations', 'id'>>`
    select t.id from marketing_integrations as t where t.active and not t.needs_reconnect and t.failures = 0
      and t.audience_id is not null and ${scope.inReach('marketing_integrations', 't')} order by t.id`)
  await syncNow(
    scope,
    queue,
    'marketing',
    all.map(({ id }) => id),
  )
}

/** What of a connection a person may change while it is kept: then it is kept anew. */
const chosen = (scope: Scope, kind: Kind, id: number) =>
  scope.run(sql<{ chosen: string }>`
    select concat_ws(' ', ${sql.join(knownBy(kind).map((name) => sql.ref(`t.${name}`)))}, t.connected_at) as chosen
    from ${sql.table(tableOf({ kind }))} as t where t.id = ${id} and ${scope.inReach(tableOf({ kind }), 't')}`)

const connectionWork = (
  kind: Kind,
  keep: (options: Options, customer_id: number, id: number) => Promise<Round>,
  finds: RawBuilder<{ customer_id: number; about_id: number }>,
): DueWork<Options> => ({
  kind: dueKinds[kind],
  about: (scope) => sql`(select coalesce(i.name, i.integration_type) from ${sql.table(tableOf({ kind }))} as i
    where i.id = t.about_id and ${scope.inReach(tableOf({ kind }), 'i')})`,
  promise: 'repeated',
  at_once: 8,
  of_one_customer: 2,
  tries_max,
  wait_s: doubling(retry_s, retry_max_s),
  async run(options, { about_id, caller }) {
    const { tenancy } = options
    const before = await tenancy.enter(caller, 'read', async (scope) =>
      (await isInUse(scope, { kind, id: about_id })) ? chosen(scope, kind, about_id) : [],
    )
    if (before.length === 0) return
    const round = await keep(options, caller.customer_id, about_id)
    if (round instanceof ProviderFailure) {
      const { retry_after_s, failing } = round
      throw new TriedInVain(jobMessage(round), {
        // Only a new consent helps, and it begins anew with that.
        hopeless: failing === 'reconnect',
        goes_on: true,
        retry_after_s,
        counts: true,
        cause: round,
      })
    }
    if (round === 'gone') return
    return async (scope) => {
      const [now] = await chosen(scope, kind, about_id)
      return { again_s: now?.chosen === before[0]?.chosen ? round.again_s : 0 }
    }
  },
  // The connection itself says that somebody has to reconnect it.
  failed: (_, __, { error }) =>
    Promise.resolve(error instanceof TriedInVain && error.how.hopeless ? ('forget' as const) : undefined),
  finds,
})

export const accountingWork = connectionWork(
  'accounting',
  syncAccounting,
  sql`select customer_id, about_id from door_due_accounting(${dueKinds.accounting.name})`,
)
export const marketingWork = connectionWork(
  'marketing',
  keepAudience,
  sql`select customer_id, about_id from door_due_marketing(${dueKinds.marketing.name})`,
)
