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

/** By the ids of room guests. Of interfaces that have told of the same stay the name is that of one that still tells. */
export async function sourcesOf(scope: Scope, ids: readonly number[]): Promise<(id: number) => Source> {
  const found = await scope.run(sql<Source & { id: number }>`
    select t.id, s.source, case when s.source = 'system' then coalesce(i.name, k.name) end as told_by
    from room_guests as t join stays as s on s.customer_id = t.customer_id and s.id = t.stay_id
    left join told_stays as w on w.customer_id = s.customer_id and w.property_id = s.property_id and w.stay_key = s.stay_key
      and ${scope.inReach('told_stays', 'w')}
    left join property_interfaces as i on i.customer_id = w.customer_id and i.id = w.property_interface_id
    left join property_interface_types as k on k.id = i.property_interface_type_id
    where t.id = any(${[...ids]}) and t.customer_id = ${scope.customer_id} and ${scope.inReach('stays', 's')}
    order by i.active and i.deleted_at is null, w.id`)
  const byId = new Map(found.map(({ id, source, told_by }) => [id, { source, told_by }]))
  return (id) => byId.get(id) ?? byHand
}
