// Field columns: the columns of a list from the description of its fields: their title, the format of their values, and figures at the end.
//
//   const column = fieldColumns(rooms)
//   column('external_reference', { width: 120, priority: 7, extra: true })
import type { Endpoint } from '#contract/endpoint.ts'
import { labelOf, type Field, type Fields } from '#contract/fields.ts'
import { shownOf, textOfField } from '#web/kit/display/field-value.ts'
import { referenceOf } from '#web/kit/display/references.ts'
import { useNames } from '#web/kit/call/names.ts'
import type { Column, Row } from './list-types.ts'

interface Listed<E extends Endpoint> {
  list: E
  fields: Fields
}
type Placing<E extends Endpoint> = Omit<Column<E>, 'title' | 'cell'> & Partial<Pick<Column<E>, 'title' | 'cell'>>
type NameOf<E extends Endpoint> = keyof Row<E> & string

export const fieldColumns =
  <E extends Endpoint>({ fields }: Listed<E>) =>
  (name: NameOf<E>, placing: Placing<E>): Column<E> => ({
    title: labelOf(name, fields),
    field: name,
    cell: cellBy(name, fields[name]),
    ...namesBy(name, fields[name]),
    ...(figures.has(fields[name]?.kind) ? { align: 'end' as const } : {}),
    ...placing,
  })

const figures: ReadonlySet<Field['kind'] | undefined> = new Set(['number', 'money', 'percentage'])

/** Rows have the names of the records that they point at, but only the ids of what is the same for everybody. */
const namesBy = (name: string, field: Field | undefined) => {
  const reference = field?.listed ? undefined : referenceOf(field?.ref)
  return field?.kind === 'record' && reference ? { names: reference.names } : {}
}

/** The columns, with the names of what they have only the ids of: no list has more than two such columns. */
export function useNamed<E extends Endpoint>(columns: Column<E>[]): Column<E>[] {
  const [one, another, ...more] = columns.flatMap(({ names }) => names ?? [])
  if (more.length > 0) throw new Error('a list has at most two columns of look-ups')
  const known = [useNames(one), useNames(another)]
  return columns.map((column) => {
    const { names, field = '' } = column
    if (!names) return column
    const rows = known[names === one ? 0 : 1] ?? []
    const cell = (row: object) => rows.find(({ id }) => id === (row as Record<string, unknown>)[field])?.name
    return { ...column, cell }
  })
}

const cellBy = (name: string, field: Field | undefined) => (row: object) =>
  field && textOfField(field, shownOf(name, row as Record<string, unknown>))

const other_width_px = 140

/**
 * Adds an optional column for each listed field of a section that has none; it is shown if the user has chosen it.
 */
export function withOthers<E extends Endpoint>(list: E, fields: Fields = {}, columns: Column<E>[]): Column<E>[] {
  const covered = new Set(columns.flatMap(({ title, field }) => [title, field]))
  const others = Object.keys(fields).filter((name) => {
    const field = fields[name]
    return field?.section && field.listed && !covered.has(field.label) && !covered.has(name)
  })
  const last = Math.max(...columns.map(({ priority }) => priority))
  const column = fieldColumns({ list, fields })
  const placing = { width: other_width_px, priority: last + 1, extra: true } as const
  return [...columns, ...others.map((name) => column(name as NameOf<E>, placing))]
}
