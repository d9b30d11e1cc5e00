// Small line: a sparkline of a few figures, for a cell of a table. Screen readers get the figures.
import styles from './small-line.module.css'

const width = 84
const height = 22
/** Keeps the stroke from being cut off at the edges. */
const inset = 2

export function SmallLine({ label, values }: { label: string; values: number[] }) {
  const top = Math.max(...values, 1)
  const step = (width - 2 * inset) / Math.max(1, values.length - 1)
  const points = values.map((value, index) => ({
    x: inset + index * step,
    y: height - inset - (value / top) * (height - 2 * inset),
  }))
  const last = points.at(-1)
  return (
    <svg
      className={styles.line}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={`${label}: ${values.join(', ')}`}
    >
      <polyline points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} />
      {last && <circle cx={last.x} cy={last.y} r={inset} />}
    </svg>
  )
}
