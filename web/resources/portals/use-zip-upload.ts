// Use zip upload: the states of importing a custom portal: a zip is chosen, sent, and either accepted or refused with reasons.
import { useRef, useState } from 'react'
import type { z } from 'zod'
import { constants } from '#contract/constants.ts'
import type * as customPortals from '#contract/custom-portals.ts'
import type { CustomPortalInput } from '#contract/custom-portals.ts'
import { messages } from '#contract/messages.ts'
import * as portals from '#contract/portals.ts'
import { Refused } from '#web/kit/call/call.ts'
import { forgetLists, showChange, invalidateOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { useForm } from '#web/kit/form/use-form.ts'
import type { Output } from '#contract/endpoint.ts'

const { portal_type, file_bytes_max, files_max } = constants.import

export const zipTypes = [portal_type]

/** Why a file is rejected before it is sent. */
export function rejectionOf(files: readonly { name: string; size: number }[]): string | undefined {
  const [file] = files
  if (files.length > files_max) return messages.imports.oneFile
  if (!file?.name.toLowerCase().endsWith(portal_type)) return messages.portal.zipOnly
  return file.size > file_bytes_max ? messages.imports.tooLarge : undefined
}

type ZipSchema = typeof CustomPortalInput | z.ZodObject<Pick<typeof CustomPortalInput.shape, 'portal'>>
export type ZipUpload = ReturnType<typeof useZipUpload>

export function useZipUpload<S extends ZipSchema>(
  schema: S,
  send: (input: z.input<S>) => Promise<Output<typeof customPortals.createCustom>>,
  onDone: () => void,
) {
  const [reasons, setReasons] = useState<string[]>([])
  const refused = useRef(false)
  const form = useForm<S>(schema, {}, async (input) => {
    setReasons([])
    try {
      const { left_out, ...portal } = await send(input)
      notify.success(messages.portal.imported, {
        label: 'See it',
        onPick: () => void window.open(portal.url, '_blank', 'noopener'),
      })
      if (left_out.length > 0) notify.success(`Left out, as your system put it there: ${left_out.join(', ')}`)
      showChange({ one: portals.get.path, list: portals.list.path }, portal.id, portal)
    } catch (error) {
      notify.error(messages.imports.failed)
      if (error instanceof Refused && error.errors['portal']) {
        setReasons(error.errors['portal'])
        refused.current = true
      }
      throw error
    } finally {
      // Even without an answer it may have been stored.
      forgetLists(portals.list.path)
      invalidateOthers()
    }
  })
  const zip = form.values['portal']
  const choose = (file: File | undefined) => {
    form.set('portal', file)
    if (file) setReasons([])
  }
  return {
    form,
    file: zip instanceof File ? zip : undefined,
    choose,
    /** Of the zip that was sent last; shown until another one is chosen. */
    reasons,
    async upload() {
      refused.current = false
      if (await form.save()) onDone()
      // Browsers do not send a file that has changed since it was chosen, so it must be chosen again.
      else if (refused.current) form.set('portal', undefined)
    },
  }
}
