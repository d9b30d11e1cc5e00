// Row parts: the headings, widths and skeletons of tables of rows.
import { Icon } from '#web/ui/icons.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import type { Fitted, Placed } from './columns.ts'
import styles from './rows.module.css'

/** Must equal the widths of `.tick` and `.menu`. */
export const tick_px = 40
export const menu_px = 50

export const classes = (...names: (string | undefined | false)[]) => names.filter(Boolean).join(' ')

/** The cells next to the columns: a checkbox at the start, a menu at the end. */
export interface SideCells {
  ticks: boolean
  menus: boolean
}
export const sideCellsPx = ({ ticks, menus }: SideCells) => (ticks ? tick_px : 0) + (menus ? menu_px : 0)

export const Widths = ({ fitted, sideCells }: { fitted: Fitted<Placed>; sideCells: SideCells }) => (
  <colgroup>
    {sideCells.ticks && <col style={{ width: tick_px }} />}
    {fitted.shown.map(({ column, width_px }) => (
      <col key={column.title} style={{ width: width_px }} />
    ))}
    {sideCells.menus && <col style={{ width: menu_px }} />}
  </colgroup>
)

interface HeadingProps {
  column: { title: string; align?: 'end'; sort?: string }
  sort: string | undefined
  onSort: ((sort: string | undefined) => void) | undefined
}

/** First press: ascending; second: descending; third: the list's own order. */
export function Heading({ column, sort, onSort }: HeadingProps) {
  const up = column.sort
  const state = up && sort === up ? 'ascending' : up && sort === `-${up}` ? 'descending' : 'none'
  const next = state === 'none' ? up : state === 'ascending' ? `-${up}` : undefined
  return (
    <th
      scope="col"
      className={classes(column.align && styles.end)}
      aria-sort={up && onSort ? state : undefined}
      title={column.title}
    >
      {up && onSort ? (
        <button
          type="button"
          tabIndex={-1}
          className={styles.sort}
          data-on={state !== 'none'}
          onClick={() => onSort(next)}
        >
          {column.title}
          <Icon name={state === 'ascending' ? 'sortedUp' : state === 'descending' ? 'sortedDown' : 'sort'} size={13} />
        </button>
      ) : (
        column.title
      )}
    </th>
  )
}

/** Shown in place of rows while the first page loads. */
export const SkeletonRows = ({
  fitted,
  sideCells,
}: {
  fitted: Fitted<Placed & { align?: 'end' }>
  sideCells: SideCells
}) => (
  <table className={styles.table} aria-hidden>
    <Widths fitted={fitted} sideCells={sideCells} />
    <thead>
      <tr>
        {sideCells.ticks && (
          <th className={styles.tick}>
            <Skeleton width={16} height={16} />
          </th>
        )}
        {fitted.shown.map(({ column }) => (
          <th key={column.title} className={classes(column.align && styles.end)}>
            {column.title}
          </th>
        ))}
        {sideCells.menus && (
          <th className={styles.menu}>
            <Skeleton width={16} />
          </th>
        )}
      </tr>
    </thead>
    <tbody>
      {Array.from({ length: 9 }, (_, row) => (
        <tr key={row} className={styles.row}>
          {sideCells.ticks && (
            <td className={styles.tick}>
              <Skeleton width={16} height={16} />
            </td>
          )}
          {fitted.shown.map(({ column }, index) => (
            <td key={column.title} className={classes(column.align && styles.end)}>
              <Skeleton width={index === 0 ? `${46 + ((row * 17) % 34)}%` : column.align ? 28 : '58%'} />
            </td>
          ))}
          {sideCells.menus && (
            <td className={styles.menu}>
              <Skeleton width={16} />
            </td>
          )}
        </tr>
      ))}
    </tbody>
  </table>
)
