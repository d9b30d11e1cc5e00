// Use exists notice: if the name or the slug of a portal is taken, shows a notification, as the specification requires, in addition to
// the error at the field.
import { useEffect } from 'react'
import { messages } from '#contract/messages.ts'
import { notify } from '#web/kit/dialog/notify.ts'

/** @param errors of the fields for the name and the slug */
export function useExistsNotice(errors: readonly (string | undefined)[]) {
  const clashes = errors.includes(messages.portal.exists)
  useEffect(() => {
    if (clashes) notify.error(messages.portal.exists)
  }, [clashes])
}
