// Moment field: a day and a time of day, by the browser's own picker.
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { TextInput } from '@mantine/core'
import type { TextFieldProps } from './text-field.tsx'
import styles from './field.module.css'

/** `value` is local and without a zone: `2026-11-21T14:05`; empty for none. */
export const MomentInput = ({
  hint,
  error,
  required,
  onChange,
  min,
  ...rest
}: Omit<TextFieldProps, 'type' | 'unit' | 'placeholder'> & { min?: string }) => (
  <TextInput
    {...rest}
    type="datetime-local"
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
