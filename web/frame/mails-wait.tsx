// Mails wait: a line on every screen until the user who signed up has confirmed their address, with a way to send the link again; or, if
// its holder has taken it off, to give another one.
import { lazy, Suspense, useState } from 'react'
import { sendConfirmation } from '#contract/address-confirmation.ts'
import { isTakenOff } from '#contract/taken-off.ts'
import { call, sentenceOf } from '#web/kit/call/call.ts'
import { useSession } from '#web/session/session.ts'
import { Notice } from '#web/ui/state.tsx'
import styles from './mails-wait.module.css'

export function MailsWait() {
  const { user } = useSession()
  if (!user?.mails_wait) return null
  if (!isTakenOff(user.email)) return <Line email={user.email} />
  return (
    <div className={styles.line}>
      <Suspense>
        <AnotherAddress />
      </Suspense>
    </div>
  )
}

const AnotherAddress = lazy(() =>
  import('./another-address.tsx').then((module) => ({ default: module.AnotherAddress })),
)

type State = { is: 'waiting' | 'sending' | 'sent' } | { is: 'failed'; sentence: string }
const tones = { waiting: 'info', sending: 'info', sent: 'success', failed: 'error' } as const

function Line({ email }: { email: string }) {
  const [state, setState] = useState<State>({ is: 'waiting' })
  async function send() {
    if (state.is === 'sending') return
    setState({ is: 'sending' })
    try {
      await call(sendConfirmation, {})
      setState({ is: 'sent' })
    } catch (error) {
      setState({ is: 'failed', sentence: sentenceOf(error) })
    }
  }
  return (
    <div className={styles.line}>
      <Notice tone={tones[state.is]}>
        <Sentence state={state} email={email} />{' '}
        <button
          type="button"
          className={styles.again}
          aria-disabled={state.is === 'sending'}
          onClick={() => void send()}
        >
          Send it again
        </button>
      </Notice>
    </div>
  )
}

function Sentence({ state, email }: { state: State; email: string }) {
  if (state.is === 'failed') return state.sentence
  if (state.is === 'sent')
    return (
      <>
        A new link is on its way to <b>{email}</b>; the older one no longer works. Check your spam folder, too.
      </>
    )
  return (
    <>
      Mails to other people wait until you confirm <b>{email}</b> with the link we sent there.
    </>
  )
}
