// Refuse while online: a gateway, or a property with its gateways, is not deleted while guests are online there, for a deleted gateway
// can no longer be asked to disconnect anybody.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { clash } from '#server/errors/refused.ts'

/** Whoever was asked to leave has left by then, or has a gateway that disconnects nobody. */
const asked_for_s = 60
/** Within this time after a change of it everybody has been asked once. Who is still reported then is asked again and again. */
const asking_s = 120

/** What is deleted, whose row the caller has locked. */
const places = {
  gateway: { column: sql`t.gateway_id`, object_type: 'gateways' },
  property: { column: sql`t.property_id`, object_type: 'properties' },
}

/** @throws {Refused} 409 */
export async function refuseWhileOnline(
  scope: Scope,
  place: keyof typeof places,
  { id, active }: { id: number; active: boolean },
): Promise<void> {
  const { column, object_type } = places[place]
  const isChangedLately = sql`exists (select from activity as a where a.object_type = ${object_type} and a.object_id = ${id}
    and a.created_at > now() - make_interval(secs => ${asking_s}) and ${scope.inReach('activity', 'a')})`
  const [{ sessions } = { sessions: 0 }] = await scope.run(sql<{ sessions: number }>`
    select count(*)::integer as sessions from radius_sessions as t
    where ${column} = ${id} and t.stopped_at is null and ${scope.inReach('radius_sessions', 't')}
      and (t.disconnect_asked_at is null or t.disconnect_asked_at > now() - make_interval(secs => ${asked_for_s})
        and (${active} or ${isChangedLately}))`)
  if (sessions === 0) return
  const online = sessions === 1 ? 'A guest is online there.' : `${sessions} guests are online there.`
  throw clash(
    active
      ? `${online} Disable the ${place} first: they are disconnected within a minute, and it can be deleted a minute later.`
      : `${online} They are being disconnected: the ${place} can be deleted in two minutes at most.`,
  )
}
