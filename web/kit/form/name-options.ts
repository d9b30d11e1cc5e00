// Name options: rows as a select's options. Rows of the same name are distinguished by their ids, and what is chosen is always
// among them, even if the loaded rows do not contain it.
import type { Name } from '#web/kit/call/names.ts'
import type { Option } from '#web/ui/select.tsx'

export interface Chosen {
  id: number
  /** Undefined until it is known. */
  name: string | undefined
}

/** While rows are loading, a chosen one without a name is left out: the select shows a skeleton for it. */
export function optionsOf(rows: readonly Name[], chosen: readonly Chosen[], loading: boolean): Option[] {
  const known = new Set(rows.map(({ id }) => id))
  const absent = chosen
    .filter(({ id, name }) => !known.has(id) && (name !== undefined || !loading))
    .map(({ id, name }) => ({ id, name: name ?? `#${id}` }))
  const all = [...rows, ...absent]
  const counts = new Map<string, number>()
  for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1)
  const kept = new Set(absent.map(({ id }) => id))
  return all.map(({ id, name }) => ({
    value: String(id),
    label: (counts.get(name) ?? 0) > 1 && name !== `#${id}` ? `${name} (#${id})` : name,
    ...(kept.has(id) ? { isKept: true } : {}),
  }))
}
