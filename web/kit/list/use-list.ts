// useList: the list protocol of the API (DECISIONS §3) as a component sees it: rows, more rows, search, filters, order.
import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { constants } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ListMeta } from '#contract/shapes.ts'
import { call } from '#web/kit/call/call.ts'
import { isSearchable, fuzzy, loadFuse } from './fuzzy.ts'
import { go } from '#web/kit/navigation/go.ts'
import { askedIn, withAsked, type Asked } from './list-address.ts'
import type { Filters, Row, Where } from './list-types.ts'
import { keys, queryClient } from '#web/kit/call/query-client.ts'
import { stringifySearch, type Search } from '#web/kit/navigation/search-params.ts'

interface Page<R> {
  data: R[]
  meta: ListMeta
}
interface Turn {
  cursor: string | null
  lastFetchedAt: string | null
}
const first: Turn = { cursor: null, lastFetchedAt: null }

/** A list has been fetched whole when its total equals what was given, or is 0. */
export function nextTurn(page: Page<unknown>, pages: readonly Page<unknown>[]): Turn | undefined {
  const { total, to, next_cursor, more } = page.meta
  if (next_cursor === null || total === 0 || (total === to && !more)) return undefined
  return { cursor: next_cursor, lastFetchedAt: pages[0]?.meta.fetched_at ?? null }
}

/** Values of the address as the endpoint takes them: ids as numbers, texts as they are. */
export function filtersAsk(
  asked: Asked['filters'],
  known: Record<string, { kind: string; options?: unknown } | undefined>,
): Record<string, unknown> {
  const ask: Record<string, unknown> = {}
  for (const [name, values] of Object.entries(asked)) {
    const filter = known[name]
    // An old link may name a filter that is gone; the server would refuse the whole list for it.
    if (!filter || values.length === 0) continue
    const typed =
      filter.options !== undefined && !Array.isArray(filter.options)
        ? values.map(Number).filter(Number.isInteger)
        : values
    ask[name] = filter.kind === 'checkbox' ? typed : typed[0]
  }
  return ask
}

export interface ListState<R> {
  /** The rows to show: all that are loaded, or those that fit what is being typed. */
  rows: R[]
  loaded: number
  /** All rows that fit the question, loaded or not; `moreThanTotal` when the server stopped counting. */
  total: number
  moreThanTotal: boolean
  state: 'loading' | 'failed' | 'ready'
  error: unknown
  retry: () => void
  hasMore: boolean
  loadingMore: boolean
  loadMore: () => void
  /** Rows made since the list was loaded. */
  newer: number
  /** Begins again at the first page. */
  refresh: () => void
  asked: Asked
  ask: (change: Partial<Asked>) => void
  typed: string
  type: (text: string) => void
  /** The rows shown are filtered here, by what is typed, and not by the server. */
  narrowedHere: boolean
}

/**
 * @param of    a list endpoint of the contract, such as `groups.list`
 * @param where the parents it is narrowed to
 * @param filters the filters that the address may carry
 * @param searchKey the field that typing searches among the loaded rows
 */
export function useList<E extends Endpoint>(
  of: E,
  where: Where<E>,
  filters: Filters<E>,
  searchKey = 'name',
): ListState<Row<E>> {
  const search = useRouterState({ select: (state) => state.location.search as Search })
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const asked = useMemo(() => askedIn(search), [search])
  const queryKey = keys.list(of.path, where, asked)

  const query = useInfiniteQuery<Page<Row<E>>, Error, InfiniteData<Page<Row<E>>>, unknown[], Turn>({
    queryKey,
    initialPageParam: first,
    queryFn: ({ pageParam, signal }) => {
      const body = {
        ...pageParam,
        searchValue: asked.q || null,
        params: where,
        filters: filtersAsk(asked.filters, filters),
        ...(asked.sort ? { sort: asked.sort } : {}),
      }
      return call(of, body as never, { signal }) as unknown as Promise<Page<Row<E>>>
    },
    getNextPageParam: nextTurn,
  })

  const loadedRows = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data])
  const [typed, setTyped] = useState(asked.q)
  useEffect(() => setTyped(asked.q), [asked.q])
  const found = useFuzzy(loadedRows, typed === asked.q ? '' : typed, searchKey)
  const newer = useNewer(of, where, query.data?.pages)

  const ask = (change: Partial<Asked>) => go(pathname + stringifySearch(withAsked(search, { ...asked, ...change })))
  const meta = query.data?.pages[0]?.meta
  return {
    rows: found ?? loadedRows,
    loaded: loadedRows.length,
    total: meta?.total ?? 0,
    moreThanTotal: meta?.more ?? false,
    state: query.data ? 'ready' : query.isError ? 'failed' : 'loading',
    error: query.error,
    retry: () => void (query.data ? query.fetchNextPage() : query.refetch()),
    hasMore: query.hasNextPage,
    loadingMore: query.isFetchingNextPage,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetchingNextPage && !query.isFetchNextPageError) void query.fetchNextPage()
    },
    newer,
    refresh: () => {
      window.scrollTo({ top: 0 })
      void queryClient.resetQueries({ queryKey })
    },
    asked,
    ask,
    typed,
    type: setTyped,
    narrowedHere: found !== undefined,
  }
}

/** The matching rows, half a second after the last key; undefined while nothing is searched here. */
function useFuzzy<R>(rows: R[], text: string, key: string): R[] | undefined {
  const [settled, setSettled] = useState('')
  const [Fuse, setFuse] = useState<Awaited<ReturnType<typeof loadFuse>>>()
  useEffect(() => {
    if (!isSearchable(text)) return setSettled('')
    const timer = setTimeout(() => {
      setSettled(text)
      // Offline, typing does not search; Enter still asks the server and tells what is wrong.
      void loadFuse().then(
        (loaded) => setFuse(() => loaded),
        () => undefined,
      )
    }, constants.search.debounce_ms)
    return () => clearTimeout(timer)
  }, [text])
  return useMemo(() => (settled && Fuse ? fuzzy(Fuse, rows, settled, key) : undefined), [Fuse, key, rows, settled])
}

const look_again_ms = 30_000

/** Asks when one comes back to the window, not by the clock: resting sessions must be able to end. */
function useNewer<E extends Endpoint>(of: E, where: Where<E>, pages: Page<Row<E>>[] | undefined): number {
  const [counted, setCounted] = useState({ since: '', newer: 0 })
  const since = pages?.[0]?.meta.fetched_at
  const parents = JSON.stringify(where)
  useEffect(() => {
    if (!since) return
    let asked_at = Date.now()
    const look = () => {
      if (document.visibilityState !== 'visible' || Date.now() - asked_at < look_again_ms) return
      asked_at = Date.now()
      const body = { lastFetchedAt: since, per_page: 1, params: JSON.parse(parents) as unknown }
      call(of, body as never)
        .then((page) => setCounted({ since, newer: (page as unknown as Page<Row<E>>).meta.newer }))
        .catch(() => undefined)
    }
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [of, parents, since])
  const toldByPages = pages?.at(-1)?.meta.newer ?? 0
  return Math.max(counted.since === since ? counted.newer : 0, pages && pages.length > 1 ? toldByPages : 0)
}
