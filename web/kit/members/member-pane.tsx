// Member pane: one side of the member picker: its rows by name, searchable, each with one action.
import { wholeOf } from '#web/kit/display/numbers.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { constants } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { callKind, sentenceOf } from '#web/kit/call/call.ts'
import { useDebounced } from '#web/kit/call/options.ts'
import { keys } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { firstTurn, nextTurn, type Page, type Turn } from '#web/kit/list/list-pages.ts'
import type { Pages } from '#web/kit/list/list-query.ts'
import type { AnyRow, Row } from '#web/kit/list/list-types.ts'
import { SearchBar } from '#web/kit/list/search-bar.tsx'
import { Button } from '#web/ui/button.tsx'
import type { IconName } from '#web/ui/icons.tsx'
import { Notice, Skeleton } from '#web/ui/state.tsx'
import { fits } from '#web/ui/match-text.ts'
import styles from './members.module.css'

export interface Side {
  title: string
  params: object
  /** The rows that are not members. */
  shouldExclude?: boolean
  /** Shown if there are none. */
  empty: ReactNode
}

/** What the button of a row does. */
export interface RowAction<R> {
  /** The row's name is added for screen readers: "Add Quay House". */
  label: string
  icon: IconName
  /** Resolves to false if the user cancelled. */
  run: (row: R) => Promise<unknown>
  /** Shown once it is done. */
  done: string
  /** Shown if it failed, in addition to the server's reason. */
  failed?: string
}

export interface MemberPaneProps<E extends Endpoint> {
  of: E
  side: Side
  below: (row: Row<E>) => string | false | null | undefined
  beside?: ((row: Row<E>) => ReactNode) | undefined
  action?: RowAction<Row<E>> | undefined
  /** Reloads both sides. */
  onDone: () => Promise<void>
}

/** With more members than this, they can be searched. The rows to add always can, so that a dialog has a first field. */
const searched_from_rows = 8

export function MemberPane<E extends Endpoint>({ of, side, below, beside, action, onDone }: MemberPaneProps<E>) {
  const [typed, setTyped] = useState('')
  const q = useDebounced(typed.trim(), constants.search.debounce_ms)
  const answered = useRows<Row<E>>(of, side, q)
  // Until the result arrives, only the loaded rows that match are shown, so that no row of an earlier search can be pressed.
  const isLate = typed.trim() !== q || answered.isFormer
  const rows = isLate ? { ...answered, all: answered.all.filter(({ name }) => fits(name ?? '', typed)) } : answered
  const { pane, focusAfter } = useNextFocus(rows.all)
  const act = useAct(action, onDone, focusAfter)
  const searchable = side.shouldExclude === true || rows.total > searched_from_rows || typed !== '' || q !== ''
  return (
    <section ref={pane} className={styles.pane} aria-label={side.title} aria-busy={rows.loading || isLate}>
      <h3 tabIndex={-1}>
        {side.title}
        {!rows.loading && q === '' && <span className={styles.count}>{rows.countText}</span>}
      </h3>
      {searchable && (
        <div className={styles.search}>
          <SearchBar
            label={`Search: ${side.title}`}
            typed={typed}
            onType={setTyped}
            onSearch={() => {}}
            onClear={() => setTyped('')}
          />
        </div>
      )}
      {act.failure && <Notice tone="error">{act.failure}</Notice>}
      {rows.error !== null && <LoadFailed error={rows.error} again={rows.retry} />}
      {rows.loading && <Skeleton height={120} label="Loading" />}
      {!rows.loading && !isLate && rows.all.length === 0 && rows.error === null && (
        <p className={styles.nothing}>{q ? `Nothing matches “${q}”.` : side.empty}</p>
      )}
      {rows.all.length > 0 && (
        // A scrolling list must be reachable by keyboard even if no row has a button.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ul className={styles.rows} aria-label={side.title} {...(action ? {} : { tabIndex: 0 })}>
          {rows.all.map((row, index) => (
            <li key={row.id}>
              <span className={styles.who}>
                <strong>{row.name}</strong>
                <small>{below(row)}</small>
              </span>
              {beside && <span className={styles.beside}>{beside(row)}</span>}
              {action && (
                <span data-doing>
                  <Button
                    icon={action.icon}
                    busy={act.busy === row.id}
                    disabled={act.busy !== undefined && act.busy !== row.id}
                    onClick={() => void act.with(row, index)}
                  >
                    {action.label}
                    <span className="unseen"> {row.name}</span>
                  </Button>
                </span>
              )}
            </li>
          ))}
          {rows.more && !isLate && (
            <li className={styles.more}>
              <Button kind="quiet" busy={rows.loadingMore} onClick={rows.loadMore}>
                Show more
              </Button>
            </li>
          )}
        </ul>
      )}
    </section>
  )
}

/** Both sides are ordered by name. */
function useRows<R extends AnyRow>(of: Endpoint, { params, shouldExclude = false }: Side, q: string) {
  const question = { params, shouldExclude, searchValue: q || null, sort: 'name' }
  const query = useInfiniteQuery<Page<R>, Error, Pages<R>, unknown[], Turn>({
    queryKey: keys.list(of.path, 'members', question),
    queryFn: ({ pageParam, signal }) => callKind<Page<R>>(of, { ...question, ...pageParam }, { signal }),
    initialPageParam: firstTurn,
    getNextPageParam: nextTurn,
    placeholderData: (before) => before,
    staleTime: 0,
  })
  const first = query.data?.pages[0]?.meta
  const total = first?.total ?? 0
  return {
    all: query.data?.pages.flatMap(({ data }) => data) ?? [],
    total,
    countText: wholeOf(total) + (first?.more ? '+' : ''),
    loading: query.isPending,
    /** The rows are the result of the previous search. */
    isFormer: query.isPlaceholderData,
    error: query.data ? null : query.error,
    retry: () => void query.refetch(),
    more: query.hasNextPage,
    loadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
  }
}

/** Runs the action and reports success or the reason of a failure. */
function useAct<R extends AnyRow>(
  action: RowAction<R> | undefined,
  onDone: () => Promise<void>,
  focusAfter: (index: number) => void,
) {
  const [busy, setBusy] = useState<number>()
  const [failure, setFailure] = useState<string>()
  return {
    busy,
    failure,
    with: async (row: R, index: number) => {
      if (!action || busy !== undefined) return
      setBusy(row.id)
      setFailure(undefined)
      try {
        if ((await action.run(row)) === false) return
        notify.success(action.done)
        await onDone()
        focusAfter(index)
      } catch (error) {
        if (action.failed) notify.error(action.failed)
        setFailure(sentenceOf(error))
      } finally {
        setBusy(undefined)
      }
    },
  }
}

/** After a row's button was pressed, focuses the row that has taken its place, else the search or the heading. */
function useNextFocus(rows: readonly unknown[]) {
  const pane = useRef<HTMLElement>(null)
  const [after, setAfter] = useState<number>()
  useEffect(() => {
    if (after === undefined) return
    setAfter(undefined)
    const buttons = [...(pane.current?.querySelectorAll<HTMLElement>('[data-doing] button') ?? [])]
    const next = buttons[Math.min(after, buttons.length - 1)] ?? pane.current?.querySelector<HTMLElement>('input, h3')
    next?.focus()
  }, [after, rows])
  return { pane, focusAfter: setAfter }
}
