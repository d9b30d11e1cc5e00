// Week chart: a week by hours, with stronger colours for fuller hours. Each cell is labelled with its figure, arrow keys move
// between cells, and the line below gives the figure as text.
import { Fragment, useRef, useState, type KeyboardEvent } from 'react'
import { levelOf } from './level.ts'
import styles from './week-chart.module.css'

export interface WeekHour {
  /** 1 is Monday. */
  weekday: number
  /** 0 to 23. */
  hour: number
  value: number
}

interface WeekChartProps {
  /** What is counted: `Guests online by hour`. */
  label: string
  /** After each figure: `guests`. */
  unit: string
  hours: readonly WeekHour[]
  format: (value: number) => string
}

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const hours_a_day = 24
const named_hours = 6
const clock = (hour: number) => `${String(hour % hours_a_day).padStart(2, '0')}:00`

export function WeekChart({ label, unit, hours, format }: WeekChartProps) {
  const [at, setAt] = useState<number>()
  const grid = useRef<HTMLDivElement>(null)
  const values = new Map(hours.map(({ weekday, hour, value }) => [(weekday - 1) * hours_a_day + hour, value]))
  const cells = Array.from({ length: days.length * hours_a_day }, (_, index) => values.get(index) ?? 0)
  const most = Math.max(...cells)
  const fullest = cells.indexOf(most)
  const sentenceOf = (index: number) => {
    const hour = index % hours_a_day
    return `${days[Math.floor(index / hours_a_day)]}, ${clock(hour)} to ${clock(hour + 1)}: ${format(cells[index] ?? 0)} ${unit}`
  }
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const step = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: hours_a_day,
      ArrowUp: -hours_a_day,
    }[event.key]
    if (step === undefined) return
    event.preventDefault()
    grid.current?.querySelectorAll('button')[index + step]?.focus()
  }
  return (
    <figure className={styles.chart}>
      <div ref={grid} className={styles.grid} role="group" aria-label={label} onPointerLeave={() => setAt(undefined)}>
        {days.map((day, row) => (
          <Fragment key={day}>
            <span className={styles.day} aria-hidden>
              {day.slice(0, 3)}
            </span>
            {cells.slice(row * hours_a_day, (row + 1) * hours_a_day).map((value, hour) => {
              const index = row * hours_a_day + hour
              return (
                <button
                  key={index}
                  type="button"
                  className={styles.cell}
                  data-level={levelOf(value, most)}
                  // The whole week is one Tab stop, initially on its fullest hour.
                  tabIndex={index === (at ?? fullest) ? 0 : -1}
                  aria-label={sentenceOf(index)}
                  onPointerEnter={() => setAt(index)}
                  onFocus={() => setAt(index)}
                  onBlur={() => setAt(undefined)}
                  onKeyDown={(event) => onKeyDown(event, index)}
                />
              )
            })}
          </Fragment>
        ))}
        <span aria-hidden />
        {Array.from({ length: hours_a_day / named_hours }, (_, index) => (
          <span key={index} className={styles.hour} aria-hidden>
            {clock(index * named_hours)}
          </span>
        ))}
      </div>
      <figcaption className={styles.caption}>
        {at !== undefined ? sentenceOf(at) : most > 0 ? `Fullest: ${sentenceOf(fullest)}` : 'Nothing in this time'}
      </figcaption>
    </figure>
  )
}
