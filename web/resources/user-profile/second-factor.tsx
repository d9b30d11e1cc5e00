// Second factor: whether it is on, and setting it up, renewing its recovery codes and removing it.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PasswordAndCode, removeSecondFactor, renewRecoveryCodes, secondFactorState } from '#contract/own-sign-in.ts'
import { call } from '#web/kit/call/call.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { dateOf } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import { CurrentPasswordForm } from './current-password-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUp } from './set-up.tsx'
import styles from './security.module.css'

type Task = 'set up' | 'renew' | 'remove'
const titles: Record<Task, string> = {
  'set up': 'Set up a second factor',
  renew: 'New recovery codes',
  remove: 'Remove the second factor?',
}

export function SecondFactor() {
  const { data, error, refetch } = useQuery({
    queryKey: ['second-factor'],
    queryFn: ({ signal }) => call(secondFactorState, {}, { signal }),
  })
  const [task, setTask] = useState<Task>()
  const [codes, setCodes] = useState<string[]>()
  const close = () => {
    setTask(undefined)
    setCodes(undefined)
    void refetch()
  }
  if (error && !data) return <LoadFailed error={error} again={() => void refetch()} />
  if (!data) return <Skeleton height={64} />
  return (
    <>
      <ul className={styles.rows}>
        <li>
          <span>
            <strong>Second factor</strong>
            {data.on_since
              ? `On since ${dateOf(data.on_since)}. Each sign-in asks for a code from your app.`
              : 'Off. Your password alone signs you in.'}
          </span>
          {data.on_since ? (
            <Button onClick={() => setTask('remove')}>Remove</Button>
          ) : (
            <Button kind="primary" onClick={() => setTask('set up')}>
              Set up
            </Button>
          )}
        </li>
        {data.on_since && (
          <li>
            <span>
              <strong>Recovery codes</strong>
              {data.recovery_codes_left} of 10 left, for when the telephone is not at hand.
            </span>
            <Button onClick={() => setTask('renew')}>New codes</Button>
          </li>
        )}
      </ul>
      <Dialog open={task !== undefined} title={task ? titles[task] : ''} onClose={close} width={440}>
        {task === 'set up' && <SetUp onDone={close} />}
        {task === 'remove' && <Remove onDone={close} />}
        {task === 'renew' && (codes ? <RecoveryCodes codes={codes} onDone={close} /> : <Renew onCodes={setCodes} />)}
      </Dialog>
    </>
  )
}

const nothing = { current_password: '', code: '' }

function Renew({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const form = useForm(PasswordAndCode, nothing, async (values) => {
    onCodes((await call(renewRecoveryCodes, values)).recovery_codes)
  })
  return (
    <CurrentPasswordForm
      form={form}
      password="current_password"
      lead="The former codes will no longer work."
      button="Make new codes"
    >
      <Field form={form} name="code" label="Code from your app" autoComplete="one-time-code" />
    </CurrentPasswordForm>
  )
}

function Remove({ onDone }: { onDone: () => void }) {
  const form = useForm(PasswordAndCode, nothing, async (values) => {
    await call(removeSecondFactor, values)
    notify.success('The second factor has been removed')
    onDone()
  })
  return (
    <CurrentPasswordForm
      form={form}
      password="current_password"
      lead="Your password alone will then sign you in."
      button="Remove"
      danger
    >
      <Field form={form} name="code" label="Code from your app, or a recovery code" autoComplete="one-time-code" />
    </CurrentPasswordForm>
  )
}
