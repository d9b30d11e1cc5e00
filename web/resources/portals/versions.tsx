// Portal versions: the saved designs, each with a preview, which can be restored.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Output } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import * as portals from '#contract/portals.ts'
import { portalTypes } from '#contract/portals.ts'
import { call, sentenceOf } from '#web/kit/call/call.ts'
import { keys, showChange } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { timeOf } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Choices } from '#web/ui/choices.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState, Notice, Skeleton } from '#web/ui/state.tsx'
import { ExternalPage } from './external-page.tsx'
import { PortalPreview } from './preview.tsx'
import styles from './versions.module.css'

type Portal = Pick<Output<typeof portals.get>, 'id' | 'portal_type_id' | 'url'>

interface VersionsProps {
  portal: Portal
  close: () => void
}

export function PortalVersions({ portal, close }: VersionsProps) {
  const { id } = portal
  const mayRestore = useMayCall(portals.restore)
  const [chosen, choose] = useState<number>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const versions = useQuery({
    queryKey: keys.one(portals.versions.path, id),
    queryFn: ({ signal }) => call(portals.versions, { id }, { signal }),
    staleTime: 0,
  })
  const newest = versions.data?.[0]?.number
  const number = chosen ?? newest
  const restore = async () => {
    if (number === undefined || busy) return
    setBusy(true)
    setFailure(undefined)
    try {
      const after = await call(portals.restore, { id, number })
      showChange({ one: portals.get.path, list: portals.list.path }, id, after)
      notify.success(`The portal looks like version ${number} again`)
      close()
    } catch (error) {
      setFailure(sentenceOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={close}
      held={busy}
      title="Versions"
      width={900}
      wholeOnPhones
      footer={
        <>
          <Button onClick={close}>{messages.modal.cancel}</Button>
          {mayRestore && (
            <Button
              kind="primary"
              busy={busy}
              disabled={number === undefined || number === newest}
              onClick={() => void restore()}
            >
              Restore
            </Button>
          )}
        </>
      }
    >
      {failure && <Notice tone="error">{failure}</Notice>}
      {versions.error && <LoadFailed error={versions.error} again={() => void versions.refetch()} />}
      {versions.isPending && <Skeleton height={240} label="Loading" />}
      {versions.data?.length === 0 && (
        <EmptyState icon="portals" title="No versions yet">
          Each save that changes how the portal looks or what it says is kept here.
        </EmptyState>
      )}
      {versions.data && number !== undefined && (
        <div className={styles.versions}>
          <div className={styles.list}>
            <Choices
              label="Version"
              name="version"
              value={String(number)}
              onChange={(value) => choose(Number(value))}
              options={versions.data.map((version) => ({
                value: String(version.number),
                label: `Version ${version.number}${version.number === newest ? ', now' : ''}`,
                hint: `${timeOf(version.created_at)} · ${version.saved_by}`,
              }))}
            />
          </div>
          <OneVersion portal={portal} number={number} />
        </div>
      )}
    </Dialog>
  )
}

function OneVersion({ portal, number }: { portal: Portal; number: number }) {
  const { id } = portal
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.one(portals.version.path, id), number],
    queryFn: ({ signal }) => call(portals.version, { id, number }, { signal }),
    // Versions never change. While the next one is loading, the last one stays visible.
    staleTime: Infinity,
    placeholderData: (before) => before,
  })
  if (error) return <LoadFailed error={error} again={() => void refetch()} />
  if (!data) return <Skeleton height={240} label="Loading" />
  return portal.portal_type_id === portalTypes.standard ? (
    <PortalPreview design={data.design} />
  ) : (
    <ExternalPage portal={{ ...portal, custom_portal_url: data.design.custom_portal_url }} />
  )
}
