// List pages: how a list is requested page by page (specification, section 7; DECISIONS §3).
import { constants } from '#contract/constants.ts'
import type { ListMeta } from '#contract/shapes.ts'
import { noneValue, type ListAddress } from './list-address.ts'

export interface Page<R> {
  data: R[]
  meta: ListMeta
}
/** The parameters of a page, in addition to the question itself. */
export interface Turn {
  /** The ids of the rows already loaded, up to the limit; beyond that, `cursor` continues after the last one. */
  excludeIds: number[]
  cursor: string | null
  lastFetchedAt: string | null
}
export const firstTurn: Turn = { excludeIds: [], cursor: null, lastFetchedAt: null }

/** Undefined if the list is complete: when its total equals `to`, or is 0. */
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

/** Filter values from the address as the endpoint expects them: ids as numbers, yes or no as booleans, texts unchanged. */
export function filtersAsk(
  asked: ListAddress['filters'],
  known: Record<string, { kind: string; options?: unknown } | undefined>,
): Record<string, unknown> {
  const ask: Record<string, unknown> = {}
  for (const [name, values] of Object.entries(asked)) {
    const filter = known[name]
    // An old link may have a filter that no longer exists, for which the server would refuse the whole list.
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

/** The question of a list without its pages: search, parents, filters and order. */
export const questionOf = (
  asked: ListAddress,
  where: object,
  known: Record<string, { kind: string; options?: unknown } | undefined>,
) => ({
  searchValue: asked.q || null,
  params: where,
  filters: filtersAsk(asked.filters, known),
  ...(asked.sort ? { sort: asked.sort } : {}),
})

/** The first page of a list without parents; undefined if it has filters, as only its screen knows the types of their values. */
export const firstQuestion = (asked: ListAddress) =>
  Object.keys(asked.filters).length > 0 ? undefined : { ...questionOf(asked, {}, {}), ...firstTurn }
