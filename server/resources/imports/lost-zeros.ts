// Lost zeros: spreadsheet programs turn 007 into 7. If a property has one and a file the other, the row is reported.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { pick, recordset, type FoundRecord } from '#server/imports/compare.ts'
import type { Problems } from '#server/imports/problems.ts'
import type { ImportRecord } from '#server/imports/records.ts'

/** Reports new rooms whose number differs from an existing one only by leading zeros. */
export async function refuseLostZeros(
  scope: Scope,
  records: ImportRecord[],
  { found, problems }: { found: ReadonlyMap<number, FoundRecord>; problems: Problems },
) {
  const unknown = records.filter(({ row }) => !found.has(row))
  if (unknown.length === 0) return
  const similar = await scope.run(sql<{ row: number; number: string }>`
    select distinct on (r.row) r.row, t.number
    from ${recordset(
      unknown.map((record) => pick(record, ['row', 'property_id', 'number'])),
      [
        ['row', 'row'],
        ['property_id', 'id'],
        ['number', 'text'],
      ],
    )}
    join rooms as t on t.property_id = r.property_id
      and ltrim(lower(btrim(t.number)), '0') = ltrim(lower(btrim(r.number)), '0') and ${scope.inReach('rooms', 't')}
    where ltrim(btrim(r.number), '0') ~ '^[0-9]'
    order by r.row, t.number`)
  for (const { row, number } of similar)
    problems.add(row, 'number', `The property has a room “${number}”. Write both the same way.`)
}
