// List types: the types of a list screen's props, derived from its endpoint, so that a wrong column or filter does not compile.
import type { ReactNode } from 'react'
import type { Input, Endpoint, RowOf } from '#contract/endpoint.ts'
import { labelOf, type Field, type Fields } from '#contract/fields.ts'
import { referenceOf, type Chosen } from '#web/kit/display/references.ts'
import type { IconName } from '#web/ui/icons.tsx'
import type { Placed } from './columns.ts'

export interface AnyRow {
  id: number
  name?: string | null
  /** Of the record; a number is something else, such as a code that was answered. */
  status?: string | number | null
  /** For records that are ongoing until they end, such as sessions. */
  online?: boolean
}
/** One row of a list endpoint. */
export type Row<E> = RowOf<E> & AnyRow
export type FiltersOf<E> = Input<E> extends { filters?: infer F } ? NonNullable<F> : never
/** The parents that a list can be narrowed to: `{ group_id: 4 }`. */
export type Where<E> = Input<E> extends { params?: infer P } ? NonNullable<P> : never
export type SortOf<E> = Input<E> extends { sort?: infer S } ? NonNullable<S> & string : never

export interface Column<E> extends Placed {
  cell: (row: Row<E>) => ReactNode
  /** The field that it shows, if it is a single one. */
  field?: string
  /** Where the names of its ids are, which rows do not have. */
  names?: Endpoint
  /** Numbers are aligned to the end. */
  align?: 'end'
  /** The contract's sort value for ascending order; makes the heading a button. */
  sort?: SortOf<E>
  /** Shown as small text below the name while there is no room for the column. */
  below?: (row: Row<E>) => string | false | null | undefined
}

export interface FilterOption {
  value: string
  label: string
}
export interface Filter {
  title: string
  /** checkbox: any of several · select: one of several · text: free text. */
  kind: 'checkbox' | 'select' | 'text'
  /** Fixed options; by default what its field points at, whose ids are sent. */
  options?: readonly FilterOption[] | Endpoint
  /** What it points at, where no field of that name says it. */
  to?: Chosen
  /** The label of "is empty", if that can be filtered: "No group"; true: as its field calls it. */
  none?: string | true
  /** In the filter dialog ('More Filters') instead of the filter menu, if there is a dialog. */
  more?: true
}
export type Filters<E> = { [F in keyof FiltersOf<E> & string]?: Filter }
/** As given by a screen; the title defaults to the field's label. */
export type ScreenFilters<E> = { [F in keyof FiltersOf<E> & string]?: Omit<Filter, 'title'> & { title?: string } }

export const titled = <E>(filters: ScreenFilters<E>, fields: Fields | undefined) =>
  Object.fromEntries(
    Object.entries(filters as Record<string, Omit<Filter, 'title'>>).map(([name, filter]): [string, Filter] => [
      name,
      { title: labelOf(name, fields), ...filter, ...chosenBy(filter, fields?.[name]) },
    ]),
  ) as Filters<E> & Record<string, Filter>

function chosenBy({ options, to, none }: Omit<Filter, 'title'>, field: Field | undefined): Partial<Filter> {
  const reference = referenceOf(to ?? field?.ref)
  if (options || !reference) return {}
  const word = none === true ? (field?.none ?? reference.none ?? 'None') : none
  return { options: reference.names, ...(word === undefined ? {} : { none: word }) }
}

/** The options of a boolean filter; the call sends them as booleans. */
export const yesOrNo = (yes: string, no: string): readonly FilterOption[] => [
  { value: 'true', label: yes },
  { value: 'false', label: no },
]

/** The list that a bulk action is run on. */
export interface On {
  path: string
  /** In the plural: "groups". */
  noun: string
  nameOf: (row: AnyRow) => string
}

/** An action for all selected rows, such as those made by `disable(…)` and `remove(…)` of bulk.ts. */
export interface BulkAction {
  label: string
  icon: IconName
  danger?: boolean
  /** The most rows at once; default: as many as one call takes. */
  rows_max?: number
  /** Resolves to whether it was done (false: the user cancelled). Throws `Refused`. */
  run: (rows: AnyRow[], on: On) => Promise<boolean>
}

/** Only active rows can be selected (specification, section 4); disabled ones, drafts and ended ones only have their row's menu. */
export const isSelectable = (row: AnyRow): boolean =>
  (typeof row.status !== 'string' || row.status === 'active') && row.online !== false
