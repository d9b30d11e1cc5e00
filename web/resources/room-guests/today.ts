// Today: the current date in the format of the API: `2026-11-21`.
import * as properties from '#contract/properties.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'

/** In the given time zone; without one, in the browser's. */
export const today = (timeZone?: string, now = new Date()): string =>
  // The Swedish locale formats dates like this.
  new Intl.DateTimeFormat('sv-SE', timeZone === undefined ? {} : { timeZone }).format(now)

/** Undefined until the property's time zone is loaded. Throws, as its record does, if that cannot be. */
export function useDayAt(property_id: number | undefined): string | undefined {
  const property = useRecord(properties, property_id)
  return property && today(property.time_zone)
}
