// Shown password: a password that its owner is told across the desk: hidden, shown by a button, or made up by another.
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { Button } from './button.tsx'
import type { TextFieldProps } from './text-field.tsx'
import field from './field.module.css'
import styles from './shown-password.module.css'

export interface ShownPasswordProps extends Omit<TextFieldProps, 'type' | 'unit'> {
  /** Makes one up. */
  make: () => string
}

export function ShownPassword({ make, hint, error, required, onChange, readOnly, ...rest }: ShownPasswordProps) {
  const [visible, setVisible] = useState(false)
  return (
    <div className={styles.row}>
      <PasswordInput
        {...rest}
        readOnly={readOnly}
        description={hint}
        error={error}
        withAsterisk={required ?? false}
        aria-required={required ?? false}
        autoComplete="off"
        visible={visible}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{ 'aria-label': visible ? 'Hide password' : 'Show password', tabIndex: 0 }}
        onChange={(event) => onChange(event.currentTarget.value)}
        classNames={{
          root: `${field.field} ${styles.grow}`,
          label: field.label,
          input: field.input,
          error: field.error,
          description: field.hint,
        }}
      />
      {!readOnly && (
        <Button
          onClick={() => {
            onChange(make())
            setVisible(true)
          }}
        >
          Generate
        </Button>
      )}
    </div>
  )
}
