// List pages: how a list is asked for, page by page (specification, section 7; DECISIONS §3).
import { constants } from '#contract/constants.ts'
import type { ListMeta } from '#contract/shapes.ts'
import { noneValue, type Asked } from './list-address.ts'

export interface Page<R> {
  data: R[]
  meta: ListMeta
}
/** What a page is asked for with, beside the question itself. */
export interface Turn {
  /** The rows that are there already are named, as long as they can be; beyond that the list goes on from the last one. */
  excludeIds: number[]
  cursor: string | null
  lastFetchedAt: string | null
}
export const firstTurn: Turn = { excludeIds: [], cursor: null, lastFetchedAt: null }

/** A list has been fetched whole when its total equals what was given, or is 0. */
export function nextTurn(page: Page<{ id: number }>, pages: readonly Page<{ id: number }>[]): Turn | undefined {
  const { total, to, next_cursor, more } = page.meta
  if (next_cursor === null || total === 0 || (total === to && !more)) return undefined
  const fetched = pages.flatMap(({ data }) => data.map(({ id }) => id))
  const lastFetchedAt = pages[0]?.meta.fetched_at ?? null
  return fetched.length <= constants.list.excluded_ids_max
    ? { excludeIds: fetched, cursor: null, lastFetchedAt }
    : { excludeIds: [], cursor: next_cursor, lastFetchedAt }
}

const isYesOrNo = (options: unknown) =>
  Array.isArray(options) && options.length > 0 && options.every(({ value }) => value === 'true' || value === 'false')

/** Values of the address as the endpoint takes them: ids as numbers, yes or no as booleans, texts as they are. */
export function filtersAsk(
  asked: Asked['filters'],
  known: Record<string, { kind: string; options?: unknown } | undefined>,
): Record<string, unknown> {
  const ask: Record<string, unknown> = {}
  for (const [name, values] of Object.entries(asked)) {
    const filter = known[name]
    // An old link may name a filter that is gone; the server would refuse the whole list for it.
    if (!filter || values.length === 0) continue
    const ids = filter.options !== undefined && !Array.isArray(filter.options)
    const flag = isYesOrNo(filter.options)
    const typed = values
      .map((value) => (value === noneValue ? null : ids ? Number(value) : flag ? value === 'true' : value))
      .filter((value) => typeof value !== 'number' || Number.isInteger(value))
    ask[name] = filter.kind === 'checkbox' ? typed : typed[0]
  }
  return ask
}

/** The question of a list without its pages: what is searched for, parents, filters and order. */
export const questionOf = (
  asked: Asked,
  where: object,
  known: Record<string, { kind: string; options?: unknown } | undefined>,
) => ({
  searchValue: asked.q || null,
  params: where,
  filters: filtersAsk(asked.filters, known),
  ...(asked.sort ? { sort: asked.sort } : {}),
})

/** The first page of a list that nothing narrows but its address; what the values of a filter mean, only its screen knows. */
export const firstQuestion = (asked: Asked) =>
  Object.keys(asked.filters).length > 0 ? undefined : { ...questionOf(asked, {}, {}), ...firstTurn }
