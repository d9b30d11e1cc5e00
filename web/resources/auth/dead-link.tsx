// Dead link: shown for an address from a mail whose token is missing or cut off.
import { SignedOutLayout } from '#web/frame/signed-out-layout.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { Notice } from '#web/ui/state.tsx'
import styles from './auth.module.css'

export const toSignIn = <Link href={to.login()}>Back to sign in</Link>

/** Shorter than any token that was ever issued. */
export const isCutOff = (token: string) => token.length < 20

export const DeadLink = () => (
  <SignedOutLayout title="This link does not work" below={toSignIn}>
    <div className={styles.notice}>
      <Notice tone="error">
        It may have been cut off. Copy the whole address from the mail, or ask for a new one.
      </Notice>
    </div>
  </SignedOutLayout>
)
