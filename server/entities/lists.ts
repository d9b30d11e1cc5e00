// Lists: one page of a list, its total, and the names for a dropdown.
//
// A page's cost does not grow with the table: pages follow a cursor, the total stops counting at 1,000, and a search uses an
// index or, for a common word, the first rows that contain it. The figures are in decision 005.
import { sql } from 'kysely'
import type { z } from 'zod'
import { constants } from '#contract/constants.ts'
import type { ListMeta } from '#contract/shapes.ts'
import type { TenantTable, Condition } from '#server/access/reach.ts'
import type { Scope } from '#server/access/tenancy.ts'
import {
  columnsOf,
  type EntityColumn,
  type Entity,
  type MemberField,
  type Narrowed,
  type Only,
  type Shape,
} from '#server/entities/entity.ts'
import { Json } from '#server/entities/json.ts'
import { isAmongFirst, someRows, type Parents } from '#server/entities/merged-parents.ts'
import { allOf, listConditions, sortKeyOf, type ListInput } from '#server/entities/list-conditions.ts'

const { counted_max, exactly_counted_max } = constants.list
/** Up to this number of matches a search uses their ids; a more common word is looked for while reading the list in its order. */
const rare_matches_max = 500
/** A common word's matches are counted only among this many rows: examining a row takes far longer than counting it. */
const examined_max = 2000

export interface Listed<R> {
  data: R[]
  meta: ListMeta
}

/** Every filter, parent and order of the contract's list must have a column of the entity, or SQL of its own. */
type Answerable<E extends Entity, I extends ListInput> = { sort?: Sorts<E> | undefined } & {
  params: Only<I['params'], Narrowed<E>, 'is no column, and has no filter of its own'>
  filters: Only<I['filters'], Narrowed<E>, 'is no column, and has no filter of its own'>
}
type Sorts<E extends Entity> = `${'' | '-'}${Exclude<Narrowed<E>, symbol | number>}`
type Answered<E extends Entity, S extends Shape> = Only<
  S['shape'],
  EntityColumn<E['table']> | keyof NonNullable<E['computed']> | MemberField<E> | keyof E['row']['shape'],
  z.ZodNever
>

export async function listRows<E extends Entity, const I extends ListInput, S extends Shape = E['row']>(
  scope: Scope,
  entity: E,
  input: I & Answerable<E, I>,
  shape?: S & { shape: Answered<E, S> },
): Promise<Json<Listed<z.output<S>>>> {
  if (input.count) return counting(scope, entity, input)
  const { order, by, indexed, merged, excluded, commonWord, known, after } = await listConditions(
    scope,
    entity,
    input,
    rare_matches_max,
  )
  const { table } = entity
  const matching = [scope.inReach(entity.table, 't'), ...indexed]
  const walked = allOf([...matching, known, after])
  const left = allOf([walked, excluded])
  const from = { table, merged }
  const direction = sql.raw(order)
  const counted = commonWord ? examined_max : counted_max + 1
  const excluded_count = input.excludeIds.length + input.exclude_ids.length

  const { per_page } = input
  const shown = allOf([left, commonWord])
  const onPage = merged
    ? isAmongFirst(table, merged, { where: shown, order: { by: sortKeyOf(entity, by), direction }, rows_max: per_page })
    : shown
  const keys = Object.keys((shape ?? entity.row).shape)
  // One statement, so that page and total cost one plan. The rows are returned as text, and are not parsed again.
  const [page] = await scope.read(sql<Page>`
    select page.*, now() as fetched_at, ${input.lastFetchedAt ?? null}::timestamptz as asked_at,
      ${excluded ? leftIn(from, { walked, left, excluded_count }, counted) : rowsIn(from, left, counted)} as examined,
      ${commonWord ? hitsIn(from, left, commonWord, counted) : sql`null`} as hits,
      ${known ? rowsIn(from, allOf([...matching, excluded, commonWord, sql`not (${known})`]), counted_max) : sql`0`} as newer,
      ${entity.meta?.(scope) ?? sql`null`} as besides
    from (
      select count(*)::integer as given, coalesce(json_agg(r), '[]')::text as rows,
        (array_agg(p.cursor_value))[count(*)] as last_value, (array_agg(p.cursor_id))[count(*)] as last_id
      from (
        select ${columnsOf(scope, entity, shape ?? entity.row)}, ${sortKeyOf(entity, by)}::text as cursor_value, t.id as cursor_id
        from ${sql.table(table)} as t where ${allOf([scope.inReach(table, 't'), onPage])}
        order by ${sortKeyOf(entity, by)} ${direction}, t.id ${direction} limit ${sql.raw(String(per_page))}
      ) as p, lateral (select ${sql.join(keys.map((key) => sql.ref(`p.${key}`)))}) as r
    ) as page`)
  if (!page) throw new Error('a list gave no row')
  return answer(page, metaOf(page, input, counted))
}

