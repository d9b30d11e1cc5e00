// Days chart: one bar a day. Drawn by hand: a chart library would weigh more than the whole first screen.
import { dateOf } from '#web/kit/display/dates.ts'
import styles from './dashboard.module.css'

interface Day {
  day: string
  sessions: number
  data_gb: number
}

export function DaysChart({ days }: { days: Day[] }) {
  const most = Math.max(1, ...days.map((day) => day.sessions))
  const total = days.reduce((sum, day) => sum + day.sessions, 0)
  const ends = [days[0], days.at(-1)]
  return (
    <figure>
      <div
        className={styles.bars}
        role="img"
        aria-label={`${total.toLocaleString()} sessions in ${days.length} days, at most ${most.toLocaleString()} a day`}
      >
        {days.map((day) => (
          <div
            key={day.day}
            className={styles.bar}
            title={`${dateOf(day.day)}: ${day.sessions.toLocaleString()} sessions, ${day.data_gb.toLocaleString(undefined, { maximumFractionDigits: 1 })} GB`}
          >
            <span style={{ height: `${(day.sessions / most) * 100}%` }} />
          </div>
        ))}
      </div>
      <figcaption className={styles.ends}>
        {ends.map((day, index) => (
          <span key={index}>{dateOf(day?.day)}</span>
        ))}
      </figcaption>
    </figure>
  )
}
