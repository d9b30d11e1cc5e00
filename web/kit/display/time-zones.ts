// Time zones: their names for display, and the options of a select.
import type { Option } from '#web/ui/select.tsx'

/** `America/New York`. */
export const zoneName = (zone: string) => zone.replaceAll('_', ' ')

/** The browser's time zone. */
export const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The country of this browser, by its time zone; undefined unless exactly one country has that zone. */
export function countryHere<C extends { time_zones: readonly string[] }>(countries: readonly C[]): C | undefined {
  const zone = zoneHere()
  const [one, ...more] = countries.filter(({ time_zones }) => time_zones.includes(zone))
  return more.length === 0 ? one : undefined
}

/** The zones of all countries, with the likely ones first; the chosen one is always included. */
export function zoneOptions(rows: object[], first: readonly string[], chosen: unknown): Option[] {
  const all = rows.flatMap((row) => ('time_zones' in row ? (row.time_zones as string[]) : []))
  const zones = new Set([...first, ...all.toSorted(), 'UTC', ...(typeof chosen === 'string' ? [chosen] : [])])
  return [...zones].map((zone) => ({ value: zone, label: zoneName(zone) }))
}
