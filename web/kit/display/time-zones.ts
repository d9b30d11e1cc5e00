// Time zones: their names, for people and for a select of all of them.
import type { Option } from '#web/ui/select.tsx'

/** `America/New York`. */
export const zoneName = (zone: string) => zone.replaceAll('_', ' ')

/** Those of all countries, what is nearer at hand before; the one that is chosen is always among them. */
export function zoneOptions(rows: object[], first: readonly string[], chosen: unknown): Option[] {
  const all = rows.flatMap((row) => ('time_zones' in row ? (row.time_zones as string[]) : []))
  const zones = new Set([...first, ...all.toSorted(), 'UTC', ...(typeof chosen === 'string' ? [chosen] : [])])
  return [...zones].map((zone) => ({ value: zone, label: zoneName(zone) }))
}
