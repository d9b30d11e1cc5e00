// Columns menu: chooses which columns a list shows in this browser.
import { useCallback, useState } from 'react'
import { messages } from '#contract/messages.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { Segments } from '#web/ui/segments.tsx'
import type { Placed } from './columns.ts'
import { chooseDensity, useDensity } from './density.ts'
import type { ColumnChoice } from './use-columns.ts'
import styles from './filter.module.css'

interface ColumnsMenuProps {
  columns: readonly Placed[]
  /** Chosen columns for which there is no room. */
  hidden: readonly Placed[]
  choice: ColumnChoice
}

export function ColumnsMenu({ columns, hidden, choice }: ColumnsMenuProps) {
  const [open, setOpen] = useState(false)
  const density = useDensity()
  const close = useCallback(() => setOpen(false), [])
  const [name, ...others] = columns
  if (!name || others.length === 0) return null
  const choose = (title: string, wanted: boolean) =>
    choice.choose(wanted ? [...choice.chosen, title] : choice.chosen.filter((other) => other !== title))
  return (
    <Popover
      open={open}
      onClose={close}
      label="Columns"
      button={(ref) => (
        <Button ref={ref} icon="columns" square expanded={open} onClick={() => setOpen(!open)}>
          Columns
        </Button>
      )}
    >
      <fieldset className={styles.menu}>
        <legend className="unseen">Columns</legend>
        <div className={styles.set}>
          <Checkbox label={name.title} checked disabled onChange={() => undefined} />
          {others.map((column) => (
            <Checkbox
              key={column.title}
              label={column.title}
              checked={choice.chosen.includes(column.title)}
              onChange={(wanted) => choose(column.title, wanted)}
            />
          ))}
        </div>
        {hidden.length > 0 && (
          <p className={styles.hint}>No room in this window for {hidden.map((column) => column.title).join(', ')}.</p>
        )}
      </fieldset>
      <div className={styles.density}>
        <Segments
          label="Rows"
          options={[
            { value: 'compact', label: 'Compact' },
            { value: 'roomy', label: 'Roomy' },
          ]}
          value={density}
          onChange={(chosen) => chooseDensity(chosen === 'roomy' ? 'roomy' : 'compact')}
        />
      </div>
      <div className={styles.footer}>
        <Button kind="quiet" disabled={choice.isDefault} onClick={() => choice.choose(undefined)}>
          {messages.search.reset}
        </Button>
        <Button onClick={close}>Done</Button>
      </div>
    </Popover>
  )
}
