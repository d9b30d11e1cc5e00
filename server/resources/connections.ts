// Connections: all that is connected, of every kind, and how each does; those of kinds without calls of their own are made here, by a key.
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import * as contract from '#contract/connections.ts'
import { selectedInvalid } from '#contract/errors.ts'
import type { Caller } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve, staged } from '#server/api/serve.ts'
import { syncNow } from '#server/connections/due-connections.ts'
import { accountAt, connectionSecrets, keyed, keyProviderOf, settingsOf } from '#server/connections/keyed.ts'
import type { KeyProvider } from '#server/connections/kind.ts'
import { kinds } from '#server/connections/kinds.ts'
import { keepSecrets, settingsSet } from '#server/connections/setting-secrets.ts'
import { ownerId, ownerType, stateWhere } from '#server/connections/state.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { entity, type Stored } from '#server/entities/entity.ts'
import { searched, wordsOf } from '#server/entities/list-search.ts'
import { listRows } from '#server/entities/lists.ts'
import { checkSettings, type CheckedSettings } from '#server/entities/parameters.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { createRow, removeRow, updateRow } from '#server/entities/verbs.ts'
import { clash, invalid } from '#server/errors/refused.ts'
import type { Services } from '#server/services.ts'

const connections = entity({
  table: 'connections',
  row: contract.Connection,
  detail: contract.Connection,
  computed: {
    name: sql`coalesce(t.name, t.integration_type)`,
    owner_type: ownerType,
    owner_id: ownerId,
    state: stateWhere(sql`t.chosen`),
    last_synced_at: sql`t.synced_at`,
    settings_set: settingsSet(connectionSecrets),
  },
  filters: { words: wordsOf(sql`concat_ws(' ', t.name, t.integration_type)`) },
  belongs: { group_id: 'group_id', property_id: 'property_id' },
})

function offered(kind: string, integration_type: string): KeyProvider {
  const provider = keyProviderOf(kind, integration_type)
  if (provider) return provider
  const isKnown = kinds.some(({ word, providers }) => word === kind && providers.length > 0)
  const field = isKnown ? 'integration_type' : 'kind'
  throw invalid({ [field]: [selectedInvalid(field)] })
}

/** What has calls of its own is changed by these. */
function providerOf({ kind, integration_type }: Stored<typeof connections>): KeyProvider {
  const provider = keyProviderOf(kind, integration_type)
  if (provider) return provider
  const calls = kinds.find(({ word }) => word === kind)?.calls
  throw clash(calls ? `This is changed by the calls ${calls}.` : 'This version of Foyer does not know this connection.')
}

/** The provider is asked first; where it is out of order, the connection is kept and it is asked again. */
async function asked(
  { safeFetch }: Pick<Services, 'safeFetch'>,
  provider: KeyProvider,
  { settings, secrets }: CheckedSettings,
) {
  const account = await accountAt(safeFetch, provider, { ...settings, ...withoutNull(secrets) })
  if (account.failure && account.failure.failing !== 'later') throw invalid({ settings: [account.failure.message] })
  return account
}
const withoutNull = (secrets: CheckedSettings['secrets']) =>
  Object.fromEntries(Object.entries(secrets).filter((entry): entry is [string, string] => entry[1] !== null))

async function removed(scope: Scope, id: number) {
  providerOf(await lockedRow(scope, connections, id))
  await scope.unlink('connection_secrets', { connection_id: id })
  return removeRow(scope, connections, id)
}

export const endConnection = ({ tenancy }: Pick<Services, 'tenancy'>, caller: Caller, id: number) =>
  tenancy.enter(caller, 'write', (scope) => removed(scope, id))

export default (services: Pick<Services, 'queue' | 'safeFetch' | 'seal' | 'tenancy'>) => {
  const { seal, queue } = services
  return serve(contract, {
    kinds: () =>
      Promise.resolve(
        kinds.map(({ word, name, calls, providers }) => ({
          kind: word,
          name,
          calls,
          providers: providers.map((one) => ({
            integration_type: one.integration_type,
            name: one.name,
            parameters: [...one.parameters],
          })),
        })),
      ),
    list: ({ scope, input }) => listRows(scope, connections, searched(input)),
    get: ({ scope, input }) => oneRow(scope, connections, input.id),
    create: staged(
      async ({ input: { kind, integration_type, settings } }) => {
        const provider = offered(kind, integration_type)
        const checked = checkSettings(provider.parameters, settings)
        return { checked, ...(await asked(services, provider, checked)) }
      },
      async ({ scope, input: { settings: _, ...input }, prepared: { checked, name, columns } }) => {
        const { id } = await createRow(scope, connections, {
          ...input,
          name: input.name ?? name,
          settings: checked.settings,
        })
        await scope.change('connections', [id], { ...columns, connected_at: sql`now()` })
        await keepSecrets(scope, seal, connectionSecrets, id, checked.secrets)
        await syncNow(scope, queue, keyed, [id])
        return oneRow(scope, connections, id)
      },
    ),
    update: staged(
      async ({ caller, input: { id, settings: given } }) => {
        const kept = await services.tenancy.enter(caller, 'read', async (scope) => {
          const row = await oneRow(scope, connections, id)
          return { row, provider: providerOf(row), settings: await settingsOf(scope, seal, id, row.settings) }
        })
        if (given === undefined) return undefined
        const checked = checkSettings(kept.provider.parameters, given, kept.row)
        // As they were read.
        if (Object.keys(checked.secrets).length === 0 && isDeepStrictEqual(checked.settings, kept.row.settings))
          return undefined
        const kept_secrets = Object.entries(kept.settings).filter(
          ([key]) => kept.row.settings_set.includes(key) && !(key in checked.secrets),
        )
        const settings = { ...Object.fromEntries(kept_secrets), ...checked.settings }
        return asked(services, kept.provider, { settings, secrets: checked.secrets })
      },
      async ({ scope, input: { settings: given, ...input }, prepared }) => {
        if (prepared === undefined) return updateRow(scope, connections, input)
        const before = await lockedRow(scope, connections, input.id)
        const { settings, secrets } = checkSettings(providerOf(before).parameters, given, before)
        await keepSecrets(scope, seal, connectionSecrets, input.id, secrets)
        const row = await updateRow(scope, connections, {
          ...input,
          ...prepared.columns,
          settings,
          connected_at: sql`now()`,
        })
        await syncNow(scope, queue, keyed, [input.id])
        const changed = Object.keys(secrets).map((key) => [`settings.${key}_changed`, true])
        if (changed.length === 0) return row
        // The log records which secrets changed, never their values.
        const after = Object.fromEntries(changed) as Record<string, boolean>
        await logActivity(scope, { action: 'update', entity: connections, row, before: null, after })
        return oneRow(scope, connections, input.id)
      },
    ),
    remove: ({ scope, input }) => removed(scope, input.id),
  })
}
