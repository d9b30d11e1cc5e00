// Member pane: one side of the member picker: its rows by name, found by typing, each with the one thing to do with it.
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
import { fits } from '#web/ui/typed.ts'
import styles from './members.module.css'

export interface Side {
  title: string
  params: object
  /** The rows that are not in. */
  shouldExclude?: boolean
  /** What stands where there is none. */
  empty: ReactNode
}

/** What is done with one row. */
export interface Doing<R> {
  /** With the row's name it says all: "Add Quay House". */
  label: string
  icon: IconName
  /** Answers false where one thought better of it. */
  run: (row: R) => Promise<unknown>
  /** Said once it is done. */
  done: string
  /** Said when it was not, before the server's reason. */
  failed?: string
}

export interface MemberPaneProps<E extends Endpoint> {
  of: E
  side: Side
  below: (row: Row<E>) => string | false | null | undefined
  beside?: ((row: Row<E>) => ReactNode) | undefined
  doing?: Doing<Row<E>> | undefined
  /** Asks anew what is in and what is not. */
  onDone: () => Promise<void>
}

/** More of what is in are found by typing; what can be added always is, so that a dialog has a first field. */
const searched_from_rows = 8

export function MemberPane<E extends Endpoint>({ of, side, below, beside, doing, onDone }: MemberPaneProps<E>) {
  const [typed, setTyped] = useState('')
  const q = useDebounced(typed.trim(), constants.search.debounce_ms)
  const answered = useRows<Row<E>>(of, side, q)
  // Until the answer is there, those that fit what is typed; none that answers another word can be pressed.
  const isLate = typed.trim() !== q || answered.isFormer
  const rows = isLate ? { ...answered, all: answered.all.filter(({ name }) => fits(name ?? '', typed)) } : answered
  const { pane, focusAfter } = useNextFocus(rows.all)
  const act = useAct(doing, onDone, focusAfter)
  const searchable = side.shouldExclude === true || rows.total > searched_from_rows || typed !== '' || q !== ''
  return (
    <section ref={pane} className={styles.pane} aria-label={side.title} aria-busy={rows.loading || isLate}>
      <h3 tabIndex={-1}>
        {side.title}
        {!rows.loading && q === '' && <span className={styles.count}>{rows.told}</span>}
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
        // What scrolls is reached by the keyboard also where no row has a button.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ul className={styles.rows} aria-label={side.title} {...(doing ? {} : { tabIndex: 0 })}>
          {rows.all.map((row, index) => (
            <li key={row.id}>
              <span className={styles.who}>
                <strong>{row.name}</strong>
                <small>{below(row)}</small>
              </span>
              {beside && <span className={styles.beside}>{beside(row)}</span>}
              {doing && (
                <span data-doing>
                  <Button
                    icon={doing.icon}
                    busy={act.busy === row.id}
                    disabled={act.busy !== undefined && act.busy !== row.id}
                    onClick={() => void act.with(row, index)}
                  >
                    {doing.label}
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

/** Both sides stand in order of name. */
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
    told: total.toLocaleString('en-GB') + (first?.more ? '+' : ''),
    loading: query.isPending,
    /** They answer the word that was typed before. */
    isFormer: query.isPlaceholderData,
    error: query.data ? null : query.error,
    retry: () => void query.refetch(),
    more: query.hasNextPage,
    loadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
  }
}

/** Does it, says that it is done, and why it is not. */
function useAct<R extends AnyRow>(
  doing: Doing<R> | undefined,
  onDone: () => Promise<void>,
  focusAfter: (index: number) => void,
) {
  const [busy, setBusy] = useState<number>()
  const [failure, setFailure] = useState<string>()
  return {
    busy,
    failure,
    with: async (row: R, index: number) => {
      if (!doing || busy !== undefined) return
      setBusy(row.id)
      setFailure(undefined)
      try {
        if ((await doing.run(row)) === false) return
        notify.success(doing.done)
        await onDone()
        focusAfter(index)
      } catch (error) {
        if (doing.failed) notify.error(doing.failed)
        setFailure(sentenceOf(error))
      } finally {
        setBusy(undefined)
      }
    },
  }
}

/** Whoever pressed a row's button goes on with the row that has taken its place, else with the search or the heading. */
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
