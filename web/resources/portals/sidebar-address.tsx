// Portal sidebar address: the sidebar asked for by `?modal=portal-sidebar` from anywhere stands beside its preview, on the
// portal's own screen; without an id, on that of a new one.
import { useEffect } from 'react'
import { go } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'

export function PortalSidebarAddress({ portal_id }: { portal_id?: number | undefined }) {
  useEffect(() => go(portal_id === undefined ? to.newPortal() : to.portal(portal_id), { replace: true }), [portal_id])
  return null
}
