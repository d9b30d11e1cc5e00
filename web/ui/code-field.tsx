// Code field: one large input for a code that is read off paper, typed, pasted or scanned, and shown in groups while it grows.
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
  /** Formats the code: `abcd2345` → `ABCD-2345`. It may add and drop separators, nothing else. */
  format: (typed: string) => string
  onChange: (value: string) => void
  onBlur?: () => void
  error?: string | undefined
  placeholder?: string
  ref?: Ref<HTMLInputElement>
}

const symbolsIn = (text: string) => text.replace(/[\s-]+/g, '').length

/** The index in `text` after the given number of symbols, not counting separators. */
function indexAfter(text: string, symbols: number): number {
  let seen = 0
  for (let at = 0; at < text.length; at++) {
    if (seen === symbols) return at
    if (!/[\s-]/.test(text[at] ?? '')) seen++
  }
  return text.length
}

export function CodeField({ format, value, onChange, ref, ...rest }: CodeFieldProps) {
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
        const shown = format(typed)
        caret.current = indexAfter(shown, symbolsIn(typed.slice(0, selectionStart ?? typed.length)))
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
