// Compare: compares the records of a file with the database: the record that each overwrites, the records that it names, and its
// problems.
import { sql, type RawBuilder } from 'kysely'
import { selectedInvalid } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import type { RefTarget } from '#contract/ref-target.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { propertyColumn, type ImportColumn, type ImportDefinition } from './definition.ts'
import type { Problems } from './problems.ts'
import type { ImportRecord } from './records.ts'
import type { Spooled } from './spool.ts'

/** What was found for a row. Nothing is the common case in a first import, and is not stored. */
export interface FoundRecord {
  /** The record that it overwrites. */
  id: number | null
  /** The ids of the records that it names, by the column that they are stored in. */
  named: Record<string, number | null>
}

type Named = [name: string, column: ImportColumn]
const columnsWith = (definition: ImportDefinition, part: 'finds' | 'unique'): Named[] =>
  Object.entries(definition.columns).filter(([, column]) => column[part])

/** The ids in rows that are not in the caller's reach, by column. All are checked at once. */
export async function idsOutOfReach(scope: Scope, definition: ImportDefinition, { ids }: Spooled) {
  const targets: Record<string, RefTarget | undefined> = { property_id: 'properties' }
  for (const [name, { refersTo }] of Object.entries(definition.columns)) targets[name] = refersTo
  const named = [...ids].flatMap(([field, found]) => {
    const target = targets[field]
    return target ? [...found].map((id) => ({ target, id, field })) : []
  })
  return Map.groupBy(await scope.unreachable(named), ({ field }) => field)
}

export function refuseOutOfReach(
  records: ImportRecord[],
  outOfReach: Awaited<ReturnType<typeof idsOutOfReach>>,
  problems: Problems,
) {
  for (const [field, found] of outOfReach) {
    const ids = new Set<unknown>(found.map(({ id }) => id))
    for (const record of records) if (ids.has(record[field])) problems.add(record.row, field, selectedInvalid(field))
  }
}

/** As the database compares texts for its unique indexes. */
export const sameText = (one: RawBuilder<unknown>, other: RawBuilder<unknown>) =>
  sql`lower(btrim(${one})) = lower(btrim(${other}))`
const same = (type: ImportColumn['type'], one: RawBuilder<unknown>, other: RawBuilder<unknown>) =>
  type === 'text' ? sameText(one, other) : sql`${one} = ${other}`

