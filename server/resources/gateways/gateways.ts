// Gateways: the devices at a property that ask us who may go online, and the secrets that they share with us.
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Output } from '#contract/endpoint.ts'
import * as contract from '#contract/gateways.ts'
import { selectedInvalid } from '#contract/errors.ts'
import type { Parameter, Settings } from '#contract/parameters.ts'
import { trial_type_id } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { logActivity, logActivityOfMany } from '#server/entities/activity-log.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { portalOf } from '#server/entities/shown-portal.ts'
import { listRows } from '#server/entities/lists.ts'
import { keepSecrets, settingsSet } from '#server/connections/setting-secrets.ts'
import { checkParameters } from '#server/entities/parameters.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { writeSealed, type Sealed } from '#server/entities/sealed.ts'
import { activateRow, createRow, deactivateRows, removeRow, toggleRow, updateRow } from '#server/entities/verbs.ts'
import { invalid } from '#server/errors/refused.ts'
import { tryController } from '#server/gateways/controller-state.ts'
import { kindOf } from '#server/gateways/find-kind.ts'
import { originOfGateway } from '#server/gateways/portal-hosts.ts'
import { gatewaySecrets } from '#server/gateways/settings.ts'
import type { Services } from '#server/services.ts'
import { refuseWhileOnline } from '#server/sessions/refuse-while-online.ts'
import { saidBy, stillUnregistered } from './gateway-health.ts'

const secretOf = (column: 'has_password' | 'radius_secret_made_at') => sql`
  (select ${sql.ref(`s.${column}`)} from gateway_secrets as s where s.customer_id = t.customer_id and s.gateway_id = t.id)`

type Secrets = Sealed<'password' | 'radius_secret'>
export const gatewayCredentials = ({ seal }: Pick<Services, 'seal'>): Secrets => ({
  by: seal,
  fields: { password: 'gateway_secrets.sealed_password', radius_secret: 'gateway_secrets.sealed_radius_secret' },
})

const name = sql<string>`coalesce(t.name, t.nas_identifier)`
/** What the activity log knows a gateway by. */
const logged = { table: 'gateways', belongs: { property_id: 'property_id' } } as const

export const gatewaysOf = (services: Pick<Services, 'portal_url' | 'portal_domain' | 'radius'>, sealed: Secrets) => {
  const { portal_url, radius } = services
  const origin = originOfGateway(services)
  return entity({
    ...logged,
    row: contract.GatewayRow,
    detail: contract.Gateway,
    fields: contract.fields,
    computed: {
      name,
      property: nameOf('properties', 'property_id'),
      gateway_type: sql`(select json_build_object('id', k.id, 'name', k.name) from gateway_types as k where k.id = t.gateway_type_id)`,
      ip_address: sql`host(t.ip_address)`,
      has_password: sql`coalesce(${secretOf('has_password')}, false)`,
      radius_secret_made_at: secretOf('radius_secret_made_at'),
      radius: sql`${JSON.stringify(radius)}::json`,
      settings_set: settingsSet(gatewaySecrets),
      access_points: sql`(
      select coalesce(json_agg(a.*), '[]') from (
        select a.mac_address::text, a.name, case when a.accepted_at is null then 'claimed' else 'accepted' end as state, a.last_seen_at
        from access_points as a where a.customer_id = t.customer_id and a.gateway_id = t.id
        order by a.accepted_at is not null, a.last_seen_at desc nulls last, a.id limit 1000) as a)`,
      captive_url: portal_url.startsWith('https:')
        ? sql`(
      select ${origin} || '/p/' || p.public_id || '/captive/' || t.id from properties as h
      join portals as p on p.customer_id = h.customer_id and p.id = ${portalOf('h')} and p.deleted_at is null
      where h.customer_id = t.customer_id and h.id = t.property_id and t.guests_seen_at > now() - interval '30 days')`
        : sql`null`,
      portal_url: sql`(
      select ${origin} || '/p/' || p.public_id from properties as h
      join portals as p on p.customer_id = h.customer_id and p.id = ${portalOf('h')} and p.deleted_at is null
      where h.customer_id = t.customer_id and h.id = t.property_id)`,
    },
    filters: {
      group_id: ({ is }) => sql`
      t.property_id in (select p.id from properties as p where p.customer_id = t.customer_id and ${is(sql`p.group_id`)})`,
    },
    sealed,
    reckoned: ['silent_since'],
  })
}

