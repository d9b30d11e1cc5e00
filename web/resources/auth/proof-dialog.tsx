// Proof dialog: asks for the password, and for a code where there is a second factor.
import { useQuery } from '@tanstack/react-query'
import { Proof, prove, secondFactorState } from '#contract/own-sign-in.ts'
import { secondFactorCode } from '#contract/auth.ts'
import { messages } from '#contract/messages.ts'
import { refusals } from '#contract/errors.ts'
import { call } from '#web/kit/call/call.ts'
import { settleProof } from '#web/kit/call/proof.ts'
import { Field, PasswordField } from '#web/kit/form/field.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import styles from './auth.module.css'

const ProofWithCode = Proof.extend({ code: secondFactorCode })
const JustPassword = Proof.omit({ code: true })

export const ProofDialog = ({ open }: { open: boolean }) => (
  <Dialog open={open} title={refusals.askedAgain.message} onClose={() => settleProof(false)} width={440}>
    <ProofForm />
  </Dialog>
)

function ProofForm() {
  const { data } = useQuery({
    queryKey: ['second-factor'],
    queryFn: ({ signal }) => call(secondFactorState, {}, { signal }),
  })
  const asksCode = data?.on_since != null
  const form = useForm(asksCode ? ProofWithCode : JustPassword, { password: '' }, async (values) => {
    await call(prove, values)
    settleProof(true)
  })
  return (
    <form {...form.bind} className={styles.proof}>
      <p className={styles.lead}>
        What you are about to do gives others access, or takes data out. Your password shows that it is you; for an hour
        you are not asked again.
      </p>
      <General sentences={form.general} />
      <PasswordField form={form} name="password" label="Your password" autoComplete="current-password" first />
      {asksCode && (
        <Field
          form={form as ReturnType<typeof useForm<typeof ProofWithCode>>}
          name="code"
          label="Code of the app, or a recovery code"
          autoComplete="one-time-code"
        />
      )}
      <div className={styles.proofButtons}>
        <Button onClick={() => settleProof(false)}>{messages.modal.cancel}</Button>
        <Button kind="primary" submit busy={form.saving}>
          Go on
        </Button>
      </div>
    </form>
  )
}
