// Refuse while online: a gateway, or a property with its gateways, is not deleted while guests are online there, for a deleted gateway
// can no longer be asked to disconnect anybody.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { clash } from '#server/errors/refused.ts'

/** Whoever was asked to leave has left by then, or has a gateway that disconnects nobody. */
const asked_for_s = 60

/** The caller has locked the row. @throws {Refused} 409 */
export async function refuseWhileOnline(scope: Scope, column: 'gateway_id' | 'property_id', id: number): Promise<void> {
  const [{ sessions } = { sessions: 0 }] = await scope.run(sql<{ sessions: number }>`
    select count(*)::integer as sessions from radius_sessions as t
    where ${sql.ref(`t.${column}`)} = ${id} and t.stopped_at is null and ${scope.inReach('radius_sessions', 't')}
      and (t.disconnect_asked_at is null or t.disconnect_asked_at > now() - make_interval(secs => ${asked_for_s}))`)
  if (sessions > 0) throw clash(stillOnline(sessions))
}

const stillOnline = (count: number) =>
  `${count === 1 ? 'A guest is online there.' : `${count} guests are online there.`} ` +
  'Disable it first: they are disconnected within a minute, and it can be deleted a minute later.'
