// Leave guard: asks for confirmation before leaving unsaved changes. Opening a dialog over the screen does not count as leaving.
import { useBlocker } from '@tanstack/react-router'
import { session } from '#web/session/session.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { sameScreen } from '#web/kit/navigation/search-params.ts'

/** Whether anything is unsaved (`dirty` as rendered, `unsaved` right now), and whether a save is in progress. */
interface Guarded {
  dirty: boolean
  unsaved: () => boolean
  saving: boolean
}

export function useLeaveGuard({ dirty, unsaved, saving }: Guarded): void {
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      // If the session has ended, the form is lost anyway; asking would only delay the login.
      if (saving || !unsaved() || session.get().token === null || sameScreen(current, next)) return false
      return !(await confirm({
        title: 'Leave without saving?',
        description: 'Your changes on this screen will be lost.',
        accept: 'Leave',
        cancel: 'Stay',
        danger: true,
      }))
    },
    enableBeforeUnload: unsaved,
    disabled: !dirty,
  })
}
