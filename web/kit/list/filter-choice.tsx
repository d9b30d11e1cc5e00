// Filter choice: the options of one filter, each with a checkbox and an 'Only' button; searchable if there are many.
import { useState } from 'react'
import { Checkbox } from '#web/ui/checkbox.tsx'
import type { FilterOption } from './list-types.ts'
import styles from './filter.module.css'

/** Further options are found by searching. */
const shown_max = 60
const searched_from = 12

interface FilterChoiceProps {
  title: string
  options: readonly FilterOption[]
  isOn: (value: string) => boolean
  onTick: (value: string, ticked: boolean) => void
  onOnly: (value: string) => void
}

export function FilterChoice({ title, options, isOn, onTick, onOnly }: FilterChoiceProps) {
  const [typed, setTyped] = useState('')
  const fitting = options.filter((option) => option.label.toLowerCase().includes(typed.toLowerCase()))
  return (
    <>
      {options.length > searched_from && (
        <input
          className={styles.input}
          aria-label={`Find in ${title}`}
          placeholder="Find…"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {fitting.slice(0, shown_max).map((option) => (
        <div key={option.value} className={styles.option}>
          <Checkbox
            label={option.label}
            checked={isOn(option.value)}
            onChange={(ticked) => onTick(option.value, ticked)}
          />
          {options.length > 1 && (
            <button
              type="button"
              className={styles.only}
              aria-label={`Only ${option.label}`}
              onClick={() => onOnly(option.value)}
            >
              Only
            </button>
          )}
        </div>
      ))}
      {fitting.length > shown_max && (
        <p className={styles.hint}>{fitting.length - shown_max} more: type a part of the name.</p>
      )}
    </>
  )
}
