// Report table: the rows of a report, sorted by pressing a heading, and more of them on demand. Sessions link to the list of sessions
// and to their guest.
import * as sessions from '#contract/sessions.ts'
import { call } from '#web/kit/call/call.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { go, linkItem } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'
import { Lit } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icons.tsx'
import { MoreMenu } from '#web/ui/more-menu.tsx'
import type { ReportRow, RunMeta } from './use-run.ts'
import { isFigure, textOf } from './words.ts'
import styles from './reports.module.css'

interface ReportTableProps {
  label: string
  rows: ReportRow[]
  meta: RunMeta
  /** The columns whose headings can be pressed. */
  sorts: readonly string[]
  sort: string | undefined
  onSort: (sort: string) => void
  /** Undefined once all rows are loaded. */
  onMore: (() => void) | undefined
  busy: boolean
}

export function ReportTable({ label, rows, meta, sorts, sort, onSort, onMore, busy }: ReportTableProps) {
  const withMenu = rows.some(isSession) && mayCall(sessions.get)
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable without a mouse */}
      <div className={styles.table} role="region" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {meta.columns.map(({ key, title, kind }) => (
                <Heading
                  key={key}
                  title={title}
                  end={isFigure(kind)}
                  order={sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : undefined}
                  // Figures sort from the highest first, text from A.
                  onSort={
                    sorts.includes(key)
                      ? () => onSort(sort === key ? `-${key}` : sort === `-${key}` || !isFigure(kind) ? key : `-${key}`)
                      : undefined
                  }
                />
              ))}
              {withMenu && (
                <th className={styles.menu}>
                  <span className="unseen">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={isSession(row) ? row.id : index}>
                {meta.columns.map(({ key, kind }) => (
                  <td key={key} data-end={isFigure(kind)} data-wraps={kind === 'text' && key !== 'identifier'}>
                    <Cell row={row} name={key} kind={kind} />
                  </td>
                ))}
                {withMenu && <td className={styles.menu}>{isSession(row) && <SessionMenu row={row} />}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.foot} role="status">
        {wholeOf(rows.length)} of {wholeOf(meta.total)} {meta.total === 1 ? 'row' : 'rows'}
        {onMore && (
          <Button busy={busy} onClick={onMore}>
            Show more
          </Button>
        )}
      </p>
    </>
  )
}

type SessionRow = Extract<ReportRow, { id: number }>
const isSession = (row: ReportRow): row is SessionRow => 'id' in row

interface HeadingProps {
  title: string
  end: boolean
  order: 'ascending' | 'descending' | undefined
  onSort: (() => void) | undefined
}

const Heading = ({ title, end, order, onSort }: HeadingProps) => (
  <th scope="col" data-end={end} aria-sort={order}>
    {onSort ? (
      <button type="button" onClick={onSort}>
        {title}
        <Icon name={order === 'ascending' ? 'sortedUp' : order === 'descending' ? 'sortedDown' : 'sort'} size={14} />
      </button>
    ) : (
      title
    )}
  </th>
)

function Cell({ row, name, kind }: { row: ReportRow; name: string; kind: RunMeta['columns'][number]['kind'] }) {
  const value = (row as Record<string, unknown>)[name]
  if (isSession(row) && name === 'termination_reason' && row.end === null) return <Lit>Online</Lit>
  // Of guests who were erased, and of those who only clicked.
  if (name === 'identifier' && !value) return <i className={styles.unknown}>Not known</i>
  return textOf(kind, value)
}

async function openGuest({ id }: SessionRow) {
  try {
    const href = to.sessionHolder(await call(sessions.get, { id }))
    if (href) go(href)
    else notify.error('Nobody is known for this session')
  } catch (error) {
    notify.failure(error)
  }
}

const SessionMenu = ({ row }: { row: SessionRow }) => (
  <MoreMenu
    label={`Actions for ${row.identifier ?? 'this session'}`}
    items={[
      linkItem({
        label: 'Sessions of this guest',
        icon: 'sessions',
        href: to.sessions(row.identifier ? { q: row.identifier } : {}),
      }),
      { label: 'Guest', icon: 'user', onPick: () => openGuest(row) },
    ]}
  />
)
