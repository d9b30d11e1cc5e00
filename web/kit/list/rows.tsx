// Rows: a table of any length of which only what is in sight is drawn. One Tab stop; arrows move, Space selects,
// Shift extends, Enter opens, Home and End jump. The page itself scrolls, so headings stick and phones hide their bars.
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { go } from '#web/kit/navigation/go.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import type { Column, Row } from './list-types.ts'
import { nextRow } from './row-keys.ts'
import { classes, Columns, Heading, hidden } from './row-parts.tsx'
import { useRowsInSight } from './rows-in-sight.ts'
import type { Selection } from './selection.ts'
import styles from './rows.module.css'

/** Kept equal to `--row` of base.css. */
const row_px = 44
/** So many rows before the end, the next page is asked for. */
const ahead_rows = 10

export interface RowsProps<E extends Endpoint> {
  /** Read out as the table's name. */
  label: string
  rows: Row<E>[]
  columns: Column<E>[]
  /** How many there are in all; -1 when nobody knows. */
  total: number
  /** The address that a row opens. */
  href?: ((row: Row<E>) => string) | undefined
  /** With it, rows can be ticked. */
  selection?: Selection | undefined
  nameOf: (row: Row<E>) => string
  sort?: string | undefined
  onSort?: (sort: string | undefined) => void
  /** Near the end of the loaded rows. */
  onEnd?: () => void
}

export function Rows<E extends Endpoint>({
  label,
  rows,
  columns,
  total,
  href,
  selection,
  nameOf,
  sort,
  onSort,
  onEnd,
}: RowsProps<E>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [active, setActive] = useState(0)
  const focusWanted = useRef(false)
  const sight = useRowsInSight(body, rows.length, row_px)

  useEffect(() => {
    if (rows.length > 0 && sight.end >= rows.length - ahead_rows) onEnd?.()
  }, [sight.end, rows.length, onEnd])
  useEffect(() => {
    if (!focusWanted.current) return
    focusWanted.current = false
    body.current?.querySelector<HTMLElement>(`tr[data-index="${active}"]`)?.focus({ preventScroll: true })
  }, [active])

  const shownIds = rows.map((row) => row.id)
  const onKeyDown = (event: KeyboardEvent<HTMLTableSectionElement>) => {
    const row = rows[active]
    if (!row || !(event.target instanceof HTMLTableRowElement)) return
    const to = nextRow(event.key, active, rows.length, Math.max(1, Math.floor(window.innerHeight / row_px) - 5))
    if (to !== undefined) {
      event.preventDefault()
      const target = rows[to]
      if (event.shiftKey && selection && target) selection.add([row.id, target.id])
      focusWanted.current = true
      setActive(to)
      sight.scrollTo(to)
    } else if (event.key === ' ' && selection) {
      event.preventDefault()
      if (event.shiftKey) selection.extendTo(row.id, shownIds)
      else selection.toggle(row.id)
    } else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && selection) {
      event.preventDefault()
      selection.all(shownIds)
    } else if (event.key === 'Enter' && href) {
      event.preventDefault()
      go(href(row))
    } else if (event.key === 'Escape' && selection && selection.ids.size > 0) selection.clear()
  }
  const onRowClick = (event: MouseEvent, row: Row<E>) => {
    // The link and the box have their own ways; text that is being marked is not a click.
    if ((event.target as Element).closest('a, button, input, label') || String(window.getSelection()) !== '') return
    if (event.shiftKey && selection) selection.extendTo(row.id, shownIds)
    else if (href && (event.metaKey || event.ctrlKey)) window.open(href(row))
    else if (href) go(href(row))
  }

  const chosen = selection ? rows.filter((row) => selection.ids.has(row.id)).length : 0
  // The row with the focus stays drawn, wherever one scrolls.
  const drawn: ReactNode[] = []
  let reached = 0
  const gapTo = (index: number) => {
    if (index > reached)
      drawn.push(
        <tr key={`gap-${index}`} aria-hidden style={{ height: (index - reached) * row_px }} className={styles.gap}>
          {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- empty space, hidden from readers */}
          <td />
        </tr>,
      )
  }
  const draw = (index: number) => {
    const row = rows[index]
    if (!row) return
    gapTo(index)
    reached = index + 1
    drawn.push(drawRow(row, index))
  }
  if (active < sight.start) draw(active)
  for (let index = sight.start; index < sight.end; index++) draw(index)
  if (active >= sight.end) draw(active)
  gapTo(rows.length)

  function drawRow(row: Row<E>, index: number) {
    const selected = selection?.ids.has(row.id) ?? false
    return (
      <tr
        key={row.id}
        data-index={index}
        aria-rowindex={index + 2}
        aria-selected={selection ? selected : undefined}
        tabIndex={index === Math.min(active, rows.length - 1) ? 0 : -1}
        className={classes(styles.row, href && styles.opens, selected && styles.selected)}
        onFocus={() => setActive(index)}
        onClick={(event) => onRowClick(event, row)}
      >
        {selection && (
          <td className={styles.tick}>
            <Checkbox
              bare
              label={`Select ${nameOf(row)}`}
              checked={selected}
              tabIndex={-1}
              onClick={(event) => {
                if (!event.shiftKey) return
                event.preventDefault()
                selection.extendTo(row.id, shownIds)
              }}
              onChange={() => selection.toggle(row.id)}
            />
          </td>
        )}
        {columns.map((column, place) => (
          <td
            key={column.title}
            className={classes(hidden(column), column.align && styles.end, place === 0 && styles.first)}
          >
            {place === 0 && href ? (
              <Link href={href(row)} tabIndex={-1} className={styles.open}>
                {column.cell(row)}
              </Link>
            ) : (
              column.cell(row)
            )}
          </td>
        ))}
      </tr>
    )
  }

  return (
    <table
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- rows take the focus: a grid
      role="grid"
      className={styles.table}
      aria-label={label}
      aria-rowcount={total < 0 ? -1 : total + 1}
      aria-multiselectable={selection ? true : undefined}
    >
      <Columns columns={columns} ticks={selection !== undefined} />
      <thead>
        <tr aria-rowindex={1}>
          {selection && (
            <th scope="col" className={styles.tick}>
              <Checkbox
                bare
                label="Select all loaded rows"
                checked={chosen > 0 && chosen === rows.length}
                partly={chosen > 0 && chosen < rows.length}
                onChange={() => selection.all(shownIds)}
              />
            </th>
          )}
          {columns.map((column) => (
            <Heading key={column.title} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the grid's keys, from its focused row */}
      <tbody ref={body} onKeyDown={onKeyDown}>
        {drawn}
      </tbody>
    </table>
  )
}
