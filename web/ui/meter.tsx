// Meter: how much of something there is, as a small bar. The number is written next to it.
import styles from './meter.module.css'

export interface MeterProps {
  /** For screen readers: "188 of 200 left". */
  label: string
  value: number
  max: number
  /** Shown in the warning colour. */
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
