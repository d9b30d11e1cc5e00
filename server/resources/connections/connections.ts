// Connections: all that is connected, of every kind, and how each does; those of kinds without calls of their own are made here, by a key
// or by consent.
import { isDeepStrictEqual } from 'node:util'
import { sql, type RawBuilder } from 'kysely'
import * as contract from '#contract/connections.ts'
import { selectedInvalid } from '#contract/errors.ts'
import type { Parsed } from '#contract/endpoint.ts'
import type { Caller } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve, staged } from '#server/api/serve.ts'
import { accounting } from '#server/connections/accounting/kind.ts'
import { marketing } from '#server/connections/marketing/kind.ts'
import { syncNow } from '#server/connections/connection-work.ts'
import { isAvailable, openConnectionConsents, providerOf as knownProvider } from '#server/connections/generic-oauth.ts'
import {
  accountAt,
  callAs,
  callWithKey,
  checkConnection,
  connectionSecrets,
  genericConnections,
  connectionSettings,
} from '#server/connections/generic-connections.ts'
import type { Provider } from '#server/connections/kind.ts'
import { kinds } from '#server/connections/kinds.ts'
import type { Ask } from '#server/connections/provider.ts'
import { keepSecrets, settingsSet } from '#server/connections/setting-secrets.ts'
import { propertySystem } from '#server/connections/property/kind.ts'
import { stateWhere } from '#server/connections/state.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { entity, type Stored } from '#server/entities/entity.ts'
import { searched, wordsOf } from '#server/entities/list-search.ts'
import { listRows } from '#server/entities/lists.ts'
import { ownerColumnsIn } from '#server/entities/owner.ts'
import { checkParameters, type CheckedSettings } from '#server/entities/parameters.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { createRow, removeRow, updateRow } from '#server/entities/verbs.ts'
import { clash, invalid } from '#server/errors/refused.ts'
import { integrationKinds } from '#server/integrations/kinds.ts'
import { systems } from '#server/property-systems/kinds.ts'
import { asConnection } from '#server/property-systems/interface-state.ts'
import type { Services } from '#server/services.ts'

const owner = ownerColumnsIn('owner_package_id')
const isLink = sql`t.kind = ${sql.lit(propertySystem.word)}`
/** @param of a property's own system, whose link is noted where it is kept */
const either = (of: RawBuilder<unknown>, others: RawBuilder<unknown>) =>
  sql`case when ${isLink} then ${of} else ${others} end`
const state = either(asConnection.state, sql`case when not t.active then 'off' else ${stateWhere(sql`t.chosen`)} end`)
const name = sql`coalesce(t.name, ${either(
  sql`(select k.name from property_interface_types as k where k.id::text = t.integration_type)`,
  sql`t.integration_type`,
)}, t.integration_type)`

const connections = entity({
  table: 'connections',
  row: contract.Connection,
  detail: contract.Connection,
  computed: {
    name,
    owner_type: owner.type,
    owner_id: owner.id,
    owner_name: owner.name,
    state,
    last_error: either(asConnection.last_error, sql`t.last_error`),
    last_synced_at: either(asConnection.last_synced_at, sql`t.synced_at`),
    settings_set: settingsSet(connectionSecrets),
  },
  filters: {
    words: wordsOf(sql`concat_ws(' ', ${name}, ${either(sql`null`, sql`t.integration_type`)})`),
    state: ({ is }) => is(state),
  },
  belongs: { group_id: 'group_id', property_id: 'property_id' },
})

interface Company {
  integration_type: string
  name: string
}
const companyOf = ({ integration_type, name: called }: Company): Company => ({ integration_type, name: called })
/** Of kinds with calls of their own: their companies are theirs. */
const companies: Partial<Record<string, () => Company[]>> = {
  [accounting.word]: () => integrationKinds.accounting.map(({ definition }) => companyOf(definition)),
  [marketing.word]: () => integrationKinds.marketing.map(({ definition }) => companyOf(definition)),
  [propertySystem.word]: () =>
    systems.map(({ definition }) => ({ integration_type: String(definition.id), name: definition.name })),
}

type Needs = Pick<Services, 'clients' | 'public_url' | 'safeFetch' | 'seal' | 'tenancy'>
type Row = Stored<typeof connections>
type Changes = Parsed<typeof contract.update>

