// List search: short lists that are searched while they are read, without an index of their own.
import type { Condition } from '#server/access/reach.ts'
import { sql } from 'kysely'
import type { FilterValue, Sql } from '#server/entities/entity.ts'

/** The filter `words` of an entity: a text of the row contains what was typed, as in a search. */
export const wordsOf =
  (text: Sql) =>
  ({ value }: FilterValue): Condition =>
    sql`search_text(${text}) like all (search_patterns('', ${value}::text))`

/** The input of a list with its search text moved to that filter. */
export const searched = <I extends { searchValue?: string | null | undefined; filters: object }>({
  searchValue,
  filters,
  ...rest
}: I): Omit<I, 'searchValue' | 'filters'> & { filters: I['filters'] & { words?: string | undefined } } => ({
  ...rest,
  filters: { ...filters, words: searchValue ? searchValue : undefined },
})
