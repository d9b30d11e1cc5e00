// Limits kept: which gateways of some properties do not keep to all of a package's limits, or do not end a guest's session at once.
import { sql } from 'kysely'
import type { Input, Output } from '#contract/endpoint.ts'
import { honoursOf } from '#contract/gateway-kinds.ts'
import type { Settings } from '#contract/parameters.ts'
import type * as properties from '#contract/properties.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { nameOf } from '#server/entities/entity.ts'
import { kindOf } from '#server/gateways/find-kind.ts'

type LimitsKept = Output<typeof properties.limits>[number]
interface Stored extends Pick<LimitsKept, 'property' | 'gateway'> {
  gateway_type_id: number
  settings: Settings
}
const gateways_max = 500
const told = ['time', 'speed', 'data', 'end'] as const

export async function limitsKept(
  scope: Scope,
  { property_ids, group_id }: Input<typeof properties.limits>,
): Promise<LimitsKept[]> {
  const where = [
    ...(property_ids ? [sql`t.property_id = any(${property_ids})`] : []),
    ...(group_id === undefined ? [] : [sql`h.group_id = ${group_id}`]),
  ]
  const found = await scope.run(sql<Stored>`
    select ${nameOf('properties', 'property_id')} as property,
      json_build_object('id', t.id, 'name', coalesce(t.name, t.nas_identifier)) as gateway, t.gateway_type_id, t.settings
    from gateways as t join properties as h on h.customer_id = t.customer_id and h.id = t.property_id and h.deleted_at is null
    where t.active and t.deleted_at is null and ${sql.join([scope.inReach('gateways', 't'), ...where], sql` and `)}
    order by t.property_id, t.id limit ${gateways_max}`)
  return found.flatMap(({ gateway_type_id, settings, ...at }) => {
    const kind = kindOf(gateway_type_id)
    if (!kind) return []
    const honours = honoursOf({ honours_when: [], ...kind.definition }, settings)
    if (told.every((what) => honours[what] === 'yes')) return []
    return [{ ...at, make: kind.definition.name, honours, lasts_max_s: kind.polls?.lastsMax_s(settings) ?? null }]
  })
}
