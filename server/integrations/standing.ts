// Standing: how a connection is, as a person reads it, and when it is looked at next.
import { sql } from 'kysely'
import type { Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { ProviderFailure, saidByJob, type Kind } from './provider.ts'
import type { Connection } from './tokens.ts'

export const tableOf = ({ kind }: Pick<Connection, 'kind'>) =>
  kind === 'accounting' ? 'accounting_integrations' : 'marketing_integrations'

/** How often a connection that is well is brought up to date. */
const sync_s = 3600
/** The first wait after a failure; each further one doubles it, up to `retry_max_s`. */
const retry_s = 60
const retry_max_s = 6 * 3600

/** Of a connection that answered. */
export const well = {
  synced_at: sql`now()`,
  last_error: null,
  needs_reconnect: false,
  failures: 0,
  next_sync_at: sql`now() + make_interval(secs => ${sync_s})`,
}

/** What went wrong, as columns; what is nobody's refusal is a fault of ours, and is thrown on. */
export function failed(error: unknown) {
  if (!(error instanceof ProviderFailure)) throw error
  const { failing, retry_after_s } = error
  const wait = sql`least(${retry_max_s}, ${retry_s} * power(2, least(failures, 12)))`
  return {
    last_error: saidByJob(error),
    needs_reconnect: failing === 'reconnect',
    failures: sql`failures + 1`,
    next_sync_at:
      failing === 'reconnect' ? null : sql`now() + make_interval(secs => greatest(${retry_after_s ?? 0}, ${wait}))`,
  }
}

export const sayWell = (tenancy: Tenancy, caller: Caller, connection: Connection, columns: Record<string, unknown>) =>
  tenancy.enter(caller, 'write', (scope) => scope.change(tableOf(connection), [connection.id], { ...well, ...columns }))

export async function sayFailed(tenancy: Tenancy, caller: Caller, connection: Connection, error: unknown) {
  const columns = failed(error)
  await tenancy.enter(caller, 'write', (scope) => scope.change(tableOf(connection), [connection.id], columns))
}

/** The connection that a consent is of: the one that was to be had anew, or one of the same account there. */
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

/** The words of `connectionStates`, over a row `t`. */
export const stateOf = (chosen: string) => sql`case when t.needs_reconnect then 'reconnect'
  when ${sql.ref(`t.${chosen}`)} is null then 'choose'
  when t.last_error is not null then 'failing' else 'connected' end`

/** Whose it is. A package owns none. */
export const ownerType = sql`case when t.property_id is not null then 'Property' when t.group_id is not null then 'Group'
  else 'Customer' end`
export const ownerId = sql`coalesce(t.property_id, t.group_id, t.customer_id)`
