// Verbs: the few things that are done with records, for every resource alike: list, name, read, create, update, change, remove.
//
// A resource says what it keeps (`Entity`); the verbs never name a field. Which columns are read follows from the
// contract's answer, which are written from its input, both passed whole.
import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { constants } from '#contract/constants.ts'
import type { ListMeta } from '#contract/shapes.ts'
import { messages } from '#contract/messages.ts'
import { logActivity, logActivityOfMany } from '#server/entities/activity-log.ts'
import { refuseOvertaken } from '#server/entities/overtaken.ts'
import { clash, invalid, notFound } from '#server/access/refused.ts'
import type { Scope, TenantTable } from '#server/access/tenancy.ts'

type Shape = z.ZodObject
type Row = Record<string, unknown> & { id: number }

/** A list of ids kept in a join table: `collection_ids` of a property. */
export interface Members {
  table: TenantTable
  /** The column that holds this record's id, and the one that holds the members'. */
  mine: string
  theirs: string
  /** The members' own table: those out of the caller's reach are neither shown nor touched. */
  of: TenantTable
}

export interface Entity {
  table: TenantTable
  /** The column that people know a record by: `name`, unless told. */
  label?: string
  /** What a list and a single record answer: each key is a column, unless named below. */
  row: Shape
  detail: Shape
  /** Keys that are worked out: SQL over the row, which is called `t`. */
  computed?: Record<string, RawBuilder<unknown>>
  members?: Record<string, Members>
  /** Fields that are no column here and are written by a statement of their own. */
  written?: Record<string, (scope: Scope, id: number, value: never) => Promise<void>>
  /** Parents and filters that are no column of the table: SQL over `t`. */
  filters?: Record<string, (value: never) => RawBuilder<boolean>>
  /** Fields a record must have once it is no draft. */
  requiredUnlessDraft?: readonly string[]
  /** What a removal takes along, and what forbids it. */
  cascade?: { table: TenantTable; column: string }[]
  restrict?: { table: TenantTable; column: string; noun: string; label?: string }[]
  /** Whose activity lines these are, as columns of the table, beyond the customer's own. */
  belongs?: { group_id?: string; property_id?: string }
}

const column = (name: string) => sql.ref(`t.${name}`)

/** `{id, name}` of the record that a column of `t` points at, or null. */
export const nameOf = (table: TenantTable, by: string) =>
  sql`(select json_build_object('id', r.id, 'name', r.name) from ${sql.table(table)} as r where r.customer_id = t.customer_id and r.id = ${column(by)})`

const reachableMembers = (scope: Scope, { theirs, of }: Members) =>
  sql<boolean>`m.${sql.ref(theirs)} in (select r.id from ${sql.table(of)} as r where ${scope.inReach(of, 'r')})`

const membersOf = (scope: Scope, members: Members) =>
  sql`(select coalesce(json_agg(m.${sql.ref(members.theirs)} order by m.${sql.ref(members.theirs)}), '[]') from ${sql.table(members.table)} as m where m.customer_id = t.customer_id and m.${sql.ref(members.mine)} = t.id and ${reachableMembers(scope, members)})`

const columns = (scope: Scope, entity: Entity, shape: Shape) =>
  sql.join(
    Object.keys(shape.shape).map((key) => {
      const members = entity.members?.[key]
      const value = entity.computed?.[key] ?? (members ? membersOf(scope, members) : column(key))
      return sql`${value} as ${sql.ref(key)}`
    }),
  )

// Reading

/** What `listOf` lets through. */
interface ListInput {
  excludeIds: number[]
  exclude_ids: number[]
  searchValue?: string | null | undefined
  lastFetchedAt?: string | null | undefined
  params: Record<string, unknown>
  filters: Record<string, unknown>
  sort?: string | undefined
  per_page: number
  count: boolean
  cursor?: string | null | undefined
  shouldExclude: boolean
}

