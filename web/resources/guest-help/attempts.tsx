// Attempts: the last sign-in attempts, newest first, with messages that the desk can repeat to the guest.
import type { HelpSubject } from '#contract/guest-help.ts'
import { ageOf, timeOf } from '#web/kit/display/dates.ts'
import { Icon } from '#web/ui/icons.tsx'
import { say } from '#web/words/desk.ts'
import styles from './guest-help.module.css'

export function Attempts({ attempts }: { attempts: HelpSubject['attempts'] }) {
  if (attempts.length === 0) return <p className={styles.none}>{say('guest.no-tries')}</p>
  return (
    <ul className={styles.attempts}>
      {attempts.map(({ id, accepted, message, created_at, identifier, mac_address, property, gateway }) => (
        <li key={id} data-good={accepted}>
          <Icon name={accepted ? 'success' : 'failure'} size={16} />
          <span>
            {message}
            <small translate="no">
              {[identifier, mac_address, property?.name, gateway?.name].filter(Boolean).join(' · ')}
            </small>
          </span>
          <time dateTime={created_at} title={timeOf(created_at)}>
            {ageOf(created_at)}
          </time>
        </li>
      ))}
    </ul>
  )
}
