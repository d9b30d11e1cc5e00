// Portal addresses: where gateways that send guests to the portal themselves are told to send them.
import { sql } from 'kysely'
import { originAt } from '#server/gateways/portal-hosts.ts'
import type { Services } from '#server/services.ts'
import { Recent } from '#server/turns/recent-cache.ts'

interface At {
  portal: string
  nas_identifier: string
}

/** Each device that joins asks, and a portal seldom changes. */
const known_for_ms = 5000
const known_max = 5000

export function openPortalAddresses({
  guestDoors,
  ...where
}: Pick<Services, 'guestDoors' | 'portal_url' | 'portal_domain'>) {
  const known = new Recent<Promise<At | null>>(known_for_ms, known_max)
  async function look(gateway_id: number): Promise<At | null> {
    const [found] = await guestDoors.callFunction(
      sql<{
        public_id: string
        portal_label: string | null
        nas_identifier: string
      }>`select * from door_portal_of_gateway(${gateway_id})`,
    )
    if (!found) return null
    const { public_id, portal_label, nas_identifier } = found
    return { portal: `${originAt(portal_label, where)}/p/${public_id}`, nas_identifier }
  }
  return {
    /** Null: the gateway's property has no portal that is open. */
    of(gateway_id: number): Promise<At | null> {
      const key = String(gateway_id)
      const before = known.get(key)
      if (before) return before
      const found = look(gateway_id)
      known.set(key, found)
      // Failures are not remembered.
      found.catch(() => known.delete(key))
      return found
    },
  }
}
