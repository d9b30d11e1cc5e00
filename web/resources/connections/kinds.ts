// Connection kinds: what the server says of each: what its companies are called, and what a connection to each is told.
import { useQuery } from '@tanstack/react-query'
import * as connections from '#contract/connections.ts'
import type { Output } from '#contract/endpoint.ts'
import { call } from '#web/kit/call/call.ts'

export type ConnectionKind = Output<typeof connections.kinds>[number]
export type Provider = ConnectionKind['providers'][number]

interface Named {
  kind: string
  integration_type: string
}

/** `providerOf`: undefined for what is connected elsewhere, or what only a later release knows. */
export function useKinds() {
  const { data, error, refetch } = useQuery({
    queryKey: ['connection kinds'],
    queryFn: ({ signal }) => call(connections.kinds, {}, { signal }),
    staleTime: 5 * 60_000,
  })
  const kinds = data ?? none
  const kindOf = ({ kind }: Pick<Named, 'kind'>) => kinds.find((one) => one.kind === kind)
  return {
    kinds,
    isLoading: data === undefined && !error,
    error: data === undefined ? error : null,
    again: () => void refetch(),
    providerOf: (of: Named): Provider | undefined =>
      kindOf(of)?.providers.find((one) => one.integration_type === of.integration_type),
    /** The company; of one that only a later release knows, what for. */
    systemOf: (of: Named): string => {
      const kind = kindOf(of)
      const company = kind?.companies.find((one) => one.integration_type === of.integration_type)
      return company?.name ?? kind?.name ?? of.integration_type
    },
  }
}
const none: ConnectionKind[] = []
