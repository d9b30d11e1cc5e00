// Rows: a table of any length of which only the rows in view are rendered. It is one Tab stop; arrows move, also up to the headings
// and sideways into a row; Space selects, Shift extends, Enter opens, Shift+F10 opens the row's menu. The page itself scrolls, so
// that headings stick and phones hide their bars.
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { go } from '#web/kit/navigation/go.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import type { Fitted } from './columns.ts'
import { useRowHeight } from './density.ts'
import { isSelectable, type Column, type Row } from './list-types.ts'
import { RowLine } from './row-line.tsx'
import { moveWithin, nextRow, opensMenu } from './row-keys.ts'
import { Heading, Widths } from './row-parts.tsx'
import { useVisibleRows } from './visible-rows.ts'
import { useFocusKept } from './use-focus-kept.ts'
import type { Selection } from './selection.ts'
import styles from './rows.module.css'

/** How many rows before the end the next page is requested. */
const ahead_rows = 10

export interface RowsProps<E extends Endpoint> {
  /** The table's name for screen readers. */
  label: string
  rows: Row<E>[]
  fitted: Fitted<Column<E>>
  /** The total number of rows; -1 if unknown. */
  total: number
  /** The address that a row opens. */
  href?: ((row: Row<E>) => string | undefined) | undefined
  /** If given, rows can be selected. */
  selection?: Selection | undefined
  nameOf: (row: Row<E>) => string
  menu?: ((row: Row<E>) => ReactNode) | undefined
  /** The current order, and how to change it. */
  order?: { sort: string | undefined; onSort: (sort: string | undefined) => void }
  /** Called near the end of the loaded rows. */
  onEnd?: (() => void) | undefined
}

export function Rows<E extends Endpoint>(props: RowsProps<E>) {
  const { label, rows, fitted, total, href, selection, nameOf, menu, order, onEnd } = props
  const table = useRef<HTMLTableElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const [active, setActive] = useState(0)
  const focusWanted = useRef(false)
  const row_px = useRowHeight()
  const sight = useVisibleRows(body, rows.length, row_px)

  useEffect(() => {
    if (rows.length > 0 && sight.end >= rows.length - ahead_rows) onEnd?.()
  }, [sight.end, rows.length, onEnd])
  useEffect(() => {
    if (!focusWanted.current) return
    focusWanted.current = false
    body.current?.querySelector<HTMLElement>(`tr[data-index="${active}"]`)?.focus({ preventScroll: true })
  }, [active])

  useFocusKept({ rows, body, active, setActive, focusRow: (index) => focusRow(index) })

  const focusRow = (index: number) => {
    sight.scrollTo(index)
    const line = body.current?.querySelector<HTMLElement>(`tr[data-index="${index}"]`)
    if (line) line.focus({ preventScroll: true })
    else focusWanted.current = true
    setActive(index)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    const focused = event.target as HTMLElement
    const line = focused.closest('tr')
    if (!line || event.defaultPrevented) return
    if (moveWithin(line, focused, event.key)) return event.preventDefault()
    const inBody = body.current?.contains(line) ?? false
    const at = inBody ? active : -1
    const to = nextRow(event.key, at, rows.length, Math.max(1, Math.floor(window.innerHeight / row_px) - 5))
    if (to !== undefined) {
      event.preventDefault()
      const [from, target] = [rows[at], rows[to]]
      if (event.shiftKey && selection && from && target) selection.add([from, target])
      if (to < 0) table.current?.querySelector<HTMLElement>('thead button:enabled, thead input:enabled')?.focus()
      else focusRow(to)
      return
    }
    const row = rows[at]
    if (row && onRowKey(event, row, line)) event.preventDefault()
  }
  /** Returns whether the key was for the row. Controls in the row handle Space and Enter themselves. */
  const onRowKey = (event: KeyboardEvent, row: Row<E>, line: HTMLElement): boolean => {
    if (opensMenu(event)) {
      line.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click()
      return true
    }
    if (event.key === 'Escape' && event.target !== line) {
      line.focus({ preventScroll: true })
      return true
    }
    if (event.target !== line) return false
    const address = href?.(row)
    if (event.key === 'Enter' && address) {
      if (event.metaKey || event.ctrlKey) window.open(address)
      else go(address)
      return true
    }
    if (!selection) return false
    if (event.key === ' ') {
      if (event.shiftKey) selection.extendTo(row, rows)
      else selection.toggle(row)
      return true
    }
    if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
      selection.all(rows)
      return true
    }
    if (event.key === 'Escape' && selection.ids.size > 0) {
      selection.clear()
      return true
    }
    return false
  }
  const onRowClick = (event: MouseEvent, row: Row<E>) => {
    // The link, the checkbox and the menu handle clicks themselves; selecting text is not a click.
    if ((event.target as Element).closest('a, button, input, label') || String(window.getSelection()) !== '') return
    const address = href?.(row)
    if (event.shiftKey && selection) selection.extendTo(row, rows)
    else if (address && (event.metaKey || event.ctrlKey)) window.open(address)
    else if (address) go(address)
  }

  // The row with the focus stays rendered, however far the user scrolls.
  const lines: ReactNode[] = []
  let reached = 0
  const gapTo = (index: number) => {
    if (index > reached)
      lines.push(
        <tr key={`gap-${index}`} aria-hidden style={{ height: (index - reached) * row_px }} className={styles.gap}>
          {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- empty space, hidden from screen readers */}
          <td />
        </tr>,
      )
  }
  const addRow = (index: number) => {
    const row = rows[index]
    if (!row) return
    gapTo(index)
    reached = index + 1
    lines.push(
      <RowLine
        key={row.id}
        row={row}
        index={index}
        fitted={fitted}
        href={href?.(row)}
        name={nameOf(row)}
        menu={menu?.(row)}
        tabStop={index === Math.min(active, rows.length - 1)}
        tick={
          selection && {
            on: selection.ids.has(row.id),
            toggle: (range) => (range ? selection.extendTo(row, rows) : selection.toggle(row)),
          }
        }
        onFocus={() => setActive(index)}
        onClick={(event) => onRowClick(event, row)}
      />,
    )
  }
  if (active < sight.start) addRow(active)
  for (let index = sight.start; index < sight.end; index++) addRow(index)
  if (active >= sight.end) addRow(active)
  gapTo(rows.length)

  const selectable = selection ? rows.filter(isSelectable) : []
  const chosen = selectable.filter((row) => selection?.ids.has(row.id)).length
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the grid's keys, from its focused row
    <table
      ref={table}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- rows take the focus: a grid
      role="grid"
      className={styles.table}
      aria-label={label}
      aria-rowcount={total < 0 ? -1 : total + 1}
      aria-multiselectable={selection ? true : undefined}
      onKeyDown={onKeyDown}
    >
      <Widths fitted={fitted} sideCells={{ ticks: selection !== undefined, menus: menu !== undefined }} />
      <thead>
        <tr aria-rowindex={1}>
          {selection && (
            <th scope="col" className={styles.tick}>
              <Checkbox
                bare
                label="Select all loaded rows"
                tabIndex={-1}
                disabled={selectable.length === 0}
                checked={chosen > 0 && chosen === selectable.length}
                partly={chosen > 0 && chosen < selectable.length}
                onChange={() => selection.all(rows)}
              />
            </th>
          )}
          {fitted.shown.map(({ column }) => (
            <Heading key={column.title} column={column} sort={order?.sort} onSort={order?.onSort} />
          ))}
          {menu && (
            <th scope="col" className={styles.menu}>
              <span className="unseen">Menu</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody ref={body}>{lines}</tbody>
    </table>
  )
}
