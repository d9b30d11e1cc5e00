// Property interfaces: the links to the systems that know who stays where, and their sealed credentials.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import * as contract from '#contract/property-interfaces.ts'
import type { Parsed } from '#contract/endpoint.ts'
import type { Parameter } from '#contract/parameters.ts'
import { allows } from '#contract/permissions.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve, staged } from '#server/api/serve.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { listRows } from '#server/entities/lists.ts'
import { ownerColumns, ownerColumnsIn } from '#server/entities/owner.ts'
import { keepSecrets, settingsSet } from '#server/connections/setting-secrets.ts'
import { logActivity, logActivityOfMany } from '#server/entities/activity-log.ts'
import { checkParameters, type CheckedSettings } from '#server/entities/parameters.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { activateRow, createRow, deactivateRow, removeRow, toggleRow, updateRow } from '#server/entities/verbs.ts'
import { clash, invalid } from '#server/errors/refused.ts'
import { pollNow } from '#server/property-systems/polling.ts'
import { openSystemConsents } from '#server/property-systems/consents.ts'
import { receivePending } from '#server/property-systems/receive-updates.ts'
import { interfaceOf } from '#server/property-systems/interfaces.ts'
import { requestSnapshot } from '#server/property-systems/link-state.ts'
import { systemOf } from '#server/property-systems/kinds.ts'
import { interfaceSecrets } from '#server/property-systems/interface-settings.ts'
import { interfaceState, withFiles } from '#server/property-systems/interface-state.ts'
import { tryOut } from '#server/property-systems/try-out.ts'
import type { Services } from '#server/services.ts'
import { forgetSyncedStays } from '#server/stays/sync.ts'

/** `package_id` is the package of its accounts; an owning package is in a column of its own. */
const owner = ownerColumnsIn('owner_package_id')

const secretFlag = (column: 'has_username' | 'has_password') => sql`coalesce((
  select ${sql.ref(`s.${column}`)} from property_interface_secrets as s
  where s.customer_id = t.customer_id and s.property_interface_id = t.id), false)`

/** What the activity log knows an interface by. */
const logged = {
  table: 'property_interfaces',
  belongs: { group_id: 'group_id', property_id: 'property_id' },
} as const

const interfacesOf = ({ seal, portal_url, sftp_address }: Pick<Services, 'seal' | 'portal_url' | 'sftp_address'>) =>
  entity({
    ...logged,
    row: contract.InterfaceRow,
    detail: contract.Interface,
    computed: {
      name: sql`coalesce(t.name, t.uuid::text)`,
      property_interface_type: sql`(select json_build_object('id', k.id, 'name', k.name)
        from property_interface_types as k where k.id = t.property_interface_type_id)`,
      owner_type: owner.type,
      owner_id: owner.id,
      owner_name: owner.name,
      package: nameOf('packages', 'package_id'),
      // No reach is checked: a caller who reaches an interface reaches all of its properties.
      number_of_properties_with_external_references: sql`(
        select count(*)::integer from properties as p
        where p.customer_id = t.customer_id and p.deleted_at is null and p.external_reference is not null
          and case when t.property_id is not null then p.id = t.property_id
            when t.group_id is not null then p.group_id = t.group_id
            when t.owner_package_id is not null then p.package_id = t.owner_package_id
            else true end)`,
      has_username: secretFlag('has_username'),
      has_password: secretFlag('has_password'),
      state: interfaceState,
      settings_set: settingsSet(interfaceSecrets),
      drop_url: sql`case when t.property_interface_type_id in (${withFiles}) and ${sftp_address}::text is not null
        then concat('sftp://', t.uuid, '@', ${sftp_address}::text) end`,
      is_connected: sql`exists (select from integration_tokens as k
        where k.customer_id = t.customer_id and k.property_interface_id = t.id)`,
      hook_url: sql`${`${portal_url}/hooks/`}::text || t.uuid`,
    },
    filters: {
      owner_type: ({ is }) => is(owner.type),
      group_id: ({ is }) => sql`(${is(sql`t.group_id`)} or t.property_id in (
        select p.id from properties as p where p.customer_id = t.customer_id and ${is(sql`p.group_id`)}))`,
    },
    sealed: {
      by: seal,
      fields: {
        username: 'property_interface_secrets.sealed_username',
        password: 'property_interface_secrets.sealed_password',
      },
    },
  })

