// Bar chart: one bar for each hour, day or month; negative values, such as credits, extend below zero. Next to each bar there may be
// the value of the period before; the last bar may be unfinished. Arrow keys move between bars and their figures are read out; the
// same figures are also available as a table.
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { axisOf, gutterOf, labelStep } from './axis.ts'
import styles from './bar-chart.module.css'

export interface Bar {
  key: string
  /** In full, for the table and for screen readers: `21 Nov 2026`. */
  label: string
  /** Below the axis, if there is room: `21 Nov`. If some bars have an empty one, all others are shown. */
  short: string
  value: number
  /** The same day of the period before. */
  before?: number | undefined
}

export interface BarChartProps {
  /** What is counted, for screen readers and the table's caption: `Sessions, last 4 weeks`. */
  label: string
  /** After each figure: `sessions`, `GB`. */
  unit: string
  /** What a bar stands for, as a heading in the table: `Hour`, `Month`. */
  heading?: string
  bars: Bar[]
  /** The name of the period before: `4 weeks before`. If absent, nothing is compared. */
  beforeLabel?: string
  /** The summary of all bars: their sum or their maximum. */
  whole?: 'sum' | 'most'
  /** The label of a last bar that is still growing: `today so far`. */
  partial?: string
  format: (value: number) => string
}

const height = 168

/** The width of the plot; 0 until it is rendered. */
function useWidth() {
  const [width, setWidth] = useState(0)
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const watched = element.current
    if (!watched) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(watched)
    return () => observer.disconnect()
  }, [])
  return { element, width }
}

export function BarChart(props: BarChartProps) {
  const { label, unit, heading = 'Day', bars, beforeLabel, partial, whole: summary = 'sum', format } = props
  const [at, setAt] = useState<number>()
  const [asTable, setAsTable] = useState(false)
  const { element: slots, width } = useWidth()
  const { bottom, top, ticks } = axisOf(bars.flatMap(({ value, before = 0 }) => [value, before]))
  const whole = top - bottom
  const place = (value: number) => `${((value - bottom) / whole) * 100}%`
  const span = (value: number) => ({
    bottom: place(Math.min(0, value)),
    height: `${(Math.abs(value) / whole) * 100}%`,
  })
  const gutter = gutterOf(ticks.map((tick) => format(tick)))
  const every = labelStep(bars.length, Math.max(1, ...bars.map(({ short }) => short.length)), width)
  const last = bars.length - 1
  const isMarked = bars.some(({ short }) => short === '')
  const isLabelled = ({ short }: Bar, index: number) =>
    width > 0 && (isMarked ? short !== '' : (last - index) % every === 0)
  const sentenceOf = ({ label: when, value, before }: Bar, index: number) =>
    [
      `${when}: ${format(value)} ${unit}`,
      index === last && partial ? ` (${partial})` : '',
      beforeLabel && before !== undefined ? `; ${beforeLabel}: ${format(before)}` : '',
    ].join('')
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    slots.current?.querySelectorAll('button')[Math.max(0, Math.min(last, next))]?.focus()
  }
  const chosen = at === undefined ? undefined : bars[at]
  return (
    <figure className={styles.chart}>
      {asTable ? (
        <Table {...{ label, unit, heading, bars, format }} beforeLabel={beforeLabel} partial={partial} />
      ) : (
        <>
          <div className={styles.plot} style={{ height, marginInlineStart: gutter }} role="group" aria-label={label}>
            {ticks.map((tick) => (
              <div
                key={tick}
                className={styles.tick}
                data-zero={tick === 0}
                style={{ bottom: place(tick) }}
                aria-hidden
              >
                <span>{format(tick)}</span>
              </div>
            ))}
            <div ref={slots} className={styles.bars} onPointerLeave={() => setAt(undefined)}>
              {bars.map((bar, index) => (
                <button
                  key={bar.key}
                  type="button"
                  className={styles.slot}
                  // The whole chart is one Tab stop, like a list; arrows move between bars.
                  tabIndex={index === (at ?? last) ? 0 : -1}
                  aria-label={sentenceOf(bar, index)}
                  data-chosen={index === at}
                  onPointerEnter={() => setAt(index)}
                  onFocus={() => setAt(index)}
                  onBlur={() => setAt(undefined)}
                  onKeyDown={(event) => onKeyDown(event, index)}
                >
                  {bar.before !== undefined && beforeLabel && (
                    <span className={styles.before} data-below={bar.before < 0} style={span(bar.before)} />
                  )}
                  <span
                    className={styles.bar}
                    data-partial={index === last && partial !== undefined}
                    data-below={bar.value < 0}
                    style={span(bar.value)}
                  />
                </button>
              ))}
            </div>
          </div>
          <div className={styles.labels} style={{ marginInlineStart: gutter }} aria-hidden>
            {bars.map((bar, index) => (
              <span key={bar.key} data-shown={isLabelled(bar, index)}>
                {bar.short}
              </span>
            ))}
          </div>
        </>
      )}
      <figcaption className={styles.caption}>
        <span>
          {chosen ? sentenceOf(chosen, bars.indexOf(chosen)) : wholeOf(summary, bars, { unit, format, beforeLabel })}
        </span>
        {beforeLabel && !asTable && <span className={styles.legend}>{beforeLabel}</span>}
        <Button kind="quiet" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </figcaption>
    </figure>
  )
}

interface Words {
  unit: string
  format: (value: number) => string
  beforeLabel: string | undefined
}

const ofAll = {
  sum: { of: (values: number[]) => values.reduce((total, value) => total + value, 0), words: 'in all' },
  most: { of: (values: number[]) => Math.max(0, ...values), words: 'at most' },
}

/** `1,204 sessions in all; 4 weeks before: 1,100 (+9 %)` */
function wholeOf(summary: keyof typeof ofAll, bars: Bar[], { unit, format, beforeLabel }: Words): string {
  const { of, words } = ofAll[summary]
  const sum = of(bars.map(({ value }) => value))
  const before = of(bars.map((bar) => bar.before ?? 0))
  const all = `${format(sum)} ${unit} ${words}`
  if (!beforeLabel) return all
  const change = before > 0 ? Math.round(((sum - before) / before) * 100) : undefined
  return `${all}; ${beforeLabel}: ${format(before)}${change === undefined ? '' : ` (${change >= 0 ? '+' : '−'}${Math.abs(change)}%)`}`
}

interface TableProps extends Words {
  label: string
  heading: string
  bars: Bar[]
  partial: string | undefined
}

const Table = ({ label, unit, heading, bars, format, beforeLabel, partial }: TableProps) => (
  // A scrolling region must be reachable by keyboard.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className={styles.table} role="region" aria-label={`${label}, as a table`} tabIndex={0}>
    <table>
      <caption className="unseen">{label}</caption>
      <thead>
        <tr>
          <th scope="col">{heading}</th>
          <th scope="col">{unit}</th>
          {beforeLabel && <th scope="col">{beforeLabel}</th>}
        </tr>
      </thead>
      <tbody>
        {bars.toReversed().map((bar, index) => (
          <tr key={bar.key}>
            <th scope="row">
              {bar.label}
              {index === 0 && partial && ` (${partial})`}
            </th>
            <td>{format(bar.value)}</td>
            {beforeLabel && <td>{bar.before === undefined ? '' : format(bar.before)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
