// List address: search, filters and order of a list in the address, so that a list can be shared and Back works.
//
// `?q=hotel&find=hotel+am&filter.status=active&filter.status=draft&sort=-name`. Filters have a prefix, as the id of an open dialog
// may have the same name as a filter.
import { many, one, type Search } from '#web/kit/navigation/search-params.ts'

export interface ListAddress {
  /** The text that the server searches for. */
  q: string
  /** The text that was then found among the loaded rows, without asking the server again. */
  find: string
  filters: Record<string, string[]>
  sort: string | undefined
}

const prefix = 'filter.'
/** The value for "is empty"; in the call it is null. */
export const noneValue = 'none'

export function listAddressIn(search: Search): ListAddress {
  const filters: ListAddress['filters'] = {}
  for (const [name, value] of Object.entries(search))
    if (name.startsWith(prefix)) filters[name.slice(prefix.length)] = many(value).filter((entry) => entry !== '')
  return { q: one(search['q']) ?? '', find: one(search['find']) ?? '', filters, sort: one(search['sort']) }
}

/** The same address with another search, filters and order; the rest of it stays. */
export function withListAddress(search: Search, asked: ListAddress): Search {
  const next: Search = {}
  for (const [name, value] of Object.entries(search))
    if (name !== 'q' && name !== 'find' && name !== 'sort' && !name.startsWith(prefix)) next[name] = value
  if (asked.q) next['q'] = asked.q
  if (asked.find) next['find'] = asked.find
  if (asked.sort) next['sort'] = asked.sort
  for (const [name, values] of Object.entries(asked.filters)) if (values.length > 0) next[prefix + name] = values
  return next
}

export const isNarrowed = (asked: ListAddress): boolean =>
  asked.q !== '' || Object.values(asked.filters).some((values) => values.length > 0)
