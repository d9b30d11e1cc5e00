// Account limits: how many guest accounts a property may have, by its contract; 0 means no limit.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'

/** Refuses when a property has more accounts than it may, or would have with the `coming` ones. */
export async function refuseOverfull(scope: Scope, coming: Map<number, number>) {
  const ids = [...coming.keys()]
  // The lock makes concurrent requests for the last account wait for each other; the second one counts the first one's account.
  const limited = await scope.run(sql<ColumnsOf<'properties', 'id' | 'name' | 'max_accounts'>>`
    select t.id, t.name, t.max_accounts from properties as t
    where t.id = any(${ids}) and t.max_accounts > 0 and ${scope.inReach('properties', 't')} order by t.id for no key update`)
  if (limited.length === 0) return
  const counts = await scope.run(sql<{ property_id: number; count: number }>`
    select t.property_id, count(*)::integer as count from accounts as t
    where t.property_id = any(${limited.map(({ id }) => id)}) and ${scope.inReach('accounts', 't')} group by t.property_id`)
  const countOf = (id: number) =>
    (counts.find(({ property_id }) => property_id === id)?.count ?? 0) + (coming.get(id) ?? 0)
  const overfull = limited.filter(({ id, max_accounts }) => countOf(id) > max_accounts)
  if (overfull.length > 0)
    throw invalid({
      property_id: overfull.map(
        ({ name, max_accounts }) =>
          `${name} may have at most ${max_accounts} accounts. Remove some, or raise the property's limit.`,
      ),
    })
}
