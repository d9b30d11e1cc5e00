// Reset password: opened by the link in a mail, `?token=…`. With `&invite=1` the link is an invitation, which is accepted here.
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { Acceptance, acceptInvitation, NewPassword, resetPassword } from '#contract/auth.ts'
import { madeSinceByLink } from '#contract/made-since.ts'
import { SignedOutLayout } from '#web/frame/signed-out-layout.tsx'
import { call } from '#web/kit/call/call.ts'
import { EndingsField } from '#web/kit/form/endings-field.tsx'
import { Field, PasswordField } from '#web/kit/form/field.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { one, type Search } from '#web/kit/navigation/search-params.ts'
import { passwordRule } from '#web/kit/form/password-rule.ts'
import { useForm } from '#web/kit/form/use-form.ts'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { DeadLink, isCutOff, toSignIn } from './dead-link.tsx'
import { useSecondStep } from './second-step.tsx'
import styles from './auth.module.css'

export function ResetPassword() {
  const search = useRouterState({ select: (state) => state.location.search as Search })
  const token = one(search['token']) ?? ''
  if (isCutOff(token)) return <DeadLink />
  return one(search['invite']) === '1' ? <Accept token={token} /> : <Reset token={token} />
}

function Reset({ token }: { token: string }) {
  const [done, setDone] = useState(false)
  const { data } = useQuery({
    queryKey: ['made-since', token],
    queryFn: ({ signal }) => call(madeSinceByLink, { token }, { signal }),
    staleTime: Infinity,
  })
  const form = useForm(NewPassword, { token, password: '' }, async (values) => {
    await call(resetPassword, values)
    setDone(true)
  })
  if (done)
    return (
      <SignedOutLayout title="Your password has been changed" lead="All your open sessions have been ended.">
        <div className={styles.notice}>
          <LinkButton kind="primary" wide href={to.login()}>
            Sign in
          </LinkButton>
        </div>
      </SignedOutLayout>
    )
  return (
    <SignedOutLayout title="Choose a new password" below={toSignIn}>
      <form {...form.bind}>
        <General sentences={form.general} />
        <PasswordField
          form={form}
          name="password"
          label="New password"
          hint={passwordRule}
          autoComplete="new-password"
          first
        />
        {data?.made && <EndingsField form={form} name="end" made={data.made} />}
        <Button kind="primary" submit wide busy={form.saving}>
          Change password
        </Button>
      </form>
    </SignedOutLayout>
  )
}

function Accept({ token }: { token: string }) {
  const second = useSecondStep()
  const form = useForm(Acceptance, { token, name: '', password: '' }, async ({ name, ...rest }) =>
    second.go(await call(acceptInvitation, name ? { ...rest, name } : rest)),
  )
  if (second.step) return second.step
  // An invitation is accepted only once; users who took too long over the code sign in.
  if (second.notice)
    return (
      <SignedOutLayout title="The invitation is accepted" lead="Sign in to continue." below={toSignIn}>
        {second.notice}
      </SignedOutLayout>
    )
  return (
    <SignedOutLayout
      title="Welcome to Foyer"
      lead="You have been invited. Enter your name and choose a password."
      below={toSignIn}
    >
      <form {...form.bind}>
        <General sentences={form.general} />
        <Field form={form} name="name" label="Your name" autoComplete="name" first />
        <PasswordField
          form={form}
          name="password"
          label="Password"
          hint={`${passwordRule} If this e-mail address already has an account, enter that account's password.`}
          autoComplete="new-password"
        />
        <Button kind="primary" submit wide busy={form.saving}>
          Accept invitation
        </Button>
      </form>
    </SignedOutLayout>
  )
}
