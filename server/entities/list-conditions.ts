// List conditions: turns a list's input into conditions on the row `t`: parents, filters, excluded ids, a search text, a cursor.
import type { Condition, TenantTable } from '#server/access/reach.ts'
import { sql } from 'kysely'
import type { DB } from '#server/db/tables.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { column, type FilterValue, type Entity, type Sql } from '#server/entities/entity.ts'
import { isMerge, isOfOne, parentsOf, type Parents } from '#server/entities/merged-parents.ts'

/** The input that `listOf` allows. */
export interface ListInput {
  excludeIds: number[]
  exclude_ids: number[]
  searchValue?: string | null | undefined
  lastFetchedAt?: string | null | undefined
  params: object
  filters: object
  sort?: string | undefined
  per_page: number
  count: boolean
  cursor?: string | null | undefined
  shouldExclude: boolean
}

export const allOf = (conditions: (Condition | undefined)[]): Condition =>
  sql`${sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql` and `,
  )}`

export const nothingLeftOut = 'This list cannot leave out the records of these params'

type MarkedTable = { [T in TenantTable]: 'trial_id' extends keyof DB[T] ? T : never }[TenantTable]
/** Row security leaves out what bears the mark of a trial; a list says so too, since totals are read from an index without it. */
const marked: Record<MarkedTable, true> = {
  access_passes: true,
  consent_records: true,
  gateways: true,
  guest_devices: true,
  guests: true,
  one_time_codes: true,
  outbox_mails: true,
  outbox_texts: true,
  radius_authorisations: true,
  radius_sessions: true,
}
const bearsMarks = (table: TenantTable) => Object.hasOwn(marked, table)

/**
 * `indexed` conditions use indexes; a common word does not, and is returned separately. `matches_max`: up to how many matches
 * a search uses their ids.
 */
export async function listConditions(scope: Scope, entity: Entity, input: ListInput, matches_max: number) {
  const indexed: Condition[] = bearsMarks(entity.table) ? [sql`t.trial_id is null`] : []
  const merges: Parents[] = []
  // A null parent counts as not given; a null filter asks for rows without a value.
  const parents = Object.entries(input.params).filter(([, value]) => value !== null)
  const given = [...Object.entries(input.filters), ...parents].filter(([, value]) => value !== undefined)
  // It would be answered with what it asks to leave out.
  if (input.shouldExclude && parents.length > 0 && !given.some(([name]) => entity.candidates?.[name]))
    throw invalid({ shouldExclude: [nothingLeftOut] })
  for (const [name, value] of given as [string, unknown][]) {
    const asked = askedFor(value)
    const filter = entity.filters?.[name]
    if (isMerge(filter)) {
      merges.push(parentsOf(scope, filter, asked))
      continue
    }
    const condition = filter?.(asked) ?? asked.is(column(name))
    const candidate = input.shouldExclude ? entity.candidates?.[name]?.(asked) : undefined
    indexed.push(candidate ? sql`(not ${condition} and ${candidate})` : condition)
  }
  // A caller that reaches only a group implicitly asks for it.
  const ofGroup = entity.filters?.['group_id']
  const names = given.map(([name]) => name)
  const isNarrow = names.includes('property_id') || parents.some(([name]) => !isMerge(entity.filters?.[name]))
  if (scope.reach.of === 'Group' && merges.length === 0 && !isNarrow && isMerge(ofGroup))
    merges.push(parentsOf(scope, ofGroup, askedFor([...scope.reach.ids])))
  const ids = [...input.excludeIds, ...input.exclude_ids]
  // Looked up in a hash while the list is read. An anti-join would sort the whole list first, and `id <> all(…)`
  // compares every row with every id.
  const excluded: Condition | undefined =
    ids.length > 0 ? sql`t.id not in (select unnest(${`{${ids.join()}}`}::integer[]))` : undefined
  const seen = input.searchValue ? entity.foundBy?.(scope, input.searchValue) : undefined
  const { rareWord, commonWord, cut } = await searching(scope, entity, input.searchValue, matches_max)
  // A list that is already short by an index is read directly.
  const merged = isNarrow || rareWord ? undefined : merges.shift()
  return {
    ...sorting(entity, input),
    indexed: [...indexed, ...merges.map(isOfOne), ...(rareWord ? [rareWord] : []), ...(seen ? [seen] : [])],
    /** The parents whose rows are merged. */
    merged,
    excluded,
    commonWord,
    /** More rows match than were searched for. */
    cut: cut ?? false,
    /** Created before the first page was requested. */
    known: input.lastFetchedAt ? sql<boolean>`t.created_at <= ${input.lastFetchedAt}::timestamptz` : undefined,
  }
}

/** A single value is compared by `=`, with which an index keeps the order of the list. */
const askedFor = (value: unknown): FilterValue => {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  const [first] = values
  return {
    value: sql`${first}`,
    is: (of: Sql) => {
      const given = values.filter((each) => each !== null)
      const among: Condition = given.length === 1 ? sql`${of} = ${given[0]}` : sql`${of} = any(${given})`
      if (given.length === values.length) return among
      return given.length === 0 ? sql`${of} is null` : sql`(${of} is null or ${among})`
    },
  }
}

interface Word {
  rareWord?: Condition
  commonWord?: Condition
  cut?: boolean
}
async function searching(
  scope: Scope,
  { table, alsoFound }: Pick<Entity, 'table' | 'alsoFound'>,
  needle: string | null | undefined,
  matches_max: number,
): Promise<Word> {
  if (!needle) return {}
  const found = await scope.search(table, needle, matches_max + 1)
  const ids = [...new Set([...found, ...((await alsoFound?.(scope, needle, matches_max)) ?? [])])]
  if (ids.length <= matches_max || matches_max > 1000)
    return { rareWord: sql`t.id = any(${ids}::bigint[])`, cut: ids.length > matches_max }
  return { commonWord: sql`t.search like all (search_patterns(${table}, ${needle}))` }
}

/** The type of a cursor's value, for columns that are not text. */
const types: Record<string, string> = {
  created_at: 'timestamptz',
  night: 'date',
  month: 'date',
  starts_on: 'date',
  period_start: 'date',
}
/** The expression to sort a list by a column. */
export const sortKeyOf = ({ sorts }: Pick<Entity, 'sorts'>, by: string): Sql => sorts?.[by]?.by ?? column(by)

/** The list's order, and the condition for rows after its cursor. */
function sorting(entity: Entity, { sort = '-created_at', cursor }: ListInput) {
  const by = sort.replace(/^-/, '')
  const order = sort.startsWith('-') ? 'desc' : 'asc'
  if (!cursor) return { by, order, after: undefined }
  const [value, id] = readCursor(cursor, by)
  const beyond = sql.raw(order === 'desc' ? '<' : '>')
  const type = sql.raw(entity.sorts?.[by]?.type ?? types[by] ?? 'text')
  const after: Condition = sql`
    (${sortKeyOf(entity, by)}, t.id) ${beyond} (${value}::${type}, ${id})`
  return { by, order, after }
}

function readCursor(cursor: string, by: string): [string, number] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(parsed) && typeof parsed[0] === 'string' && Number.isSafeInteger(parsed[1]))
      if (by !== 'created_at' || !Number.isNaN(Date.parse(parsed[0]))) return [parsed[0], parsed[1] as number]
  } catch {
    // Refused below, like any other cursor that this server did not make.
  }
  throw invalid({ cursor: ['Start again from the first page.'] })
}
