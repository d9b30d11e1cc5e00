// Store: writes a chunk of records to the table of their kind, each over an existing record or as a new one.
import { sql } from 'kysely'
import { refusals } from '#contract/errors.ts'
import { clash } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { pick, recordset, sameText, type FoundRecord } from './compare.ts'
import type { ImportColumn, ImportDefinition } from './definition.ts'
import { imagesOf, withRecords, type KeptRecord } from './record-images.ts'
import { recordKey, type ImportRecord } from './records.ts'

export interface StoredRecord extends KeptRecord {
  created: boolean
  record: ImportRecord
}

export interface How {
  /** The columns of the file. All others are left as they are. */
  columns: ReadonlySet<string>
  /** The ids chosen with the file, by the column that they are for. */
  chosen: Readonly<Record<string, number | null>>
  found: ReadonlyMap<number, FoundRecord>
}

/** A column of the table, and the column of the file that is stored in it. */
interface Target {
  name: string
  from: string
  column: ImportColumn
}

function targetsOf({ columns }: ImportDefinition): Target[] {
  return Object.entries(columns).flatMap(([from, column]) =>
    column.apart ? [] : [{ name: column.finds?.stored ?? from, from, column }],
  )
}

/** The columns of the table that the import writes. */
export const writtenBy = (definition: ImportDefinition) => targetsOf(definition).map(({ name }) => name)

/** Another user may make or remove a record of the same name between two statements, but hardly ever several times in a row. */
const tries_max = 3

/** Stores all records, and returns each with its id and the values that it overwrote. */
export async function storeChunk(
  scope: Scope,
  definition: ImportDefinition,
  records: ImportRecord[],
  how: How,
): Promise<StoredRecord[]> {
  const found = new Map(records.map(({ row }) => [row, how.found.get(row) ?? { id: null, named: {} }]))
  const stored = new Map<number, StoredRecord>()
  const keep = (some: StoredRecord[]) => some.forEach((one) => stored.set(one.id, one))
  let left = records
  for (let turn = 0; left.length > 0; turn++) {
    if (turn === tries_max) throw clash(refusals.clash.message)
    const overwritten = await update(scope, definition, left, { ...how, found })
    left = without(left, overwritten)
    // Records whose existing one has just been removed are new after all.
    const made = await insert(scope, definition, left, { ...how, found })
    left = without(left, made)
    keep([...overwritten, ...made])
    // The rest have an existing record by now: one that was just made, or that of a later row with a key that is the same
    // for the database.
    const ids = await idsByKey(scope, definition, left)
    for (const [row, id] of ids) found.set(row, { id, named: found.get(row)?.named ?? {} })
    left = left.filter(({ row }) => !stored.has(ids.get(row) ?? 0))
  }
  return [...stored.values()]
}

function without(records: ImportRecord[], stored: StoredRecord[]) {
  const done = new Set(stored.map(({ record }) => record.row))
  return records.filter(({ row }) => !done.has(row))
}

/** The records as rows of the table, in a table `r`; of two with the same key for the database, the last. */
function rowsOf(scope: Scope, definition: ImportDefinition, records: ImportRecord[], how: How) {
  const targets = targetsOf(definition)
  const given = records.map((record) => ({
    ...pick(record, ['row', 'property_id', ...targets.map(({ from }) => from)]),
    ...how.found.get(record.row)?.named,
    id: how.found.get(record.row)?.id ?? null,
  }))
  const key = sql.join([
    sql.ref('r.property_id'),
    ...definition.key.columns.map((name) => sql`lower(btrim(${sql.ref(`r.${name}`)}))`),
  ])
  return sql`
    select distinct on (${key}) r.row, r.id, r.property_id, ${sql.join(
      targets.map((target) => sql`${valueOf(target, how)} as ${sql.ref(target.name)}`),
    )}
    from ${recordset(given, [
      ['row', 'row'],
      ['id', 'id'],
      ['property_id', 'id'],
      ...targets.map(({ name, column }) => [name, column.finds ? 'id' : column.type] as const),
    ])}
    join properties as p on p.id = r.property_id and ${scope.inReach('properties', 'p')}
    order by ${key}, r.row desc`
}

function valueOf({ name, from, column }: Target, { chosen }: How) {
  const value = sql.ref(`r.${name}`)
  if (column.refersTo) return sql`coalesce(${value}, ${chosen[from] ?? null}::integer)`
  if (column.whenEmpty !== undefined) return sql`coalesce(${value}, ${column.whenEmpty})`
  if (column.type === 'moment')
    return sql`case when ${value} ~ '(Z|[+-]..:..)$' then ${value}::timestamptz else ${value}::timestamp at time zone p.time_zone end`
  return value
}

/** The new value for an existing record `t`. */
function newValue({ name, column }: Target) {
  const value = sql.ref(`r.${name}`)
  return column.refersTo || column.needed ? sql`coalesce(${value}, ${sql.ref(`t.${name}`)})` : value
}

