// Sign-up: creates the customer and its first editor, and signs them in.
import { SignUp, signup } from '#contract/auth.ts'
import { SignedOutLayout } from '#web/frame/signed-out-layout.tsx'
import { call } from '#web/kit/call/call.ts'
import { Field, PasswordField } from '#web/kit/form/field.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { passwordRule } from '#web/kit/form/password-rule.ts'
import { useForm } from '#web/kit/form/use-form.ts'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/state.tsx'
import { signUpOpen } from '#web/session/sign-up.ts'
import { useSecondStep } from './second-step.tsx'
import styles from './auth.module.css'

export function SignUpScreen() {
  const second = useSecondStep()
  const form = useForm(
    SignUp,
    { company_name: '', name: '', email: '', password: '' },
    async (values) => second.go(await call(signup, values)),
    { together: ['email', 'password'] },
  )
  const signIn = (
    <>
      Have an account? <Link href={to.login()}>Sign in</Link>
    </>
  )
  if (!signUpOpen())
    return (
      <SignedOutLayout title="Sign-up is closed" below={signIn}>
        <div className={styles.notice}>
          <Notice>Ask whoever runs Foyer at your company for an invitation.</Notice>
        </div>
      </SignedOutLayout>
    )
  if (second.step) return second.step
  // They have a login already: the company is created only once, and those who took too long over the code sign in.
  if (second.notice)
    return (
      <SignedOutLayout title="Your company is set up" lead="Sign in to continue." below={signIn}>
        {second.notice}
      </SignedOutLayout>
    )
  return (
    <SignedOutLayout
      title="Create your account"
      lead="Set up guest Wi-Fi for your properties in minutes."
      below={signIn}
    >
      <form {...form.bind}>
        <General sentences={form.general} />
        <Field form={form} name="company_name" label="Company" autoComplete="organization" first />
        <Field form={form} name="name" label="Your name" autoComplete="name" />
        <Field form={form} name="email" label="E-mail" type="email" autoComplete="username" />
        <PasswordField form={form} name="password" label="Password" hint={passwordRule} autoComplete="new-password" />
        <Button kind="primary" submit wide busy={form.saving}>
          Create account
        </Button>
      </form>
    </SignedOutLayout>
  )
}
