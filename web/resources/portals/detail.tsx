// Portal detail: one portal as guests see it, with what it is made of beside it.
import * as portals from '#contract/portals.ts'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { StatusBadge } from '#web/kit/display/status-badge.tsx'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { PageHeader } from '#web/ui/page.tsx'
import { PortalEditor } from './editor.tsx'
import { portalKind } from './kind.ts'

export function PortalDetail({ id }: { id: number }) {
  const record = useRecord(portals, id)
  return (
    <PortalEditor id={id}>
      <PageHeader
        title={record?.name}
        mark={record && <StatusBadge of={record.status} />}
        above={<Link href={to.portals()}>Portals</Link>}
        actions={<RecordActions kind={portalKind} record={record} back={to.portals()} />}
      />
    </PortalEditor>
  )
}
