// Checkbox: picks from a list. The browser's own box, in our colours: lists draw dozens of them.
import { useId, type MouseEvent } from 'react'
import styles from './checkbox.module.css'

export interface CheckboxProps {
  /** Read out; drawn beside the box unless `bare`. */
  label: string
  bare?: boolean
  checked: boolean
  /** Some, not all. */
  partly?: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
  onClick?: (event: MouseEvent) => void
  tabIndex?: number
  /** The browser's own hint: why it is disabled. */
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
