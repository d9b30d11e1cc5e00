// Filter options: the entries of a filter, fixed or from a look-up; and the draft that a filter's menu or dialog edits. One
// model for all: a filter has the values that are let through, and none at all means every one.
import type { Endpoint } from '#contract/endpoint.ts'
import { useNames } from '#web/kit/call/names.ts'
import { noneValue } from './list-address.ts'
import type { Filter, FilterOption } from './list-types.ts'

/** The rows of a look-up, and no fixed words. */
export const isLookup = (options: Filter['options']): options is Endpoint => options !== undefined && 'path' in options

export function useFilterOptions(filter: Filter): readonly FilterOption[] {
  const source = isLookup(filter.options) ? filter.options : undefined
  const names = useNames(source)
  const options = source
    ? names.map(({ id, name }) => ({ value: String(id), label: name }))
    : ((filter.options ?? []) as readonly FilterOption[])
  return filter.none === undefined ? options : [{ value: noneValue, label: filter.none }, ...options]
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

/** The first fixed filter of a few words, such as the status: it stands open above the list, one press each. */
export const quickOf = (filters: Record<string, Filter>): string | undefined =>
  Object.entries(filters).find(([, { options }]) => Array.isArray(options))?.[0]
