// useList: the list protocol of the API (DECISIONS §3) for components: rows, more rows, search, filters, order.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { constants } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ListMeta } from '#contract/shapes.ts'
import { callKind } from '#web/kit/call/call.ts'
import { queryClient } from '#web/kit/call/query-client.ts'
import { go } from '#web/kit/navigation/go.ts'
import { useScreenPath, useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { stringifySearch } from '#web/kit/navigation/search-params.ts'
import { listAddressIn, withListAddress, type ListAddress } from './list-address.ts'
import { firstTurn, questionOf, type Page, type Turn } from './list-pages.ts'
import { listQuery, type Pages } from './list-query.ts'
import { refreshRows, rows_looked_at_max } from './refresh-rows.ts'
import { isSelectable, type Filters, type Row, type Where } from './list-types.ts'
import { useExactTotal, useNewer } from './use-newer.ts'
import { useSearch, type ListSearch } from './use-search.ts'

export interface ListState<R> {
  /** The rows to show: all that are loaded, or those that match the typed text. */
  rows: R[]
  loaded: R[]
  /** The number of matching rows, loaded or not; `moreThanTotal` if the server stopped counting. */
  total: number
  moreThanTotal: boolean
  state: 'loading' | 'failed' | 'ready'
  error: unknown
  retry: () => void
  hasMore: boolean
  loadingMore: boolean
  loadMore: () => void
  /** The number of rows created since the list was loaded. */
  newer: number
  /** Starts again at the first page. */
  refresh: () => void
  /** Refreshes the loaded rows, or the first of them if there are many, in the background; resolves to the number of newer rows. */
  look: (signal: AbortSignal) => Promise<number>
  /** Replaces the loaded rows by the present first page, in the background. */
  renew: (signal: AbortSignal) => Promise<void>
  /** Of its first page, once it is loaded. */
  meta: ListMeta | undefined
  asked: ListAddress
  /** What the shown rows answer, wherever they were found, as a request to the server without its pages. */
  question: object
  ask: (change: Partial<ListAddress>) => void
  search: ListSearch<R>
  /** The rows are searched in the browser, not by the server. */
  narrowedHere: boolean
  /** All matching rows that can be selected, up to the limit of one call, and whether there are more. */
  matching: (progress: (rows: number) => void, signal: AbortSignal) => Promise<{ rows: R[]; cut: boolean }>
}

/**
 * @param of    a list endpoint of the contract, such as `groups.list`
 * @param where the parents it is narrowed to
 * @param filters the filters that the address may have
 * @param defaults.searchKey the field by which typing searches the loaded rows
 * @param defaults.sort the order until another is chosen
 */
export function useList<E extends Endpoint>(
  of: E,
  where: Where<E>,
  filters: Filters<E>,
  { searchKey = 'name', sort }: { searchKey?: string | undefined; sort?: string | undefined } = {},
): ListState<Row<E>> {
  const address = useScreenSearch()
  const pathname = useScreenPath()
  const chosen = useMemo(() => listAddressIn(address), [address])
  const asked = useMemo(() => ({ ...chosen, sort: chosen.sort ?? sort }), [chosen, sort])
  const question = questionOf(asked, where, filters)
  const asking = listQuery<Row<E>>(of, where, asked, question)
  const fetchPage = (body: object, signal?: AbortSignal) =>
    callKind<Page<Row<E>>>(of, { ...question, ...body }, { signal })

  const query = useInfiniteQuery<Page<Row<E>>, Error, Pages<Row<E>>, unknown[], Turn>(asking)
  const loaded = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data])
  const ask = (change: Partial<ListAddress>, replace = false) => {
    // A delayed search must not bring the user back who has moved on to another screen.
    if (window.location.pathname !== pathname) return
    // What was found among the rows of one search was not found among those of another.
    const find = change.q === undefined ? chosen.find : ''
    go(pathname + stringifySearch(withListAddress(address, { ...chosen, find, ...change })), { replace })
  }
  const search = useSearch({
    rows: loaded,
    key: searchKey,
    asked,
    ask,
    loading: !query.data,
  })
  const pages = query.data?.pages
  const meta = pages?.[0]?.meta
  const newerByPages = pages && pages.length > 1 ? (pages.at(-1)?.meta.newer ?? 0) : 0
  const [looked, setLooked] = useState({ since: '', newer: 0 })
  const seen = looked.since === meta?.fetched_at ? looked.newer : 0
  const newer = useNewer(of, question, meta?.fetched_at, newerByPages)
  const exact = useExactTotal(of, question, meta?.more === true)

  return {
    rows: search.found ?? loaded,
    loaded,
    total: exact?.total ?? meta?.total ?? 0,
    moreThanTotal: (exact ?? meta)?.more ?? false,
    state: query.data ? 'ready' : query.isError ? 'failed' : 'loading',
    error: query.error,
    retry: () => void (query.data ? query.fetchNextPage() : query.refetch()),
    hasMore: query.hasNextPage,
    loadingMore: query.isFetchingNextPage,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetchingNextPage && !query.isFetchNextPageError) void query.fetchNextPage()
    },
    newer: Math.max(newer, seen),
    look: async (signal) => {
      const since = meta?.fetched_at
      if (!since || query.isFetching) return 0
      const per_page = Math.min(Math.max(loaded.length, constants.list.page_rows), rows_looked_at_max)
      const page = await callKind<Page<Row<E>>>(
        of,
        { ...question, lastFetchedAt: since, per_page },
        { signal, background: true },
      )
      queryClient.setQueryData<Pages<Row<E>>>(asking.queryKey, (shown) =>
        shown?.pages[0]?.meta.fetched_at === since ? refreshRows(shown, page) : shown,
      )
      setLooked({ since, newer: page.meta.newer })
      return page.meta.newer
    },
    renew: async (signal) => {
      const page = await callKind<Page<Row<E>>>(of, { ...question, ...firstTurn }, { signal, background: true })
      queryClient.setQueryData<Pages<Row<E>>>(asking.queryKey, { pages: [page], pageParams: [firstTurn] })
    },
    refresh: () => {
      window.scrollTo({ top: 0 })
      void queryClient.resetQueries({ queryKey: asking.queryKey })
    },
    meta,
    asked,
    question: search.found ? questionOf({ ...asked, q: asked.find }, where, filters) : question,
    ask,
    search,
    narrowedHere: search.found !== undefined,
    matching: async (progress, signal) => {
      const { excluded_ids_max: rows_max, page_rows_max: per_page } = constants.list
      const rows: Row<E>[] = []
      let page: Page<Row<E>> | undefined
      do {
        const turn = page ? { cursor: page.meta.next_cursor, lastFetchedAt: meta?.fetched_at ?? null } : {}
        page = await fetchPage({ ...activeOnly(question, filters), per_page, ...turn }, signal)
        rows.push(...page.data.filter(isSelectable))
        progress(Math.min(rows.length, rows_max))
      } while (page.meta.next_cursor !== null && rows.length < rows_max)
      return { rows: rows.slice(0, rows_max), cut: rows.length > rows_max || page.meta.next_cursor !== null }
    },
  }
}

/** If the list can be filtered by status, requests only rows that can be selected. */
const activeOnly = (question: { filters: Record<string, unknown> }, filters: object) =>
  'status' in filters ? { filters: { ...question.filters, status: ['active'] } } : {}
