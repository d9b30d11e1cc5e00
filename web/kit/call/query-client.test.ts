// Query client: how a change is applied to what is already loaded.
import { onlineManager, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { forgetRecords, keys, queryClient } from './query-client.ts'

const page = (ids: number[], total: number) => ({
  data: ids.map((id) => ({ id })),
  meta: {
    total,
    from: 1,
    to: ids.length,
    per_page: 2,
    next_cursor: null,
    fetched_at: '2026-01-01T00:00:00Z',
    newer: 0,
  },
})

test('deleted rows are removed from the lists and subtracted from the totals of their page and of those before it', () => {
  const key = keys.list('/groups', {})
  queryClient.setQueryData(key, { pageParams: [], pages: [page([1, 2], 5), page([3, 4], 3), page([5], 1)] })
  forgetRecords('/groups', [2, 3, 9])
  const { pages } = queryClient.getQueryData<{ pages: ReturnType<typeof page>[] }>(key) ?? { pages: [] }
  expect(pages.map(({ data, meta }) => [data.map(({ id }) => id), meta.total, meta.to])).toEqual([
    [[1], 3, 1],
    [[4], 2, 1],
    [[5], 1, 1],
  ])
})

test('a deleted record is not fetched again by the page that is being left; what may mention it is, also another of its id', async () => {
  const fetched: unknown[] = []
  const observed = [
    keys.one('/groups', 7),
    keys.one('/group-versions', 7),
    keys.one('/groups', 8),
    keys.one('/rooms', 7),
    keys.names('/groups'),
  ]
  const unsubscribers = observed.map((queryKey) =>
    new QueryObserver(queryClient, {
      queryKey,
      initialData: {},
      staleTime: Infinity,
      queryFn: () => (fetched.push(queryKey), {}),
    }).subscribe(() => {}),
  )
  forgetRecords('/groups', [7], ['/groups', '/group-versions'])
  expect(fetched).toEqual([keys.one('/groups', 8), keys.one('/rooms', 7), keys.names('/groups')])
  expect(queryClient.getQueryState(keys.one('/groups', 7))?.isInvalidated).toBe(true)
  for (const unsubscribe of unsubscribers) unsubscribe()
})

test('without a network a query fails like any other without a response, and is fetched again once there is one', async () => {
  queryClient.mount()
  onlineManager.setOnline(false)
  const names = new QueryObserver(queryClient, {
    queryKey: keys.names('/packages-list'),
    queryFn: () => (onlineManager.isOnline() ? ['Evening'] : Promise.reject(new Error('No response'))),
  })
  const unsubscribe = names.subscribe(() => {})
  await expect.poll(() => names.getCurrentResult().status).toBe('error')
  onlineManager.setOnline(true)
  await expect.poll(() => names.getCurrentResult().data).toEqual(['Evening'])
  unsubscribe()
  queryClient.unmount()
})
