// Stay source: where the stays of guests come from, and the name of the interface that has told of them.
import { sql } from 'kysely'
import type { Output } from '#contract/endpoint.ts'
import type { getStay } from '#contract/stays.ts'
import type { Scope } from '#server/access/tenancy.ts'

interface Source {
  source: Output<typeof getStay>['source']
  told_by: string | null
}
/** Without a stay, somebody has entered the guest. */
const byHand: Source = { source: 'desk', told_by: null }

/**
 * The interface that has told of the stay `row`, by its name: of several the one that still tells. None has told of a stay that comes
 * from elsewhere.
 */
const toldBy = (scope: Scope, row: string) => sql`
  case when ${sql.ref(`${row}.source`)} = 'system' then (
    select coalesce(i.name, k.name) from told_stays as w
    join property_interfaces as i on i.customer_id = w.customer_id and i.id = w.property_interface_id
    join property_interface_types as k on k.id = i.property_interface_type_id
    where w.customer_id = ${sql.ref(`${row}.customer_id`)} and w.property_id = ${sql.ref(`${row}.property_id`)}
      and w.stay_key = ${sql.ref(`${row}.stay_key`)} and ${scope.inReach('told_stays', 'w')}
    order by (i.active and i.deleted_at is null) desc, w.id desc limit 1) end`

/** The columns `source` and `told_by` of the stay `row`, which may be absent. */
export const sourceOf = (scope: Scope, row: string) => sql`
  coalesce(${sql.ref(`${row}.source`)}, ${sql.lit(byHand.source)}) as source, ${toldBy(scope, row)} as told_by`

/** By the ids of room guests. */
export async function sourcesOf(scope: Scope, ids: readonly number[]): Promise<(id: number) => Source> {
  const found = await scope.run(sql<Source & { id: number }>`
    select t.id, ${sourceOf(scope, 's')} from room_guests as t join stays as s on s.customer_id = t.customer_id and s.id = t.stay_id
    where t.id = any(${[...ids]}) and t.customer_id = ${scope.customer_id} and ${scope.inReach('stays', 's')}`)
  const byId = new Map(found.map(({ id, source, told_by }) => [id, { source, told_by }]))
  return (id) => byId.get(id) ?? byHand
}
