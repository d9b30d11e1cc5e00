// Meter: how much of something there is, as a small bar. The words beside it say the number.
import styles from './meter.module.css'

export interface MeterProps {
  /** Read out: "188 of 200 left". */
  label: string
  value: number
  max: number
  /** In the colour of a warning. */
  warns: boolean
}

export function Meter({ label, value, max, warns }: MeterProps) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
  return (
    <span
      className={styles.meter}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
    >
      <span className={styles.bar} data-warn={warns} style={{ width: share > 0 ? `max(3px, ${share * 100}%)` : 0 }} />
    </span>
  )
}
