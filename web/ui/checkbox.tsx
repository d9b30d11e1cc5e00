// Checkbox: picks from a list. It is the browser's own box in our colours, as lists render dozens of them.
import { useId, type MouseEvent } from 'react'
import styles from './checkbox.module.css'

export interface CheckboxProps {
  /** Shown next to the box; with `bare`, for screen readers only. */
  label: string
  bare?: boolean
  checked: boolean
  /** Some but not all are picked. */
  partly?: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
  onClick?: (event: MouseEvent) => void
  tabIndex?: number
  /** The browser's tooltip: why it is disabled. */
  title?: string | undefined
}

export function Checkbox({ label, bare = false, checked, partly = false, onChange, ...rest }: CheckboxProps) {
  const id = useId()
  const input = (
    <input
      {...rest}
      ref={(box) => {
        if (box) box.indeterminate = partly
      }}
      id={id}
      type="checkbox"
      className={styles.box}
      aria-label={bare ? label : undefined}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
  if (bare) return input
  return (
    <span className={styles.line}>
      {input}
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
    </span>
  )
}
