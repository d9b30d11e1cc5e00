// Filter line: the active filters above the list: buttons for the first fixed filter, such as the status, and a removable chip for
// every value of the others.
import { messages } from '#contract/messages.ts'
import { Icon } from '#web/ui/icons.tsx'
import { quickOf, useFilterOptions, type Draft } from './filter-options.ts'
import type { Filter } from './list-types.ts'
import styles from './filter-line.module.css'

interface FilterLineProps {
  filters: Record<string, Filter>
  values: Draft
  onApply: (values: Draft) => void
}

/** If a filter has more values than this, they share one chip. */
const chips_max = 3

export function FilterLine({ filters, values, onApply }: FilterLineProps) {
  const entries = Object.entries(filters)
  const quick = quickOf(filters)
  const set = (name: string, next: string[]) => onApply({ ...values, [name]: next })
  const on = entries.filter(([name]) => (values[name] ?? []).length > 0)
  const chipped = on.filter(([name]) => name !== quick)
  return (
    <div className={styles.line}>
      {entries
        .filter(([name]) => name === quick)
        .map(([name, filter]) => (
          <Quick key={name} filter={filter} values={values[name] ?? []} onChange={(next) => set(name, next)} />
        ))}
      {chipped.map(([name, filter]) => (
        <Chips key={name} filter={filter} values={values[name] ?? []} onChange={(next) => set(name, next)} />
      ))}
      {chipped.length > 0 && (
        <button type="button" className={styles.clear} onClick={() => onApply({})}>
          {messages.search.clearAll}
        </button>
      )}
    </div>
  )
}

interface PartProps {
  filter: Filter
  values: string[]
  onChange: (values: string[]) => void
}

/** All, or a single value; several values can be chosen in the menu. */
function Quick({ filter, values, onChange }: PartProps) {
  const options = useFilterOptions(filter)
  return (
    <div role="group" aria-label={filter.title} className={styles.quick}>
      <button type="button" aria-pressed={values.length === 0} onClick={() => onChange([])}>
        All
      </button>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={values.includes(option.value)}
          onClick={() => onChange(values.length === 1 && values[0] === option.value ? [] : [option.value])}
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}

function Chips({ filter, values, onChange }: PartProps) {
  const options = useFilterOptions(filter)
  const labelOf = (value: string) => options.find((option) => option.value === value)?.label ?? value
  const chips =
    values.length > chips_max
      ? [{ key: 'all', label: messages.search.selected(values.length), rest: [] }]
      : values.map((value) => ({
          key: value,
          label: labelOf(value),
          rest: values.filter((other) => other !== value),
        }))
  return chips.map((chip) => (
    <span key={chip.key} className={styles.chip}>
      <span className={styles.title}>{filter.title}</span> {chip.label}
      <button type="button" aria-label={`Remove ${filter.title}: ${chip.label}`} onClick={() => onChange(chip.rest)}>
        <Icon name="close" size={12} />
      </button>
    </span>
  ))
}
