// Sample line: says on every screen of a sample that it is one, and leads back, and to taking it away.
import { allows } from '#contract/permissions.ts'
import * as samples from '#contract/samples.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { to, withModal } from '#web/paths.ts'
import { homeContext, useSession, type User } from '#web/session/session.ts'
import { Notice } from '#web/ui/state.tsx'
import { switchTo } from './switch-to.ts'
import styles from './mails-wait.module.css'

/** The user in the company that the sample is of; of several there, one who may take it away. */
export function homeOf({ sample_of }: User, users: readonly User[]): User | undefined {
  const there = users.filter(({ customer }) => customer.id === sample_of)
  const { area, action } = samples.endSample
  return there.find(({ can }) => allows(can, area, action)) ?? there[0]
}

export function SampleLine() {
  const { user, users } = useSession()
  const own = user?.sample ? homeOf(user, users) : undefined
  if (!own) return null
  const home = to.dashboard(homeContext(own))
  const leave = (href: string) => void switchTo(own.id, href).catch(notify.failure)
  return (
    <div className={styles.line}>
      <Notice>
        <b>A sample.</b> This hotel and its guests are invented. Nothing you do here is sent, or counts anywhere.{' '}
        <button type="button" className={styles.again} onClick={() => leave(home)}>
          Back to {own.customer.name}
        </button>{' '}
        ·{' '}
        <button type="button" className={styles.again} onClick={() => leave(withModal(home, 'end-sample', {}))}>
          Remove it
        </button>
      </Notice>
    </div>
  )
}
