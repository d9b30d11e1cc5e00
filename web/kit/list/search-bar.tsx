// Search bar: typing searches automatically, Enter searches on the server at once, the cross clears.
import { useRef } from 'react'
import { messages } from '#contract/messages.ts'
import { Icon } from '#web/ui/icons.tsx'
import styles from './search-bar.module.css'

export interface SearchBarProps {
  typed: string
  onType: (text: string) => void
  /** Enter. */
  onSearch: () => void
  onClear: () => void
  /** For screen readers: "Search groups". */
  label: string
}

export function SearchBar({ typed, onType, onSearch, onClear, label }: SearchBarProps) {
  const input = useRef<HTMLInputElement>(null)
  const clear = () => {
    onType('')
    onClear()
    input.current?.focus()
  }
  return (
    <form
      role="search"
      className={styles.bar}
      onSubmit={(event) => {
        event.preventDefault()
        onSearch()
      }}
    >
      <span className={styles.icon}>
        <Icon name="search" size={16} />
      </span>
      <input
        ref={input}
        type="text"
        name="q"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        placeholder={messages.search.hint}
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && typed) {
            event.preventDefault()
            clear()
          }
        }}
      />
      {typed && (
        <button type="button" className={styles.clear} aria-label="Clear search" onClick={clear}>
          <Icon name="close" size={14} />
        </button>
      )}
    </form>
  )
}