function offered(kind: string, integration_type: string): Provider {
  const provider = knownProvider({ kind, integration_type })
  if (provider) return provider
  const isKnown = kinds.some((one) => one.word === kind && one.providers.length > 0)
  const field = isKnown ? 'integration_type' : 'kind'
  throw invalid({ [field]: [selectedInvalid(field)] })
}

/** What has calls of its own is changed by these. */
function providerOf(row: Row): Provider {
  const provider = knownProvider(row)
  if (provider) return provider
  const calls = kinds.find(({ word }) => word === row.kind)?.calls
  throw clash(calls ? `This is changed by the calls ${calls}.` : 'This version of Foyer does not know this connection.')
}

/** Outside any transaction, for what asks the provider next. With its secrets. */
const told = ({ tenancy, seal }: Needs, caller: Caller, id: number) =>
  tenancy.enter(caller, 'read', async (scope) => {
    const row = await oneRow(scope, connections, id)
    return { row, provider: providerOf(row), settings: await connectionSettings(scope, seal, id, row.settings) }
  })

/** The provider is asked first; where it is out of order, the connection is kept and it is asked again. */
async function asked(call: Ask, provider: Provider, { settings, secrets }: CheckedSettings) {
  const account = await accountAt(call, provider, { ...settings, ...withoutNull(secrets) })
  if (account.failure && account.failure.failing !== 'later') throw invalid({ settings: [account.failure.message] })
  return account
}
const withoutNull = (secrets: CheckedSettings['secrets']) =>
  Object.fromEntries(Object.entries(secrets).filter((entry): entry is [string, string] => entry[1] !== null))

/** Until a person has given consent, nothing can be asked. */
const notYet = ({ name }: Provider) => ({
  name: null,
  columns: { needs_reconnect: true, last_error: `It is not connected yet. Somebody has to give consent at ${name}.` },
})

/** Outside any transaction: the provider is told first. */
async function revoked(needs: Needs, caller: Caller, id: number) {
  const { row, provider } = await told(needs, caller, id)
  if (provider.consent) await openConnectionConsents(needs).revoke(caller, row)
}

async function removed(scope: Scope, needs: Needs, id: number) {
  await lockedRow(scope, connections, id)
  await scope.unlink('connection_secrets', { connection_id: id })
  await openConnectionConsents(needs).forget(scope, id)
  return removeRow(scope, connections, id)
}

export async function endConnection(needs: Needs, caller: Caller, id: number) {
  await revoked(needs, caller, id)
  return needs.tenancy.enter(caller, 'write', (scope) => removed(scope, needs, id))
}

/** What is asked before other settings are taken. */
async function askedAnew(needs: Needs, caller: Caller, { id, settings: given }: Changes) {
  const before = await told(needs, caller, id)
  if (given === undefined) return undefined
  const { row, provider } = before
  const checked = checkParameters(provider.parameters, given, row)
  // As they were read.
  if (Object.keys(checked.secrets).length === 0 && isDeepStrictEqual(checked.settings, row.settings)) return undefined
  // It is asked when consent is given.
  if (provider.consent && row.state === 'reconnect') return {}
  const kept_secrets = Object.entries(before.settings).filter(
    ([key]) => row.settings_set.includes(key) && !(key in checked.secrets),
  )
  const settings = { ...Object.fromEntries(kept_secrets), ...checked.settings }
  const { columns } = await asked(callAs(needs, caller, provider, row), provider, {
    settings,
    secrets: checked.secrets,
  })
  return { ...columns, connected_at: sql`now()` }
}

type Writing = Pick<Services, 'queue' | 'seal'>

type Made = Awaited<ReturnType<typeof beforeMade>> & { input: Omit<Parsed<typeof contract.create>, 'settings'> }

/** One by consent is not connected until somebody has given it. */
async function beforeMade(services: Needs, { kind, integration_type, settings }: Parsed<typeof contract.create>) {
  const provider = offered(kind, integration_type)
  const checked = checkParameters(provider.parameters, settings)
  if (provider.consent) return { checked, isConnected: false, ...notYet(provider) }
  const account = await asked(callWithKey(services.safeFetch, provider), provider, checked)
  return { checked, isConnected: true, ...account, columns: { ...account.columns, connected_at: sql`now()` } }
}

