// Problems button: downloads the problems of a spreadsheet as a spreadsheet, to work through next to the original.
import { useState } from 'react'
import type { Input } from '#contract/endpoint.ts'
import * as imports from '#contract/imports.ts'
import { fetchFile, save } from '#web/kit/call/call.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { Button } from '#web/ui/button.tsx'

interface ProblemsButtonProps {
  /** A stored import, or the result of a check. */
  of: { id: number } | Omit<Input<typeof imports.problemsOfCheck>, 'format'>
  /** For screen readers, if there are several such buttons on one screen. */
  title?: string
}

export function ProblemsButton({ of, title }: ProblemsButtonProps) {
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      save(await ('id' in of ? fetchFile(imports.problems, of) : fetchFile(imports.problemsOfCheck, of)))
    } catch (error) {
      notify.failure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon="download" busy={busy} onClick={() => void download()} {...(title && { title })}>
      Download the problems
    </Button>
  )
}
