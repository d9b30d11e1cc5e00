// List types: what a list screen is told, drawn from its endpoint, so that a wrong column or filter does not compile.
import type { ReactNode } from 'react'
import type { Input, Endpoint, RowOf } from '#contract/endpoint.ts'
import type { IconName } from '#web/ui/icons.tsx'

export interface AnyRow {
  id: number
  name?: string
  status?: string
}
/** One row of a list endpoint. */
export type Row<E> = RowOf<E> & AnyRow
export type FiltersOf<E> = Input<E> extends { filters?: infer F } ? NonNullable<F> : never
/** The parents that a list can be narrowed to: `{ group_id: 4 }`. */
export type Where<E> = Input<E> extends { params?: infer P } ? NonNullable<P> : never
export type SortOf<E> = Input<E> extends { sort?: infer S } ? NonNullable<S> & string : never

/** Window widths below which a column gives way, the specification's breakpoints. */
export type Width = 359 | 479 | 839 | 959 | 1048

export interface Column<E> {
  title: string
  cell: (row: Row<E>) => ReactNode
  /** CSS width. Columns without one share what is left. */
  width?: string
  /** Numbers stand at the end. */
  align?: 'end'
  hideBelow?: Width
  /** The contract's word for ascending order; a heading with one can be pressed. */
  sort?: SortOf<E>
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
  /** Stands in the filter dialog ('More Filters') instead of the filter menu; where there is no dialog, in the menu. */
  more?: true
}
export type Filters<E> = { [F in keyof FiltersOf<E> & string]?: Filter }

/** Something done to all selected rows. Make them with `disable(…)` and `remove(…)` of bulk.ts. */
export interface BulkAction {
  label: string
  icon: IconName
  danger?: boolean
  /** Answers whether it was done (false: the user thought better of it). Throws `Refused`. */
  run: (rows: AnyRow[], on: { path: string; noun: string; nameOf: (row: AnyRow) => string }) => Promise<boolean>
}
