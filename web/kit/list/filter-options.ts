// Filter options: the options of a filter, fixed or from a look-up; and the draft that the filter menu or dialog edits. In all of
// them, a filter is the list of values that pass, and an empty list means all.
import type { Endpoint } from '#contract/endpoint.ts'
import { useNames } from '#web/kit/call/names.ts'
import { noneValue } from './list-address.ts'
import type { Filter, FilterOption } from './list-types.ts'

/** Whether the options are the rows of a look-up, and not fixed. */
export const isLookup = (options: Filter['options']): options is Endpoint => options !== undefined && 'path' in options

export function useFilterOptions(filter: Filter): readonly FilterOption[] {
  const source = isLookup(filter.options) ? filter.options : undefined
  const names = useNames(source)
  const options = source
    ? names.map(({ id, name }) => ({ value: String(id), label: name }))
    : ((filter.options ?? []) as readonly FilterOption[])
  return typeof filter.none === 'string' ? [{ value: noneValue, label: filter.none }, ...options] : options
}

export type Draft = Record<string, string[]>

/** In the menu every box is ticked at first: no values means all of them. */
export const isTicked = (values: string[] | undefined, value: string): boolean =>
  !values || values.length === 0 || values.includes(value)

/** All ticked is the same as no filter; the last tick cannot be removed, since nothing would match. */
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

/** The first filter with fixed options, such as the status: it is shown as buttons above the list. */
export const quickOf = (filters: Record<string, Filter>): string | undefined =>
  Object.entries(filters).find(([, { options }]) => Array.isArray(options))?.[0]
