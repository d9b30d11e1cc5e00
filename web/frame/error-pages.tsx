// Error pages: not found, failed, and the last resort when even the error page fails.
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { Component, type ReactNode } from 'react'
import { refusals } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import { Refused, sentenceOf } from '#web/kit/call/call.ts'
import { useHealing } from '#web/kit/call/use-healing.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { useSession } from '#web/session/session.ts'
import { say } from '#web/words/frame.ts'
import { tryAgain } from './chunk-reload.ts'
import { Footer } from './footer.tsx'
import styles from './error-pages.module.css'

const Home = ({ kind = 'plain' }: { kind?: 'plain' | 'primary' }) => (
  <LinkButton kind={kind} href={to.root()}>
    {messages.errorPages.home}
  </LinkButton>
)

const missing = 'It may have been removed, or the address is not quite right.'

/** For visitors who are not signed in (specification, layouts). */
const FooterSignedOut = () => (useSession().user ? null : <Footer />)

/** No such address. */
export const NotFound = () => (
  <Frame>
    <main className={styles.page}>
      <p className={styles.code}>404</p>
      <h1>{messages.errorPages.notFound}</h1>
      <p className={styles.hint}>{missing}</p>
      <Home kind="primary" />
    </main>
    <FooterSignedOut />
  </Frame>
)

/** No such screen within a context; the header stays. */
export const ScreenNotFound = () => (
  <Frame>
    <div className={styles.page}>
      <p className={styles.code}>404</p>
      <h1>{messages.errorPages.routeNotFound}</h1>
      <p className={styles.hint}>{missing}</p>
      <Home kind="primary" />
    </div>
  </Frame>
)

/** The screen's record could not be loaded: nothing is broken here, and another try may work. */
const NotLoaded = ({ error }: { error: Refused }) => (
  <>
    <h1>{say('not-loaded')}</h1>
    <p className={styles.hint}>{sentenceOf(error)}</p>
  </>
)

const statusOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 0

const Sentences = ({ error }: { error: unknown }) => {
  const status = statusOf(error)
  return (
    <>
      <p className={styles.code}>{status >= 400 ? status : messages.errorPages.failed}</p>
      {status >= 400 && <p>{messages.errorPages.failed}</p>}
      <h1>{messages.errorPages.error}</h1>
      {error instanceof Refused && <p className={styles.hint}>{sentenceOf(error)}</p>}
    </>
  )
}

/** Nothing can be shown: the app broke, or the server did not say who is signed in. */
export const Failed = (failure: ErrorComponentProps) => (
  <Frame>
    <main className={styles.page}>
      <Failure {...failure} />
    </main>
  </Frame>
)

/** A screen that broke; the header stays, with the way out. */
export const ScreenFailed = (failure: ErrorComponentProps) => (
  <Frame>
    <div className={styles.page} role="alert">
      <Failure {...failure} />
    </div>
  </Frame>
)

function Failure({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const again = () =>
    tryAgain(error, () => {
      reset()
      void router.invalidate()
    })
  useHealing(error, again)
  return (
    <>
      {error instanceof Refused && error.status < refusals.broken.status ? (
        <NotLoaded error={error} />
      ) : (
        <Sentences error={error} />
      )}
      <div className={styles.actions}>
        <Button kind="primary" icon="refresh" onClick={again}>
          Try again
        </Button>
        <Home />
      </div>
    </>
  )
}

/** Catches errors inside an error page. Plain text without components, so that nothing else can break. */
class Frame extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }
  static getDerivedStateFromError = () => ({ broken: true })
  override render() {
    return this.state.broken ? <p>{messages.errorPages.errorInError}</p> : this.props.children
  }
}
export { Frame as LastResort }
