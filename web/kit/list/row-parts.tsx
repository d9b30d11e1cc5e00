// Row parts: the headings, widths and skeletons that tables of rows share.
import { Icon } from '#web/ui/icons.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import styles from './rows.module.css'

export const hidden = (column: { hideBelow?: number }) =>
  column.hideBelow ? styles[`hide${column.hideBelow}`] : undefined
export const classes = (...names: (string | undefined | false)[]) => names.filter(Boolean).join(' ')

export const Columns = ({
  columns,
  ticks,
}: {
  columns: { title: string; width?: string; hideBelow?: number }[]
  ticks: boolean
}) => (
  <colgroup>
    {ticks && <col style={{ width: 40 }} />}
    {columns.map((column) => (
      <col key={column.title} className={hidden(column)} style={column.width ? { width: column.width } : {}} />
    ))}
  </colgroup>
)

interface HeadingProps {
  column: { title: string; align?: 'end'; hideBelow?: number; sort?: string }
  sort: string | undefined
  onSort: ((sort: string | undefined) => void) | undefined
}

/** Pressed once: ascending; twice: descending; a third time: the list's own order. */
export function Heading({ column, sort, onSort }: HeadingProps) {
  const up = column.sort
  const state = up && sort === up ? 'ascending' : up && sort === `-${up}` ? 'descending' : 'none'
  const next = state === 'none' ? up : state === 'ascending' ? `-${up}` : undefined
  return (
    <th
      scope="col"
      className={classes(hidden(column), column.align && styles.end)}
      aria-sort={up && onSort ? state : undefined}
    >
      {up && onSort ? (
        <button type="button" className={styles.sort} data-on={state !== 'none'} onClick={() => onSort(next)}>
          {column.title}
          <Icon name={state === 'ascending' ? 'sortedUp' : state === 'descending' ? 'sortedDown' : 'sort'} size={13} />
        </button>
      ) : (
        column.title
      )}
    </th>
  )
}

/** What stands in place of rows while the first page comes. */
export const SkeletonRows = ({
  columns,
  ticks,
}: {
  columns: { title: string; width?: string; hideBelow?: number; align?: 'end' }[]
  ticks: boolean
}) => (
  <table className={styles.table} aria-hidden>
    <Columns columns={columns} ticks={ticks} />
    <thead>
      <tr>
        {ticks && (
          <th className={styles.tick}>
            <Skeleton width={16} height={16} />
          </th>
        )}
        {columns.map((column) => (
          <th key={column.title} className={classes(hidden(column), column.align && styles.end)}>
            {column.title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {Array.from({ length: 9 }, (_, row) => (
        <tr key={row} className={styles.row}>
          {ticks && (
            <td className={styles.tick}>
              <Skeleton width={16} height={16} />
            </td>
          )}
          {columns.map((column, index) => (
            <td key={column.title} className={classes(hidden(column), column.align && styles.end)}>
              <Skeleton width={index === 0 ? `${46 + ((row * 17) % 34)}%` : column.align ? 28 : '58%'} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
