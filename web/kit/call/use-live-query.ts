// useLiveQuery: one answer that changes by itself, asked again by the clock while somebody can see it. That does not keep their
// session of the app alive.
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
  const question = JSON.stringify(ask)
  useEffect(() => {
    const gone = new AbortController()
    const queryKey = JSON.parse(name) as unknown[]
    const look = async () => {
      const state = queryClient.getQueryState(queryKey)
      if (document.visibilityState !== 'visible' || state?.status !== 'success' || state.fetchStatus !== 'idle') return
      const options = { signal: gone.signal, background: true }
      // What is shown stays where the next answer does not come; the one after it may.
      const now = await call(of, JSON.parse(question) as Input<E>, options).catch(() => undefined)
      // What somebody has done meanwhile is shown already; this answer may be from before.
      const isOvertaken = queryClient.getQueryState(queryKey) !== state
      if (now !== undefined && !gone.signal.aborted && !isOvertaken) queryClient.setQueryData(queryKey, now)
    }
    const timer = setInterval(() => void look(), every_ms)
    return () => {
      clearInterval(timer)
      gone.abort()
    }
  }, [of, name, question, every_ms])
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(of, ask, { signal }),
    refetchOnWindowFocus: true,
  })
}
