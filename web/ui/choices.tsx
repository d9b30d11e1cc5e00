// Choices: one of a few options, all visible, each with an explanation. They are radio buttons: arrows move, Tab leaves.
import { useId } from 'react'
import styles from './choices.module.css'

export interface Choice {
  value: string
  label: string
  hint?: string | undefined
}
export interface ChoicesProps {
  /** For screen readers only: a heading next to it says the same. */
  label: string
  name: string
  options: readonly Choice[]
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}

export function Choices({ label, name, options, value, onChange, error }: ChoicesProps) {
  const id = useId()
  return (
    <fieldset className={styles.field} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="unseen">{label}</legend>
      <div className={styles.choices}>
        {options.map((option) => (
          <label key={option.value} className={styles.choice}>
            <input
              type="radio"
              name={`${name}-${id}`}
              value={option.value}
              checked={option.value === value}
              aria-describedby={option.hint ? `${id}-${option.value}` : undefined}
              onChange={() => onChange(option.value)}
            />
            <span>
              {option.label}
              {option.hint && (
                <small id={`${id}-${option.value}`} aria-hidden>
                  {option.hint}
                </small>
              )}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
