// Options: the rows that a select offers: the first page at once, the rest by searching while typing. If all rows fit on one
// page, they are searched in the browser.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ListMeta } from '#contract/shapes.ts'
import { useMayCall } from '#web/session/may.ts'
import { callKind } from './call.ts'
import { useNames, useNamesLoaded, type Name } from './names.ts'
import { keys, queryClient } from './query-client.ts'

/** One page of a list of names; further rows are found by typing. */
const page_rows = 100
/** The pause after the last key before searching. */
const typing_ms = 220

/** Parents that narrow the rows: `{ property_id: 7 }`. */
export type Parents = Record<string, number | string | undefined>

export interface Offered<N extends Name = Name> {
  rows: N[]
  /** The first rows are still loading. */
  loading: boolean
  /** There are more than these, found by typing. */
  more: boolean
  /** Searches on the server; undefined if all rows are loaded. */
  search: ((typed: string) => void) | undefined
  /** The search text that the rows are the result of; empty for the first page. */
  answers: string
  /** The last search failed. */
  failed: boolean
}

/** There is nothing to choose, also not by searching. */
export const isKnownEmpty = ({ rows, loading, failed, answers }: Offered) =>
  rows.length === 0 && !loading && !failed && answers === ''

interface Page<N extends Name = Name> {
  data: N[]
  meta: ListMeta
}

/** Every `-list` path returns all names, up to 5,000, for GET, and follows the list protocol for POST. */
const isList = ({ path }: Endpoint) => path.endsWith('-list')
const asList = (endpoint: Endpoint): Endpoint => ({ ...endpoint, method: 'POST', takes: 'json' })

const byName = (a: Name, b: Name) => a.name.localeCompare(b.name, undefined, { numeric: true })

export function useDebounced(value: string, wait_ms: number): string {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), value === '' ? 0 : wait_ms)
    return () => clearTimeout(timer)
  }, [value, wait_ms])
  return settled
}

/** Search results are ordered by name, so that an exact match is on the first page; otherwise the newest come first. */
const orderOf = (searchValue: string, sort: string | undefined) => {
  if (sort !== undefined) return { sort }
  return searchValue === '' ? {} : { sort: 'name' }
}

const pageQuery = <N extends Name>(from: Endpoint, params: object, searchValue: string, sort: string | undefined) => ({
  // Under the key of names, so that it goes stale together with all names after any change.
  queryKey: [...keys.names(from.path), params, searchValue],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    callKind<Page<N>>(
      asList(from),
      { params, searchValue, per_page: page_rows, ...orderOf(searchValue, sort) },
      { signal },
    ),
})

/**
 * The rows of a `-list` endpoint by page and search, in the order of `sort`; all rows of any other look-up. `N`: a row of the
 * endpoint, where more of it is needed than its name.
 */
export function useOffered<N extends Name = Name>(from: Endpoint, parents: Parents = {}, sort?: string): Offered<N> {
  const paged = isList(from)
  // Users who may not read the rows still see the chosen one's name, from the record.
  const mayRead = useMayCall(from)
  const params = Object.fromEntries(Object.entries(parents).filter(([, id]) => id !== undefined))
  const [typed, setTyped] = useState('')
  const searched = useDebounced(typed.trim(), typing_ms)
  const first = useQuery({
    ...pageQuery<N>(from, params, '', sort),
    enabled: paged && mayRead,
    // If there are no rows, the user may create one in another tab and come back.
    refetchOnWindowFocus: ({ state }) => (state.data?.data.length === 0 ? 'always' : false),
  })
  const whole = first.data !== undefined && first.data.meta.total <= first.data.data.length && !first.data.meta.more
  const search = useQuery({
    ...pageQuery<N>(from, params, searched, sort),
    enabled: paged && mayRead && !whole && searched !== '',
  })
  const all = useNames<N>(paged ? undefined : from)
  if (!paged) {
    return { rows: all, loading: all.length === 0, more: false, search: undefined, answers: '', failed: false }
  }
  const answer = searched !== '' && !whole ? search.data : undefined
  const found = answer ?? first.data
  return {
    rows: whole ? (found?.data ?? []).toSorted(byName) : (found?.data ?? []),
    loading: mayRead && found === undefined && first.isPending,
    more: found !== undefined && found.meta.total > found.data.length,
    // Also before the first page has loaded, so that nothing typed meanwhile is lost.
    search: whole || !mayRead ? undefined : setTyped,
    answers: answer === undefined ? '' : searched,
    failed: first.isError || (searched !== '' && search.isError),
  }
}

/** All names that have been loaded since the app was opened, by page or all at once. */
function namesSeen(from: Endpoint): Map<number, string> {
  const seen = queryClient.getQueriesData<Name[] | Page>({ queryKey: keys.names(from.path) })
  const rows = seen.flatMap(([, data]) => (Array.isArray(data) ? data : (data?.data ?? [])))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export const nameSeen = (from: Endpoint, id: number): string | undefined => namesSeen(from).get(id)

/** The names of the chosen rows. If one has not been loaded, all names are fetched at once. */
export function useNamesOf(from: Endpoint, ids: readonly number[]): { names: Map<number, string>; loading: boolean } {
  const seen = namesSeen(from)
  const unknown = ids.some((id) => !seen.has(id))
  const { loading } = useNamesLoaded(unknown ? from : undefined)
  return { names: seen, loading }
}
