// Engine: what all imports have in common: reading, comparing, previewing and storing, and recording that it was done or has failed.
// Nothing is stored while any row has a problem.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { constants } from '#contract/constants.ts'
import type { ImportProblem } from '#contract/imports.ts'
import { messages } from '#contract/messages.ts'
import type { z } from 'zod'
import { invalid, Refused } from '#server/errors/refused.ts'
import { userIdOf, type Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'
import type { UploadedFile } from '#server/files/receive.ts'
import type { OrderOfDays } from '#contract/imports.ts'
import { UnreadableFile, type SheetFault } from '#server/imports/spreadsheets/limits.ts'
import { compare, idsOutOfReach, refuseOutOfReach, type FoundRecord } from './compare.ts'
import type { ImportDefinition } from './definition.ts'
import { resolverFor, type Resolve } from './names.ts'
import { leftOutOf, Problems } from './problems.ts'
import { foundProblems, storedProblems } from './problems-file.ts'
import { storeImages, undoUntil, type KeptRecord, type KeptTable } from './record-images.ts'
import type { ImportRecord } from './records.ts'
import { spool, undecided, type Spooled } from './spool.ts'
import { storeChunk, type StoredRecord } from './store.ts'

export interface ImportRequest {
  file: UploadedFile
  /** The sheet of the file to read, by name, if one was chosen. */
  sheet: string | null
  /** Chosen for dates that may be either day. */
  day_order: OrderOfDays | null
  /** The property of the whole file, if one was chosen. */
  property_id: number | null
  /** The ids chosen with the file, by the column that they are for. */
  chosen: Readonly<Record<string, number | null>>
  /** Rows with problems are left out instead of refusing the file. */
  skip_problems: boolean
  /** In a student home, people who move in later are read as well. */
  ahead?: boolean
  dry_run: boolean
}

export interface OtherRecords {
  table: KeptTable
  records: KeptRecord[]
}

/** What was found for each row, and the problems. */
export interface Compared {
  found: Map<number, FoundRecord>
  problems: Problems
}

/** What a kind of import does in addition. */
export interface ImportHooks<A extends ImportRequest> {
  /** Adds problems of records in comparison with the database, after the common comparison. */
  compare?(scope: Scope, records: ImportRecord[], known: Compared): Promise<void>
  /** Gets the records without problems, chunk by chunk, and what was found for each. */
  gather?(scope: Scope, records: ImportRecord[], found: Compared['found'], request: A): Promise<void>
  /** Runs after all comparisons, before anything is written; refuses what needs a confirmation. */
  weigh?(scope: Scope, request: A, unplaced_rows: number): Promise<void>
  /** Runs after all is stored. */
  finish?(scope: Scope, request: A, import_id: number): Promise<Record<string, number>>
  /** Refuses more records than a property has room for; `coming` has the number of new ones for each. */
  refuseOverfull?(scope: Scope, coming: Map<number, number>): Promise<void>
  /** Runs after each chunk, in the import's transaction. Returns the records that it wrote to another table. */
  afterStoring?(scope: Scope, stored: StoredRecord[], request: A): Promise<OtherRecords | undefined>
}

/** The import is logged at each property that got records. */
export const ofProperties = { table: 'properties', belongs: { property_id: 'id' } } as const

/** The fields to which refusals belong, other than the file. */
const fields: Partial<Record<SheetFault, string>> = { noSuchSheet: 'sheet', dayOrder: 'day_order' }

/** A refused file, with its problems, which are stored for the dashboard after the transaction was rolled back. */
class ImportRefused extends Refused {
  readonly problems: z.infer<typeof ImportProblem>[]
  constructor(field: string, sentences: string[], problems: z.infer<typeof ImportProblem>[]) {
    super('invalid', { errors: { [field]: sentences } })
    this.problems = problems
  }
}

/** `field` is the field of the upload, which gets the messages of refusals. */
export function openImport<A extends ImportRequest>(
  definition: ImportDefinition,
  field: string,
  tenancy: Tenancy,
  hooks: ImportHooks<A> = {},
) {
  return {
    /** Before the transaction: reads the file and checks what can be checked without the database. */
    async read(caller: Caller, request: ImportRequest): Promise<Spooled> {
      const property_id = propertyOf(caller, request)
      const facts = await tenancy.enter(caller, 'read', (scope) => importFacts(scope, property_id))
      const ahead = facts.leases && request.ahead === true
      try {
        return await spool(definition, request, {
          property_id,
          ...facts,
          day_order: request.day_order ?? facts.day_order,
          ahead,
        })
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error
        if ((error.why === 'severalSheets' || error.why === 'dayOrder') && request.dry_run) return undecided(error)
        const named = fields[error.why] ?? field
        throw new ImportRefused(named, [error.message], [{ row: 0, column: null, message: error.message }])
      }
    },

    /** In the transaction: previews the import or does it. */
    async run(scope: Scope, request: A, spooled: Spooled) {
      if (!request.dry_run) await lockProperties(scope, spooled)
      const compared = await compareAll(scope, definition, spooled, { hooks, request })
      const { problems, coming, total } = compared
      const { duplicates } = spooled
      const isSkipping = request.skip_problems && total > 0
      if (problems.row_count > 0 && !request.dry_run && !isSkipping)
        throw new ImportRefused(field, problems.asMessages(spooled.rows), problems.list)
      if (problems.row_count === 0 || isSkipping) await hooks.refuseOverfull?.(scope, coming)
      // For rows with problems from the comparison it is not known which record they mean, either.
      await hooks.weigh?.(scope, request, spooled.unplaced_rows + problems.row_count - spooled.problem_rows)
      const expected = await expectedOf(scope, request, spooled, compared)
      if (request.dry_run) return expected
      const property_ids = [...coming.keys()]
      const problem_list = storedProblems(foundProblems(expected.problems, expected.left_out))
      const done = { outcome: 'done', total, duplicates, property_ids, undo_until: undoUntil, problems: problem_list }
      const id = await keep(scope, request, done)
      const stored = await storeAll(scope, id, request, spooled, compared)
      const counts = { ...stored, ...(await hooks.finish?.(scope, request, id)) }
      const counted = await scope.change('imports', [id], counts)
      if (counted.length === 0) throw new Error(`import ${id} is out of reach of who made it`)
      const after = { file_name: request.file.name, [definition.kind]: total, duplicates, ...counts }
      await logActivityOfMany(scope, { action: 'import', entity: ofProperties, ids: property_ids, after })
      return { ...expected, ...stored, id }
    },

    /** After the transaction, which was rolled back. */
    async keepFailure(caller: Caller, request: ImportRequest, error: unknown) {
      if (request.dry_run || !(error instanceof ImportRefused)) return
      const problems = storedProblems(foundProblems(error.problems))
      await tenancy.enter(caller, 'write', async (scope) => {
        await keep(scope, await withinReach(scope, request), { outcome: 'failed', problems })
      })
    },
  }

  async function storeAll(scope: Scope, id: number, request: A, spooled: Spooled, { found, problems, resolve }: All) {
    const how = { columns: new Set(spooled.columns), chosen: request.chosen, found }
    const counts = { created: 0, overwritten: 0 }
    for await (const chunk of spooled.chunks())
      for (const records of partsOf(without(problems, resolve(chunk)))) {
        const stored = await storeChunk(scope, definition, records, how)
        const others = await hooks.afterStoring?.(scope, stored, request)
        await storeImages(scope, id, definition.table, stored)
        if (others) await storeImages(scope, id, others.table, others.records)
        for (const { created } of stored) counts[created ? 'created' : 'overwritten']++
      }
    return counts
  }

  function keep(scope: Scope, { file, property_id }: ImportRequest, values: Record<string, unknown>): Promise<number> {
    return scope.insert('imports', {
      kind: definition.kind,
      user_id: userIdOf(scope),
      actor_name: scope.principal.name,
      finished_at: sql`now()`,
      file_name: file.name,
      property_id: property_id ?? (scope.owner.owner_type === 'Property' ? scope.owner.owner_id : null),
      ...values,
    })
  }
}

/** What an import would do, or has done. */
async function expectedOf(scope: Scope, request: ImportRequest, spooled: Spooled, compared: All) {
  const { problems, overwritten, total, resolve, found } = compared
  const { rows, duplicates, ignored, notes, sheets, day_orders } = spooled
  // Of a row that has turned out to have a problem, nothing is stored.
  const left_out_rows = spooled.left_out_rows.filter((row) => !problems.has(row))
  return {
    id: null,
    total,
    duplicates,
    created: total - overwritten,
    overwritten,
    rows,
    problems: problems.inOrder,
    problem_rows: problems.row_count,
    left_out: leftOutOf(left_out_rows, spooled.left_out),
    left_out_rows: left_out_rows.length,
    preview: await previewOf(scope, resolve(spooled.first.map(({ record }) => record)), spooled, request, found),
    ignored_columns: ignored,
    notes,
    sheets,
    day_orders,
  }
}

/**
 * Records per writing statement. A statement may take 10 s; with 2,500 records it took nearly one second on an idle machine, and too
 * long on a busy one. Comparing costs the same for few as for many, so it takes a whole chunk.
 */
const stored_at_once = 500

function* partsOf(records: ImportRecord[]) {
  for (let from = 0; from < records.length; from += stored_at_once) yield records.slice(from, from + stored_at_once)
}

/** Users of a property import into it; users of a group have to choose one; only for a whole customer may rows name it. */
function propertyOf({ owner }: Caller, { property_id }: ImportRequest): number | null {
  const chosen = property_id ?? (owner.owner_type === 'Property' ? owner.owner_id : null)
  if (chosen === null && owner.owner_type === 'Group') throw invalid({ property_id: [messages.fields.required] })
  return chosen
}

interface Facts {
  id: number
  name: string
  today: string
  leases: boolean
  lets_by_lease: boolean
  country: string | null
}

/** The reader's facts about the property: its present day, whether it has leases, and the properties that rows may name. */
export async function importFacts(scope: Scope, property_id: number | null) {
  const rows = await scope.run(sql<Facts>`
    select t.id, t.name, local_day(app_now(), t.time_zone)::text as today,
      t.property_type_id = ${student_home} as leases,
      t.property_type_id = any(${constants.leased_property_types}::integer[]) as lets_by_lease,
      (select c.code from countries as c where c.id = t.country_id) as country
    from properties as t where ${property_id === null ? sql`true` : sql`t.id = ${property_id}`} and ${scope.inReach('properties', 't')}
    order by t.id limit ${properties_named_max}`)
  const [own] = rows
  const isOne = property_id !== null && own
  return {
    today: isOne ? own.today : await dayOfCustomer(scope),
    leases: isOne ? own.leases : false,
    lets_by_lease: isOne ? own.lets_by_lease : false,
    day_order: orderUsualIn(isOne ? [own] : rows),
    properties: rows.map(({ id, name }) => [id, name] as const),
  }
}
async function dayOfCustomer(scope: Scope): Promise<string> {
  const [customer] = await scope.run(sql<{ today: string }>`
    select local_day(app_now(), c.time_zone)::text as today from customers as c where c.id = ${scope.customer_id}`)
  return customer?.today ?? ''
}
/** The order of day and month in these properties' countries, by the Unicode Consortium; null if they differ, or begin with the year. */
function orderUsualIn(properties: readonly Facts[]): OrderOfDays | null {
  const orders = new Set(
    properties.map(({ country }) => {
      if (country === null) return null
      const { language } = new Intl.Locale(`und-${country}`).maximize()
      const parts = new Intl.DateTimeFormat(`${language}-${country}`, { calendar: 'gregory' }).formatToParts()
      const [first] = parts.filter(({ type }) => ['day', 'month', 'year'].includes(type))
      if (first?.type === 'year') return null
      return first?.type === 'month' ? 'month_first' : 'day_first'
    }),
  )
  const [only = null] = orders
  return orders.size === 1 ? only : null
}

/** Student accommodation, among the types of properties. */
const student_home = 4
/** With more, rows have to give ids: the list is passed on a command line. */
const properties_named_max = 300

/** Two imports into one property run one after the other, so that each counts correctly what it overwrites. */
const lockProperties = (scope: Scope, { ids }: Spooled) =>
  scope.lock('properties', sql`t.id = any(${[...(ids.get('property_id') ?? [])]})`)

interface All extends Compared {
  resolve: Resolve
  total: number
  overwritten: number
}

/** The records of rows without problems. */
const without = (problems: Problems, records: ImportRecord[]) => records.filter(({ row }) => !problems.has(row))

async function compareAll<A extends ImportRequest>(
  scope: Scope,
  definition: ImportDefinition,
  spooled: Spooled,
  { hooks, request }: { hooks: ImportHooks<A>; request: A },
) {
  const problems = new Problems(spooled.problems, spooled.problem_rows)
  const found = new Map<number, FoundRecord>()
  /** Number of new records by property, including properties that get none. */
  const coming = new Map<number, number>()
  let overwritten = 0
  let total = 0
  const resolve = await resolverFor(scope, definition, spooled)
  const outOfReach = await idsOutOfReach(scope, definition, spooled)
  for await (const chunk of spooled.chunks()) {
    const records = resolve(chunk, problems)
    refuseOutOfReach(records, outOfReach, problems)
    await compare(scope, definition, records, { found, problems })
    await hooks.compare?.(scope, records, { found, problems })
    const sound = without(problems, records)
    await hooks.gather?.(scope, sound, found, request)
    for (const { row, property_id } of sound) {
      total++
      const exists = typeof found.get(row)?.id === 'number'
      if (exists) overwritten++
      coming.set(property_id, (coming.get(property_id) ?? 0) + (exists ? 0 : 1))
    }
  }
  return { problems, found, coming, overwritten, total, resolve }
}

/** The first rows, as they were read. */
async function previewOf(
  scope: Scope,
  records: ImportRecord[],
  { first }: Spooled,
  { chosen }: ImportRequest,
  found: Map<number, FoundRecord>,
) {
  const packageOf = (record: ImportRecord) => (record['package_id'] ?? chosen['package_id'] ?? null) as number | null
  const packages = await scope.run(sql<ColumnsOf<'packages', 'id' | 'name'>>`
    select t.id, t.name from packages as t
    where t.id = any(${records.flatMap((record) => packageOf(record) ?? [])}) and ${scope.inReach('packages', 't')}`)
  return first.map(({ record, repeated }) => ({
    record,
    row: record.row,
    package_name: packages.find(({ id }) => id === packageOf(record))?.name ?? null,
    outcome: repeated
      ? ('duplicate' as const)
      : typeof found.get(record.row)?.id === 'number'
        ? ('overwritten' as const)
        : ('new' as const),
  }))
}

/** The failure is not stored at a property that is out of reach. */
async function withinReach(scope: Scope, request: ImportRequest): Promise<ImportRequest> {
  const { property_id: id } = request
  if (id === null) return request
  const outOfReach = await scope.unreachable([{ target: 'properties', id, field: 'property_id' }])
  return outOfReach.length > 0 ? { ...request, property_id: null } : request
}