/** No look-alikes, and none that is special on a router's command line. */
const symbols = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
/** 138 bits; some gateways accept no more than 31 symbols. */
const secret_length = 24
export const newRadiusSecret = () =>
  Array.from({ length: secret_length }, () => symbols[randomInt(symbols.length)]).join('')

/** The caller has locked the gateway's row, so there is no concurrent writer. */
async function keepNewRadiusSecret(scope: Scope, secrets: Secrets, id: number): Promise<string> {
  const radius_secret = newRadiusSecret()
  await writeSealed(scope, secrets, id, { radius_secret })
  await scope.change('gateway_secrets', sql<boolean>`t.gateway_id = ${id}`, { radius_secret_made_at: sql`now()` })
  return radius_secret
}

/** Omits those that have been fixed since, or that were last heard from long ago. */
const unregistered = (scope: Scope, property_id: number) =>
  scope.run(sql<Output<typeof contract.unregistered>[number]>`
    select t.id, ${nameOf('properties', 'property_id')} as property, host(t.address) as address,
      case when ${saidBy('host')} is null and ${saidBy('sealed')} is null then t.nas_identifier end as nas_identifier,
      ${saidBy('host')} as host, ${saidBy('sealed')} as mark,
      t.mac_address::text, t.why, ${nameOf('gateways', 'gateway_id')} as gateway,
      (select json_build_object('id', k.id, 'name', k.name) from gateway_types as k where k.id = t.gateway_type_id) as make,
      t.last_seen_at, t.created_at
    from unregistered_gateways as t
    where t.property_id = ${property_id} and ${stillUnregistered} and ${scope.inReach('unregistered_gateways', 't')}
    order by t.last_seen_at desc`)

const noParameters: readonly Parameter[] = []
const parametersOf = (gateway_type_id: number) => kindOf(gateway_type_id)?.definition.parameters ?? noParameters

/** The caller has locked the gateway's row. What is accepted here is no other gateway's claim, and none of a removed one. */
async function keepAccessPoints(scope: Scope, id: number, { accept, drop }: { accept: string[]; drop: string[] }) {
  await scope.run(sql`
    delete from access_points as t where ${scope.inReach('access_points', 't')}
      and (t.gateway_id = ${id} and t.mac_address = any(${drop}::macaddr[])
        or t.gateway_id <> ${id} and t.accepted_at is null and t.mac_address = any(${accept}::macaddr[]))`)
  await scope.run(sql`
    delete from access_points as t using gateways as g
    where g.customer_id = t.customer_id and g.id = t.gateway_id and g.deleted_at is not null
      and t.customer_id = ${scope.customer_id} and t.mac_address = any(${accept}::macaddr[])`)
  await scope.run(sql`
    insert into access_points as t (customer_id, gateway_id, mac_address, accepted_at)
    select ${scope.customer_id}, ${id}, m.mac, now() from unnest(${accept}::macaddr[]) as m (mac)
    on conflict (customer_id, gateway_id, mac_address) do update set accepted_at = coalesce(t.accepted_at, now())`)
}

export async function disableGateway(scope: Scope, id: number) {
  await scope.change('gateways', [id], { active: false })
  const entity = { ...logged, label: name }
  await logActivityOfMany(scope, { action: 'deactivate', entity, ids: [id], after: { active: false } })
}

/** Trials are begun, never registered. */
function refuseTrials(gateway_type_id: number | undefined) {
  if (gateway_type_id === trial_type_id) throw invalid({ gateway_type_id: [selectedInvalid('gateway_type_id')] })
}

/** A controller is called once it is registered, so that its page says whether it can be. */
async function tryCalled(scope: Scope, { queue }: Pick<Services, 'queue'>, gateway_type_id: number, id: number) {
  const controller = kindOf(gateway_type_id)?.controller
  if (!controller) return
  const [told] = await scope.run(sql<{ settings: Settings }>`
    select t.settings from gateways as t where t.id = ${id} and t.active and ${scope.inReach('gateways', 't')}`)
  if (told && controller.isCalled(told.settings)) await tryController(scope, queue, id)
}

