// Today: the current date in the format of the API: `2026-11-21`.
import { useQuery } from '@tanstack/react-query'
import * as properties from '#contract/properties.ts'
import { call } from '#web/kit/call/call.ts'
import { keys } from '#web/kit/call/query-client.ts'

/** In the given time zone; without one, in the browser's. */
export const today = (timeZone?: string, now = new Date()): string =>
  // The Swedish locale formats dates like this.
  new Intl.DateTimeFormat('sv-SE', timeZone === undefined ? {} : { timeZone }).format(now)

/** Undefined until the property's time zone is loaded. */
export function useDayAt(property_id: number | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: keys.one(properties.get.path, property_id ?? 0),
    queryFn: ({ signal }) => call(properties.get, { id: property_id ?? 0 }, { signal }),
    enabled: property_id !== undefined,
  })
  return data && today(data.time_zone)
}
