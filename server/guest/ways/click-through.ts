// Click-through: guests who only agree stay anonymous; the same device is the same guest.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { authMethods } from '#contract/portals.ts'
import { allowed, type Way } from './way.ts'

export const clickThrough: Way = {
  async find(scope, _seal, tried) {
    const { gateway, guest } = tried
    const its = sql`t.mac_address = ${guest.mac_address}::macaddr`
    // By passes, for gateways that report nothing more; and by devices, which are kept longer than passes.
    const [known] = await scope.run(sql<ColumnsOf<'guests', 'id'>>`
      select g.id from guests as g
      where g.auth_method_id = ${authMethods.free} and ${scope.inReach('guests', 'g')} and g.id in (
        select t.guest_id from access_passes as t where ${its} and t.guest_id is not null
          and ${scope.inReach('access_passes', 't')}
        union all select t.guest_id from guest_devices as t where ${its} and t.guest_id is not null
          and ${scope.inReach('guest_devices', 't')})
      order by g.last_seen_at desc, g.id desc limit 1`)
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