const { counted_max, exactly_counted_max } = constants.list
/** Up to here a search is answered from its matches' ids; a commoner word is found while walking the list in its order. */
const rare_matches_max = 500
/** A common word's matches are counted among so many rows only: looking at each takes far longer than counting it. */
const looked_at_max = 2000

/**
 * One page of a list. Its cost does not grow with the table: pages follow a cursor, the total stops counting at
 * 1,000, and a search is answered from an index or, for a common word, from the first rows that hold it.
 * The figures stand in docs/decisions/005-lists.md.
 */
export async function listRows<R>(
  scope: Scope,
  entity: Entity,
  input: ListInput,
  shape: Shape = entity.row,
): Promise<{ data: R[]; meta: ListMeta }> {
  if (input.count) return counting(scope, entity, input)
  const { order, by, cast } = sorting(input.sort ?? '-created_at')
  const { indexed, excluded, commonWord } = await narrowing(scope, entity, input, rare_matches_max)
  const matching = [scope.inReach(entity.table, 't'), ...indexed]
  const known = knownBy(input.lastFetchedAt)
  const after = input.cursor
    ? sql<boolean>`(${column(by)}, t.id) ${sql.raw(order === 'desc' ? '<' : '>')} (${cursorValue(input.cursor, by)}::${sql.raw(cast)}, ${cursorId(input.cursor)})`
    : undefined
  const walked = allOf([...matching, known, after])
  const left = allOf([walked, excluded])
  const from = sql`from ${sql.table(entity.table)} as t`
  const direction = sql.raw(order)
  const counted = commonWord ? looked_at_max : counted_max + 1
  const excluded_count = input.excludeIds.length + input.exclude_ids.length

  const [rows, [counts]] = await Promise.all([
    scope.run(sql<Row>`
      select ${columns(scope, entity, shape)}, ${column(by)}::text as cursor_value ${from} where ${allOf([left, commonWord])}
      order by ${column(by)} ${direction}, t.id ${direction} limit ${input.per_page}`),
    scope.run(sql<{ looked_at: number; hits: number | null; newer: number; fetched_at: string }>`
      select ${excluded ? leftIn(from, { walked, left, excluded_count }, counted) : rowsIn(from, left, counted)} as looked_at,
        ${commonWord ? hitsIn(from, left, commonWord, counted) : sql`null`} as hits,
        ${known ? rowsIn(from, allOf([...matching, excluded, commonWord, sql`not (${known})`]), counted_max) : sql`0`} as newer,
        ${input.lastFetchedAt ?? null}::timestamptz as asked_at, now() as fetched_at`),
  ])
  if (!counts) throw new Error('counting gave no row')

  const last = rows.at(-1)
  const full = rows.length === input.per_page
  const more = full && counts.looked_at === counted
  const total = full
    ? Math.max(Math.min(counts.hits ?? counts.looked_at, counted_max), rows.length + (more ? 1 : 0))
    : rows.length
  const next_cursor = total === rows.length || !last ? null : cursorOf(last['cursor_value'], last.id)
  for (const row of rows) delete row['cursor_value']
  return {
    data: rows as R[],
    meta: {
      total,
      from: rows.length > 0 ? 1 : 0,
      to: rows.length,
      per_page: input.per_page,
      next_cursor,
      fetched_at: input.lastFetchedAt ?? counts.fetched_at,
      newer: counts.newer,
      ...(more ? { more: true as const } : {}),
    },
  }
}

/** The total alone, exact up to 100,000: asked once, when an opened list is at rest. */
async function counting(scope: Scope, entity: Entity, input: ListInput): Promise<{ data: never[]; meta: ListMeta }> {
  const { indexed, excluded, cut } = await narrowing(scope, entity, input, exactly_counted_max)
  const where = allOf([scope.inReach(entity.table, 't'), ...indexed, knownBy(input.lastFetchedAt), excluded])
  const [counted] = await scope.run(sql<{ total: number; fetched_at: string }>`
    select ${rowsIn(sql`from ${sql.table(entity.table)} as t`, where, exactly_counted_max + 1)} as total, now() as fetched_at`)
  if (!counted) throw new Error('counting gave no row')
  return {
    data: [],
    meta: {
      total: Math.min(counted.total, exactly_counted_max),
      from: 0,
      to: 0,
      per_page: 0,
      next_cursor: null,
      fetched_at: input.lastFetchedAt ?? counted.fetched_at,
      newer: 0,
      ...(cut || counted.total > exactly_counted_max ? { more: true as const } : {}),
    },
  }
}

