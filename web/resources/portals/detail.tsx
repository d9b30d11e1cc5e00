// Portal detail: one portal as guests see it, with its settings in a sidebar, and its versions.
import { Suspense, useState } from 'react'
import * as portals from '#contract/portals.ts'
import { lazyPart } from '#web/frame/lazy-part.tsx'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { StatusBadge } from '#web/kit/display/status-badge.tsx'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PageHeader } from '#web/ui/page.tsx'
import { PortalEditor } from './editor.tsx'
import { portalKind } from './kind.ts'

const Versions = lazyPart(async () => (await import('./versions.tsx')).PortalVersions)

export function PortalDetail({ id }: { id: number }) {
  const record = useRecord(portals, id)
  const [showsVersions, setShowsVersions] = useState(false)
  return (
    <PortalEditor id={id}>
      <PageHeader
        title={record?.name}
        mark={record && <StatusBadge of={record.status} />}
        above={<Link href={to.portals()}>Portals</Link>}
        actions={
          <>
            <Button icon="history" onClick={() => setShowsVersions(true)}>
              Versions
            </Button>
            <RecordActions kind={portalKind} record={record} back={to.portals()} />
          </>
        }
      />
      {showsVersions && record && (
        <Suspense>
          <Versions portal={record} close={() => setShowsVersions(false)} />
        </Suspense>
      )}
    </PortalEditor>
  )
}