async function typeName(scope: Scope, id: number): Promise<string | undefined> {
  const [type] = await scope.run(
    sql<ColumnsOf<'property_interface_types', 'name'>>`select name from property_interface_types where id = ${id}`,
  )
  return type?.name
}

const noParameters: readonly Parameter[] = []
const parametersOf = (type_id: number) => systemOf(type_id)?.definition.parameters ?? noParameters

/** The caller has locked the interface's row, or just made it. */
async function keepChecked(
  scope: Scope,
  { seal }: Pick<Services, 'seal'>,
  { id, type_id }: { id: number; type_id: number },
  { settings, secrets }: Pick<CheckedSettings, 'settings' | 'secrets'>,
) {
  const refused = systemOf(type_id)?.refuses?.({ ...settings, ...secrets })
  if (refused)
    throw invalid(Object.fromEntries(Object.entries(refused).map(([key, sentence]) => [`settings.${key}`, [sentence]])))
  await keepSecrets(scope, seal, { ...interfaceSecrets, id }, secrets)
}

export async function disableInterface(scope: Scope, id: number) {
  await scope.change('property_interfaces', [id], { active: false })
  await logActivityOfMany(scope, { action: 'deactivate', entity: logged, ids: [id], after: { active: false } })
}

const mayWrite = ({ can }: Pick<Scope, 'can'>) => allows(can, contract.update.area, contract.update.action)

interface Needs {
  services: Pick<Services, 'seal'>
  interfaces: ReturnType<typeof interfacesOf>
  consents: ReturnType<typeof openSystemConsents>
}

const credentials = ['username', 'password'] as const
const isOther = (given: unknown, before: unknown) => given !== undefined && given !== before

/** With another system, or another address or other settings of it. */
async function update(
  scope: Scope,
  { services, interfaces, consents }: Needs,
  { settings: given, ...input }: Parsed<typeof contract.update>,
) {
  const { property_interface_type_id, host, port } = input
  if ([given, property_interface_type_id, host, port].every((value) => value === undefined))
    return updateRow(scope, interfaces, input)
  const before = await lockedRow(scope, interfaces, input.id)
  const type_id = property_interface_type_id ?? before.property_interface_type_id
  const parameters = parametersOf(type_id)
  const isOfAnother = type_id !== before.property_interface_type_id
  const kept = isOfAnother ? { settings: {}, settings_set: [] } : before
  const checked = checkParameters(parameters, given, kept, {
    isElsewhere: isOther(host, before.host) || isOther(port, before.port),
    // A first host is no other one.
    secrets:
      before.host === null ? [] : credentials.filter((name) => before[`has_${name}`] && input[name] === undefined),
  })
  // What another system was told is no business of this one.
  const foreign = isOfAnother ? before.settings_set : []
  if (isOfAnother) {
    if (before.is_connected) await consents.forget(scope, input.id)
    await requestSnapshot(scope, input.id)
    await forgetSyncedStays(scope, input.id)
  }
  const changed = { ...Object.fromEntries(foreign.map((key) => [key, null])), ...checked.secrets }
  await keepChecked(scope, services, { id: input.id, type_id }, { ...checked, secrets: changed })
  const row = await updateRow(scope, interfaces, { ...input, settings: checked.settings })
  // The log records which secrets changed, never their values.
  const after = Object.fromEntries(Object.keys(changed).map((key) => [`settings.${key}_changed`, true]))
  if (Object.keys(after).length === 0) return row
  // It may be another account by now.
  if (systemOf(type_id)?.polling) await requestSnapshot(scope, input.id)
  await logActivity(scope, { action: 'update', entity: interfaces, row, before: null, after })
  return oneRow(scope, interfaces, input.id)
}