const knownBy = (moment: string | null | undefined) =>
  moment ? sql<boolean>`t.created_at <= ${moment}::timestamptz` : undefined

type Sql = RawBuilder<unknown>
const rowsIn = (from: Sql, where: Sql, rows_max: number) =>
  sql`(select count(*)::integer from (select ${from} where ${where} limit ${rows_max}) as c)`
const hitsIn = (from: Sql, where: Sql, word: Sql, rows_max: number) =>
  sql`(select count(*)::integer from (select ${word} as hit ${from} where ${where} limit ${rows_max}) as c where c.hit)`
/** With so many rows more than are excluded, enough are left: telling the excluded ones apart would take twice as long. */
function leftIn(from: Sql, rows: { walked: Sql; left: Sql; excluded_count: number }, rows_max: number) {
  const enough = rows_max + rows.excluded_count
  return sql`case when ${rowsIn(from, rows.walked, enough)} = ${enough} then ${rows_max}::integer else ${rowsIn(from, rows.left, rows_max)} end`
}

function sorting(sort: string) {
  const by = sort.replace(/^-/, '')
  return {
    by,
    order: sort.startsWith('-') ? 'desc' : 'asc',
    cast: by === 'created_at' ? 'timestamptz' : 'text',
  } as const
}

const cursorOf = (value: unknown, id: number) => Buffer.from(JSON.stringify([value, id])).toString('base64url')
function readCursor(cursor: string): [string, number] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(parsed) && typeof parsed[0] === 'string' && Number.isSafeInteger(parsed[1]))
      return [parsed[0], parsed[1] as number]
  } catch {
    // Said below, like any other cursor that this server did not make.
  }
  throw invalid({ cursor: ['Start again from the first page.'] })
}
function cursorValue(cursor: string, by: string) {
  const [value] = readCursor(cursor)
  if (by === 'created_at' && Number.isNaN(Date.parse(value)))
    throw invalid({ cursor: ['Start again from the first page.'] })
  return value
}
const cursorId = (cursor: string) => readCursor(cursor)[1]

const allOf = (conditions: (RawBuilder<boolean> | undefined)[]): RawBuilder<boolean> =>
  sql`${sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql` and `,
  )}`

/** Parents, filters, excluded ids and a rare word, as conditions on `t` that indexes serve; and a common word, apart. */
async function narrowing(scope: Scope, entity: Entity, input: ListInput, matches_max: number) {
  const indexed: RawBuilder<boolean>[] = []
  for (const [name, value] of [...Object.entries(input.filters), ...Object.entries(input.params)]) {
    if (value === undefined || value === null) continue
    const condition = entity.filters?.[name]?.(value as never) ?? equals(name, value)
    indexed.push(name === 'collection_id' && input.shouldExclude ? sql`not ${condition}` : condition)
  }
  const ids = [...input.excludeIds, ...input.exclude_ids]
  // Looked up in a hash while the list is walked. An anti-join would sort the whole list first, and `id <> all(…)`
  // compares every row with every id.
  const excluded =
    ids.length > 0 ? sql<boolean>`t.id not in (select unnest(${`{${ids.join()}}`}::integer[]))` : undefined
  const { rareWord, commonWord, cut } = await searching(scope, entity.table, input.searchValue, matches_max)
  return { indexed: rareWord ? [...indexed, rareWord] : indexed, excluded, commonWord, cut: cut ?? false }
}

