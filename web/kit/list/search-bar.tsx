// Search bar: typing narrows the loaded rows, Enter asks the server, the cross clears both.
import { useRef } from 'react'
import { messages } from '#contract/messages.ts'
import { Icon } from '#web/ui/icons.tsx'
import styles from './search-bar.module.css'

export interface SearchBarProps {
  typed: string
  onType: (text: string) => void
  onSearch: (text: string) => void
  /** Read out: "Search groups". */
  label: string
}

export function SearchBar({ typed, onType, onSearch, label }: SearchBarProps) {
  const input = useRef<HTMLInputElement>(null)
  const clear = () => {
    onType('')
    onSearch('')
    input.current?.focus()
  }
  return (
    <form
      role="search"
      className={styles.bar}
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(typed.trim())
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
