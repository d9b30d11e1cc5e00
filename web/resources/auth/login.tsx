// Login: for all contexts; the user decides which dashboard opens.
import { clockOf } from '#web/kit/display/dates.ts'
import { useRouterState } from '@tanstack/react-router'
import { Credentials, login } from '#contract/auth.ts'
import { SignedOutLayout } from '#web/frame/signed-out-layout.tsx'
import { call } from '#web/kit/call/call.ts'
import { Field, PasswordField } from '#web/kit/form/field.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { one, type Search } from '#web/kit/navigation/search-params.ts'
import { useForm } from '#web/kit/form/use-form.ts'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/state.tsx'
import { signUpOpen } from '#web/session/sign-up.ts'
import { useSecondStep } from './second-step.tsx'
import styles from './auth.module.css'

export function Login() {
  const search = useRouterState({ select: (state) => state.location.search as Search })
  const ended = Number(one(search['loggedOutAt']))
  const second = useSecondStep()
  const form = useForm(
    Credentials,
    { email: '', password: '' },
    async (values) => second.go(await call(login, values)),
    { together: ['email', 'password'] },
  )
  if (second.step) return second.step
  return (
    <SignedOutLayout
      title="Sign in to Foyer"
      lead="Guest Wi-Fi, run from one place."
      below={
        signUpOpen() && (
          <>
            New to Foyer? <Link href={to.signUp()}>Create an account</Link>
          </>
        )
      }
    >
      {second.notice}
      {ended > 0 && !second.notice && (
        <div className={styles.notice}>
          <Notice>Your session ended{timeOf(ended)}. Sign in again to pick up where you left off.</Notice>
        </div>
      )}
      <form {...form.bind}>
        <General sentences={form.general} />
        <Field form={form} name="email" label="E-mail" type="email" autoComplete="username" first />
        <div className={styles.withLink}>
          <PasswordField form={form} name="password" label="Password" autoComplete="current-password" />
          <Link href={to.forgotPassword()} className={styles.forgot}>
            Forgot password?
          </Link>
        </div>
        <Button kind="primary" submit wide busy={form.saving}>
          Sign in
        </Button>
      </form>
    </SignedOutLayout>
  )
}

/** ` at 14:05` if it was today; else empty. */
function timeOf(at_ms: number): string {
  const at = new Date(at_ms)
  if (Number.isNaN(at.getTime()) || at.toDateString() !== new Date().toDateString()) return ''
  return ` at ${clockOf(at.toISOString())}`
}