interface Word {
  rareWord?: RawBuilder<boolean>
  commonWord?: RawBuilder<boolean>
  /** There are more matches than were looked for. */
  cut?: boolean
}
async function searching(
  scope: Scope,
  table: TenantTable,
  needle: string | null | undefined,
  matches_max: number,
): Promise<Word> {
  if (!needle) return {}
  const ids = await scope.search(table, needle, matches_max + 1)
  if (ids.length <= matches_max || matches_max === exactly_counted_max)
    return { rareWord: sql`t.id = any(${ids}::bigint[])`, cut: ids.length > matches_max }
  // As `search_ids` has it: one or two letters are looked for at the beginning of words.
  const start = Array.from(needle).length < 3 ? '% ' : '%'
  return { commonWord: sql`t.search like lower(${`${start}${needle.replace(/[\\%_]/g, '\\$&')}%`})` }
}

/** One value is asked for by `=`, for which an index keeps the order of the list. */
const equals = (name: string, value: unknown): RawBuilder<boolean> => {
  const values = Array.isArray(value) ? (value as unknown[]) : [value]
  return values.length === 1 ? sql`${column(name)} = ${values[0]}` : sql`${column(name)} = any(${values})`
}

/** Every record in reach by name, as the answer has it (a room's is its number), for a dropdown. */
export async function nameRows<R>(
  scope: Scope,
  entity: Entity,
  shape: Shape,
  where?: RawBuilder<boolean>,
): Promise<R[]> {
  return scope.run(sql<R>`
    select ${columns(scope, entity, shape)} from ${sql.table(entity.table)} as t
    where ${scope.inReach(entity.table, 't')} and ${where ?? sql`true`}
    order by name, t.id limit ${constants.list.names_max}`)
}

/** One record in full. A foreign id, a sibling's and an absent one are refused alike. */
export async function oneRow<R>(scope: Scope, entity: Entity, id: number): Promise<R> {
  const [row] = await scope.run(sql<R>`
    select ${columns(scope, entity, entity.detail)} from ${sql.table(entity.table)} as t where t.id = ${id} and ${scope.inReach(entity.table, 't')}`)
  if (!row) throw notFound()
  return row
}

// Writing

function splitMembers(entity: Entity, values: Record<string, unknown>) {
  const names = Object.keys({ ...entity.members, ...entity.written })
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return {
    columnValues: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
    memberValues: entries.filter(([name]) => names.includes(name)) as [string, number[]][],
  }
}

async function setMembers(scope: Scope, entity: Entity, id: number, memberValues: [string, number[]][]) {
  for (const [name, ids] of memberValues) {
    await entity.written?.[name]?.(scope, id, ids as never)
    const members = entity.members?.[name]
    if (!members) continue
    await scope.run(sql`
      delete from ${sql.table(members.table)} as m
      where m.${sql.ref(members.mine)} = ${id} and ${scope.inReach(members.table, 'm')} and ${reachableMembers(scope, members)}`)
    await scope.insertMany(
      members.table,
      [...new Set(ids)].map((theirs) => ({ [members.mine]: id, [members.theirs]: theirs })),
    )
  }
}

/** A record that is no draft has everything it needs. */
function refuseIncomplete(entity: Entity, row: Record<string, unknown>) {
  const missing = (entity.requiredUnlessDraft ?? []).filter((field) => row[field] === null || row[field] === '')
  if (!row['draft'] && missing.length > 0)
    throw invalid(Object.fromEntries(missing.map((field) => [field, [messages.fields.required]])))
}

export async function createRow<R>(scope: Scope, entity: Entity, input: Record<string, unknown>): Promise<R> {
  const { columnValues, memberValues } = splitMembers(entity, input)
  const id = await scope.insert(entity.table, columnValues)
  await setMembers(scope, entity, id, memberValues)
  const row = await oneRow<R & Row>(scope, entity, id)
  refuseIncomplete(entity, row)
  await logActivity(scope, { action: 'create', entity, row, before: null, after: row })
  return row
}

