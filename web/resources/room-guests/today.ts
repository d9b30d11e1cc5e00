// Today: a day of the calendar as the API spells it: `2026-11-21`.
import { useQuery } from '@tanstack/react-query'
import * as properties from '#contract/properties.ts'
import { call } from '#web/kit/call/call.ts'
import { keys } from '#web/kit/call/query-client.ts'

/** At the property whose clock it is; without one, at the desk. */
export const today = (timeZone?: string, now = new Date()): string =>
  // The calendar of Sweden writes its days so.
  new Intl.DateTimeFormat('sv-SE', timeZone === undefined ? {} : { timeZone }).format(now)

/** Undefined until the property's clock is known. */
export function useDayAt(property_id: number | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: keys.one(properties.get.path, property_id ?? 0),
    queryFn: ({ signal }) => call(properties.get, { id: property_id ?? 0 }, { signal }),
    enabled: property_id !== undefined,
  })
  return data && today(data.time_zone)
}
