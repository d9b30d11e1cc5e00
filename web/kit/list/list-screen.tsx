// List screen: a whole list in one sentence. It takes ten props and never an eleventh: a screen that wants more puts the
// words together itself (useList, SearchBar, FilterMenu, FilterDialog, Rows, BulkBar), as this file does.
//
//   export const GroupsList = () => (
//     <ListScreen
//       of={groups.list}
//       title="Groups"
//       columns={[{ title: 'Name', cell: (group) => group.name, sort: 'name' }, …]}
//       filters={{ status: { title: 'Status', kind: 'checkbox', options: statusOptions } }}
//       bulk={[disable(groups.deactivate, groups.activate), remove(groups.remove)]}
//       row={(group) => to.group(group.id)}
//       actions={<LinkButton kind="primary" icon="add" href={to.newGroup()}>New group</LinkButton>}
//       empty={{ icon: 'groups', title: 'No groups yet', children: 'Groups hold properties that are run together.' }}
//     />
//   )
import { useContext, type ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { appContext } from '#web/session/context.ts'
import { useMay } from '#web/session/may.ts'
import { useSession } from '#web/session/session.ts'
import { BackToTop } from '#web/ui/back-to-top.tsx'
import { Button } from '#web/ui/button.tsx'
import { PageHeader } from '#web/ui/page.tsx'
import { EmptyState, type EmptyStateProps } from '#web/ui/state.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { singular } from '#web/kit/display/singular.ts'
import { sentenceOf } from '#web/kit/call/call.ts'
import { FilterDialog } from './filter-dialog.tsx'
import { FilterMenu } from './filter-menu.tsx'
import { isNarrowed } from './list-address.ts'
import type { AnyRow, BulkAction, Column, Filter, Filters, Row, Where } from './list-types.ts'
import { SkeletonRows } from './row-parts.tsx'
import { Rows } from './rows.tsx'
import { SearchBar } from './search-bar.tsx'
import { useSelection } from './selection.ts'
import { InTab } from './in-tab.ts'
import { useList, type ListState } from './use-list.ts'
import styles from './list-screen.module.css'

export interface ListScreenProps<E extends Endpoint> {
  /** The contract's list endpoint. Everything else is typed from it. */
  of: E
  /** Plural: heading of the screen, name of the table, noun of the bulk notices. Inside a tab the heading is left out. */
  title: string
  columns: Column<E>[]
  /** The parents the list is narrowed to: `{ group_id: 4 }`. */
  where?: Where<E>
  filters?: Filters<E>
  /** Shown to editors only, by itself. */
  bulk?: readonly BulkAction[]
  /** The address that a row opens. */
  row?: (row: Row<E>) => string
  /** Buttons at the right of the heading. Show each to those who may: `useMayCall(groups.create)`. */
  actions?: ReactNode
  /** What to say, and to do next, when there is nothing at all. */
  empty: EmptyStateProps
  /** The field that typing searches and that names a row; default `name`. */
  searchKey?: keyof Row<E> & string
}

const noWhere = {}
const noFilters = {}

export function ListScreen<E extends Endpoint>({
  of,
  title,
  columns,
  where,
  filters,
  bulk = [],
  row,
  actions,
  empty,
  searchKey,
}: ListScreenProps<E>) {
  const key = searchKey ?? 'name'
  const inTab = useContext(InTab)
  const list = useList(of, where ?? (noWhere as Where<E>), filters ?? (noFilters as Filters<E>), key)
  const selection = useSelection()
  const { namedEditor } = useSession()
  const mayWrite = useMay(of.area)
  const ticks = namedEditor && mayWrite && bulk.length > 0
  const nameOf = (entry: AnyRow) => String((entry as unknown as Record<string, unknown>)[key] ?? `#${entry.id}`)
  const noun = title.charAt(0).toLowerCase() + title.slice(1)
  const nothingAtAll = list.state === 'ready' && list.total === 0 && list.loaded === 0 && !isNarrowed(list.asked)

  return (
    <>
      {!inTab && <PageHeader title={title} actions={actions} />}
      {!nothingAtAll && (
        <div className={styles.toolbar}>
          <SearchBar label={`Search ${noun}`} typed={list.typed} onType={list.type} onSearch={(q) => list.ask({ q })} />
          <FilterButtons filters={filters ?? noFilters} list={list} />
          <span className={styles.count} role="status">
            {list.state === 'ready' && countOf(list, noun)}
          </span>
          {inTab && actions}
        </div>
      )}
      {list.newer > 0 && (
        <button type="button" className={styles.newer} onClick={list.refresh}>
          {list.newer} new — refresh
        </button>
      )}
      {list.state === 'loading' && <SkeletonRows columns={columns} ticks={ticks} />}
      {list.state === 'failed' && <Failure error={list.error} retry={list.retry} />}
      {nothingAtAll && <EmptyState {...empty} action={empty.action ?? (inTab ? actions : undefined)} />}
      {list.state === 'ready' && !nothingAtAll && list.rows.length === 0 && <NoMatch list={list} />}
      {list.state === 'ready' && list.rows.length > 0 && (
        <>
          <Rows
            label={title}
            rows={list.rows}
            columns={columns}
            total={list.narrowedHere ? list.rows.length : list.moreThanTotal ? -1 : list.total}
            href={row}
            selection={ticks ? selection : undefined}
            nameOf={nameOf}
            sort={list.asked.sort}
            onSort={(sort) => list.ask({ sort })}
            {...(list.narrowedHere ? {} : { onEnd: list.loadMore })}
          />
          {list.loadingMore && <p className={styles.foot}>Loading more…</p>}
          {!list.loadingMore && list.error !== null && <Failure error={list.error} retry={list.retry} />}
        </>
      )}
      {ticks && (
        <BulkBar
          actions={bulk}
          rows={list.rows.filter((entry) => selection.ids.has(entry.id))}
          path={of.path}
          noun={noun}
          nameOf={nameOf}
          onClear={selection.clear}
        />
      )}
      <BackToTop />
    </>
  )
}

/** "137 groups", "10,000+ groups", "3 of 50 loaded". */
function countOf(list: ListState<AnyRow>, noun: string): string {
  const number = (value: number) => value.toLocaleString('en-GB')
  if (list.narrowedHere) return `${number(list.rows.length)} of ${number(list.loaded)}${list.hasMore ? ' loaded' : ''}`
  if (list.total === 0) return ''
  return `${number(list.total)}${list.moreThanTotal ? '+' : ''} ${list.total === 1 ? singular(noun) : noun}`
}

/** The dialog is the customer's alone (specification, section 6); elsewhere all filters stand in the menu. */
function FilterButtons({ filters, list }: { filters: Record<string, Filter>; list: ListState<AnyRow> }) {
  const dialog = appContext() === 'customer'
  const entries = Object.entries(filters)
  const inMenu = Object.fromEntries(entries.filter(([, filter]) => !dialog || !filter.more))
  const inDialog = Object.fromEntries(entries.filter(([, filter]) => dialog && filter.more))
  const apply = (values: Record<string, string[]>) => list.ask({ filters: values })
  return (
    <>
      {Object.keys(inMenu).length > 0 && <FilterMenu filters={inMenu} values={list.asked.filters} onApply={apply} />}
      {Object.keys(inDialog).length > 0 && (
        <FilterDialog filters={inDialog} values={list.asked.filters} onApply={apply} />
      )}
    </>
  )
}

function NoMatch({ list }: { list: ListState<AnyRow> }) {
  if (list.narrowedHere)
    return (
      <EmptyState
        icon="search"
        title="No match among the loaded rows"
        action={<Button onClick={() => list.ask({ q: list.typed.trim() })}>Search everything</Button>}
      >
        Press Enter to search everything for “{list.typed.trim()}”.
      </EmptyState>
    )
  return (
    <EmptyState
      icon="search"
      title="Nothing matches"
      action={<Button onClick={() => list.ask({ q: '', filters: {} })}>Clear search and filters</Button>}
    >
      Try another word, or take a filter away.
    </EmptyState>
  )
}

const Failure = ({ error, retry }: { error: unknown; retry: () => void }) => (
  <div role="alert">
    <EmptyState
      icon="warning"
      title="This could not be loaded"
      action={
        <Button icon="refresh" onClick={retry}>
          Try again
        </Button>
      }
    >
      {sentenceOf(error)}
    </EmptyState>
  </div>
)