/** Changes what the input names and leaves the rest; nothing, where a field no longer holds what the caller has read. */
export async function updateRow<R>(
  scope: Scope,
  entity: Entity,
  { id, was, ...input }: Record<string, unknown> & { id: number; was?: Record<string, unknown> | undefined },
  action: 'update' | 'permission' = 'update',
): Promise<R> {
  const { columnValues, memberValues } = splitMembers(entity, input)
  const before = await lockedRow(scope, entity, id)
  await refuseOvertaken(scope, entity, { before, was, input })
  if (Object.keys(columnValues).length > 0) await scope.change(entity.table, [id], columnValues)
  await setMembers(scope, entity, id, memberValues)
  const row = await oneRow<R & Row>(scope, entity, id)
  refuseIncomplete(entity, row)
  await logActivity(scope, { action, entity, row, before, after: row })
  return row
}

/** The record as it stands, held until the transaction ends, so that two changes at once do not mix. */
async function lockedRow(scope: Scope, entity: Entity, id: number): Promise<Row> {
  await scope.run(
    sql`select from ${sql.table(entity.table)} as t where t.id = ${id} and ${scope.inReach(entity.table, 't')} for update`,
  )
  return oneRow<Row>(scope, entity, id)
}

/** Activates one record; a draft becomes real, if it is complete. */
export async function activateRow<R>(scope: Scope, entity: Entity, id: number): Promise<R> {
  const before = await lockedRow(scope, entity, id)
  await scope.change(entity.table, [id], { active: true, ...('draft' in entity.detail.shape ? { draft: false } : {}) })
  const row = await oneRow<R & Row>(scope, entity, id)
  refuseIncomplete(entity, row)
  await logActivity(scope, { action: 'activate', entity, row, before, after: row })
  return row
}

const unreachableIds = () => invalid({ ids: ['One or more of the selected ids are invalid.'] })

/** Changes many records alike: all of them, or none when one is out of reach. */
export async function changeRows(
  scope: Scope,
  entity: Entity,
  ids: number[],
  values: Record<string, unknown>,
  action: 'update' | 'deactivate',
) {
  const wanted = [...new Set(ids)]
  const changed = await scope.change(entity.table, wanted, values)
  if (changed.length !== wanted.length) throw unreachableIds()
  await logActivityOfMany(scope, { action, entity, ids: wanted, after: values })
  return { ids: wanted }
}

export const deactivateRows = (scope: Scope, entity: Entity, ids: number[]) =>
  changeRows(scope, entity, ids, { active: false }, 'deactivate')

/** Removes records: they are gone from every call, and stay for the reports that name them. */
export async function removeRows(scope: Scope, entity: Entity, ids: number[]) {
  const wanted = [...new Set(ids)]
  await refuseNeeded(scope, entity, wanted)
  await logActivityOfMany(scope, { action: 'delete', entity, ids: wanted, after: null })
  const removed = await scope.change(entity.table, wanted, { deleted_at: sql`now()` })
  if (removed.length !== wanted.length) throw unreachableIds()
  for (const { table, column } of entity.cascade ?? [])
    await scope.run(sql`
      update ${sql.table(table)} as t set deleted_at = now()
      where ${sql.ref(`t.${column}`)} = any(${wanted}) and ${scope.inReach(table, 't')}`)
  return { ids: wanted }
}

/** One record, named in the address: out of reach means that it does not exist. */
export async function removeRow(scope: Scope, entity: Entity, id: number) {
  await lockedRow(scope, entity, id)
  return removeRows(scope, entity, [id])
}

async function refuseNeeded(scope: Scope, entity: Entity, ids: number[]) {
  for (const { table, column, noun, label = 'name' } of entity.restrict ?? []) {
    const users = await scope.run(sql<{ name: string }>`
      select ${sql.ref(`t.${label}`)} as name from ${sql.table(table)} as t
      where ${sql.ref(`t.${column}`)} = any(${ids}) and ${scope.inReach(table, 't')} order by t.id limit 3`)
    if (users.length > 0)
      throw clash(
        `Still needed by the ${noun} ${users.map((user) => user.name).join(', ')}. Change or remove them first.`,
      )
  }
}
