// Colour field: a colour as text, with the browser's own colour picker. A warning does not prevent saving.
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { TextInput } from '@mantine/core'
import { Icon } from './icons.tsx'
import { asInput, type TextFieldProps } from './text-field.tsx'
import styles from './colour-field.module.css'

export interface ColourFieldProps extends Omit<TextFieldProps, 'type' | 'unit'> {
  /** What is wrong with it, and a colour to use instead. */
  warning?: { sentence: string; instead?: string } | undefined
}

/** `2671ff` and `#26f` become `#2671FF` and `#2266FF`; anything else is left as it is. */
export function tidyColour(typed: string): string {
  const digits = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(typed.trim())?.[1]
  if (digits === undefined) return typed
  const six = digits.length === 6 ? digits : digits.replace(/./g, '$&$&')
  return `#${six.toUpperCase()}`
}

export function ColourField({ warning, onBlur, ...props }: ColourFieldProps) {
  const { value, onChange, label } = props
  const instead = warning?.instead
  const shown = /^#[\da-f]{6}$/i.test(value) ? value : '#000000'
  return (
    <div>
      <TextInput
        {...asInput(props)}
        spellCheck={false}
        autoComplete="off"
        onBlur={() => {
          if (tidyColour(value) !== value) onChange(tidyColour(value))
          onBlur?.()
        }}
        leftSectionWidth={42}
        leftSection={
          <input
            type="color"
            className={styles.well}
            aria-label={`Pick: ${label}`}
            value={shown}
            onChange={(event) => onChange(event.currentTarget.value.toUpperCase())}
          />
        }
      />
      {/* Always rendered, so that screen readers announce text that appears in it. */}
      <div aria-live="polite">
        {warning && (
          <p className={styles.warning}>
            <Icon name="warning" size={14} />
            <span>
              {warning.sentence}{' '}
              {instead && (
                <button type="button" onClick={() => onChange(instead)}>
                  Use {instead}
                </button>
              )}
            </span>
          </p>
        )}
      </div>
    </div>
  )
}