/** Updates existing records; the columns that a row has in `left_out` keep their values. */
async function update(scope: Scope, definition: ImportDefinition, records: ImportRecord[], how: How) {
  const stored: StoredRecord[] = []
  for (const [left_out, alike] of Map.groupBy(records, (record) => record['left_out'] ?? null)) {
    const left = typeof left_out === 'string' ? left_out.split(',') : []
    const columns = new Set([...how.columns].filter((name) => !left.includes(name)))
    stored.push(...(await updateColumns(scope, definition, alike, { ...how, columns })))
  }
  return stored
}

async function updateColumns(scope: Scope, definition: ImportDefinition, records: ImportRecord[], how: How) {
  const { table } = definition
  const idOf = ({ row }: ImportRecord) => how.found.get(row)?.id ?? 0
  const found = records.filter((record) => idOf(record) !== 0)
  if (found.length === 0) return []
  const images = await imagesOf(scope, { table, columns: writtenBy(definition) }, found.map(idOf))
  const known = await withKey(scope, definition, found, idOf)
  const byId = new Map(known.map((record) => [idOf(record), record]))
  const written = targetsOf(definition).filter(
    ({ from }) => how.columns.has(from) || definition.key.columns.includes(from),
  )
  // `r` is scanned for each record; both are few. With a join, a plan from before the table was last analysed might read
  // the whole table for each row.
  const rows = await scope.run(sql<{ id: number }>`
    with r as materialized (${rowsOf(scope, definition, known, how)})
    update ${sql.table(table)} as t set (${sql.join(written.map(({ name }) => sql.ref(name)))}) = (
      select ${sql.join(written.map(newValue))} from r where r.id = t.id)
    where (t.id in (select r.id from r)) is true and t.id = any(${[...byId.keys()]}) and ${scope.inReach(table, 't')} returning t.id`)
  return rows.flatMap(({ id }): StoredRecord[] => {
    const record = byId.get(id)
    return record ? [{ id, created: false, record, before: images.get(id) ?? null }] : []
  })
}

async function insert(scope: Scope, definition: ImportDefinition, records: ImportRecord[], how: How) {
  if (records.length === 0) return []
  const { key, table } = definition
  const byKey = new Map(records.map((record) => [recordKey(definition, record), record]))
  const names = sql.join(['property_id', ...writtenBy(definition)].map((name) => sql.ref(name)))
  const rows = await scope.run(sql<ImportRecord & { id: number }>`
    insert into ${sql.table(table)} as t (${names})
    select ${names} from (${rowsOf(scope, definition, records, how)}) as r
    ${key.unique ? ignoringExisting(definition) : sql``}
    returning t.id, t.property_id, ${sql.join(key.columns.map((name) => sql.ref(`t.${name}`)))}`)
  return rows.flatMap((row): StoredRecord[] => {
    const record = byKey.get(recordKey(definition, row))
    return record ? [{ id: row.id, created: true, record, before: null }] : []
  })
}

/** Another user may have made a record of this name since the comparison. */
const ignoringExisting = ({ key }: ImportDefinition) => sql`
  on conflict (customer_id, property_id, ${sql.join(key.columns.map((name) => sql`lower(btrim(${sql.ref(name)}))`))})
  where deleted_at is null do nothing`

const sameKey = ({ key }: ImportDefinition) =>
  sql.join(
    key.columns.map((name) => sameText(sql.ref(`t.${name}`), sql.ref(`r.${name}`))),
    sql` and `,
  )

/** Without records that were renamed since they were found. They are locked by now. */
async function withKey(
  scope: Scope,
  definition: ImportDefinition,
  records: ImportRecord[],
  idOf: (record: ImportRecord) => number,
) {
  const { key, table, columns } = definition
  const rows = await scope.run(sql<{ row: number }>`
    ${withRecords(scope, table, records.map(idOf))}
    select r.row from ${recordset(
      records.map((record) => ({ ...pick(record, ['row', ...key.columns]), id: idOf(record) })),
      [['row', 'row'], ['id', 'id'], ...key.columns.map((name) => [name, columns[name]?.type ?? 'text'] as const)],
    )}
    join t on t.id = r.id and ${sameKey(definition)}`)
  const still = new Set(rows.map(({ row }) => row))
  return records.filter(({ row }) => still.has(row))
}

/** The ids of existing records with the keys of rows, by row. */
async function idsByKey(scope: Scope, definition: ImportDefinition, records: ImportRecord[]) {
  if (records.length === 0) return new Map<number, number>()
  const { key, table, columns } = definition
  const rows = await scope.run(sql<{ row: number; id: number }>`
    select r.row, t.id from ${recordset(
      records.map((record) => pick(record, ['row', 'property_id', ...key.columns])),
      [
        ['row', 'row'],
        ['property_id', 'id'],
        ...key.columns.map((name) => [name, columns[name]?.type ?? 'text'] as const),
      ],
    )}
    join ${sql.table(table)} as t on t.property_id = r.property_id and ${sameKey(definition)} and ${scope.inReach(table, 't')}`)
  return new Map(rows.map(({ row, id }) => [row, id]))
}
