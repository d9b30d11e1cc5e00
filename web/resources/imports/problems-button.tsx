// Problems button: what is wrong with a spreadsheet, as a spreadsheet, to be worked off beside the original.
import { useState } from 'react'
import type { Input } from '#contract/endpoint.ts'
import * as imports from '#contract/imports.ts'
import { fetchFile, save } from '#web/kit/call/call.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { Button } from '#web/ui/button.tsx'

interface ProblemsButtonProps {
  /** An import that is stored, or what a check answered. */
  of: { id: number } | Omit<Input<typeof imports.problemsOfCheck>, 'format'>
  /** What a screen reader is told, where several such buttons stand on one screen. */
  title?: string
}

export function ProblemsButton({ of, title }: ProblemsButtonProps) {
  const [busy, setBusy] = useState(false)
  const take = async () => {
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
    <Button icon="download" busy={busy} onClick={() => void take()} {...(title && { title })}>
      Download the problems
    </Button>
  )
}
