// Filter dialog: 'More Filters', for longer choices, with a section for each filter; nothing selected means all.
import { lazy, Suspense, useState } from 'react'
import { messages } from '#contract/messages.ts'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icons.tsx'
import { FilterChoice } from './filter-choice.tsx'
import { countSelected, useFilterOptions, type Draft } from './filter-options.ts'
import type { Filter } from './list-types.ts'
import styles from './filter.module.css'

const Dialog = lazy(() => import('#web/ui/dialog.tsx').then((module) => ({ default: module.Dialog })))

export interface FilterDialogProps {
  filters: Record<string, Filter>
  values: Draft
  onApply: (values: Draft) => void
}

export function FilterDialog({ filters, values, onApply }: FilterDialogProps) {
  const [open, setOpen] = useState(false)
  const [everOpen, setEverOpen] = useState(false)
  const [draft, setDraft] = useState<Draft>({})
  const ownValues = (all: Draft): Draft => Object.fromEntries(Object.entries(all).filter(([name]) => name in filters))
  const active = countSelected(ownValues(values))
  return (
    <>
      <Button
        icon="filters"
        onClick={() => {
          setDraft(ownValues(values))
          setEverOpen(true)
          setOpen(true)
        }}
      >
        {messages.search.moreFilters}
        {active > 0 && <span className={styles.count}>{active}</span>}
      </Button>
      {everOpen && (
        <Suspense>
          <Dialog
            open={open}
            onClose={() => setOpen(false)}
            title={
              <>
                {messages.search.filters}{' '}
                <span className={styles.total}>{messages.search.selected(countSelected(draft))}</span>
              </>
            }
            footer={
              <>
                <Button kind="quiet" onClick={() => setDraft({})}>
                  {messages.search.clearAll}
                </Button>
                <Button
                  kind="primary"
                  onClick={() => {
                    setOpen(false)
                    onApply({
                      ...values,
                      ...Object.fromEntries(Object.keys(filters).map((name) => [name, draft[name] ?? []])),
                    })
                  }}
                >
                  {messages.search.apply}
                </Button>
              </>
            }
          >
            {Object.entries(filters).map(([name, filter], index) => (
              <FilterSection
                key={name}
                first={index === 0}
                filter={filter}
                values={draft[name] ?? []}
                onChange={(next) => setDraft({ ...draft, [name]: next })}
              />
            ))}
          </Dialog>
        </Suspense>
      )}
    </>
  )
}

interface FilterSectionProps {
  filter: Filter
  values: string[]
  onChange: (values: string[]) => void
  first: boolean
}

/** In the dialog no box is ticked at first: only selected values pass, and nothing selected means all. */
function FilterSection({ filter, values, onChange, first }: FilterSectionProps) {
  const options = useFilterOptions(filter)
  return (
    <details className={styles.section} open={first || values.length > 0}>
      <summary>
        <Icon name="forward" size={14} />
        <span>{filter.title}</span>
        <span className={styles.selected}>{messages.search.selected(values.length)}</span>
      </summary>
      <div className={styles.options}>
        {filter.kind === 'text' ? (
          <input
            className={styles.input}
            aria-label={filter.title}
            value={values[0] ?? ''}
            onChange={(event) => onChange(event.currentTarget.value ? [event.currentTarget.value] : [])}
          />
        ) : (
          <FilterChoice
            title={filter.title}
            options={options}
            isOn={(value) => values.includes(value)}
            onTick={(value, ticked) => {
              const others = filter.kind === 'select' ? [] : values.filter((other) => other !== value)
              onChange(ticked ? [...others, value] : others)
            }}
            onOnly={(value) => onChange([value])}
          />
        )}
      </div>
    </details>
  )
}
