// Segments: one of two or three options, all visible. They are radio buttons: arrows move, Tab leaves.
import { useId } from 'react'
import type { Option } from './select.tsx'
import styles from './segments.module.css'

export interface SegmentsProps {
  label: string
  /** The label is for screen readers only. */
  bare?: boolean
  options: Option[]
  value: string
  onChange: (value: string) => void
  disabled?: boolean
}

export function Segments({ label, bare = false, options, value, onChange, disabled = false }: SegmentsProps) {
  const name = useId()
  return (
    <fieldset className={styles.field} disabled={disabled}>
      <legend className={bare ? 'unseen' : styles.label}>{label}</legend>
      <div className={styles.segments}>
        {options.map((option) => (
          <label key={option.value} className={styles.segment}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
