// Colour field: a colour as it is written, and the browser's own way to pick one. What is said of it may be a warning: it can
// be saved all the same.
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { TextInput } from '@mantine/core'
import { Icon } from './icons.tsx'
import { asInput, type TextFieldProps } from './text-field.tsx'
import styles from './colour-field.module.css'

export interface ColourFieldProps extends Omit<TextFieldProps, 'type' | 'unit'> {
  /** What is wrong with it, and a colour that would be right. */
  warning?: { sentence: string; instead?: string } | undefined
}

/** `2671ff` and `#26f`, as people paste them, become `#2671FF` and `#2266FF`. */
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
      {/* Always there, so that readers hear the text arrive. */}
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
