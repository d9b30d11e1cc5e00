// Proof: asks for the password again, and for a code where there is a second factor, above whatever screen or dialog made the call that
// waits for it. Loaded with the first call that does.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { secondFactorCode } from '#contract/auth.ts'
import { askedAgain } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import { Proof, prove, secondFactorState } from '#contract/own-sign-in.ts'
import { call } from '#web/kit/call/call.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { Field, PasswordField } from '#web/kit/form/field.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { stricter } from '#web/kit/form/stricter.ts'
import { useForm } from '#web/kit/form/use-form.ts'
import { useSession } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import styles from './auth.module.css'

const ProofWithCode = stricter(Proof, { code: secondFactorCode })

let waiting: Promise<boolean> | undefined
/**
 * Resolves to true once the password was given, for all calls that wait; to false if the dialog is closed or the session ends. `from`: what
 * had the focus when the call was made, since a button that is busy loses it.
 */
export const askForProof = (from: Element | null): Promise<boolean> =>
  (waiting ??= asked(from).finally(() => (waiting = undefined)))

async function asked(from: Element | null): Promise<boolean> {
  const proven = await confirm({
    title: askedAgain.message,
    body: (answer) => <ProofForm onAnswer={answer} />,
  })
  if (!proven) giveFocusBack(from)
  return proven
}

/** After the dialog is gone and the button can be pressed again, unless something else has been chosen meanwhile. */
function giveFocusBack(from: Element | null) {
  setTimeout(() => {
    const isElsewhere = document.activeElement?.matches('input, select, textarea, button, a') ?? false
    if (!isElsewhere && from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true })
  }, fading_ms)
}
const fading_ms = 200

function ProofForm({ onAnswer }: { onAnswer: (proven: boolean) => void }) {
  const { token } = useSession()
  useEffect(() => {
    if (token === null) onAnswer(false)
  }, [token, onAnswer])
  const { data } = useQuery({
    queryKey: ['second-factor'],
    queryFn: ({ signal }) => call(secondFactorState, {}, { signal }),
  })
  const asksCode = data?.on_since != null
  const form = useForm(asksCode ? ProofWithCode : Proof, { password: '' }, async (values) => {
    await call(prove, values)
    onAnswer(true)
  })
  return (
    <form {...form.bind} className={styles.proof}>
      <p className={styles.lead}>
        What you are about to do gives others access, or takes data out. Your password shows that it is you; you will
        not be asked again for an hour.
      </p>
      <General sentences={form.general} />
      <PasswordField form={form} name="password" label="Your password" autoComplete="current-password" first />
      {asksCode && (
        <Field form={form} name="code" label="Code from your app, or a recovery code" autoComplete="one-time-code" />
      )}
      <div className={styles.proofButtons}>
        <Button onClick={() => onAnswer(false)}>{messages.modal.cancel}</Button>
        <Button kind="primary" submit busy={form.saving}>
          Go on
        </Button>
      </div>
    </form>
  )
}
