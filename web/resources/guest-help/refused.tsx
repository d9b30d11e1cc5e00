// Refused: guests who were refused during the last hour, with a fix; and the state of the network, with the contact to call.
import type { Today } from '#contract/today.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { Contact } from '#web/kit/display/mail-link.tsx'
import { ageOf } from '#web/kit/display/dates.ts'
import { to } from '#web/paths.ts'
import { Icon } from '#web/ui/icons.tsx'
import { say } from '#web/words/desk.ts'
import { useFix } from './fixes.tsx'
import { Button } from '#web/ui/button.tsx'
import { FixResult } from './fix-result.tsx'
import styles from './today.module.css'

type Refused = Today['refused'][number]

interface RefusedProps {
  property_id: number
  reload: () => Promise<unknown>
}

export function RefusedLately({ refused, ...at }: RefusedProps & { refused: Refused[] }) {
  if (refused.length === 0) return null
  return (
    <section className={styles.list} aria-label={say('refused.lately')}>
      <header>
        <h2>
          {say('refused.lately')} <span>{refused.length}</span>
        </h2>
      </header>
      <ul>
        {refused.map((one) => (
          <RefusedGuest key={`${one.kind} ${one.id}`} guest={one} {...at} />
        ))}
      </ul>
    </section>
  )
}

function RefusedGuest({ guest, property_id, reload }: RefusedProps & { guest: Refused }) {
  const { kind, id, name, room, message, tried_at, fix } = guest
  const { ready, busy, applyFix, handed, putAway } = useFix({
    subject: guest,
    property: { id: property_id },
    reload,
    onOther: () => void reload(),
  })
  const can = fix && ready(fix)
  return (
    <li className={styles.refused}>
      <div>
        <Link className={styles.guest} href={to.guestHelp({ kind, id })}>
          {room === null ? name : say('refused.in-room', { name, room })}
        </Link>
        <time dateTime={tried_at}>{ageOf(tried_at)}</time>
        <p>{message}</p>
      </div>
      {can && (
        <Button busy={busy === fix.label} onClick={() => void applyFix(fix)}>
          {fix.label}
        </Button>
      )}
      {!can && fix?.who && (
        <p>
          {fix.label}. {fix.who}
        </p>
      )}
      <FixResult handed={handed} close={putAway} />
    </li>
  )
}

export function Network({ network: { warnings, sentence, contact } }: { network: Today['network'] }) {
  const good = warnings.length === 0
  return (
    <section className={styles.network} data-good={good} aria-label={say('network.label')}>
      <Icon name={good ? 'success' : 'warning'} size={16} />
      <p>
        {sentence}{' '}
        {!good && contact && (
          <b>
            <Contact written={contact} />
          </b>
        )}
      </p>
    </section>
  )
}
