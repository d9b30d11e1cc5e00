// Connection work: the due work that keeps connections in line with their provider: each hour, sooner where something is to be told, and
// after growing waits while the provider fails.
import { sql, type RawBuilder } from 'kysely'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { doubling, queueDue, TriedInVain, type DueKind, type DueWork } from '#server/due/due-work.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { AccountColumn } from './kind.ts'
import { jobMessage, ProviderFailure } from './provider.ts'
import { retry_max_s, retry_s, type Round } from './state.ts'
import { isInUse, type Active } from './tokens.ts'

/** Tries after a fault of ours: three days of them. */
const tries_max = 20

/** A table whose connections are kept in line by one kind of due work. */
export interface SyncedTable extends Active {
  due: DueKind
  /** What a person may change while one is kept. */
  known_by: readonly AccountColumn[]
}

/** At once, and not when its time comes. */
export const syncNow = (
  scope: Scope,
  queue: Pick<Queue, 'send'>,
  { due }: Pick<SyncedTable, 'due'>,
  ids: readonly number[],
) =>
  queueDue(
    scope,
    queue,
    due,
    ids.map((about_id) => ({ about_id, urgent: true })),
  )

/** Where a person has changed it meanwhile, it is kept anew. */
const chosen = (scope: Scope, { table, known_by }: SyncedTable, id: number) =>
  scope.run(sql<{ chosen: string }>`
    select concat_ws(' ', ${sql.join([...known_by, 'connected_at'].map((name) => sql.ref(`t.${name}`)))}) as chosen
    from ${sql.table(table)} as t where t.id = ${id} and ${scope.inReach(table, 't')}`)

/** @param finds those that nobody keeps yet, and those whose work is to come sooner than its time */
export const connectionWork = <Needs extends { tenancy: Tenancy }>(
  synced: SyncedTable,
  keep: (needs: Needs, customer_id: number, id: number) => Promise<Round>,
  finds: RawBuilder<{ customer_id: number; about_id: number }>,
): DueWork<Needs> => ({
  kind: synced.due,
  about: (scope) => sql`(select coalesce(i.name, i.integration_type) from ${sql.table(synced.table)} as i
    where i.id = t.about_id and ${scope.inReach(synced.table, 'i')})`,
  promise: 'repeated',
  at_once: 8,
  of_one_customer: 2,
  tries_max,
  wait_s: doubling(retry_s, retry_max_s),
  async run(needs, { about_id, caller }) {
    const { tenancy } = needs
    const before = await tenancy.enter(caller, 'read', async (scope) =>
      (await isInUse(scope, { kind: synced, id: about_id })) ? chosen(scope, synced, about_id) : [],
    )
    if (before.length === 0) return
    const round = await keep(needs, caller.customer_id, about_id)
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
      const [now] = await chosen(scope, synced, about_id)
      return { again_s: now?.chosen === before[0]?.chosen ? round.again_s : 0 }
    }
  },
  // The connection itself says that somebody has to reconnect it.
  failed: (_, __, { error }) =>
    Promise.resolve(error instanceof TriedInVain && error.how.hopeless ? ('forget' as const) : undefined),
  finds,
})
