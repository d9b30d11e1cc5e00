// Password: changed with the current one, or, if it is forgotten, by a link in a mail.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changePassword, PasswordChange } from '#contract/own-sign-in.ts'
import { forgotPassword } from '#contract/auth.ts'
import { madeSince } from '#contract/made-since.ts'
import { call } from '#web/kit/call/call.ts'
import { invalidateQuery } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { EndingsField } from '#web/kit/form/endings-field.tsx'
import { PasswordField } from '#web/kit/form/field.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { passwordRule } from '#web/kit/form/password-rule.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { sessionsKey } from './sessions.tsx'
import { CurrentPasswordForm } from './current-password-form.tsx'
import styles from './security.module.css'

export function Password({ email }: { email: string }) {
  const [open, setOpen] = useState(false)
  const sendLink = async () => {
    try {
      await call(forgotPassword, { email })
      notify.success('A link is on its way to you')
    } catch (error) {
      notify.failure(error)
    }
  }
  return (
    <>
      <ul className={styles.rows}>
        <li>
          <span>
            <strong>Password</strong>
            Forgotten? We will send you a link to choose a new one.
          </span>
          <span className={styles.buttons}>
            <Button kind="quiet" onClick={() => void sendLink()}>
              Send link
            </Button>
            <Button onClick={() => setOpen(true)}>Change</Button>
          </span>
        </li>
      </ul>
      <Dialog open={open} title="Change your password" onClose={() => setOpen(false)} width={440}>
        <Change onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function Change({ onDone }: { onDone: () => void }) {
  const { data: made } = useQuery({
    queryKey: ['made-since'],
    queryFn: ({ signal }) => call(madeSince, {}, { signal }),
    staleTime: 0,
  })
  const form = useForm(PasswordChange, { current_password: '', password: '' }, async (values) => {
    await call(changePassword, values)
    notify.success('Your password has been changed, and your other sessions ended')
    void invalidateQuery(sessionsKey)
    onDone()
  })
  return (
    <CurrentPasswordForm form={form} password="current_password" button="Change password">
      <PasswordField form={form} name="password" label="New password" hint={passwordRule} autoComplete="new-password" />
      {made && <EndingsField form={form} name="end" made={made} />}
    </CurrentPasswordForm>
  )
}