export default (services: Pick<Services, 'seal' | 'queue' | 'portal_url' | 'portal_domain' | 'radius'>) => {
  const secrets = gatewayCredentials(services)
  const gateways = gatewaysOf(services, secrets)
  return serve(contract, {
    list: ({ scope, input }) => listRows(scope, gateways, input),
    exportList: (call) => exportRows(call, gateways),
    get: ({ scope, input }) => oneRow(scope, gateways, input.id),
    unregistered: ({ scope, input }) => unregistered(scope, input.property_id),
    create: async ({ scope, input: { settings: given, ...input } }) => {
      const { gateway_type_id } = input
      refuseTrials(gateway_type_id)
      const checked = checkParameters(parametersOf(gateway_type_id), given)
      const name = input.name ?? kindOf(gateway_type_id)?.definition.name ?? null
      const { id } = await createRow(scope, gateways, { ...input, name, settings: checked.settings })
      await keepSecrets(scope, services.seal, { ...gatewaySecrets, id }, checked.secrets)
      const radius_secret = await keepNewRadiusSecret(scope, secrets, id)
      await tryCalled(scope, services, gateway_type_id, id)
      return { ...(await oneRow(scope, gateways, id)), radius_secret }
    },
    update: async ({ scope, input: { settings: given, ...input } }) => {
      refuseTrials(input.gateway_type_id)
      if (given === undefined && input.gateway_type_id === undefined) {
        const row = await updateRow(scope, gateways, input)
        await tryCalled(scope, services, row.gateway_type_id, input.id)
        return row
      }
      const before = await lockedRow(scope, gateways, input.id)
      const parameters = parametersOf(input.gateway_type_id ?? before.gateway_type_id)
      const kept = before.has_password && input.password === undefined ? ['password'] : []
      const checked = checkParameters(parameters, given, before, { secrets: kept })
      const isOfAnother = (key: string) => !parameters.some((parameter) => parameter.key === key)
      const foreign = parametersOf(before.gateway_type_id) === parameters ? [] : before.settings_set.filter(isOfAnother)
      const changed = { ...checked.secrets, ...Object.fromEntries(foreign.map((key) => [key, null])) }
      await keepSecrets(scope, services.seal, { ...gatewaySecrets, id: input.id }, changed)
      const row = await updateRow(scope, gateways, { ...input, settings: checked.settings })
      const keys = Object.keys(changed)
      // The log records which secrets changed, never their values.
      const after = Object.fromEntries(keys.map((key) => [`settings.${key}_changed`, true]))
      if (keys.length > 0) await logActivity(scope, { action: 'update', entity: gateways, row, before: null, after })
      await tryCalled(scope, services, row.gateway_type_id, input.id)
      return row
    },
    toggle: ({ scope, input }) => toggleRow(scope, gateways, input.id),
    deactivate: ({ scope, input }) => deactivateRows(scope, gateways, input.ids),
    activate: ({ scope, input }) => activateRow(scope, gateways, input.id),
    accessPoints: async ({ scope, input: { id, accept, drop } }) => {
      const both = accept.filter((mac_address) => drop.includes(mac_address))
      if (both.length > 0) throw invalid({ drop: [`${both.join(', ')} cannot be accepted and dropped at once`] })
      const row = await lockedRow(scope, gateways, id)
      await keepAccessPoints(scope, id, { accept: [...new Set(accept)], drop })
      const after = { ...(accept.length > 0 && { accepted: accept }), ...(drop.length > 0 && { dropped: drop }) }
      await logActivity(scope, { action: 'update', entity: gateways, row, before: null, after })
      return oneRow(scope, gateways, id)
    },
    makeSecret: async ({ scope, input: { id } }) => {
      const row = await lockedRow(scope, gateways, id)
      const radius_secret = await keepNewRadiusSecret(scope, secrets, id)
      // The log records that the secret changed, never the secret.
      const after = { radius_secret_changed: true }
      await logActivity(scope, { action: 'update', entity: gateways, row, before: null, after })
      return { id, radius_secret }
    },
    remove: async ({ scope, input: { id } }) => {
      await refuseWhileOnline(scope, 'gateway', await lockedRow(scope, gateways, id))
      return removeRow(scope, gateways, id)
    },
  })
}
