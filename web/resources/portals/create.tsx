// New portal: asks for the layout first, then opens the editor with its preview.
import { useEffect } from 'react'
import * as portals from '#contract/portals.ts'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { go, here } from '#web/kit/navigation/go.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { useMayCall } from '#web/session/may.ts'
import { to, withModal } from '#web/paths.ts'
import { PageHeader } from '#web/ui/page.tsx'
import { PortalEditor } from './editor.tsx'
import { isLayout } from './layouts.ts'

export function NewPortal({ portal_layout_id }: { portal_layout_id?: number }) {
  const mayCreate = useMayCall(portals.create)
  const isChosen = isLayout(portal_layout_id)
  useEffect(() => {
    if (mayCreate && !isChosen) go(withModal(here(), 'portal-layout', {}), { replace: true })
  }, [mayCreate, isChosen])
  const header = <PageHeader title="New portal" above={<Link href={to.portals()}>Portals</Link>} />
  return mayCreate && isChosen ? (
    <PortalEditor portal_layout_id={portal_layout_id}>{header}</PortalEditor>
  ) : (
    <>
      {header}
      <Permitted to={portals.create} back={to.portals()}>
        {null}
      </Permitted>
    </>
  )
}
