// Time zones: their names, for people and for a select of all of them.
import type { Option } from '#web/ui/select.tsx'

/** `America/New York`. */
export const zoneName = (zone: string) => zone.replaceAll('_', ' ')

/** That of this browser's clock. */
export const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The country where this browser is, as far as its clock tells: that of the only one which has this zone. */
export function countryHere<C extends { time_zones: readonly string[] }>(countries: readonly C[]): C | undefined {
  const zone = zoneHere()
  const [one, ...more] = countries.filter(({ time_zones }) => time_zones.includes(zone))
  return more.length === 0 ? one : undefined
}

/** Those of all countries, what is nearer at hand before; the one that is chosen is always among them. */
export function zoneOptions(rows: object[], first: readonly string[], chosen: unknown): Option[] {
  const all = rows.flatMap((row) => ('time_zones' in row ? (row.time_zones as string[]) : []))
  const zones = new Set([...first, ...all.toSorted(), 'UTC', ...(typeof chosen === 'string' ? [chosen] : [])])
  return [...zones].map((zone) => ({ value: zone, label: zoneName(zone) }))
}
