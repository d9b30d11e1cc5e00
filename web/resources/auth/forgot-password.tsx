// Forgotten password: requests a link by mail. The answer is the same whether the address is known or not.
import { useState } from 'react'
import { forgotPassword, ResetRequest } from '#contract/auth.ts'
import { SignedOutLayout } from '#web/frame/signed-out-layout.tsx'
import { call } from '#web/kit/call/call.ts'
import { Field } from '#web/kit/form/field.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/state.tsx'
import styles from './auth.module.css'

export function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm(ResetRequest, { email: '' }, async ({ email }) => {
    await call(forgotPassword, { email })
    setSentTo(email.trim())
  })
  return (
    <SignedOutLayout
      title="Reset your password"
      lead="We will send you a link that works for 30 minutes."
      below={<Link href={to.login()}>Back to sign in</Link>}
    >
      {sentTo ? (
        <div className={styles.notice}>
          <Notice tone="success">
            If {sentTo} belongs to an account, a link is on its way. Look in the spam folder too.
          </Notice>
        </div>
      ) : (
        <form {...form.bind}>
          <General sentences={form.general} />
          <Field form={form} name="email" label="E-mail" type="email" autoComplete="username" first />
          <Button kind="primary" submit wide busy={form.saving}>
            Send link
          </Button>
        </form>
      )}
    </SignedOutLayout>
  )
}
