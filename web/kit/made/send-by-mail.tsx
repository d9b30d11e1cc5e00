// Send by mail: a button that opens an input for the address. A refusal is shown below the input; the confirmation replaces it.
import { useState, type FormEvent } from 'react'
import { email } from '#contract/shapes.ts'
import { messages } from '#contract/messages.ts'
import { sentenceOf } from '#web/kit/call/call.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { inLanguage } from '#web/words/fixed.ts'
import { say } from '#web/words/forms.ts'
import styles from './just-made.module.css'

export interface SendByMailProps {
  /** If known already, such as the guest's own. */
  address?: string | undefined
  /** For those who hear the button alone, begun with its words, where there are several. */
  label?: string
  /** Resolves when the mail is queued; rejects with `Refused`. */
  send: (address: string) => Promise<unknown>
}

export function SendByMail({ address = '', label, send }: SendByMailProps) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState(address)
  const [wrong, setWrong] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // The input may be inside the form of a screen.
    event.stopPropagation()
    const parsed = email.safeParse(typed)
    if (!parsed.success)
      return setWrong(inLanguage(typed.trim() === '' ? messages.fields.required : messages.fields.email))
    setBusy(true)
    try {
      await send(parsed.data)
      setSent(parsed.data)
      setOpen(false)
    } catch (error) {
      setWrong(sentenceOf(error))
    }
    setBusy(false)
  }
  if (!open)
    return (
      <>
        <Button icon="mail" {...(label !== undefined && { label })} onClick={() => setOpen(true)}>
          {say('email')}
        </Button>
        <span role="status" className={styles.sent}>
          {sent && say('sent-to', { address: sent })}
        </span>
      </>
    )
  return (
    <form className={styles.send} noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        label={say('email-address')}
        name="send_to"
        type="email"
        first
        value={typed}
        onChange={(value) => {
          setTyped(value)
          setWrong(undefined)
        }}
        error={wrong}
      />
      <Button kind="primary" submit busy={busy}>
        {say('send')}
      </Button>
      <Button kind="quiet" onClick={() => setOpen(false)}>
        {say('cancel')}
      </Button>
    </form>
  )
}
