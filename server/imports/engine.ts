// Engine: what every import does, whatever is imported: read, compare, tell what would come of it, store, and keep that it
// was done or that it failed. Nothing is written while any row is wrong.
import { sql } from 'kysely'
import type { ImportProblem } from '#contract/imports.ts'
import { messages } from '#contract/messages.ts'
import type { z } from 'zod'
import { invalid, Refused } from '#server/errors/refused.ts'
import { userIdOf, type Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'
import type { UploadedFile } from '#server/files/receive.ts'
import { UnreadableFile } from '#server/imports/spreadsheets/limits.ts'
import { compare, idsAstray, refuseAstray, type Found } from './compare.ts'
import type { ImportDefinition } from './definition.ts'
import { namedIn, type Resolve } from './names.ts'
import { Problems } from './problems.ts'
import { keepRecords, undoUntil, type KeptRecord, type KeptTable } from './kept.ts'
import type { ImportRecord } from './records.ts'
import { spool, undecided, type Spooled } from './spool.ts'
import { storeChunk, type StoredRecord } from './store.ts'

export interface Asked {
  file: UploadedFile
  /** The sheet of the file to read, by name, if one was chosen. */
  sheet: string | null
  /** The property of the whole file, if one was chosen. */
  property_id: number | null
  /** The ids chosen beside the file, by the column that they are for. */
  chosen: Readonly<Record<string, number | null>>
  /** Rows with problems are left out, in place of refusing the file. */
  skip_problems: boolean
  /** In a student home, who moves in later is read as well. */
  ahead?: boolean
  dry_run: boolean
}

export interface Beside {
  table: KeptTable
  records: KeptRecord[]
}

/** What was found for each row, and what is wrong. */
export interface Compared {
  found: Map<number, Found>
  problems: Problems
}

/** What a kind of import does besides. */
export interface Besides<A extends Asked> {
  /** Adds what is wrong with records beside what the database has, once the common comparison is done. */
  compare?(scope: Scope, records: ImportRecord[], known: Compared): Promise<void>
  /** Is told of the records in which nothing is wrong, chunk by chunk, and what was found for each. */
  gather?(scope: Scope, records: ImportRecord[], found: Compared['found'], asked: A): Promise<void>
  /** Runs once all is compared, before anything is written; refuses what asks for a further word. */
  weigh?(scope: Scope, asked: A, unplaced_rows: number): Promise<void>
  /** Runs once all is stored. */
  finish?(scope: Scope, asked: A, import_id: number): Promise<Record<string, number>>
  /** Refuses what a property has no place for: how many new records come to each. */
  refuseOverfull?(scope: Scope, coming: Map<number, number>): Promise<void>
  /** Runs after each chunk, in the import's transaction. Answers what it wrote of other tables. */
  afterStoring?(scope: Scope, stored: StoredRecord[], asked: A): Promise<Beside | undefined>
}

/** Where the log tells of it: at each property that got records. */
export const ofProperties = { table: 'properties', belongs: { property_id: 'id' } } as const

/** A file of which nothing was imported, and why: kept for the dashboard once the transaction is undone. */
class ImportRefused extends Refused {
  readonly problems: z.infer<typeof ImportProblem>[]
  constructor(field: string, sentences: string[], problems: z.infer<typeof ImportProblem>[]) {
    super('invalid', { errors: { [field]: sentences } })
    this.problems = problems
  }
}

/** `field` is the field of the upload, under which refusals are told. */
export function openImport<A extends Asked>(
  definition: ImportDefinition,
  field: string,
  tenancy: Tenancy,
  besides: Besides<A> = {},
) {
  return {
    /** Before the transaction: reads the file and checks what can be checked without the database. */
    async read(caller: Caller, asked: Asked): Promise<Spooled> {
      const property_id = propertyOf(caller, asked)
      const facts = await tenancy.enter(caller, 'read', (scope) => factsOf(scope, property_id))
      const ahead = facts.leases && asked.ahead === true
      try {
        return await spool(definition, asked, { property_id, ...facts, ahead })
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error
        if (error.why === 'severalSheets' && asked.dry_run) return undecided(error)
        const named = error.why === 'noSuchSheet' ? 'sheet' : field
        throw new ImportRefused(named, [error.message], [{ row: 0, column: null, message: error.message }])
      }
    },

    /** In the transaction: tells what would come of it, or does it. */
    async run(scope: Scope, asked: A, spooled: Spooled) {
      if (!asked.dry_run) await takeTurns(scope, spooled)
      const compared = await compareAll(scope, definition, spooled, { besides, asked })
      const { problems, coming, overwritten, total, resolve } = compared
      const isSkipping = asked.skip_problems && total > 0
      if (problems.row_count > 0 && !asked.dry_run && !isSkipping)
        throw new ImportRefused(field, problems.inWords(spooled.rows), problems.list)
      if (problems.row_count === 0 || isSkipping) await besides.refuseOverfull?.(scope, coming)
      // Of a row that was found wrong beside the database it is not known which record it means, either.
      await besides.weigh?.(scope, asked, spooled.unplaced_rows + problems.row_count - spooled.problem_rows)
      const { rows, duplicates, ignored, notes, sheets, left_out, left_out_rows } = spooled
      const expected = {
        id: null,
        total,
        duplicates,
        created: total - overwritten,
        overwritten,
        rows,
        problems: problems.inOrder,
        problem_rows: problems.row_count,
        left_out,
        left_out_rows,
        preview: await previewOf(
          scope,
          resolve(spooled.first.map(({ record }) => record)),
          spooled,
          asked,
          compared.found,
        ),
        ignored_columns: ignored,
        notes,
        sheets,
      }
      if (asked.dry_run) return expected
      const property_ids = [...coming.keys()]
      const done = { outcome: 'done', total, duplicates, property_ids, undo_until: undoUntil }
      const id = await keep(scope, asked, done)
      const stored = await storeAll(scope, id, asked, spooled, compared)
      const counts = { ...stored, ...(await besides.finish?.(scope, asked, id)) }
      await scope.change('imports', [id], counts)
      const after = { file_name: asked.file.name, [definition.kind]: total, duplicates, ...counts }
      await logActivityOfMany(scope, { action: 'import', entity: ofProperties, ids: property_ids, after })
      return { ...expected, ...stored, id }
    },

    /** After the transaction, which left nothing behind. */
    async keepFailure(caller: Caller, asked: Asked, error: unknown) {
      if (asked.dry_run || !(error instanceof ImportRefused)) return
      const problems = JSON.stringify(error.problems)
      await tenancy.enter(caller, 'write', async (scope) => {
        await keep(scope, await withinReach(scope, asked), { outcome: 'failed', problems })
      })
    },
  }

  async function storeAll(scope: Scope, id: number, asked: A, spooled: Spooled, { found, problems, resolve }: All) {
    const how = { columns: new Set(spooled.columns), chosen: asked.chosen, found }
    const counts = { created: 0, overwritten: 0 }
    for await (const chunk of spooled.chunks())
      for (const records of partsOf(without(problems, resolve(chunk)))) {
        const stored = await storeChunk(scope, definition, records, how)
        const beside = await besides.afterStoring?.(scope, stored, asked)
        await keepRecords(scope, id, definition.table, stored)
        if (beside) await keepRecords(scope, id, beside.table, beside.records)
        for (const { created } of stored) counts[created ? 'created' : 'overwritten']++
      }
    return counts
  }

  function keep(scope: Scope, { file, property_id }: Asked, values: Record<string, unknown>): Promise<number> {
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

/**
 * Records in one statement that writes. A statement has 10 s; of 2,500 records it took nearly one on a machine at rest, and
 * more than it has on one that is busy. Comparing costs the same for few as for many, and takes a chunk at once.
 */
const stored_at_once = 500

function* partsOf(records: ImportRecord[]) {
  for (let from = 0; from < records.length; from += stored_at_once) yield records.slice(from, from + stored_at_once)
}

/** Someone of a property imports into it; someone of a group says into which; rows may only do so for a whole customer. */
function propertyOf({ owner }: Caller, { property_id }: Asked): number | null {
  const chosen = property_id ?? (owner.owner_type === 'Property' ? owner.owner_id : null)
  if (chosen === null && owner.owner_type === 'Group') throw invalid({ property_id: [messages.fields.required] })
  return chosen
}

/** What the reader is told of where the records belong: today, by the clock of the property, and what rows may name. */
async function factsOf(scope: Scope, property_id: number | null) {
  const rows = await scope.run(sql<{ id: number; name: string; today: string; leases: boolean }>`
    select t.id, t.name, local_day(app_now(), coalesce(t.time_zone, 'UTC'))::text as today,
      t.property_type_id = ${student_home} as leases
    from properties as t where ${property_id === null ? sql`true` : sql`t.id = ${property_id}`} and ${scope.inReach('properties', 't')}
    order by t.id limit ${properties_named_max}`)
  const [own] = rows
  const isOne = property_id !== null && own
  return {
    today: isOne ? own.today : new Date().toISOString().slice(0, 10),
    leases: isOne ? own.leases : false,
    properties: rows.map(({ id, name }) => [id, name] as const),
  }
}
/** Student accommodation, among the types of properties. */
const student_home = 4
/** Of more, rows give the ids: all of them travel on a command line. */
const properties_named_max = 300

/** Two imports into one property follow one another, so that each counts right what it overwrites. */
const takeTurns = (scope: Scope, { ids }: Spooled) =>
  scope.lock('properties', sql`t.id = any(${[...(ids.get('property_id') ?? [])]})`)

interface All extends Compared {
  resolve: Resolve
}

/** The records of rows in which nothing is wrong. */
const without = (problems: Problems, records: ImportRecord[]) => records.filter(({ row }) => !problems.has(row))

async function compareAll<A extends Asked>(
  scope: Scope,
  definition: ImportDefinition,
  spooled: Spooled,
  { besides, asked }: { besides: Besides<A>; asked: A },
) {
  const problems = new Problems(spooled.problems, spooled.problem_rows)
  const found = new Map<number, Found>()
  /** New records by property; properties that get none count, too. */
  const coming = new Map<number, number>()
  let overwritten = 0
  let total = 0
  const resolve = await namedIn(scope, definition, spooled)
  const astray = await idsAstray(scope, definition, spooled)
  for await (const chunk of spooled.chunks()) {
    const records = resolve(chunk, problems)
    refuseAstray(records, astray, problems)
    await compare(scope, definition, records, { found, problems })
    await besides.compare?.(scope, records, { found, problems })
    const sound = without(problems, records)
    await besides.gather?.(scope, sound, found, asked)
    for (const { row, property_id } of sound) {
      total++
      const exists = typeof found.get(row)?.id === 'number'
      if (exists) overwritten++
      coming.set(property_id, (coming.get(property_id) ?? 0) + (exists ? 0 : 1))
    }
  }
  return { problems, found, coming, overwritten, total, resolve }
}

/** The first rows, as they were understood. */
async function previewOf(
  scope: Scope,
  records: ImportRecord[],
  { first }: Spooled,
  { chosen }: Asked,
  found: Map<number, Found>,
) {
  const packageOf = (record: ImportRecord) => (record['package_id'] ?? chosen['package_id'] ?? null) as number | null
  const packages = await scope.run(sql<{ id: number; name: string }>`
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

/** A property that was refused is not where the failure is kept. */
async function withinReach(scope: Scope, asked: Asked): Promise<Asked> {
  const { property_id: id } = asked
  if (id === null) return asked
  const astray = await scope.unreachable([{ target: 'properties', id, field: 'property_id' }])
  return astray.length > 0 ? { ...asked, property_id: null } : asked
}
