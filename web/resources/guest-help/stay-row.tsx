// A row of stays: who it is, with how long, and what may be meant for them. It is the same in the lists of the day and of a group.
import { addDays } from '#contract/days.ts'
import type { StayOfToday } from '#contract/today.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { say } from '#web/words/desk.ts'
import type { Act, ListKind } from './stay-lists.ts'
import styles from './today.module.css'

/** Longer stays are leases, for which the end date is shown instead. */
const nights_shown_max = 60

type Fact = string | false | null

export const Who = ({ stay, facts }: { stay: StayOfToday; facts: readonly Fact[] }) => (
  <>
    <span className={styles.number} translate="no">
      {stay.room.name}
    </span>
    <span className={styles.who}>
      <span className={styles.named}>
        <Link className={styles.guest} href={to.guestHelp({ kind: 'stay', id: stay.id })}>
          {stay.name}
        </Link>
        {stay.online && (
          <span className={styles.dot} title={say('online-now')}>
            <span className="unseen">{say('online')}</span>
          </span>
        )}
      </span>
      {stay.note !== null && (
        <span className={styles.noted} title={stay.note}>
          {stay.note}
        </span>
      )}
      <span className={styles.nights}>{facts.filter(Boolean).join(' · ')}</span>
    </span>
  </>
)

interface ActButtonProps {
  act: Act | undefined
  /** The name of the guest, for those who hear the button alone. */
  whom: string
  busy: boolean
  onPress: (act: Act) => void
  children: string
}

/** Calm until the pointer or the focus is in its row: a wall of frames would be all that one sees. */
export const ActButton = ({ act, whom, busy, onPress, children }: ActButtonProps) =>
  act && (
    <span className={styles.calm}>
      <Button busy={busy} label={say('act.on', { act: children, name: whom })} onClick={() => onPress(act)}>
        {children}
      </Button>
    </span>
  )

export const givenTo = ({ until_time, group_name }: StayOfToday): Fact[] => [
  until_time && say('day.until', { day: until_time }),
  group_name,
]

export function lengthOf({ nights, departs_on }: StayOfToday, kind: ListKind, today: string): string {
  if (kind === 'overdue' && departs_on !== null)
    return departs_on === addDays(today, -1) ? say('day.since-yesterday') : say('day.since', { day: dayOf(departs_on) })
  if (nights === null || nights > nights_shown_max)
    return departs_on === null ? '' : say('day.until', { day: dayOf(departs_on) })
  return nights === 0 ? say('day.day-use') : say('nights', { count: nights })
}
