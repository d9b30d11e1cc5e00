// Leave guard: asks before unsaved changes are left behind. Dialogs opened over the screen do not count as leaving.
import { useBlocker } from '@tanstack/react-router'
import { useRef } from 'react'
import { session } from '#web/session/session.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { sameScreen } from '#web/kit/navigation/search-params.ts'

/** Answers how to let the next move pass, after a save. */
export function useLeaveGuard(dirty: boolean): () => void {
  const passes = useRef(false)
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      // A session that has ended takes the form along; asking would only hold up the way to the login.
      if (passes.current || session.get().token === null || sameScreen(current, next)) return false
      return !(await confirm({
        title: 'Leave without saving?',
        description: 'Your changes on this screen will be lost.',
        accept: 'Leave',
        cancel: 'Stay',
        danger: true,
      }))
    },
    enableBeforeUnload: () => dirty && !passes.current,
    disabled: !dirty,
  })
  return () => {
    passes.current = true
    // One move only.
    setTimeout(() => (passes.current = false), 1000)
  }
}
