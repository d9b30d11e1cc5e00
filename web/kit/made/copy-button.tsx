// Copy button: copies a value to the clipboard and confirms it in its own label.
import { useEffect, useState } from 'react'
import { notify } from '#web/kit/dialog/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { say } from '#web/words/forms.ts'
import { copy } from './copy.ts'

/** How long "Copied" is shown: long enough to be read, short enough for the next use. */
const copied_ms = 2500

export function CopyButton({ value, children = say('copy') }: { value: string; children?: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), copied_ms)
    return () => clearTimeout(timer)
  }, [copied])
  const press = async () => {
    try {
      await copy(value)
      setCopied(true)
    } catch {
      notify.error(say('not-copied'))
    }
  }
  return (
    <span aria-live="polite">
      <Button icon={copied ? 'check' : 'copy'} onClick={() => void press()}>
        {copied ? say('copied') : children}
      </Button>
    </span>
  )
}
