// Row line: one row of a list: its checkbox, its cells, and its menu. The contents of hidden columns are shown below the name.
import { useRef, type MouseEvent, type ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import type { Fitted } from './columns.ts'
import { isSelectable, type Column, type Row } from './list-types.ts'
import { classes } from './row-parts.tsx'
import styles from './rows.module.css'

interface RowLineProps<E extends Endpoint> {
  row: Row<E>
  index: number
  fitted: Fitted<Column<E>>
  href: string | undefined
  name: string
  menu: ReactNode
  tabStop: boolean
  tick: { on: boolean; toggle: (range: boolean) => void } | undefined
  onFocus: () => void
  onClick: (event: MouseEvent) => void
}

export function RowLine<E extends Endpoint>(props: RowLineProps<E>) {
  const { row, index, fitted, href, name, menu, tabStop, tick, onFocus, onClick } = props
  // Shift is known from the click event, which comes before the change event.
  const range = useRef(false)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid has the row's keys
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={tick ? tick.on : undefined}
      tabIndex={tabStop ? 0 : -1}
      className={classes(styles.row, href && styles.opens, tick?.on && styles.selected)}
      onFocus={onFocus}
      onClick={onClick}
    >
      {tick && (
        <td className={styles.tick}>
          <Checkbox
            bare
            label={`Select ${name}`}
            checked={tick.on}
            disabled={!isSelectable(row)}
            title={
              isSelectable(row) ? undefined : 'Only active rows can be selected; the row’s menu has everything else'
            }
            tabIndex={-1}
            onClick={(event) => {
              range.current = event.shiftKey
            }}
            onChange={() => tick.toggle(range.current)}
          />
        </td>
      )}
      {fitted.shown.map(({ column }, place) => {
        const content = column.cell(row)
        return (
          <td
            key={column.title}
            className={classes(column.align && styles.end, place === 0 && styles.first)}
            title={typeof content === 'string' ? content : undefined}
          >
            {place > 0 ? content : <Name row={row} fitted={fitted} href={href} />}
          </td>
        )
      })}
      {menu !== undefined && <td className={styles.menu}>{menu}</td>}
    </tr>
  )
}

function Name<E extends Endpoint>({ row, fitted, href }: Pick<RowLineProps<E>, 'row' | 'fitted' | 'href'>) {
  const details = fitted.hidden.map((column) => column.below?.(row)).filter(Boolean)
  const name = fitted.shown[0]?.column.cell(row)
  const opener = href ? (
    <Link href={href} tabIndex={-1} className={styles.open}>
      {name}
    </Link>
  ) : (
    name
  )
  if (details.length === 0) return opener
  return (
    <span className={styles.name}>
      {href ? opener : <span>{opener}</span>}
      <small>{details.join(' · ')}</small>
    </span>
  )
}