interface Page {
  rows: string
  given: number
  last_value: string | null
  last_id: number | null
  examined: number
  hits: number | null
  newer: number
  besides: Partial<ListMeta> | null
  fetched_at: string
}

const answer = <R>({ rows }: { rows: string }, meta: ListMeta) =>
  new Json<Listed<R>>(`{"data":${rows},"meta":${JSON.stringify(meta)}}`)

function metaOf(page: Page, { per_page, lastFetchedAt }: ListInput, counted: number): ListMeta {
  const full = page.given === per_page
  const more = full && page.examined === counted
  const total = full
    ? Math.max(Math.min(page.hits ?? page.examined, counted_max), page.given + (more ? 1 : 0))
    : page.given
  const { last_value, last_id } = page
  const ends = total === page.given || last_value === null || last_id === null
  return {
    total,
    from: page.given > 0 ? 1 : 0,
    to: page.given,
    per_page,
    next_cursor: ends ? null : cursorOf(last_value, last_id),
    fetched_at: lastFetchedAt ?? page.fetched_at,
    newer: page.newer,
    ...(more ? { more: true as const } : {}),
    ...page.besides,
  }
}

/** The total alone, exact up to 100,000: requested once an opened list has loaded. */
async function counting(scope: Scope, entity: Entity, input: ListInput): Promise<Json<Listed<never>>> {
  const { indexed, merged, excluded, known, after, cut } = await listConditions(
    scope,
    entity,
    input,
    exactly_counted_max,
  )
  const where = allOf([scope.inReach(entity.table, 't'), ...indexed, known, after, excluded])
  const [counted] = await scope.run(sql<{ total: number; fetched_at: string }>`
    select ${rowsIn({ table: entity.table, merged }, where, exactly_counted_max + 1)} as total,
      now() as fetched_at`)
  if (!counted) throw new Error('counting gave no row')
  return answer(
    { rows: '[]' },
    {
      total: Math.min(counted.total, exactly_counted_max),
      from: 0,
      to: 0,
      per_page: 0,
      next_cursor: null,
      fetched_at: input.lastFetchedAt ?? counted.fetched_at,
      newer: 0,
      ...(cut || counted.total > exactly_counted_max ? { more: true as const } : {}),
    },
  )
}

interface From {
  table: TenantTable
  merged: Parents | undefined
}
const rowsIn = ({ table, merged }: From, where: Condition, rows_max: number) =>
  sql`(select count(*)::integer from (${someRows(table, merged, { columns: sql``, where, rows_max })}) as c)`
const hitsIn = ({ table, merged }: From, where: Condition, word: Condition, rows_max: number) =>
  sql`(select count(*)::integer
    from (${someRows(table, merged, { columns: sql`${word} as hit`, where, rows_max })}) as c where c.hit)`
/** If there are enough rows even without all excluded ones, they need not be looked up, which would take twice as long. */
function leftIn(from: From, rows: { walked: Condition; left: Condition; excluded_count: number }, rows_max: number) {
  // Rounded up to thousands, so that there are few such statements, each with a plan of its own.
  const enough = rows_max + Math.ceil(rows.excluded_count / 1000) * 1000
  return sql`case when ${rowsIn(from, rows.walked, enough)} = ${enough} then ${rows_max}::integer
    else ${rowsIn(from, rows.left, rows_max)} end`
}

const cursorOf = (value: unknown, id: number) => Buffer.from(JSON.stringify([value, id])).toString('base64url')

/** Every record in reach by the answer's `name` (a room's is its number), for a dropdown. */
export async function nameRows<E extends Entity, S extends Shape>(
  scope: Scope,
  entity: E,
  shape: S & { shape: Answered<E, S> },
  where: Condition = sql`true`,
): Promise<z.output<S>[]> {
  return scope.run(sql<z.output<S>>`
    select ${columnsOf(scope, entity, shape)} from ${sql.table(entity.table)} as t
    where ${scope.inReach(entity.table, 't')} and ${where}
    order by name, t.id limit ${constants.list.names_max}`)
}
