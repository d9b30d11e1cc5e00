// Portal preview dialog: a portal as guests see it, with its address for guests, above any screen.
import { useState } from 'react'
import { constants } from '#contract/constants.ts'
import { portalTypes } from '#contract/portals.ts'
import * as portals from '#contract/portals.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { NameSelect } from '#web/kit/form/name-select.tsx'
import { useRecordState } from '#web/kit/form/use-resource.ts'
import { Copyable } from '#web/kit/made/copyable.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import { ExternalPage } from './external-page.tsx'
import { PortalPreview } from './preview.tsx'
import { useFooter } from './use-footer.ts'
import styles from './preview-dialog.module.css'

interface PreviewDialogProps {
  portal_id?: number | undefined
  close: () => void
}

export function PreviewDialog({ portal_id, close }: PreviewDialogProps) {
  const [chosen, choose] = useState(portal_id)
  return (
    <Dialog open onClose={close} title="Preview" width={constants.widths.portal_preview_px} wholeOnPhones>
      <div className={styles.preview}>
        <NameSelect label="Portal" name="portal_id" to="portals" value={chosen} onChange={choose} />
        {chosen !== undefined && <OnePortal key={chosen} id={chosen} />}
      </div>
    </Dialog>
  )
}

function OnePortal({ id }: { id: number }) {
  const { record, error, reload } = useRecordState(portals, id)
  const footer = useFooter()
  if (error) return <LoadFailed error={error} again={reload} />
  if (!record) return <Skeleton height={420} label="Loading" />
  return (
    <>
      {record.portal_type_id === portalTypes.standard ? (
        <PortalPreview design={record} footer={footer} />
      ) : (
        <ExternalPage portal={record} />
      )}
      <p className={styles.address}>
        Guests’ address <Copyable what="guests’ address">{record.url}</Copyable>
      </p>
    </>
  )
}
