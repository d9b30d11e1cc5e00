// Set up: a second factor in three steps: the current password, the QR code with the first code of the app, the recovery codes.
import { useState } from 'react'
import { beginSecondFactor, confirmSecondFactor, FirstCode, PresentPassword, prove } from '#contract/own-sign-in.ts'
import { call, Refused } from '#web/kit/call/call.ts'
import { Field } from '#web/kit/form/field.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { QrPicture } from '#web/kit/made/qr-picture.tsx'
import { Button } from '#web/ui/button.tsx'
import { CurrentPasswordForm } from './current-password-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import styles from './security.module.css'

interface Begun {
  secret: string
  address: string
}

/** `onDone`: the user has saved the recovery codes. */
export function SetUp({ onDone }: { onDone: () => void }) {
  const [begun, setBegun] = useState<Begun>()
  const [codes, setCodes] = useState<string[]>()
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  return begun ? <FirstCodeForm begun={begun} onCodes={setCodes} /> : <Begin onBegun={setBegun} />
}

function Begin({ onBegun }: { onBegun: (begun: Begun) => void }) {
  const form = useForm(PresentPassword, { current_password: '' }, async (values) => {
    await proveBy(values.current_password)
    onBegun(await call(beginSecondFactor, values))
  })
  return (
    <CurrentPasswordForm
      form={form}
      password="current_password"
      lead="You need an app that shows codes, on your phone or in your password manager. First, confirm that it is you."
      button="Go on"
    />
  )
}

/** What is typed here counts as given again, so that nobody is asked twice. */
async function proveBy(current_password: string) {
  try {
    await call(prove, { password: current_password })
  } catch (error) {
    const wrong = error instanceof Refused && error.errors['password']
    throw wrong ? new Refused(error.status, error.message, { current_password: wrong }) : error
  }
}

function FirstCodeForm({ begun: { secret, address }, onCodes }: { begun: Begun; onCodes: (codes: string[]) => void }) {
  const form = useForm(FirstCode, { code: '' }, async (values) => {
    onCodes((await call(confirmSecondFactor, values)).recovery_codes)
  })
  return (
    <form {...form.bind} className={styles.form}>
      <p className={styles.lead}>Scan this with the app, then type the six digits it shows.</p>
      <QrPicture text={address} label="QR code for the app" />
      <p className={styles.secret}>
        Or type this key into the app: <code translate="no">{secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <General sentences={form.general} />
      <Field form={form} name="code" label="Code" autoComplete="one-time-code" placeholder="123456" first />
      <Button kind="primary" submit wide busy={form.saving}>
        Switch on
      </Button>
    </form>
  )
}
