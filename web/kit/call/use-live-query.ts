// useLiveQuery: a query for data that changes by itself, refreshed periodically while the page is visible. This does not keep the
// user's session alive.
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Endpoint, Input, Output } from '#contract/endpoint.ts'
import { call } from './call.ts'
import { queryClient } from './query-client.ts'

export function useLiveQuery<E extends Endpoint>(
  of: E,
  ask: Input<E>,
  { key, every_ms }: { key: readonly unknown[]; every_ms: number },
): UseQueryResult<Output<E>> {
  const name = JSON.stringify(key)
  const askText = JSON.stringify(ask)
  useEffect(() => {
    const controller = new AbortController()
    const queryKey = JSON.parse(name) as unknown[]
    const refresh = async () => {
      const state = queryClient.getQueryState(queryKey)
      if (document.visibilityState !== 'visible' || state?.status !== 'success' || state.fetchStatus !== 'idle') return
      const options = { signal: controller.signal, background: true }
      // If it fails, the shown data stays; the next refresh may succeed.
      const now = await call(of, JSON.parse(askText) as Input<E>, options).catch(() => undefined)
      // If the user has changed the data meanwhile, this response may be older than what is shown.
      const isOvertaken = queryClient.getQueryState(queryKey) !== state
      if (now !== undefined && !controller.signal.aborted && !isOvertaken) queryClient.setQueryData(queryKey, now)
    }
    const timer = setInterval(() => void refresh(), every_ms)
    return () => {
      clearInterval(timer)
      controller.abort()
    }
  }, [of, name, askText, every_ms])
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(of, ask, { signal }),
    refetchOnWindowFocus: true,
  })
}
