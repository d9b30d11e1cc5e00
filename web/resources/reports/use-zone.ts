// useZone: the company's time zone, by which its reports are sent; undefined until it is known.
import { useQuery } from '@tanstack/react-query'
import * as company from '#contract/company.ts'
import { call } from '#web/kit/call/call.ts'
import { useMayCall } from '#web/session/may.ts'

export function useZone(): string | undefined {
  const enabled = useMayCall(company.get)
  const { data } = useQuery({
    queryKey: [company.get.path],
    queryFn: ({ signal }) => call(company.get, {}, { signal }),
    enabled,
  })
  return data?.time_zone
}
