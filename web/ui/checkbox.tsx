// Checkbox and switch: a switch takes effect with the form's save like any field; a checkbox picks from a list.
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Checkbox as LibraryCheckbox, Switch as LibrarySwitch } from '@mantine/core'
import type { MouseEvent } from 'react'
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
}

export const Checkbox = ({ label, bare = false, checked, partly = false, disabled = false, onChange, onClick, tabIndex }: CheckboxProps) => (
  <LibraryCheckbox
    size="xs"
    {...(bare ? { 'aria-label': label } : { label })}
    checked={checked}
    indeterminate={partly}
    disabled={disabled}
    onChange={(event) => onChange(event.currentTarget.checked)}
    onClick={onClick}
    tabIndex={tabIndex}
    classNames={{ input: styles.box, label: styles.label, body: styles.body }}
  />
)

export interface SwitchProps {
  label: string
  hint?: string | undefined
  name: string
  checked: boolean
  disabled?: boolean
  error?: string | undefined
  onChange: (checked: boolean) => void
}

export const Switch = ({ label, hint, name, checked, disabled = false, error, onChange }: SwitchProps) => (
  <LibrarySwitch
    size="sm"
    label={label}
    description={hint}
    name={name}
    checked={checked}
    disabled={disabled}
    error={error}
    withThumbIndicator={false}
    onChange={(event) => onChange(event.currentTarget.checked)}
    classNames={{ label: styles.switchLabel, track: styles.track, description: styles.hint, error: styles.error }}
  />
)
