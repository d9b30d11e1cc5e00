// Filter menu: the button 'Filter' and its popover. Apply queries the server; Reset ticks every box again.
import { useCallback, useState } from 'react'
import { messages } from '#contract/messages.ts'
import { Button } from '#web/ui/button.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { FilterChoice } from './filter-choice.tsx'
import { isTicked, useFilterOptions, withTick, type Draft } from './filter-options.ts'
import type { Filter } from './list-types.ts'
import styles from './filter.module.css'

export interface FilterMenuProps {
  filters: Record<string, Filter>
  values: Draft
  onApply: (values: Draft) => void
}

export function FilterMenu({ filters, values, onApply }: FilterMenuProps) {
  const [open, setOpen] = useState(false)
  const [draft, setDraft] = useState<Draft>({})
  const active = Object.keys(filters).filter((name) => (values[name]?.length ?? 0) > 0).length
  const apply = (next: Draft) => {
    setOpen(false)
    onApply(next)
  }
  const close = useCallback(() => setOpen(false), [])
  return (
    <Popover
      open={open}
      onClose={close}
      label={messages.search.filter}
      button={(ref) => (
        <Button
          ref={ref}
          icon="filter"
          expanded={open}
          onClick={() => {
            setDraft(values)
            setOpen(!open)
          }}
        >
          {messages.search.filter}
          {active > 0 && <span className={styles.count}>{active}</span>}
        </Button>
      )}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          apply(draft)
        }}
      >
        <div className={styles.menu}>
          {Object.entries(filters).map(([name, filter]) => (
            <MenuFilter
              key={name}
              name={name}
              filter={filter}
              values={draft[name]}
              onChange={(next) => setDraft({ ...draft, [name]: next })}
            />
          ))}
        </div>
        <div className={styles.footer}>
          <Button
            kind="quiet"
            onClick={() =>
              apply(
                Object.fromEntries(
                  Object.keys(draft).map((name) => [name, name in filters ? [] : (draft[name] ?? [])]),
                ),
              )
            }
          >
            {messages.search.reset}
          </Button>
          <Button kind="primary" submit>
            {messages.search.apply}
          </Button>
        </div>
      </form>
    </Popover>
  )
}

interface MenuFilterProps {
  name: string
  filter: Filter
  values: string[] | undefined
  onChange: (values: string[]) => void
}

function MenuFilter({ name, filter, values, onChange }: MenuFilterProps) {
  const options = useFilterOptions(filter)
  if (filter.kind === 'text' || filter.kind === 'select')
    return (
      <label className={styles.single}>
        <span>{filter.title}</span>
        {filter.kind === 'text' ? (
          <input
            name={name}
            value={values?.[0] ?? ''}
            onChange={(event) => onChange(event.currentTarget.value ? [event.currentTarget.value] : [])}
          />
        ) : (
          <select
            name={name}
            value={values?.[0] ?? ''}
            onChange={(event) => onChange(event.currentTarget.value ? [event.currentTarget.value] : [])}
          >
            <option value="">All</option>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        )}
      </label>
    )
  return (
    <fieldset className={styles.set}>
      <legend>{filter.title}</legend>
      <FilterChoice
        title={filter.title}
        options={options}
        isOn={(value) => isTicked(values, value)}
        onTick={(value, ticked) => onChange(withTick(values, value, ticked, options))}
        onOnly={(value) => onChange([value])}
      />
    </fieldset>
  )
}
