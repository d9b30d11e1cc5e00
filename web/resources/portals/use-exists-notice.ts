// Use exists notice: a portal of that name or short name is there already: said beside the field, and as the specification has it.
import { useEffect } from 'react'
import { messages } from '#contract/messages.ts'
import { notify } from '#web/kit/dialog/notify.ts'

/** @param errors what stands beside the name and the short name */
export function useExistsNotice(errors: readonly (string | undefined)[]) {
  const clashes = errors.includes(messages.portal.exists)
  useEffect(() => {
    if (clashes) notify.error(messages.portal.exists)
  }, [clashes])
}
