// List query: the query for a list, page by page, and the prefetching of its first page.
import type { InfiniteData } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import { callKind } from '#web/kit/call/call.ts'
import { keys, queryClient } from '#web/kit/call/query-client.ts'
import type { Search } from '#web/kit/navigation/search-params.ts'
import { listAddressIn, type ListAddress } from './list-address.ts'
import { firstQuestion, firstTurn, nextTurn, questionOf, type Page, type Turn } from './list-pages.ts'

interface Asking {
  pageParam: Turn
  signal: AbortSignal
}

export type Pages<R> = InfiniteData<Page<R>, Turn>

export const listQuery = <R extends { id: number }>(
  of: Endpoint,
  where: object,
  { q, filters, sort }: ListAddress,
  question: object,
) => ({
  queryKey: keys.list(of.path, where, { q, filters, sort }),
  initialPageParam: firstTurn,
  queryFn: ({ pageParam, signal }: Asking) => callKind<Page<R>>(of, { ...question, ...pageParam }, { signal }),
  getNextPageParam: nextTurn,
})

/** Fetches the first page of a list without parents before the code of its screen has loaded. */
export async function fetchListAhead(of: Endpoint, address: Search) {
  const asked = listAddressIn(address)
  if (firstQuestion(asked)) await queryClient.prefetchInfiniteQuery(listQuery(of, {}, asked, questionOf(asked, {}, {})))
}
