// Query client: the cache of what has been loaded, cleared when the user leaves; and how a change is applied to it.
import { QueryClient, type InfiniteData, type QueryKey } from '@tanstack/react-query'
import type { ListMeta } from '#contract/shapes.ts'
import { Refused } from './call.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      // Without a network a call fails like any other that has no response, so that the screen says so; the library would wait silently.
      networkMode: 'always',
      // What failed without saying so, such as the names of a select, is fetched once the browser is online again.
      refetchOnReconnect: true,
      refetchOnWindowFocus: false,
      // Only temporary failures are retried: no response, or a busy server.
      retry: (failures, error) =>
        error instanceof Refused && (error.status === 0 || error.status === 503) && failures < 2,
      retryDelay: (failures, error) =>
        error instanceof Refused && error.retry_after_s
          ? Math.min(error.retry_after_s, 10) * 1000
          : 800 * 2 ** failures,
    },
  },
})

/** Keys: `['list', path, …]`, `['names', path]`, `['one', path, id]`. */
export const keys = {
  list: (path: string, ...rest: unknown[]) => ['list', path, ...rest],
  names: (path: string) => ['names', path],
  one: (path: string, id: number) => ['one', path, id],
}

interface Row {
  id: number
}
type Pages = InfiniteData<{ data: Row[]; meta: ListMeta }>

const eachList = (path: string, turn: (rows: Row[]) => Row[]) =>
  queryClient.setQueriesData<Pages>({ queryKey: keys.list(path) }, (loaded) =>
    loaded?.pages ? { ...loaded, pages: loaded.pages.map((page) => ({ ...page, data: turn(page.data) })) } : loaded,
  )

/** Only the fields that the row already shows: a list's row is a part of its entity. */
const overlay = (row: Row, fields: object): Row => ({
  ...row,
  ...Object.fromEntries(Object.entries(fields).filter(([name]) => name in row)),
})

/** Updates a changed record in every loaded list, so that going back needs no reload and keeps the position. */
export const patchRow = (path: string, id: number, fields: object) =>
  eachList(path, (rows) => rows.map((row) => (row.id === id ? overlay(row, fields) : row)))
export function patchRows(path: string, ids: readonly number[], fields: object) {
  const changed = new Set(ids)
  eachList(path, (rows) => rows.map((row) => (changed.has(row.id) ? overlay(row, fields) : row)))
}
/** Also adjusts the totals: a page's total counts its own rows and those of the pages after it. */
function dropRows(path: string, ids: readonly number[]) {
  const gone = new Set(ids)
  queryClient.setQueriesData<Pages>({ queryKey: keys.list(path) }, (loaded) => {
    if (!loaded?.pages) return loaded
    let fewer = 0
    const pages = loaded.pages.toReversed().map(({ data, meta }) => {
      const left = data.filter((row) => !gone.has(row.id))
      const dropped = data.length - left.length
      fewer += dropped
      return { data: left, meta: { ...meta, total: Math.max(0, meta.total - fewer), to: meta.to - dropped } }
    })
    return { ...loaded, pages: pages.toReversed() }
  })
}
/** After a create: lists start again at their top, where the new record is. */
export const forgetLists = (path: string) => {
  queryClient.removeQueries({ queryKey: keys.list(path), type: 'inactive' })
  void queryClient.resetQueries({ queryKey: keys.list(path), type: 'active' })
}
/** After a change of one record: its page and its row show the server's answer at once. */
export function showChange(paths: { one?: string; list?: string }, id: number, record: object) {
  if (paths.one !== undefined) queryClient.setQueryData(keys.one(paths.one, id), record)
  if (paths.list !== undefined) patchRow(paths.list, id, record)
  invalidateOthers()
}
/** Puts the server's answer to a change into a query, without fetching it again. */
export const showAnswer = <Answer>(queryKey: QueryKey, turn: (shown: Answer | undefined) => Answer | undefined) =>
  void queryClient.setQueryData<Answer>(queryKey, turn)
/** Fetches a query again: now if it is in use, else at its next use. */
export const invalidateQuery = (queryKey: QueryKey): Promise<void> => queryClient.invalidateQueries({ queryKey })
/** After any change: names, counts and other lists may be affected and are fetched again at their next use. */
export const invalidateOthers = () => invalidateExcept(() => false)
/**
 * After a deletion: the rows disappear at once, and the page of a deleted record, which is being left, does not fetch it again: what
 * was asked by its id at the paths `own`. Nor does anything at the path `goneWith`, whose records may have ended with it.
 */
export function forgetRecords(
  listPath: string,
  ids: readonly number[],
  own: readonly string[] = [],
  goneWith?: string,
) {
  dropRows(listPath, ids)
  const gone = new Set<unknown>(ids)
  invalidateExcept(
    ([kind, path, id]) => kind === 'one' && (path === goneWith || (gone.has(id) && own.includes(String(path)))),
  )
}
/** Marks everything as stale. What is in use is fetched again now, except for lists and queries that are to `wait` for their next use. */
function invalidateExcept(wait: (key: QueryKey) => boolean) {
  const waits = ({ queryKey }: { queryKey: QueryKey }) => queryKey[0] === 'list' || wait(queryKey)
  void queryClient.invalidateQueries({ predicate: (query) => !waits(query) })
  void queryClient.invalidateQueries({ predicate: waits, refetchType: 'none' })
}
