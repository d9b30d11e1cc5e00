// Backups: when the last one was made, tried and opened, for who runs the installation.
import { backups_late_h } from '#contract/dashboard.ts'
import { keysOf } from '#contract/keys.ts'
import { ageOf, timeOf } from '#web/kit/display/dates.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { Badge } from '#web/ui/badge.tsx'
import type { Figures } from './figures.ts'
import styles from './dashboard.module.css'

type Known = NonNullable<Figures['backups']>
type Moment = keyof typeof backups_late_h

const lines: Record<Moment, string> = {
  made_at: 'Last made',
  tried_at: 'Last test restore',
  opened_at: 'Last opened from its file',
}
const hour_ms = 3_600_000

const moments = keysOf(lines)
const isLate = (at: string, which: Moment) => Date.now() - Date.parse(at) > backups_late_h[which] * hour_ms

export const Backups = ({ known }: { known: Known }) => (
  <>
    <ul className={styles.list}>
      {moments.map((which) => (
        <li key={which} className={styles.wanting}>
          <span>{lines[which]}</span>
          <Last at={known[which]} which={which} />
        </li>
      ))}
      {known.damaged > 0 && (
        <li className={styles.wanting}>
          <span>Damaged backups</span>
          <Badge tone="wrong">{wholeOf(known.damaged)}</Badge>
        </li>
      )}
    </ul>
    {moments.some((which) => known[which] === null || isLate(known[which], which)) && (
      <p className={styles.none}>
        Where Foyer runs, <code>npm run backup FILE</code> makes one and test-restores it. Where its key is kept,{' '}
        <code>npm run restore FILE -- --try --identity KEY</code> opens it.
      </p>
    )}
  </>
)

function Last({ at, which }: { at: string | null; which: Moment }) {
  if (at === null) return <Badge tone="waiting">Never</Badge>
  if (isLate(at, which)) return <Badge tone="wrong">{timeOf(at)}</Badge>
  return (
    <time dateTime={at} title={timeOf(at)}>
      {ageOf(at)}
    </time>
  )
}