async function made(scope: Scope, { seal, queue }: Writing, { input, checked, isConnected, name, columns }: Made) {
  const { settings, secrets } = checked
  const { id } = await createRow(scope, connections, { ...input, name: input.name ?? name, settings })
  await scope.change('connections', [id], columns)
  await keepSecrets(scope, seal, { ...connectionSecrets, id }, secrets)
  if (isConnected) await syncNow(scope, queue, genericConnections, [id])
  return oneRow(scope, connections, id)
}

/** @param columns what was found out with other settings; undefined: they are as they were */
async function changed(
  scope: Scope,
  { seal, queue }: Writing,
  { settings: given, ...input }: Changes,
  columns: Record<string, unknown> | undefined,
) {
  if (columns === undefined) return updateRow(scope, connections, input)
  const before = await lockedRow(scope, connections, input.id)
  const { settings, secrets } = checkParameters(providerOf(before).parameters, given, before)
  await keepSecrets(scope, seal, { ...connectionSecrets, id: input.id }, secrets)
  const row = await updateRow(scope, connections, { ...input, ...columns, settings })
  if ('connected_at' in columns) await syncNow(scope, queue, genericConnections, [input.id])
  const keys = Object.keys(secrets).map((key) => [`settings.${key}_changed`, true])
  if (keys.length === 0) return row
  // The log records which secrets changed, never their values.
  const after = Object.fromEntries(keys) as Record<string, boolean>
  await logActivity(scope, { action: 'update', entity: connections, row, before: null, after })
  return oneRow(scope, connections, input.id)
}

/** What a consent was given for, and what the provider says with it. */
async function consented(services: Needs, caller: Caller, returned: Parsed<typeof contract.connect>) {
  const { id, tokens, ask } = await openConnectionConsents(services).finish(caller, returned)
  const { provider, settings } = await told(services, caller, id)
  return { id, tokens, ...(await accountAt(ask, provider, settings)) }
}

async function connected(
  scope: Scope,
  services: Needs & Writing,
  { id, tokens, name, columns }: Awaited<ReturnType<typeof consented>>,
) {
  const before = await lockedRow(scope, connections, id)
  await openConnectionConsents(services).keep(scope, id, tokens)
  const named = { name: sql`coalesce(name, ${name}::text)` }
  await scope.change('connections', [id], { ...columns, ...named, connected_at: sql`now()` })
  const row = await oneRow(scope, connections, id)
  await logActivity(scope, { action: 'integration', entity: connections, row, before, after: row })
  if (row.state !== 'reconnect') await syncNow(scope, services.queue, genericConnections, [id])
  return row
}

export default (services: Needs & Writing) =>
  serve(contract, {
    kinds: () =>
      Promise.resolve(
        kinds.map(({ word, name: kind_name, calls, providers: connected_here }) => ({
          kind: word,
          name: kind_name,
          calls,
          companies: companies[word]?.() ?? connected_here.map(companyOf),
          providers: connected_here.map((one) => ({
            integration_type: one.integration_type,
            name: one.name,
            parameters: [...one.parameters],
            connected_by: one.consent ? ('consent' as const) : ('key' as const),
            available: isAvailable(services, one),
          })),
        })),
      ),
    list: ({ scope, input }) => listRows(scope, connections, searched(input)),
    get: ({ scope, input }) => oneRow(scope, connections, input.id),
    create: staged(
      ({ input }) => beforeMade(services, input),
      ({ scope, input: { settings: _, ...input }, prepared }) => made(scope, services, { input, ...prepared }),
    ),
    update: staged(
      ({ caller, input }) => askedAnew(services, caller, input),
      ({ scope, input, prepared }) => changed(scope, services, input, prepared),
    ),
    authorize: staged(
      async ({ caller, input }) =>
        openConnectionConsents(services).begin(caller, (await told(services, caller, input.id)).row),
      ({ prepared }) => Promise.resolve(prepared),
    ),
    connect: staged(
      ({ caller, input }) => consented(services, caller, input),
      ({ scope, prepared }) => connected(scope, services, prepared),
    ),
    tryNow: staged(
      async ({ caller, input: { id } }) => {
        const { row } = await told(services, caller, id)
        if (!row.active) throw clash('It is disabled: activate it first.')
        if (row.connected_at === null) throw clash('It is not connected yet. Connect it first.')
        await checkConnection(services, caller.customer_id, id)
      },
      ({ scope, input }) => oneRow(scope, connections, input.id),
    ),
    remove: staged(
      ({ caller, input }) => revoked(services, caller, input.id),
      ({ scope, input }) => removed(scope, services, input.id),
    ),
  })
