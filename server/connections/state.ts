// State: the state of a connection as users see it, and when it is next synchronised.
import { sql, type RawBuilder } from 'kysely'
import type { Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import type { ConsentKind, AccountColumn } from './kind.ts'
import { ProviderFailure, jobMessage } from './provider.ts'

interface Connection {
  kind: ConsentKind
  id: number
}
/** A connection, as it was read: by which consent. */
interface Read extends Connection {
  connected_at: string | null
}

/** A condition: it is connected by the consent or key that was read. What a former one finds out says nothing of the present one. */
export const isStill = ({ id, connected_at }: Omit<Read, 'kind'>) =>
  sql<boolean>`(t.id = ${id} and t.connected_at is not distinct from ${connected_at}::timestamptz)`

/** How often a working connection is synchronised. */
export const sync_s = 3600
/** The first wait after a failure; each further one doubles it, up to `retry_max_s`. */
export const retry_s = 60
export const retry_max_s = 6 * 3600
/** Nodes of the release before look at `next_sync_at`: they come later, and so only where no node of this release does it. */
const former_s = 600

/** How a round with a connection ended: when the next one is due, or that nothing is left of it, or how the provider failed. */
export type Round = { again_s: number } | 'gone' | ProviderFailure

/** Columns after a success. */
export const well = {
  synced_at: sql`now()`,
  last_error: null,
  needs_reconnect: false,
  failures: 0,
  next_sync_at: sql`now() + make_interval(secs => ${sync_s + former_s})`,
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
      failing === 'reconnect'
        ? null
        : sql`now() + make_interval(secs => greatest(${retry_after_s ?? 0}, ${wait}) + ${former_s})`,
  }
}

export const recordSuccess = (tenancy: Tenancy, caller: Caller, connection: Read, columns: Record<string, unknown>) =>
  tenancy.enter(caller, 'write', (scope) =>
    scope.change(connection.kind.table, isStill(connection), { ...well, ...columns }),
  )

export async function recordFailure(
  tenancy: Tenancy,
  caller: Caller,
  connection: Read,
  error: unknown,
): Promise<Round> {
  if (!(error instanceof ProviderFailure)) throw error
  const noted = await tenancy.enter(caller, 'write', (scope) =>
    scope.change(connection.kind.table, isStill(connection), failed(error)),
  )
  return noted.length > 0 ? error : { again_s: 0 }
}

/** What a consent was given for. An audience or organisation that is yet to be chosen is null. */
interface Account {
  /** Companies call their accounts as they like: the same id at another is another account. */
  integration_type: string
  tenant_id: string | null
  audience_id?: string | null
  /** All that the consent covers. */
  tenants?: readonly string[]
}

/**
 * The connection that a consent goes on with: the one that is being reconnected, one of the same account, or else the last one of it
 * that was taken down, with its settings and all that hangs on it.
 */
export async function formerConnection(
  scope: Scope,
  kind: ConsentKind,
  { again, ...account }: Account & { again: number | null },
): Promise<number | undefined> {
  const { table } = kind
  if (again !== null) {
    const [own] = await scope.run(sql<{ id: number }>`
      select t.id from ${sql.table(table)} as t where t.id = ${again} and ${scope.inReach(table, 't')}`)
    return own?.id
  }
  const { integration_type, tenant_id, tenants = [] } = account
  const [former, another] = await scope.run(sql<{ id: number }>`
    select t.id from ${sql.table(table)} as t where ${scope.inReach(table, 't')}
      and t.integration_type = ${integration_type} and (t.tenant_id = ${tenant_id}::text
        or ${tenant_id}::text is null and t.needs_reconnect
        and t.tenant_id = any(${tenants})) order by t.id limit 2`)
  if (former) return tenant_id === null && another ? undefined : former.id
  return revived(scope, kind, account)
}

const knownBy = ({ known_by }: ConsentKind): readonly AccountColumn[] => known_by

/** A condition: a row `t` is to this account. */
const isTo = (kind: ConsentKind, account: Account) =>
  sql.join(
    (['integration_type', ...knownBy(kind)] as const).map((name) => sql`${sql.ref(`t.${name}`)} = ${account[name]}`),
    sql` and `,
  )

/** Brings back the last connection of the account that was taken down. */
async function revived(scope: Scope, kind: ConsentKind, account: Account): Promise<number | undefined> {
  const { table } = kind
  if (knownBy(kind).some((name) => account[name] == null)) return undefined
  const [back] = await scope.run(sql<{ id: number }>`
    update ${sql.table(table)} as o set deleted_at = null
    where o.customer_id = ${scope.customer_id} and o.id = (select max(t.id) from ${sql.table(table)} as t
      where t.customer_id = ${scope.customer_id} and t.deleted_at is not null and t.group_id is null and t.property_id is null
        and ${isTo(kind, account)})
    returning o.id`)
  return back?.id
}

/**
 * The connection `id` has just been given an organisation or audience. Where there is a connection to it already, or was one, that one
 * goes on with this consent, and `id` is not needed. Returns the connection that stands.
 */
export async function unite(
  scope: Scope,
  { move }: { move: (scope: Scope, from: number, to: number) => Promise<void> },
  { kind, id }: Connection,
  account: Account & { tenant_id: string },
): Promise<number> {
  const { table } = kind
  const [living] = await scope.run(sql<{ id: number }>`
    select t.id from ${sql.table(table)} as t where t.id <> ${id} and ${isTo(kind, account)}
      and ${scope.inReach(table, 't')} order by t.id limit 1`)
  const former = living?.id ?? (await revived(scope, kind, account))
  if (former === undefined) return id
  await move(scope, id, former)
  const carried = kind.carried_over.map((name) => sql`${sql.ref(name)} = ${sql.ref(`new.${name}`)}`)
  await scope.run(sql`
    update ${sql.table(table)} as t set ${sql.join(carried)}, connected_at = new.connected_at, needs_reconnect = false, failures = 0,
      last_error = null
    from ${sql.table(table)} as new where t.id = ${former} and new.id = ${id} and ${scope.inReach(table, 't')}
      and ${scope.inReach(table, 'new')}`)
  await scope.unlink(table, { id })
  return former
}

/** One of `connectionStates`, for a row `t`; whether a person has chosen what it is to. */
export const stateWhere = (isChosen: RawBuilder<unknown>) => sql`case when t.needs_reconnect then 'reconnect'
  when not ${isChosen} then 'choose'
  when t.last_error is not null then 'failing' else 'connected' end`
export const connectionState = (chosen: string) => stateWhere(sql`(${sql.ref(`t.${chosen}`)} is not null)`)

/** The owner. Packages own no connections. */
export const ownerType = sql`case when t.property_id is not null then 'Property' when t.group_id is not null then 'Group'
  else 'Customer' end`
export const ownerId = sql`coalesce(t.property_id, t.group_id, t.customer_id)`
