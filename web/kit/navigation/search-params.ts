// Search parameters: plain strings, as users write and share them. The router's own parser would read `?q=99` as a number
// and corrupt OAuth's `state` and `code`.
export type Search = Record<string, string | string[]>

/** A repeated name becomes a list. */
export function parseSearch(query: string): Search {
  const search: Search = {}
  for (const [name, value] of new URLSearchParams(query)) {
    const before = search[name]
    search[name] = before === undefined ? value : [before, value].flat()
  }
  return search
}

export function stringifySearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    for (const entry of Array.isArray(value) ? (value as unknown[]) : [value])
      if (entry !== undefined && entry !== null && entry !== '') query.append(name, String(entry))
  const text = query.toString()
  return text ? `?${text}` : ''
}

/** The first value of a name. */
export const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value
export const many = (value: string | string[] | undefined): string[] => (value === undefined ? [] : [value].flat())

/** A record's id from the address; undefined for anything that cannot be one. */
export function idIn(value: unknown): number | undefined {
  const text = Array.isArray(value) ? (value as unknown[])[0] : value
  const id = typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : undefined
  return id !== undefined && id >= 1 && id <= 2_147_483_647 ? id : undefined
}

export interface Place {
  pathname: string
  search: Search
}
/** For "Leave without saving?" on a screen: opening or closing a dialog over it stays on the same screen. */
export const sameScreen = (a: Place, b: Place): boolean =>
  a.pathname === b.pathname &&
  ('modal' in a.search ||
    'modal' in b.search ||
    (one(a.search['id']) === one(b.search['id']) && one(a.search['tab']) === one(b.search['tab'])))
/** The same in a dialog, which the values of its `keys` identify. */
export const sameDialog = (a: Place, b: Place, keys: readonly string[]): boolean =>
  a.pathname === b.pathname && keys.every((key) => one(a.search[key]) === one(b.search[key]))
