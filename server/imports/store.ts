// Store: a chunk of records written to the table of their kind, each over the record that it overwrites, or as a new one.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { pick, recordset, type Found } from './compare.ts'
import type { Column, ImportDefinition } from './definition.ts'
import { keyOf, type ImportRecord } from './records.ts'

export interface StoredRecord {
  id: number
  created: boolean
  record: ImportRecord
}

export interface How {
  /** The columns that the file has. What it says nothing about stays as it is. */
  columns: ReadonlySet<string>
  /** The ids chosen beside the file, by the column that they are for. */
  chosen: Readonly<Record<string, number | null>>
  found: ReadonlyMap<number, Found>
}

/** A column of the table that a column of the file is stored in. */
interface Target {
  name: string
  from: string
  column: Column
}

function targetsOf({ columns }: ImportDefinition): Target[] {
  return Object.entries(columns).flatMap(([from, column]) =>
    column.apart ? [] : [{ name: column.finds?.stored ?? from, from, column }],
  )
}

/** Stores them all, and answers each with its id. A unique key finds by itself what is overwritten. */
export async function storeChunk(
  scope: Scope,
  definition: ImportDefinition,
  records: ImportRecord[],
  how: How,
): Promise<StoredRecord[]> {
  if (definition.key.unique) return insert(scope, definition, records, how)
  const idOf = ({ row }: ImportRecord) => how.found.get(row)?.id ?? null
  const known = records.filter((record) => idOf(record) !== null)
  const updated = await update(scope, definition, known, how)
  const overwritten = new Set(updated.map(({ id }) => id))
  // Those whose record was removed a moment ago are new after all.
  const rest = records.filter((record) => !overwritten.has(idOf(record) ?? 0))
  return [...updated, ...(await insert(scope, definition, rest, how))]
}

/** The records as the rows that they become, in a table `r`; of two that the database takes for one, the last. */
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

/** What is set anew in a record that exists. */
const changes = (definition: ImportDefinition, { columns }: How, from: 'r' | 'excluded') =>
  sql.join(
    targetsOf(definition)
      .filter((target) => columns.has(target.from) || definition.key.columns.includes(target.from))
      .map(({ name, column }) => {
        const value = sql.ref(`${from}.${name}`)
        return sql`${sql.ref(name)} = ${column.refersTo || column.needed ? sql`coalesce(${value}, ${sql.ref(`t.${name}`)})` : value}`
      }),
  )

async function update(scope: Scope, definition: ImportDefinition, records: ImportRecord[], how: How) {
  if (records.length === 0) return []
  const byRow = new Map(records.map((record) => [record.row, record]))
  // Without them, a plan made before the table was last counted may read it whole for each row.
  const ids = records.flatMap(({ row }) => how.found.get(row)?.id ?? [])
  const rows = await scope.run(sql<{ id: number; row: number }>`
    with r as (${rowsOf(scope, definition, records, how)})
    update ${sql.table(definition.table)} as t set ${changes(definition, how, 'r')}
    from r where t.id = r.id and t.id = any(${ids}) and ${scope.inReach(definition.table, 't')} returning t.id, r.row`)
  return rows.flatMap(({ id, row }): StoredRecord[] => {
    const record = byRow.get(row)
    return record ? [{ id, created: false, record }] : []
  })
}

async function insert(scope: Scope, definition: ImportDefinition, records: ImportRecord[], how: How) {
  if (records.length === 0) return []
  const { key, table } = definition
  const byKey = new Map(records.map((record) => [keyOf(definition, record), record]))
  const names = sql.join(['property_id', ...targetsOf(definition).map(({ name }) => name)].map((name) => sql.ref(name)))
  const rows = await scope.run(sql<ImportRecord & { id: number; created: boolean }>`
    insert into ${sql.table(table)} as t (${names})
    select ${names} from (${rowsOf(scope, definition, records, how)}) as r
    ${key.unique ? onConflict(definition, how) : sql``}
    returning t.id, t.property_id, ${sql.join(key.columns.map((name) => sql.ref(`t.${name}`)))}, t.xmax = 0 as created`)
  return rows.flatMap((row): StoredRecord[] => {
    const record = byKey.get(keyOf(definition, row))
    return record ? [{ id: row.id, created: row.created, record }] : []
  })
}

/** Somebody may have made a record of this name since they were compared. */
const onConflict = (definition: ImportDefinition, how: How) => sql`
  on conflict (customer_id, property_id, ${sql.join(
    definition.key.columns.map((name) => sql`lower(btrim(${sql.ref(name)}))`),
  )}) where deleted_at is null do update set ${changes(definition, how, 'excluded')}`
