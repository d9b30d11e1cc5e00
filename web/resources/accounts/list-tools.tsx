// List tools: imports, and, for one property, ending the sessions of deleted accounts.
import { useState } from 'react'
import * as accounts from '#contract/accounts.ts'
import { call } from '#web/kit/call/call.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { go, here } from '#web/kit/navigation/go.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { invalidateOthers } from '#web/kit/call/query-client.ts'
import { whenOff } from '#web/limits/when-off.tsx'
import { withModal } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { MoreMenu } from '#web/ui/more-menu.tsx'

async function disconnectDeleted(propertyId: number) {
  const yes = await confirm({
    title: 'Disconnect deleted accounts?',
    description:
      'Guests whose account was deleted may still be online until their session ends. This ends those sessions now. ' +
      'Nobody else is affected.',
    besides: whenOff([{ property: { id: propertyId } }]),
    accept: 'Disconnect',
  })
  if (!yes) return
  const { disconnected } = await call(accounts.disconnectDeleted, { propertyId })
  invalidateOthers()
  if (disconnected === 0) notify.success('No deleted account was online')
  else notify.success(`${disconnected} ${disconnected === 1 ? 'session' : 'sessions'} of deleted accounts ended`)
}

const openImport = (property_id: number | undefined) =>
  go(withModal(here(), 'import-accounts', property_id ? { property_id } : {}))

const openRecent = (property_id: number | undefined) =>
  go(withModal(here(), 'recent-imports', property_id ? { property_id } : {}))

/** For the empty list, which an import fills fastest. */
export const ImportButton = ({ property_id }: { property_id: number | undefined }) => (
  <Button icon="upload" onClick={() => openImport(property_id)}>
    Import accounts
  </Button>
)

export function ListTools({ property_id }: { property_id: number | undefined }) {
  const [busy, setBusy] = useState(false)
  const disconnect = async (id: number) => {
    setBusy(true)
    await disconnectDeleted(id).catch(notify.failure)
    setBusy(false)
  }
  return (
    <MoreMenu
      framed
      label="More for accounts"
      busy={busy}
      items={[
        { label: 'Import accounts', icon: 'upload', onPick: () => openImport(property_id) },
        { label: 'Recent imports', icon: 'file', onPick: () => openRecent(property_id) },
        ...(property_id
          ? [{ label: 'Disconnect deleted', icon: 'disconnect' as const, onPick: () => void disconnect(property_id) }]
          : []),
      ]}
    />
  )
}
