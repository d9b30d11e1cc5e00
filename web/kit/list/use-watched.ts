// useWatched: wraps a record's menu items to report when one is in progress and to show why one failed.
import { useState } from 'react'
import { useAsking } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import type { MenuItem } from '#web/ui/menu.tsx'

export function useWatched(): { busy: boolean; watched: (item: MenuItem) => MenuItem } {
  const [busy, setBusy] = useState(false)
  // Nothing is in progress before it has been confirmed.
  const asking = useAsking()
  const watched = (item: MenuItem): MenuItem => ({
    ...item,
    onPick: async () => {
      setBusy(true)
      try {
        await item.onPick()
      } catch (error) {
        notify.failure(error)
      } finally {
        setBusy(false)
      }
    },
  })
  return { busy: busy && !asking, watched }
}
