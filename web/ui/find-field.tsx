// Find field: one line in which staff at a desk search for somebody. Enter asks for what is typed, Escape empties it, and the arrows may
// choose among the matches below.
import type { KeyboardEvent, Ref } from 'react'
import { Icon, type IconName } from './icons.tsx'
import styles from './find-field.module.css'

export interface FindFieldProps {
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  onEnter: () => void
  /** What the arrow keys choose from without leaving the field. */
  matches?: {
    /** The id of their list, while there is one to choose from. */
    list: string | undefined
    /** The id of the one that the arrows have reached. */
    active: string | undefined
    onStep: (by: 1 | -1) => void
  }
  /** `large` where it is what the screen is for; `small` beside buttons. */
  size: 'large' | 'small'
  icon?: IconName
  ref?: Ref<HTMLInputElement>
}

const steps: Readonly<Record<string, 1 | -1 | undefined>> = { ArrowDown: 1, ArrowUp: -1 }

/** The landmark around it is its screen's, as some have the matches within. */
export function FindField(props: FindFieldProps) {
  const { label, placeholder, value, onChange, onEnter, matches, size, icon = 'search', ref } = props
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onChange('')
    const by = steps[event.key]
    if (matches === undefined || by === undefined) return
    event.preventDefault()
    matches.onStep(by)
  }
  return (
    <form
      className={styles.field}
      data-size={size}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onEnter()
      }}
    >
      <Icon name={icon} size={size === 'small' ? 16 : 18} />
      <input
        {...(matches && {
          role: 'combobox',
          'aria-expanded': matches.list !== undefined,
          'aria-controls': matches.list,
          'aria-autocomplete': 'list',
          'aria-activedescendant': matches.active,
        })}
        ref={ref}
        type="text"
        aria-label={label}
        placeholder={placeholder}
        enterKeyHint="search"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={press}
      />
    </form>
  )
}
