// Leave guard: asks before unsaved changes are left behind. Dialogs opened over the screen do not count as leaving.
import { useBlocker } from '@tanstack/react-router'
import { session } from '#web/session/session.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { sameScreen } from '#web/kit/navigation/search-params.ts'

/** What a form knows: whether anything is unsaved, as drawn and at this very moment, and whether a save is under way. */
interface Guarded {
  dirty: boolean
  unsaved: () => boolean
  saving: boolean
}

export function useLeaveGuard({ dirty, unsaved, saving }: Guarded): void {
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      // A session that has ended takes the form along; asking would only hold up the way to the login.
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
