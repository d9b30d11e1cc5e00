// Checks: several of a few options, all visible, as checkboxes.
import { useId } from 'react'
import { Checkbox } from './checkbox.tsx'
import styles from './checks.module.css'

export interface Check {
  value: string
  label: string
}
export interface ChecksProps {
  label: string
  options: readonly Check[]
  value: readonly string[]
  onChange: (value: string[]) => void
  hint?: string | undefined
  error?: string | undefined
  required?: boolean
}

export function Checks({ label, options, value, onChange, hint, error, required = false }: ChecksProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <fieldset className={styles.field} aria-describedby={described || undefined}>
      <legend className={styles.label}>
        {label}
        {required && <span aria-hidden> *</span>}
      </legend>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {options.map((option) => (
        <Checkbox
          key={option.value}
          label={option.label}
          checked={value.includes(option.value)}
          onChange={(on) => onChange(on ? [...value, option.value] : value.filter((other) => other !== option.value))}
        />
      ))}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
