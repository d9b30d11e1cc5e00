// Code field: one large line for a code that is read off paper, typed, pasted or scanned, and drawn in groups as it grows.
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { TextInput } from '@mantine/core'
import { useLayoutEffect, useRef, type Ref } from 'react'
import field from './field.module.css'
import styles from './code-field.module.css'

export interface CodeFieldProps {
  label: string
  name: string
  value: string
  /** How the code looks: `abcd2345` → `ABCD-2345`. It may add separators and drop them, nothing else. */
  look: (typed: string) => string
  onChange: (value: string) => void
  onBlur?: () => void
  error?: string | undefined
  placeholder?: string
  ref?: Ref<HTMLInputElement>
}

const symbolsIn = (text: string) => text.replace(/[\s-]+/g, '').length

/** The place in `text` after so many symbols, separators not counted. */
function placeAfter(text: string, symbols: number): number {
  let seen = 0
  for (let at = 0; at < text.length; at++) {
    if (seen === symbols) return at
    if (!/[\s-]/.test(text[at] ?? '')) seen++
  }
  return text.length
}

export function CodeField({ look, value, onChange, ref, ...rest }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const caret = useRef<number>(undefined)
  useLayoutEffect(() => {
    const at = caret.current
    caret.current = undefined
    if (at !== undefined) input.current?.setSelectionRange(at, at)
  })
  return (
    <TextInput
      {...rest}
      ref={(element) => {
        input.current = element
        if (typeof ref === 'function') ref(element)
        else if (ref) ref.current = element
      }}
      value={value}
      onChange={(event) => {
        const { value: typed, selectionStart } = event.currentTarget
        const shown = look(typed)
        caret.current = placeAfter(shown, symbolsIn(typed.slice(0, selectionStart ?? typed.length)))
        onChange(shown)
      }}
      data-autofocus
      autoComplete="off"
      autoCapitalize="characters"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint="go"
      withAsterisk={false}
      aria-required
      errorProps={{ role: 'alert' }}
      classNames={{ root: field.field, label: field.label, input: `${field.input} ${styles.code}`, error: field.error }}
    />
  )
}
