// List files: a list as a spreadsheet, with its own search, filters, parents and order.
//
// It is streamed page by page, with a transaction for each, so that a slow download keeps none open. Rows created meanwhile
// are left out. The export is logged before the first row is sent.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { z } from 'zod'
import { constants } from '#contract/constants.ts'
import { labelOf } from '#contract/fields.ts'
import type { listFormats } from '#contract/shapes.ts'
import type { LookupTable } from '#server/access/reach.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { logActivityOfList, namingGuest } from '#server/entities/activity-log.ts'
import type { Entity } from '#server/entities/entity.ts'
import { listRows } from '#server/entities/lists.ts'
import type { ListInput } from '#server/entities/list-conditions.ts'
import type { Column, MadeFile } from '#server/tables/table.ts'
import { writeTable } from '#server/tables/write.ts'

interface ListFileInput extends Pick<ListInput, 'searchValue' | 'params' | 'filters' | 'sort' | 'shouldExclude'> {
  format: (typeof listFormats)[number]
}
interface Call {
  scope: Scope
  input: ListFileInput
  later<R>(work: (scope: Scope) => Promise<R>): Promise<R>
}

const rows_of_page = 1000
const rows_max = constants.list.exactly_counted_max
const tooMany = `A file holds at most ${rows_max.toLocaleString('en')} rows. Narrow the list with a search or filters.`

/** Ids of look-ups, which mean nothing to a reader: the names are written instead. */
const lookups: Record<string, LookupTable> = {
  account_type_id: 'account_types',
  connectivity_type_id: 'connectivity_types',
  property_type_id: 'property_types',
  user_type_id: 'user_types',
}

/** How the values are written that have no `name` and are no text. A row with such a one does not compile without it. */
type Texts<Values> = {
  [
    K in keyof Values as NonNullable<Values[K]> extends object
      ? NonNullable<Values[K]> extends { name: string }
        ? never
        : K
      : never
  ]: (value: NonNullable<Values[K]>, row: Values) => string | null
}

export async function exportRows<E extends Entity>(
  { scope, input: { format, ...asked }, later }: Call,
  entity: E,
  ...[texts]: keyof Texts<z.output<E['row']>> extends never ? [] : [texts: Texts<z.output<E['row']>>]
): Promise<MadeFile> {
  const all: ListInput = { ...asked, excludeIds: [], exclude_ids: [], per_page: 0, count: true }
  const listed: Entity = entity
  const { meta } = (await listRows(scope, listed, all)).parsed()
  if (meta.more) throw invalid({ format: [tooMany] })
  const names = await namesIn(scope, Object.keys(entity.row.shape))
  const told = (texts ?? {}) as Partial<Record<string, Text>>
  const { params, filters, searchValue } = asked
  const after = {
    rows: meta.total,
    format,
    ...params,
    ...filters,
    ...(searchValue ? namingGuest({ searchValue }) : {}),
  }
  await logActivityOfList(scope, { action: 'export', table: entity.table, after })

  const page: ListInput = { ...all, count: false, per_page: rows_of_page, lastFetchedAt: meta.fetched_at }
  async function* pages(): AsyncGenerator<readonly Row[]> {
    let cursor: string | null = null
    do {
      const asking: ListInput = { ...page, cursor }
      const { data, meta: next } = (await later((reader) => listRows(reader, listed, asking))).parsed()
      yield data
      cursor = next.next_cursor
    } while (cursor !== null)
  }
  return writeTable(format, {
    title: entity.table.replaceAll('_', '-'),
    asked: [],
    columns: Object.entries(entity.row.shape).map(([key, schema]) =>
      columnOf({ key, title: labelOf(key, entity.fields) }, schema, { names: names[key], text: told[key] }),
    ),
    pages: pages(),
    zone: await zoneOf(scope),
  })
}

type Row = Record<string, unknown>
type Titled = Pick<Column<Row>, 'key' | 'title'>
type Text = (value: unknown, row: Row) => string | null

/** Moments are in the customer's time zone: a list has rows of many places, and one order. */
function columnOf(
  column: Titled,
  schema: z.ZodType,
  { names, text }: { names: Map<unknown, string> | undefined; text: Text | undefined },
): Column<Row> {
  const { key } = column
  if (text) return { ...column, kind: 'text', value: (row) => (row[key] == null ? null : text(row[key], row)) }
  if (isMoment(schema)) return { ...column, kind: 'moment', value: (row) => textOf(row[key]) }
  return { ...column, kind: 'text', value: (row) => cellOf(names?.get(row[key]) ?? row[key]) }
}

const isMoment = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodOptional
    ? isMoment(schema.unwrap() as z.ZodType)
    : schema instanceof z.ZodISODateTime

const textOf = (value: unknown) => (typeof value === 'string' ? value : null)

async function zoneOf(scope: Scope): Promise<string> {
  const [customer] = await scope.run(
    sql<ColumnsOf<'customers', 'time_zone'>>`select time_zone from customers where id = ${scope.customer_id}`,
  )
  return customer?.time_zone ?? 'UTC'
}

async function namesIn(scope: Scope, keys: string[]): Promise<Record<string, Map<unknown, string>>> {
  const named = keys.flatMap((key) => (lookups[key] ? [[key, lookups[key]] as const] : []))
  return Object.fromEntries(
    await Promise.all(
      named.map(async ([key, table]) => {
        const rows = await scope.run(sql<{ id: number; name: string }>`select id, name from ${sql.table(table)}`)
        return [key, new Map<unknown, string>(rows.map((row) => [row.id, row.name]))] as const
      }),
    ),
  )
}

function cellOf(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'object' && 'name' in value) return String(value.name)
  throw new Error('a value of a list is written by no text')
}
