// Options: the rows that a select offers, asked for as one types: the first page at once, the rest by search. What
// already fits on one page is searched without asking again.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ListMeta } from '#contract/shapes.ts'
import { useMayCall } from '#web/session/may.ts'
import { callKind } from './call.ts'
import { useNames, type Name } from './names.ts'
import { keys, queryClient } from './query-client.ts'

/** One page of a list of names; beyond it one types. */
const page_rows = 100
/** Between two keys of somebody who types. */
const typing_ms = 220

/** Parents that narrow the rows: `{ property_id: 7 }`. */
export type Parents = Record<string, number | string | undefined>

export interface Offered {
  rows: Name[]
  /** The first rows are still coming. */
  loading: boolean
  /** There are more than these: one finds them by typing. */
  more: boolean
  /** What has been typed is asked of the server; without it, all rows are here. */
  search: ((typed: string) => void) | undefined
  /** The word that the rows are the server's answer to; the first page answers an empty one. */
  answers: string
  /** What was typed last could not be asked. */
  failed: boolean
}

interface Page {
  data: Name[]
  meta: ListMeta
}

/** Every `-list` path answers GET with all names, up to 5,000, and POST with the list protocol. */
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

/** What is found stands by name, so that one called just what is typed is on the first page; else the newest first. */
const orderOf = (searchValue: string, sort: string | undefined) => {
  if (sort !== undefined) return { sort }
  return searchValue === '' ? {} : { sort: 'name' }
}

const pageQuery = (from: Endpoint, params: object, searchValue: string, sort: string | undefined) => ({
  // Stale with all other names, once anything has been changed.
  queryKey: [...keys.names(from.path), params, searchValue],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    callKind<Page>(
      asList(from),
      { params, searchValue, per_page: page_rows, ...orderOf(searchValue, sort) },
      { signal },
    ),
})

/** The rows of a `-list` endpoint by page and search, in the order of `sort`; all rows of any other look-up. */
export function useOffered(from: Endpoint, parents: Parents = {}, sort?: string): Offered {
  const paged = isList(from)
  // Whoever may not read them sees the chosen one's name in the record.
  const mayRead = useMayCall(from)
  const params = Object.fromEntries(Object.entries(parents).filter(([, id]) => id !== undefined))
  const [typed, setTyped] = useState('')
  const asked = useDebounced(typed.trim(), typing_ms)
  const first = useQuery({
    ...pageQuery(from, params, '', sort),
    enabled: paged && mayRead,
    // Where there is nothing yet, it is made in another tab: whoever comes back finds it here.
    refetchOnWindowFocus: ({ state }) => (state.data?.data.length === 0 ? 'always' : false),
  })
  const whole = first.data !== undefined && first.data.meta.total <= first.data.data.length && !first.data.meta.more
  const sought = useQuery({
    ...pageQuery(from, params, asked, sort),
    enabled: paged && mayRead && !whole && asked !== '',
  })
  const all = useNames(paged ? undefined : from)
  if (!paged) {
    return { rows: all, loading: all.length === 0, more: false, search: undefined, answers: '', failed: false }
  }
  const answer = asked !== '' && !whole ? sought.data : undefined
  const found = answer ?? first.data
  return {
    rows: whole ? (found?.data ?? []).toSorted(byName) : (found?.data ?? []),
    loading: mayRead && found === undefined && first.isPending,
    more: found !== undefined && found.meta.total > found.data.length,
    // Also before the first page is there: what is typed meanwhile is kept.
    search: whole || !mayRead ? undefined : setTyped,
    answers: answer === undefined ? '' : asked,
    failed: first.isError || (asked !== '' && sought.isError),
  }
}

/** The names of the rows that have been seen on some page, or among all names, since the app was opened. */
function namesSeen(from: Endpoint): Map<number, string> {
  const seen = queryClient.getQueriesData<Name[] | Page>({ queryKey: keys.names(from.path) })
  const rows = seen.flatMap(([, data]) => (Array.isArray(data) ? data : (data?.data ?? [])))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export const nameSeen = (from: Endpoint, id: number): string | undefined => namesSeen(from).get(id)

/** The names of what is chosen. Where the pages that were asked for lack one, all names are asked for at once. */
export function useNamesOf(from: Endpoint, ids: readonly number[]): { names: Map<number, string>; loading: boolean } {
  const seen = namesSeen(from)
  const unknown = isList(from) && ids.some((id) => !seen.has(id))
  const all = useNames(unknown ? from : undefined)
  return { names: seen, loading: unknown && all.length === 0 }
}
