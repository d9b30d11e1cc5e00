// Rows: a table of any length of which only the rows in view are rendered. It is one Tab stop; arrows move, also up to the headings
// and sideways into a row; Space selects, Shift extends, Enter opens, Shift+F10 opens the row's menu. The page itself scrolls, so
// that headings stick and phones hide their bars.
import { useEffect, useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { go } from '#web/kit/navigation/go.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import type { Fitted } from './columns.ts'
import { useRowHeight } from './density.ts'
import { isSelectable, type Column, type Row } from './list-types.ts'
import { RowLine } from './row-line.tsx'
import { moveWithin, nextRow, onRowKey } from './row-keys.ts'
import { Heading, Widths } from './row-parts.tsx'
import { useRowFocus } from './use-row-focus.ts'
import { useVisibleRows, withGaps } from './visible-rows.ts'
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
  const { label, rows, fitted, total, href, selection, nameOf, menu, onEnd } = props
  const table = useRef<HTMLTableElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const row_px = useRowHeight()
  const sight = useVisibleRows(body, rows.length, row_px)
  const { active, setActive, focusRow } = useRowFocus(rows, body, sight)

  useEffect(() => {
    if (rows.length > 0 && sight.end >= rows.length - ahead_rows) onEnd?.()
  }, [sight.end, rows.length, onEnd])

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
    if (row && onRowKey(event, { row, rows, line, address: href?.(row), selection })) event.preventDefault()
  }
  const onRowClick = (event: MouseEvent, row: Row<E>) => {
    // The link, the checkbox and the menu handle clicks themselves; selecting text is not a click.
    if ((event.target as Element).closest('a, button, input, label') || String(window.getSelection()) !== '') return
    const address = href?.(row)
    if (event.shiftKey && selection) selection.extendTo(row, rows)
    else if (address && (event.metaKey || event.ctrlKey)) window.open(address)
    else if (address) go(address)
  }

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
      <Head {...props} />
      <tbody ref={body}>
        {withGaps({ rows, active, ...sight }).map((part) =>
          'gap' in part ? (
            <tr key={`gap-${part.before}`} aria-hidden style={{ height: part.gap * row_px }} className={styles.gap}>
              {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- empty space, hidden from screen readers */}
              <td />
            </tr>
          ) : (
            <RowLine
              key={part.row.id}
              row={part.row}
              index={part.index}
              fitted={fitted}
              href={href?.(part.row)}
              name={nameOf(part.row)}
              menu={menu?.(part.row)}
              tabStop={part.index === Math.min(active, rows.length - 1)}
              tick={
                selection && {
                  on: selection.ids.has(part.row.id),
                  toggle: (range) => (range ? selection.extendTo(part.row, rows) : selection.toggle(part.row)),
                }
              }
              onFocus={() => setActive(part.index)}
              onClick={(event) => onRowClick(event, part.row)}
            />
          ),
        )}
      </tbody>
    </table>
  )
}

/** The headings, and the box that selects all rows. */
function Head<E extends Endpoint>({ rows, fitted, selection, menu, order }: RowsProps<E>) {
  const selectable = selection ? rows.filter(isSelectable) : []
  const chosen = selectable.filter((row) => selection?.ids.has(row.id)).length
  return (
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
  )
}
