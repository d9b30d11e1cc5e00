// Generic connections: those that stand in the table of all and nowhere else: what each was told, how its provider is asked whether it
// takes that, and how it is kept in line.
import { sql } from 'kysely'
import type { Settings } from '#contract/parameters.ts'
import { callerOfJob, type Caller } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { dueKind } from '#server/due/due-work.ts'
import { NotReached, type SafeFetch } from '#server/outbound/safe-fetch.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { openConnectionConsents, providerOf, type Named, type GenericNeeds } from './generic-oauth.ts'
import { connectionWork, type SyncedTable } from './connection-work.ts'
import type { Provider } from './kind.ts'
import { ProviderFailure, type Ask } from './provider.ts'
import { openSettingSecrets, type SecretsOf } from './setting-secrets.ts'
import { failed, isStill, sync_s, well, type Round } from './state.ts'

export const connectionSecrets: SecretsOf = { table: 'connection_secrets', of: 'connection_id' }
export const genericConnections: SyncedTable = { due: dueKind('connection'), table: 'connections', known_by: [] }

const call_timeout_ms = 15_000
const answer_bytes_max = 8 * 1024 * 1024

/** How a provider is called that was told a key: the key is in the call. */
export const callWithKey =
  (safeFetch: SafeFetch, { name }: Provider): Ask =>
  async (url, { scheme: _, ...asked } = {}) => {
    try {
      return await safeFetch(url, { timeout_ms: call_timeout_ms, answer_bytes_max, redirects_max: 0, ...asked })
    } catch (error) {
      if (!(error instanceof NotReached)) throw error
      throw new ProviderFailure('later', `${name} could not be reached.`)
    }
  }

/** How a provider is called in the name of a connection. */
export const callAs = (needs: GenericNeeds, caller: Caller, provider: Provider, of: Named & { id: number }): Ask =>
  provider.consent ? openConnectionConsents(needs).ask(caller, provider, of) : callWithKey(needs.safeFetch, provider)

/** What the provider calls the account, asked with these settings, and how that went, as columns. */
export async function accountAt(call: Ask, provider: Provider, settings: Settings) {
  try {
    return { name: await provider.account(call, settings), failure: null, columns: ofState(well) }
  } catch (error) {
    return { name: null, columns: ofState(failed(error)), failure: error as ProviderFailure }
  }
}
/** No node of the release before keeps one. */
const ofState = <C extends { next_sync_at: unknown }>({ next_sync_at: _, ...columns }: C) => columns

/** With its secrets. */
export async function connectionSettings(scope: Scope, seal: Seal, id: number, settings: Settings): Promise<Settings> {
  const stored = await scope.run(sql<{ key: string; sealed_value: Buffer }>`select * from connection_settings(${id})`)
  return openSettingSecrets(seal, connectionSecrets, { customer_id: scope.customer_id, id, settings }, stored)
}

/** Asks whether all is well with one, and notes how it is. */
export async function checkConnection(needs: GenericNeeds, customer_id: number, id: number): Promise<Round> {
  const { tenancy, seal } = needs
  const caller = callerOfJob(customer_id, 'connections')
  const found = await tenancy.enter(caller, 'read', async (scope) => {
    const [one] = await scope.run(sql<
      ColumnsOf<'connections', 'kind' | 'integration_type'> & { settings: Settings; connected_at: string | null }
    >`
      select t.kind, t.integration_type, t.settings, t.connected_at::text from connections as t
      where t.id = ${id} and t.own_id is null and ${scope.inReach('connections', 't')}`)
    const provider = one && providerOf(one)
    return provider && { ...one, provider, settings: await connectionSettings(scope, seal, id, one.settings) }
  })
  if (!found) return 'gone'
  const { provider, settings, connected_at } = found
  const { name, columns, failure } = await accountAt(
    callAs(needs, caller, provider, { ...found, id }),
    provider,
    settings,
  )
  const noted = await tenancy.enter(caller, 'write', (scope) =>
    // One that was made while its provider was out of order has no name yet.
    scope.change('connections', isStill({ id, connected_at }), {
      ...columns,
      name: sql`coalesce(name, ${name}::text)`,
    }),
  )
  return failure !== null && noted.length > 0 ? failure : { again_s: sync_s }
}

export const genericWork = connectionWork(
  genericConnections,
  checkConnection,
  sql`select customer_id, about_id from door_due_connections(${genericConnections.due.name})`,
)
