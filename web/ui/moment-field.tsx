// Moment field: a date with or without a time of day, or a time alone, using the browser's own picker.
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { TextInput } from '@mantine/core'
import type { TextFieldProps } from './text-field.tsx'
import styles from './field.module.css'

type PickerProps = Omit<TextFieldProps, 'type' | 'unit' | 'placeholder'> & { min?: string }

/** `value` is local and without a zone: `2026-11-21T14:05`; empty for none. */
export const MomentInput = (props: PickerProps) => <Picker {...props} type="datetime-local" />

/** `value` is a calendar date: `2026-11-21`; empty for none. */
export const DayInput = (props: PickerProps) => <Picker {...props} type="date" />

/** `value` is a time of day: `16:00`; empty for none. */
export const TimeInput = (props: PickerProps) => <Picker {...props} type="time" />

const Picker = ({
  hint,
  error,
  required,
  onChange,
  min,
  type,
  ...rest
}: PickerProps & { type: 'date' | 'datetime-local' | 'time' }) => (
  <TextInput
    {...rest}
    type={type}
    min={min}
    description={hint}
    error={error}
    withAsterisk={required ?? false}
    aria-required={required ?? false}
    onChange={(event) => onChange(event.currentTarget.value)}
    classNames={{
      root: styles.field,
      label: styles.label,
      input: styles.input,
      error: styles.error,
      description: styles.hint,
    }}
  />
)
