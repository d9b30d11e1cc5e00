// List screen: a whole list as one component. It has at most ten props: a screen that needs more combines the parts itself (useList,
// useColumns, ListToolbar, Rows, BulkBar), as this file does.
//
//   export const GroupsList = () => (
//     <ListScreen
//       of={groups.list}
//       title="Groups"
//       kind={groupKind}
//       columns={[column('name', { width: 160, priority: 1, sort: 'name' }), …]}
//       filters={{ status: { kind: 'checkbox', options: statusOptions } }}
//       actions={<CreateButton of={groups.create} href={to.newGroup()}>New group</CreateButton>}
//       empty={{ icon: 'groups', title: 'No groups yet', children: 'Groups hold properties that are run together.' }}
//     />
//   )
import { useContext, type ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ListMeta } from '#contract/shapes.ts'
import { useMay, useMayCall } from '#web/session/may.ts'
import { useSession } from '#web/session/session.ts'
import { BackToTop } from '#web/ui/back-to-top.tsx'
import { Button } from '#web/ui/button.tsx'
import { PageHeader } from '#web/ui/page.tsx'
import { EmptyState, type EmptyStateProps } from '#web/ui/state.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { useNamed, withOthers } from './field-columns.ts'
import { InTab } from './in-tab.ts'
import { isNarrowed } from './list-address.ts'
import { LoadFailed, NotOpen } from '#web/kit/display/load-failed.tsx'
import { NoMatch } from './list-states.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import type { AnyRow, BulkAction, Column, On, Row, ScreenFilters, Where } from './list-types.ts'
import { bulkActions, type RecordKind } from './record-kind.ts'
import { RecordMenu } from './record-menu.tsx'
import { sideCellsPx, SkeletonRows } from './row-parts.tsx'
import { Rows } from './rows.tsx'
import { isSelectable, titled } from './list-types.ts'
import { selectedRows, useSelection } from './selection.ts'
import { useColumns } from './use-columns.ts'
import { useList } from './use-list.ts'
import { isAtRest, useLive } from './use-live.ts'
import { useListKeys } from './use-list-keys.ts'
import styles from './list-screen.module.css'

export interface ListScreenProps<E extends Endpoint> {
  /** The contract's list endpoint. Everything else is typed by it. */
  of: E
  /** In the plural: the heading of the screen and the name of the table. Inside a tab there is no heading. */
  title: string
  /** What its records are called, where they open, and what can be done with them. */
  kind: RecordKind<Row<E>>
  columns: Column<E>[]
  /** Parents that narrow the list: `{ group_id: 4 }`. */
  where?: Where<E>
  filters?: ScreenFilters<E>
  /** What editors can do to several rows at once, listed before the actions of every kind. */
  bulk?: readonly BulkAction[]
  /** Buttons at the right of the heading, and of an empty list that has none of its own. Show each only to users who may. */
  actions?: ReactNode
  /** Shown if there is nothing at all: a message and what to do next. */
  empty: EmptyStateProps
  /** What the list leaves out, if anything: said below its last row, and in place of `empty` where there is nothing at all. */
  beyond?: (meta: ListMeta, nothing: boolean) => EmptyStateProps | undefined
}

const noWhere = {}

export function ListScreen<E extends Endpoint>(props: ListScreenProps<E>) {
  const mayRead = useMayCall(props.of)
  const inTab = useContext(InTab)
  if (mayRead) return <OpenList {...props} />
  return (
    <>
      {!inTab && <PageHeader title={props.title} />}
      <NotOpen />
    </>
  )
}

