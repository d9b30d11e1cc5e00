// Name options: rows as a select's entries. Two of one name are told apart by their numbers, and what is chosen stays
// among them, also where the loaded rows do not hold it.
import type { Name } from '#web/kit/call/names.ts'
import type { Option } from '#web/ui/select.tsx'

export interface Chosen {
  id: number
  /** Undefined while nobody knows it. */
  name: string | undefined
}

/** While rows are still coming, a chosen one without a name is left out: the select shows that it is on its way. */
export function optionsOf(rows: readonly Name[], chosen: readonly Chosen[], loading: boolean): Option[] {
  const known = new Set(rows.map(({ id }) => id))
  const absent = chosen
    .filter(({ id, name }) => !known.has(id) && (name !== undefined || !loading))
    .map(({ id, name }) => ({ id, name: name ?? `#${id}` }))
  const all = [...rows, ...absent]
  const seen = new Map<string, number>()
  for (const { name } of all) seen.set(name, (seen.get(name) ?? 0) + 1)
  const kept = new Set(absent.map(({ id }) => id))
  return all.map(({ id, name }) => ({
    value: String(id),
    label: (seen.get(name) ?? 0) > 1 && name !== `#${id}` ? `${name} (#${id})` : name,
    ...(kept.has(id) ? { isKept: true } : {}),
  }))
}
