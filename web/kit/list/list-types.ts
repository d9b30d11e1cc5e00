// List types: what a list screen is told, drawn from its endpoint, so that a wrong column or filter does not compile.
import type { ReactNode } from 'react'
import type { Input, Endpoint, RowOf } from '#contract/endpoint.ts'
import { labelOf, type Fields } from '#contract/fields.ts'
import type { IconName } from '#web/ui/icons.tsx'
import type { Placed } from './columns.ts'

export interface AnyRow {
  id: number
  name?: string | null
  status?: string
  /** Of what goes on by itself until it ends, such as a session. */
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
  /** The field that it shows, where it is one. */
  field?: string
  /** Numbers stand at the end. */
  align?: 'end'
  /** The contract's word for ascending order; a heading with one can be pressed. */
  sort?: SortOf<E>
  /** What stands small below the name while there is no room for the column. */
  below?: (row: Row<E>) => string | false | null | undefined
}

export interface FilterOption {
  value: string
  label: string
}
export interface Filter {
  title: string
  /** checkbox: any of several · select: one of several · text: what is typed. */
  kind: 'checkbox' | 'select' | 'text'
  /** Fixed entries, or the look-up endpoint whose rows they are (their ids travel). */
  options?: readonly FilterOption[] | Endpoint
  /** What "is empty" is called, where it can be: "No group". */
  none?: string
  /** Stands in the filter dialog ('More Filters') instead of the filter menu; where there is no dialog, in the menu. */
  more?: true
}
export type Filters<E> = { [F in keyof FiltersOf<E> & string]?: Filter }
/** As a screen says them: by the title of their field, where it is no other. */
export type SaidFilters<E> = { [F in keyof FiltersOf<E> & string]?: Omit<Filter, 'title'> & { title?: string } }

export const titled = <E>(filters: SaidFilters<E>, fields: Fields | undefined) =>
  Object.fromEntries(
    Object.entries(filters as Record<string, Omit<Filter, 'title'>>).map(([name, filter]): [string, Filter] => [
      name,
      { title: labelOf(name, fields), ...filter },
    ]),
  ) as Filters<E> & Record<string, Filter>

/** For a filter of the contract that is a boolean: the call takes it as such. */
export const yesOrNo = (yes: string, no: string): readonly FilterOption[] => [
  { value: 'true', label: yes },
  { value: 'false', label: no },
]

/** What a bulk action is told about the list that it was picked in. */
export interface On {
  path: string
  /** In the plural: "groups". */
  noun: string
  nameOf: (row: AnyRow) => string
}

/** Something done to all selected rows. Make them with `disable(…)` and `remove(…)` of bulk.ts. */
export interface BulkAction {
  label: string
  icon: IconName
  danger?: boolean
  /** So many at once; default: as many as one call takes. */
  rows_max?: number
  /** Answers whether it was done (false: the user thought better of it). Throws `Refused`. */
  run: (rows: AnyRow[], on: On) => Promise<boolean>
}

/** Only active rows can be selected (specification, section 4); what is disabled, a draft or over has its row's menu. */
export const isSelectable = (row: AnyRow): boolean =>
  (row.status === undefined || row.status === 'active') && row.online !== false
