// Second step: asks for the code after the password, if the login has a second factor.
import { useState } from 'react'
import { z } from 'zod'
import { secondFactor, secondFactorCode } from '#contract/auth.ts'
import { SignedOutLayout } from '#web/frame/signed-out-layout.tsx'
import { call, Refused } from '#web/kit/call/call.ts'
import { Field } from '#web/kit/form/field.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import type { NewSession } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/state.tsx'
import { enter } from './after-login.ts'
import styles from './auth.module.css'

const Code = z.object({ code: secondFactorCode })

/** Only kept in memory: after a reload the password is asked for again. */
export function useSecondStep() {
  const [challenge, setChallenge] = useState<string>()
  const [over, setOver] = useState<string>()
  return {
    /** Asks for the second factor if there is one; everybody else is signed in. */
    async go(answer: NewSession | { challenge: string }) {
      setOver(undefined)
      if ('challenge' in answer) setChallenge(answer.challenge)
      else await enter(answer)
    },
    /** Replaces the first step. */
    step: challenge !== undefined && (
      <SecondStep
        challenge={challenge}
        onBack={(sentence) => {
          setChallenge(undefined)
          setOver(sentence)
        }}
      />
    ),
    notice: over !== undefined && (
      <div className={styles.notice}>
        <Notice tone="error">{over}</Notice>
      </div>
    ),
  }
}

function SecondStep({ challenge, onBack }: { challenge: string; onBack: (sentence?: string) => void }) {
  const form = useForm(Code, { code: '' }, async ({ code }) => {
    try {
      await enter(await call(secondFactor, { challenge, code }))
    } catch (error) {
      const over = error instanceof Refused && error.errors['challenge']?.[0]
      if (!over) throw error
      onBack(over)
    }
  })
  return (
    <SignedOutLayout
      title="Enter your code"
      lead="Open the app that shows your codes for Foyer. One of your recovery codes works, too."
      below={
        <Button kind="quiet" onClick={() => onBack()}>
          Sign in as somebody else
        </Button>
      }
    >
      <form {...form.bind}>
        <General sentences={form.general} />
        <Field form={form} name="code" label="Code" autoComplete="one-time-code" placeholder="123456" first />
        <Button kind="primary" submit wide busy={form.saving}>
          Sign in
        </Button>
      </form>
    </SignedOutLayout>
  )
}
