// Request rate: a gateway gets at most ten requests about its sessions a second, from all nodes together: small boxes drop more. Of
// requests about devices that wait to be let in, which only controllers take, it gets twenty.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'

const a_second_max = { about_sessions: 10, about_devices: 20 }

/** How long the request to each of these gateways has to wait, in milliseconds and in the same order. */
export async function claimTurns(
  scope: Scope,
  gateway_ids: readonly number[],
  about: keyof typeof a_second_max = 'about_sessions',
): Promise<number[]> {
  const apart_s = 1 / a_second_max[about]
  const counts = [...Map.groupBy(gateway_ids, (id) => id)].map(([id, all]) => ({ id, count: all.length }))
  const ids = counts.map(({ id }) => id)
  await scope.lock('gateways', sql`t.id = any(${ids})`)
  const claimed = await scope.run(sql<{ id: number; wait_ms: number }>`
    update gateways as t set asked_until = from_when.at + d.count * make_interval(secs => ${apart_s})
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as d(id integer, count integer)
    join gateways as g on g.id = d.id and ${scope.inReach('gateways', 'g')}
    cross join lateral (select greatest(g.asked_until, clock_timestamp()) as at) as from_when
    where t.id = d.id and ${scope.inReach('gateways', 't')}
    returning t.id, (extract(epoch from from_when.at - clock_timestamp()) * 1000)::float8 as wait_ms`)
  const next = new Map(claimed.map(({ id, wait_ms }) => [id, Math.max(0, wait_ms)]))
  return gateway_ids.map((id) => {
    const wait_ms = next.get(id) ?? 0
    next.set(id, wait_ms + 1000 * apart_s)
    return wait_ms
  })
}