export default (
  services: Pick<
    Services,
    'seal' | 'tenancy' | 'queue' | 'safeFetch' | 'systems' | 'public_url' | 'portal_url' | 'sftp_address'
  >,
) => {
  const { queue } = services
  const consents = openSystemConsents(services)
  const interfaces = interfacesOf(services)
  return serve(contract, {
    list: ({ scope, input }) => listRows(scope, interfaces, input),
    get: ({ scope, input }) => oneRow(scope, interfaces, input.id),
    create: async ({ scope, input: { owner_type, owner_id, settings: given, ...input } }) => {
      const type_id = input.property_interface_type_id
      const checked = checkParameters(parametersOf(type_id), given)
      const columns = await ownerColumns(scope, { owner_type, owner_id }, 'owner_package_id')
      const name = input.name ?? (await typeName(scope, type_id)) ?? null
      const row = await createRow(scope, interfaces, { ...input, ...columns, name, settings: checked.settings })
      await keepChecked(scope, services, { id: row.id, type_id }, checked)
      return oneRow(scope, interfaces, row.id)
    },
    update: ({ scope, input }) => update(scope, { services, interfaces, consents }, input),
    activate: ({ scope, input }) => activateRow(scope, interfaces, input.id),
    deactivate: ({ scope, input }) => deactivateRow(scope, interfaces, input.id),
    toggle: ({ scope, input }) => toggleRow(scope, interfaces, input.id),
    // Outside any transaction: the system is told first.
    remove: staged(
      async ({ caller, input: { id } }) => {
        const one = await services.tenancy.enter(caller, 'read', (scope) => oneRow(scope, interfaces, id))
        if (one.is_connected) await consents.revoke(caller, { id, type_id: one.property_interface_type_id })
      },
      async ({ scope, input: { id } }) => {
        await consents.forget(scope, id)
        const removed = await removeRow(scope, interfaces, id)
        await forgetSyncedStays(scope, id)
        return removed
      },
    ),
    authorize: staged(
      async ({ caller, input: { id } }) => {
        const one = await services.tenancy.enter(caller, 'read', (scope) => oneRow(scope, interfaces, id))
        return consents.begin(caller, { id, type_id: one.property_interface_type_id })
      },
      ({ prepared }) => Promise.resolve(prepared),
    ),
    connect: staged(
      ({ caller, input }) => consents.finish(caller, input),
      async ({ scope, prepared: { id, type_id, tokens } }) => {
        const before = await lockedRow(scope, interfaces, id)
        if (before.property_interface_type_id !== type_id)
          throw clash('It now belongs to another system. Please connect again.')
        await consents.keep(scope, id, tokens)
        // It may be another account by now.
        await requestSnapshot(scope, id)
        await pollNow(scope, queue, id)
        const row = await oneRow(scope, interfaces, id)
        await logActivity(scope, { action: 'integration', entity: interfaces, row, before, after: row })
        return row
      },
    ),
    sync: async ({ scope, input: { id } }) => {
      const { property_interface_type_id } = await lockedRow(scope, interfaces, id)
      const system = systemOf(property_interface_type_id)
      if (!system?.asksForAll)
        throw clash('This system cannot be asked. It sends all stays by itself, or somebody starts that in the system.')
      await requestSnapshot(scope, id)
      if (system.polling) await pollNow(scope, queue, id)
      return oneRow(scope, interfaces, id)
    },
    tryOut: async ({ scope, input: { property_id } }) => ({ steps: await tryOut(scope, queue, property_id) }),
    confirm: async ({ scope, input: { id, moves_out } }) => {
      const row = await lockedRow(scope, interfaces, id)
      const of = await interfaceOf(scope, id)
      const heard = of ? await receivePending(scope, queue, of, moves_out) : null
      if (!heard) throw clash('No list is waiting any more.')
      if (heard.awaits_confirmation)
        throw clash(`By now the list moves ${heard.awaits_confirmation.moves_out} guests out.`, {
          moves_out: [String(heard.awaits_confirmation.moves_out)],
        })
      await logActivity(scope, { action: 'update', entity: interfaces, row, before: null, after: { moves_out } })
      return oneRow(scope, interfaces, id)
    },
    log: async ({ scope, input: { id } }) => {
      await oneRow(scope, interfaces, id)
      return scope.run(sql<{ id: number; at: string; sentence: string }>`
        select t.id::integer as id, t.created_at as at,
          ${mayWrite(scope) ? sql`coalesce(t.personal, t.sentence)` : sql`t.sentence`} as sentence
        from property_link_records as t where t.property_interface_id = ${id} and ${scope.inReach('property_link_records', 't')}
        order by t.id desc limit 200`)
    },
  })
}