const types: Record<ImportColumn['type'], string> = {
  text: 'text',
  // Read as text, because the property's time zone decides what it means.
  moment: 'text',
  macaddr: 'macaddr',
  id: 'integer',
  truth: 'boolean',
  people: 'jsonb',
}
/** These columns of the records as a table `r`. */
export function recordset(
  records: readonly object[],
  columns: readonly (readonly [string, ImportColumn['type'] | 'row'])[],
) {
  const list = columns.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type === 'row' ? 'integer' : types[type])}`)
  return sql`json_to_recordset(${JSON.stringify(records)}) as r(${sql.join(list)})`
}

export const pick = (record: ImportRecord, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, record[name]]))

interface FoundRow {
  row: number
  id: number | null
  [found: string]: number | boolean | null
}

/** Adds what it finds to `found`, by row, and what is wrong to `problems`. */
export async function compare(
  scope: Scope,
  definition: ImportDefinition,
  records: ImportRecord[],
  { found, problems }: { found: Map<number, FoundRecord>; problems: Problems },
) {
  const finding = columnsWith(definition, 'finds')
  const unique = columnsWith(definition, 'unique')
  const { key, columns } = definition
  const asked = [...new Set([...key.columns, ...finding.map(([name]) => name), ...unique.map(([name]) => name)])]
  const types = asked.map((name) => [name, (columns[name] ?? propertyColumn).type] as const)
  const rows = await scope.run(sql<FoundRow>`
    select ${sql.join([
      sql`r.row, t.id`,
      ...finding.map(([name]) => sql`${sql.ref(`${name}_found.id`)} as ${sql.ref(`${name}_found`)}`),
      ...unique.map(([name]) => sql`${sql.ref(`${name}_taken.id`)} is not null as ${sql.ref(`${name}_taken`)}`),
    ])}
    from ${recordset(
      records.map((record) => pick(record, ['row', 'property_id', ...asked])),
      [['row', 'row'], ['property_id', 'id'], ...types],
    )}
    left join ${sql.table(definition.table)} as t on t.property_id = r.property_id
      and ${sql.join(
        key.columns.map((name) => sameText(sql.ref(`t.${name}`), sql.ref(`r.${name}`))),
        sql` and `,
      )} and ${scope.inReach(definition.table, 't')}
    ${sql.join(finding.map(([name, { finds }]) => finds && joinNamed(scope, name, finds)).filter(isSql), sql` `)}
    ${sql.join(
      unique.map(([name, column]) => joinTaken(scope, definition, name, column)),
      sql` `,
    )}
    where ${sql.join(
      [
        sql`t.id is not null`,
        ...finding.map(([name]) => sql`${sql.ref(`${name}_found.id`)} is not null`),
        ...unique.map(([name]) => sql`${sql.ref(`${name}_taken.id`)} is not null`),
      ],
      sql` or `,
    )}`)
  const byRow = Map.groupBy(rows, ({ row }) => row)
  for (const record of records) recordFindings(definition, record, byRow.get(record.row) ?? [], { found, problems })
}

const isSql = (part: RawBuilder<unknown> | undefined): part is RawBuilder<unknown> => part !== undefined

function joinNamed(scope: Scope, name: string, { table, by }: NonNullable<ImportColumn['finds']>) {
  const alias = `${name}_found`
  return sql`left join ${sql.table(table)} as ${sql.ref(alias)} on ${sql.ref(`${alias}.property_id`)} = r.property_id
    and ${sameText(sql.ref(`${alias}.${by}`), sql.ref(`r.${name}`))} and ${scope.inReach(table, alias)}`
}

/** Another record than the overwritten one that has the unique value. */
function joinTaken(scope: Scope, { table }: ImportDefinition, name: string, { type, unique }: ImportColumn) {
  const alias = `${name}_taken`
  const isTaken = unique?.fold
    ? sql`${sql.ref(`${alias}.${unique.fold}`)} = same_fold(${sql.ref(`r.${name}`)})`
    : same(type, sql.ref(`${alias}.${name}`), sql.ref(`r.${name}`))
  return sql`left join ${sql.table(table)} as ${sql.ref(alias)} on ${sql.ref(`${alias}.property_id`)} = r.property_id
    and ${isTaken}
    and ${sql.ref(`${alias}.id`)} is distinct from t.id and ${scope.inReach(table, alias)}`
}

function recordFindings(
  { columns, key }: ImportDefinition,
  record: ImportRecord,
  rows: FoundRow[],
  { found, problems }: { found: Map<number, FoundRecord>; problems: Problems },
) {
  const [row] = rows
  const named: FoundRecord['named'] = {}
  if (key.ambiguous !== undefined && new Set(rows.map(({ id }) => id)).size > 1)
    problems.add(record.row, key.columns[0] ?? null, key.ambiguous)
  for (const [name, { finds, needed, unique }] of Object.entries(columns)) {
    const value = record[name] ?? null
    if (finds) {
      const id = (row?.[`${name}_found`] as number | null | undefined) ?? null
      named[finds.stored] = id
      if (value !== null && id === null)
        problems.add(record.row, name, `There is no ${finds.noun} ${String(value)} in the property`)
    }
    if (needed && value === null && !row?.id) problems.add(record.row, name, messages.fields.required)
    if (unique && row?.[`${name}_taken`] === true) problems.add(record.row, name, unique.taken)
  }
  if (row) found.set(record.row, { id: row.id, named })
}
