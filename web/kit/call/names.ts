// Names: look-up rows, loaded once and cached: countries, groups, packages. They fill selects and filters.
import { useQuery } from '@tanstack/react-query'
import { callKind } from './call.ts'
import { keys, queryClient } from './query-client.ts'
import { useMayCall } from '#web/session/may.ts'
import type { Endpoint } from '#contract/endpoint.ts'

export interface Name {
  id: number
  name: string
  status?: string
}

const query = <N extends Name>(endpoint: Endpoint) => ({
  queryKey: keys.names(endpoint.path),
  queryFn: ({ signal }: { signal: AbortSignal }) => callKind<N[]>(endpoint, {}, { signal }),
  staleTime: 5 * 60_000,
  gcTime: Infinity,
})

/** The rows of a GET `-list` or reference endpoint; empty until loaded, and for users who may not read them. */
export const useNames = <N extends Name = Name>(endpoint: Endpoint | undefined): N[] =>
  useNamesLoaded<N>(endpoint).names

/**
 * The same where a screen cannot go on without them: `error` says that they could not be loaded, and `again` tries it once more. `loaded`:
 * there are no others. `loading`: an answer is still to come, which it never is for users who may not read them.
 */
export function useNamesLoaded<N extends Name = Name>(endpoint: Endpoint | undefined) {
  const mayRead = useMayCall(endpoint ?? none)
  const { data, error, isLoading, refetch } = useQuery({
    ...query<N>(endpoint ?? none),
    enabled: endpoint !== undefined && mayRead,
  })
  return { names: data ?? noNames, loaded: data !== undefined, loading: isLoading, error, again: () => void refetch() }
}

/** Loads them unless they are cached. Rejects if the call fails. */
export const loadNames = (endpoint: Endpoint): Promise<Name[]> => queryClient.ensureQueryData(query<Name>(endpoint))

const noNames: never[] = []
const none = { path: '' } as Endpoint
