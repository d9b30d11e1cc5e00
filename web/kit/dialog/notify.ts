// Notify: shows one sentence at the bottom of the window for three seconds, with a success or an error icon.
import { constants } from '#contract/constants.ts'
import { dismissToast, toast, type Toast } from '#web/ui/toast.tsx'
import { referenceOf, sentenceOf } from '#web/kit/call/call.ts'
import { say } from '#web/words/frame.ts'

const reference_ms = 15_000

const show = (kind: Toast['kind'], message: string, action?: Toast['action']) =>
  toast({ kind, message, shown_ms: constants.notification_ms, ...(action ? { action } : {}) })

export const notify = {
  success: (message: string, action?: Toast['action']) => show('success', message, action),
  error: (message: string) => show('error', message),
  /** The server's sentence for a failed call. A server error stays longer, so that its reference can be written down. */
  failure(error: unknown) {
    const reference = referenceOf(error)
    if (reference === undefined) return show('error', sentenceOf(error))
    const copy = { label: say('copy-reference'), onPick: () => void navigator.clipboard?.writeText(reference) }
    toast({ kind: 'error', message: sentenceOf(error), shown_ms: reference_ms, action: copy })
  },
  /** Removes a sentence that no longer applies. */
  dismiss: (message: string) => dismissToast(message),
}