function OpenList<E extends Endpoint>(props: ListScreenProps<E>) {
  const { of, title, kind, bulk = [], actions, empty } = props
  const columns = useNamed(withOthers(of, kind.of.fields, props.columns))
  const filters = titled<E>(props.filters ?? {}, kind.of.fields)
  const where = props.where ?? (noWhere as Where<E>)
  const inTab = useContext(InTab)
  const { namedEditor } = useSession()
  const mayWrite = useMay(of.area)
  const mayAtDesk = useMay(of.area, 'desk')
  const list = useList(of, where, filters, kind)
  const selection = useSelection(JSON.stringify([where, list.asked.q, list.asked.filters]))
  const allActions = namedEditor && (mayWrite || mayAtDesk) ? [...bulk, ...bulkActions(kind)] : []
  const sideCells = { ticks: allActions.length > 0, menus: true }
  const empty_titles = emptyIn(columns, list.loaded, list.asked.sort)
  const { sheet, isMeasured, fitted, choice } = useColumns(columns, of.path, sideCellsPx(sideCells), empty_titles)
  useListKeys(sheet, sideCells.ticks ? () => selection.all(list.rows) : undefined)

  useLive(list, kind.live_ms, () => selection.ids.size === 0 && isAtRest(sheet.current))

  const nothingAtAll = list.state === 'ready' && list.total === 0 && list.loaded.length === 0 && !isNarrowed(list.asked)
  const beyond = list.meta && props.beyond?.(list.meta, nothingAtAll)
  const selected = selectedRows(selection, list.loaded)
  const on: On = { path: of.path, noun: kind.noun, nameOf: (row) => kind.nameOf(row as Row<E>) }
  const allLoaded = list.rows.filter(isSelectable).every((row) => selection.ids.has(row.id))
  const selectMatching = async (progress: (rows: number) => void, signal: AbortSignal) => {
    const { rows, cut } = await list.matching(progress, signal)
    selection.allMatching(rows, cut)
  }
  return (
    <>
      {!inTab && <PageHeader title={title} actions={actions} />}
      {!nothingAtAll && (
        <ListToolbar
          list={list}
          noun={kind.noun}
          filters={filters}
          columns={columns}
          fitted={fitted}
          choice={choice}
          exportList={kind.of.exportList}
          actions={inTab && actions}
        />
      )}
      {list.newer > 0 && (
        <button type="button" className={styles.newer} onClick={list.refresh}>
          {list.newer} new — show
        </button>
      )}
      <div ref={sheet} className={styles.sheet} aria-busy={list.state === 'loading'}>
        {list.state === 'loading' && isMeasured && <SkeletonRows fitted={fitted} sideCells={sideCells} />}
        {list.state === 'failed' && <LoadFailed error={list.error} again={list.retry} />}
        {nothingAtAll && <EmptyState {...empty} action={empty.action ?? actions} {...beyond} />}
        {list.state === 'ready' && !nothingAtAll && list.rows.length === 0 && <NoMatch list={list} />}
        {list.state === 'ready' && list.rows.length > 0 && (
          <>
            {sideCells.ticks && (
              <BulkBar
                actions={allActions}
                rows={selected}
                on={on}
                cut={selection.cut}
                onAll={
                  list.hasMore && !list.narrowedHere && !selection.matching && allLoaded ? selectMatching : undefined
                }
                onClear={selection.clear}
              />
            )}
            {isMeasured && (
              <Rows
                label={title}
                rows={list.rows}
                fitted={fitted}
                total={list.narrowedHere ? list.rows.length : list.moreThanTotal ? -1 : list.total}
                href={kind.href}
                selection={sideCells.ticks ? selection : undefined}
                nameOf={kind.nameOf}
                menu={(row) => <RecordMenu kind={kind} row={row} />}
                order={{ sort: list.asked.sort, onSort: (sort) => list.ask({ sort }) }}
                onEnd={list.narrowedHere ? undefined : list.loadMore}
              />
            )}
            {list.loadingMore && <p className={styles.foot}>Loading more…</p>}
            {list.narrowedHere && list.hasMore && <SearchEverything list={list} />}
            {!list.loadingMore && list.error !== null && <LoadFailed error={list.error} again={list.retry} />}
          </>
        )}
        {list.state === 'ready' && !nothingAtAll && !list.hasMore && beyond && <Beyond {...beyond} />}
      </div>
      <BackToTop />
    </>
  )
}

const isFilled = (content: ReactNode) =>
  content !== null && content !== undefined && content !== false && content !== ''

/** The titles of columns that are empty in all loaded rows, except for the name and the one that the list is sorted by. */
function emptyIn<E extends Endpoint>(columns: Column<E>[], rows: Row<E>[], sort: string | undefined): Set<string> {
  const [, ...others] = columns
  const empty = others.filter(
    (column) => column.sort !== sort?.replace(/^-/, '') && !rows.some((row) => isFilled(column.cell(row))),
  )
  return new Set(rows.length === 0 ? [] : empty.map(({ title }) => title))
}

const Beyond = ({ title, children, action }: EmptyStateProps) => (
  <div className={styles.foot}>
    <p>
      {title}. {children}
    </p>
    {action}
  </div>
)

/** Offered if the search was among the loaded rows only, as there may be more matches. */
const SearchEverything = ({ list }: { list: { loaded: AnyRow[]; search: { submit: () => void } } }) => (
  <div className={styles.foot}>
    <p>Found among the {list.loaded.length} loaded.</p>
    <Button icon="search" onClick={list.search.submit}>
      Search everything
    </Button>
  </div>
)
