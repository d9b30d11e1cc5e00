// Connection state: the state of a connection as users see it, and when it is next synchronised.
import { sql } from 'kysely'
import type { Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { ProviderFailure, jobMessage, type Kind } from './provider.ts'
import type { Connection } from './tokens.ts'

export const tableOf = ({ kind }: Pick<Connection, 'kind'>) =>
  kind === 'accounting' ? 'accounting_integrations' : 'marketing_integrations'

/** How often a working connection is synchronised. */
const sync_s = 3600
/** The first wait after a failure; each further one doubles it, up to `retry_max_s`. */
const retry_s = 60
const retry_max_s = 6 * 3600

/** Columns after a success. */
export const well = {
  synced_at: sql`now()`,
  last_error: null,
  needs_reconnect: false,
  failures: 0,
  next_sync_at: sql`now() + make_interval(secs => ${sync_s})`,
}

/** Columns after a failure of the provider; any other error is our own fault and is rethrown. */
export function failed(error: unknown) {
  if (!(error instanceof ProviderFailure)) throw error
  const { failing, retry_after_s } = error
  const wait = sql`least(${retry_max_s}, ${retry_s} * power(2, least(failures, 12)))`
  return {
    last_error: jobMessage(error),
    needs_reconnect: failing === 'reconnect',
    failures: sql`failures + 1`,
    next_sync_at:
      failing === 'reconnect' ? null : sql`now() + make_interval(secs => greatest(${retry_after_s ?? 0}, ${wait}))`,
  }
}

export const recordSuccess = (
  tenancy: Tenancy,
  caller: Caller,
  connection: Connection,
  columns: Record<string, unknown>,
) =>
  tenancy.enter(caller, 'write', (scope) => scope.change(tableOf(connection), [connection.id], { ...well, ...columns }))

export async function recordFailure(tenancy: Tenancy, caller: Caller, connection: Connection, error: unknown) {
  const columns = failed(error)
  await tenancy.enter(caller, 'write', (scope) => scope.change(tableOf(connection), [connection.id], columns))
}

/** The existing connection for a consent: the one that is being reconnected, or one of the same account. */
export async function formerConnection(
  scope: Scope,
  kind: Kind,
  { again, tenant_id }: { again: number | null; tenant_id: string | null },
): Promise<number | undefined> {
  const table = tableOf({ kind })
  const [former] = await scope.run(sql<{ id: number }>`
    select t.id from ${sql.table(table)} as t
    where ${again === null ? sql`t.tenant_id = ${tenant_id}::text` : sql`t.id = ${again}`} and ${scope.inReach(table, 't')}
    order by t.id limit 1`)
  return former?.id
}

/** One of `connectionStates`, for a row `t`. */
export const stateOf = (chosen: string) => sql`case when t.needs_reconnect then 'reconnect'
  when ${sql.ref(`t.${chosen}`)} is null then 'choose'
  when t.last_error is not null then 'failing' else 'connected' end`

/** The owner. Packages own no connections. */
export const ownerType = sql`case when t.property_id is not null then 'Property' when t.group_id is not null then 'Group'
  else 'Customer' end`
export const ownerId = sql`coalesce(t.property_id, t.group_id, t.customer_id)`
