// Zone of: the time zone in which something ends that is given at a property: the property's, else the company's, else the browser's.
import { useQuery } from '@tanstack/react-query'
import * as company from '#contract/company.ts'
import * as properties from '#contract/properties.ts'
import { call } from '#web/kit/call/call.ts'
import { keys } from '#web/kit/call/query-client.ts'
import { zoneHere } from '#web/kit/display/time-zones.ts'
import { useMayCall } from '#web/session/may.ts'
import { useOwnProperty } from '#web/session/session.ts'

/** Undefined while it is loading. @param property_id undefined: the user's own property, or none */
export function useZoneOf(property_id: number | undefined, isPlaceKnown = true): string | undefined {
  const ownProperty = useOwnProperty()
  const place = property_id ?? ownProperty
  const property = useQuery({
    queryKey: keys.one(properties.get.path, place ?? 0),
    queryFn: ({ signal }) => call(properties.get, { id: place ?? 0 }, { signal }),
    enabled: place !== undefined,
  })
  const customer = useQuery({
    queryKey: [company.get.path],
    queryFn: ({ signal }) => call(company.get, {}, { signal }),
    enabled: useMayCall(company.get) && isPlaceKnown && place === undefined,
  })
  const { data, isLoading } = place === undefined ? customer : property
  if (!isPlaceKnown || isLoading) return undefined
  return data?.time_zone ?? zoneHere()
}
