// Keyed: connections by a key: what each was told, how its provider is asked whether it takes that, and how it is kept in line.
import { sql } from 'kysely'
import type { Settings } from '#contract/parameters.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { dueKind } from '#server/due/due-work.ts'
import { NotReached, type SafeFetch } from '#server/outbound/safe-fetch.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { connectionWork, type Kept } from './due-connections.ts'
import type { KeyProvider } from './kind.ts'
import { kinds } from './kinds.ts'
import { ProviderFailure, type Ask } from './provider.ts'
import { openSecrets, type SecretsOf } from './setting-secrets.ts'
import { failed, sync_s, well, type Round } from './state.ts'

/** Undefined for a kind with calls of its own, and for what only a later release knows. */
export const keyProviderOf = (kind: string, integration_type: string): KeyProvider | undefined =>
  kinds.find(({ word }) => word === kind)?.providers.find((one) => one.integration_type === integration_type)

export const connectionSecrets: SecretsOf = { table: 'connection_secrets', of: 'connection_id' }
export const keyed: Kept = { due: dueKind('connection'), table: 'connections', known_by: [] }

const call_timeout_ms = 15_000
const answer_bytes_max = 8 * 1024 * 1024

/** What the provider calls the account, asked with these settings, and how that went, as columns. */
export async function accountAt(safeFetch: SafeFetch, provider: KeyProvider, settings: Settings) {
  const call: Ask = async (url, { scheme: _, ...asked } = {}) => {
    try {
      return await safeFetch(url, { timeout_ms: call_timeout_ms, answer_bytes_max, redirects_max: 0, ...asked })
    } catch (error) {
      if (!(error instanceof NotReached)) throw error
      throw new ProviderFailure('later', `${provider.name} could not be reached.`)
    }
  }
  try {
    return { name: await provider.account(call, settings), failure: null, columns: ofState(well) }
  } catch (error) {
    return { name: null, columns: ofState(failed(error)), failure: error as ProviderFailure }
  }
}
/** No node of the release before keeps one. */
const ofState = <C extends { next_sync_at: unknown }>({ next_sync_at: _, ...columns }: C) => columns

/** With its secrets. */
export async function settingsOf(scope: Scope, seal: Seal, id: number, settings: Settings): Promise<Settings> {
  const stored = await scope.run(sql<{ key: string; sealed_value: Buffer }>`select * from connection_settings(${id})`)
  return openSecrets(seal, connectionSecrets, { customer_id: scope.customer_id, id, settings }, stored)
}

interface Needs {
  tenancy: Tenancy
  seal: Seal
  safeFetch: SafeFetch
}

async function keep({ tenancy, seal, safeFetch }: Needs, customer_id: number, id: number): Promise<Round> {
  const caller = callerOfJob(customer_id, 'connections')
  const kept = await tenancy.enter(caller, 'read', async (scope) => {
    const [one] = await scope.run(sql<ColumnsOf<'connections', 'kind' | 'integration_type'> & { settings: Settings }>`
      select t.kind, t.integration_type, t.settings from connections as t
      where t.id = ${id} and t.own_id is null and ${scope.inReach('connections', 't')}`)
    const provider = one && keyProviderOf(one.kind, one.integration_type)
    return provider && { provider, settings: await settingsOf(scope, seal, id, one.settings) }
  })
  if (!kept) return 'gone'
  const { name, columns, failure } = await accountAt(safeFetch, kept.provider, kept.settings)
  // One that was made while its provider was out of order has no name yet.
  const named = { name: sql`coalesce(name, ${name}::text)` }
  await tenancy.enter(caller, 'write', (scope) => scope.change('connections', [id], { ...columns, ...named }))
  return failure ?? { again_s: sync_s }
}

export const keyedWork = connectionWork(
  keyed,
  keep,
  sql`select customer_id, about_id from door_due_connections(${keyed.due.name})`,
)
