// Names: rows may refer to records by name instead of id, as Foyer's own files do. The server looks them up.
import { sql } from 'kysely'
import { isTenantTable } from '#server/access/reach.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { ImportDefinition } from './definition.ts'
import type { Problems } from './problems.ts'
import type { ImportRecord } from './records.ts'
import type { Spooled } from './spool.ts'

const nouns: Record<string, string> = {
  packages: 'package',
  mac_categories: 'MAC category',
  account_types: 'account type',
}
const keyOf = (name: string) => name.trim().toLowerCase()

/** Replaces names by ids in these records, and adds problems for rows where that fails. */
export type Resolve = (records: ImportRecord[], problems?: Problems) => ImportRecord[]

/** Looks up the names of a file once. */
export async function resolverFor(scope: Scope, { columns }: ImportDefinition, { names }: Spooled): Promise<Resolve> {
  const known = new Map<string, Map<string, number[]>>()
  for (const [column, wanted] of names) {
    const target = columns[column]?.refersTo
    if (!target || wanted.size === 0) continue
    const among = sql`lower(btrim(t.name)) = any(${[...wanted].map(keyOf)})`
    const rows = await scope.run(sql<{ id: number; name: string }>`
      select t.id, t.name from ${sql.table(target)} as t
      where ${among} and ${isTenantTable(target) ? scope.inReach(target, 't') : sql`true`} order by t.id`)
    const byName = Map.groupBy(rows, ({ name }) => keyOf(name))
    known.set(column, new Map([...byName].map(([name, found]) => [name, found.map(({ id }) => id)])))
  }
  return (records, problems) => {
    for (const [column, byName] of known)
      for (const record of records) {
        const name = record[column]
        if (typeof name !== 'string') continue
        const ids = byName.get(keyOf(name)) ?? []
        const noun = nouns[columns[column]?.refersTo ?? ''] ?? 'record'
        record[column] = ids[0] ?? null
        if (ids.length === 0) problems?.add(record.row, column, `There is no ${noun} “${name}”`)
        if (ids.length > 1) problems?.add(record.row, column, `There are several of the name “${name}”. Write the id`)
      }
    return records
  }
}
