// Text fields: one line, or a password with its show button.
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { PasswordInput, TextInput } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'
import { Icon } from './icons.tsx'
import styles from './field.module.css'

export interface TextFieldProps {
  label: string
  name: string
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  error?: string | undefined
  /** An explanation that is always shown. */
  hint?: string | undefined
  required?: boolean
  readOnly?: boolean
  /** Gets the focus when its screen or dialog opens. */
  first?: boolean
  autoComplete?: string
  placeholder?: string
  /** Shown behind the value: GB, Mbit/s, %. */
  unit?: string | undefined
  type?: 'text' | 'email' | 'tel' | 'url' | 'number'
}

/** The props of the library's inputs, with our styles. */
export const asInput = ({
  hint,
  error,
  required,
  onChange,
  first,
  type: _type,
  unit: _unit,
  ...rest
}: TextFieldProps) => ({
  ...rest,
  autoFocus: first ?? false,
  // A dialog looks for this attribute when it opens.
  'data-autofocus': first || undefined,
  description: hint,
  error,
  withAsterisk: required ?? false,
  'aria-required': required ?? false,
  onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  classNames: {
    root: styles.field,
    label: styles.label,
    input: styles.input,
    error: styles.error,
    description: styles.hint,
  },
})

/** `number` is a text box with a number pad on phones: the text stays as typed, so that a wrong number can be reported. */
export const TextField = (props: TextFieldProps) => (
  <TextInput
    {...asInput(props)}
    type={props.type === 'number' ? 'text' : (props.type ?? 'text')}
    {...(props.type === 'number' ? { inputMode: 'decimal' as const } : {})}
    autoComplete={props.autoComplete ?? 'off'}
    rightSection={props.unit && <span className={styles.unit}>{props.unit}</span>}
    rightSectionWidth={props.unit ? 18 + props.unit.length * 7 : undefined}
    rightSectionPointerEvents="none"
  />
)

/** Warns if caps lock is on, as the typed text is hidden. */
export function PasswordField(props: TextFieldProps) {
  const [capsLock, setCapsLock] = useState(false)
  const [visible, setVisible] = useState(false)
  const watch = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <div>
      <PasswordInput
        {...asInput(props)}
        visible={visible}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{ 'aria-label': visible ? 'Hide password' : 'Show password', tabIndex: 0 }}
        onKeyDown={watch}
        onKeyUp={watch}
        onBlur={() => {
          setCapsLock(false)
          props.onBlur?.()
        }}
      />
      {/* Always rendered, so that screen readers announce text that appears in it. */}
      <div aria-live="polite">
        {capsLock && (
          <p className={styles.caps}>
            <Icon name="warning" size={14} /> Caps lock is on
          </p>
        )}
      </div>
    </div>
  )
}
