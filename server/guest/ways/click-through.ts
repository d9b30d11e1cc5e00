// Click-through: whoever only agrees is nobody by name; the same device is the same guest.
import { sql } from 'kysely'
import { authMethods } from '#contract/portals.ts'
import { allowed, type Way } from './way.ts'

export const clickThrough: Way = {
  async find(scope, _seal, tried) {
    const { gateway, guest } = tried
    const [known] = await scope.run(sql<{ id: number }>`
      select g.id from access_passes as t join guests as g on g.customer_id = t.customer_id and g.id = t.guest_id
      where t.mac_address = ${guest.mac_address}::macaddr and t.auth_method_id = ${authMethods.free}
        and t.guest_id is not null and g.deleted_at is null
        and ${scope.inReach('access_passes', 't')} and ${scope.inReach('guests', 'g')}
      order by t.id desc limit 1`)
    const seen = { language: guest.language, last_seen_at: sql`now()` }
    if (known) {
      await scope.change('guests', [known.id], { ...seen, visits: sql`visits + 1` })
      return allowed(scope, tried, { holder: { kind: 'guest', id: known.id }, identifier: `guest ${known.id}` })
    }
    const { property_id } = gateway
    const id = await scope.insert('guests', { ...seen, property_id, auth_method_id: authMethods.free })
    return { holder: { kind: 'guest', id } }
  },
}
