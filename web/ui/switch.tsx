// Switch: yes or no. It takes effect when the form is saved, like any field.
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Switch as LibrarySwitch } from '@mantine/core'
import styles from './switch.module.css'

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
    classNames={{ label: styles.label, track: styles.track, description: styles.hint, error: styles.error }}
  />
)
