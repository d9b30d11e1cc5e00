// Backups: when the last one was made, tried and opened, for who runs the installation.
import { backups_late_h } from '#contract/dashboard.ts'
import { ageOf, timeOf } from '#web/kit/display/dates.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { Badge } from '#web/ui/badge.tsx'
import type { Figures } from './figures.ts'
import styles from './dashboard.module.css'

type Known = NonNullable<Figures['backups']>
type Moment = keyof typeof backups_late_h

const lines: Record<Moment, string> = {
  made_at: 'Last made',
  tried_at: 'Last restored for trial',
  opened_at: 'Last opened from its file',
}
const hour_ms = 3_600_000

export const Backups = ({ known }: { known: Known }) => (
  <ul className={styles.list}>
    {(Object.keys(lines) as Moment[]).map((which) => (
      <li key={which} className={styles.wanting}>
        <span>{lines[which]}</span>
        <Last at={known[which]} late_h={backups_late_h[which]} />
      </li>
    ))}
    {known.damaged > 0 && (
      <li className={styles.wanting}>
        <span>Not what was written</span>
        <Badge tone="wrong">{wholeOf(known.damaged)}</Badge>
      </li>
    )}
  </ul>
)

const isLate = (at: string, after_h: number) => Date.now() - Date.parse(at) > after_h * hour_ms

function Last({ at, late_h }: { at: string | null; late_h: number }) {
  if (at === null) return <Badge tone="waiting">Never</Badge>
  if (isLate(at, late_h)) return <Badge tone="wrong">{timeOf(at)}</Badge>
  return (
    <time dateTime={at} title={timeOf(at)}>
      {ageOf(at)}
    </time>
  )
}
