// Notify: one sentence at the bottom of the window for three seconds, with a success or an error icon.
import { constants } from '#contract/constants.ts'
import { dismissToast, toast, type Toast } from '#web/ui/toast.tsx'
import { sentenceOf } from '#web/kit/call/call.ts'

const show = (kind: Toast['kind'], message: string, action?: Toast['action']) =>
  toast({ kind, message, shown_ms: constants.notification_ms, ...(action ? { action } : {}) })

export const notify = {
  success: (message: string, action?: Toast['action']) => show('success', message, action),
  error: (message: string) => show('error', message),
  /** The server's sentence for a call that failed. */
  failure: (error: unknown) => show('error', sentenceOf(error)),
  /** Takes a sentence away that no longer holds. */
  dismiss: (message: string) => dismissToast(message),
}
