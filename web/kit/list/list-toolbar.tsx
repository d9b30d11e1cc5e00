// List toolbar: search, filters, columns and the count above a list, and the line of active filters.
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { appContext } from '#web/session/context.ts'
import { mayCall } from '#web/session/may.ts'
import { singular } from '#web/kit/display/singular.ts'
import type { Fitted, Placed } from './columns.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { ExportMenu } from './export-menu.tsx'
import { FilterDialog } from './filter-dialog.tsx'
import { FilterLine } from './filter-line.tsx'
import { FilterMenu } from './filter-menu.tsx'
import { isLookup } from './filter-options.ts'
import type { AnyRow, Filter } from './list-types.ts'
import { SearchBar } from './search-bar.tsx'
import type { ColumnChoice } from './use-columns.ts'
import type { ListState } from './use-list.ts'
import styles from './list-screen.module.css'

interface ListToolbarProps {
  list: ListState<AnyRow>
  /** In the plural: "groups". */
  noun: string
  filters: Record<string, Filter>
  columns: readonly Placed[]
  fitted: Fitted<Placed>
  choice: ColumnChoice
  exportList: Endpoint | undefined
  /** For lists in a tab, which have no heading for them. */
  actions: ReactNode
}

export function ListToolbar({ list, noun, filters, columns, fitted, choice, exportList, actions }: ListToolbarProps) {
  const apply = (values: Record<string, string[]>) => list.ask({ filters: values })
  // Only the customer context has the dialog (specification, section 6); elsewhere all filters are in the menu.
  const dialog = appContext() === 'customer'
  const entries = Object.entries(filters).filter(([, { options }]) => !isLookup(options) || mayCall(options))
  const inMenu = Object.fromEntries(entries.filter(([, filter]) => !dialog || !filter.more))
  const inDialog = Object.fromEntries(entries.filter(([, filter]) => dialog && filter.more))
  const shared = { values: list.asked.filters, onApply: apply }
  return (
    <>
      <div className={actions ? `${styles.toolbar} ${styles.withActions}` : styles.toolbar}>
        <SearchBar
          label={`Search ${noun}`}
          typed={list.search.typed}
          onType={list.search.type}
          onSearch={list.search.submit}
          onClear={() => list.ask({ q: '' })}
        />
        {Object.keys(inMenu).length > 0 && <FilterMenu filters={inMenu} {...shared} />}
        {Object.keys(inDialog).length > 0 && <FilterDialog filters={inDialog} {...shared} />}
        <ColumnsMenu columns={columns} hidden={fitted.hidden} choice={choice} />
        {exportList && mayCall(exportList) && <ExportMenu endpoint={exportList} question={list.question} noun={noun} />}
        <span className={styles.count} role="status">
          {list.state === 'ready' && countOf(list, noun)}
        </span>
        {actions}
      </div>
      {entries.length > 0 && <FilterLine filters={Object.fromEntries(entries)} {...shared} />}
    </>
  )
}

/** "137 groups", "1,000+ groups", "3 of 50 loaded". */
function countOf(list: ListState<AnyRow>, noun: string): string {
  if (list.narrowedHere)
    return `${wholeOf(list.rows.length)} of ${wholeOf(list.loaded.length)}${list.hasMore ? ' loaded' : ''}`
  if (list.total === 0) return ''
  return `${wholeOf(list.total)}${list.moreThanTotal ? '+' : ''} ${list.total === 1 ? singular(noun) : noun}`
}
