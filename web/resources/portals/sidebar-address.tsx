// Portal sidebar address: `?modal=portal-sidebar` on any screen redirects to the portal's own screen, which shows the sidebar with its
// preview; without an id, to that of a new portal.
import { useEffect } from 'react'
import { go } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'

export function PortalSidebarAddress({ portal_id }: { portal_id?: number | undefined }) {
  useEffect(() => go(portal_id === undefined ? to.newPortal() : to.portal(portal_id), { replace: true }), [portal_id])
  return null
}
