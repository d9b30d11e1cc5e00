// Filter options: the entries of a filter, fixed or from a look-up; and the draft that a filter's menu or dialog edits.
import { isEndpoint } from '#contract/endpoint.ts'
import type { Filter, FilterOption } from './list-types.ts'
import { useNames } from '#web/kit/call/names.ts'

export function useFilterOptions(filter: Filter): readonly FilterOption[] {
  const source = isEndpoint(filter.options) ? filter.options : undefined
  const names = useNames(source)
  if (source) return names.map(({ id, name }) => ({ value: String(id), label: name }))
  return Array.isArray(filter.options) ? (filter.options as readonly FilterOption[]) : []
}

export type Draft = Record<string, string[]>

/** In the menu every box is ticked until one is taken away: no value at all means all of them. */
export const isTicked = (values: string[] | undefined, value: string): boolean =>
  !values || values.length === 0 || values.includes(value)

/** All ticked is the same as not filtering; the last tick cannot be taken away, since nothing would fit. */
export function withTick(
  values: string[] | undefined,
  value: string,
  ticked: boolean,
  options: readonly FilterOption[],
): string[] {
  const all = options.map((option) => option.value)
  const before = values && values.length > 0 ? values : all
  const after = ticked ? [...before, value] : before.filter((entry) => entry !== value)
  if (after.length === 0) return before
  return after.length >= all.length ? [] : after
}

export const countSelected = (draft: Draft): number =>
  Object.values(draft).reduce((sum, values) => sum + values.length, 0)
