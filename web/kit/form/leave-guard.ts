// Leave guard: asks for confirmation before leaving unsaved changes: of a screen, over which dialogs may open and close, or of the dialog
// that the form stands in.
import { useBlocker } from '@tanstack/react-router'
import { useContext } from 'react'
import { session } from '#web/session/session.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { DialogKeys } from '#web/kit/navigation/dialog-keys.ts'
import { sameDialog, sameScreen, type Place } from '#web/kit/navigation/search-params.ts'
import { say } from '#web/words/forms.ts'

/** Whether anything is unsaved (`dirty` as rendered, `unsaved` right now), and whether a save is in progress. */
interface Guarded {
  dirty: boolean
  unsaved: () => boolean
  saving: boolean
}

export function useLeaveGuard({ dirty, unsaved, saving }: Guarded): void {
  const keys = useContext(DialogKeys)
  const stays = (from: Place, to: Place) => (keys ? sameDialog(from, to, keys) : sameScreen(from, to))
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      // If the session has ended, the form is lost anyway; asking would only delay the login.
      if (saving || !unsaved() || session.get().token === null || stays(current, next)) return false
      return !(await confirm({
        title: say('leave-unsaved'),
        description: say('leave-lost'),
        accept: say('leave'),
        cancel: say('leave-not'),
        danger: true,
      }))
    },
    enableBeforeUnload: unsaved,
    disabled: !dirty,
  })
}
