// Keep look-up: rows of a look-up table that the program defines in code are added by whoever migrates the database.
import { connect } from '#server/db/logins.ts'

/** Nothing goes, since records may name it and a later release may know it. Another name for a row is a migration. */
export async function keepLookup(
  ownerUrl: string,
  table: 'gateway_types' | 'property_interface_types',
  rows: readonly { id: number; name: string }[],
): Promise<void> {
  const owner = await connect(ownerUrl)
  try {
    await owner.query(
      `insert into ${table} (id, name) select id, name from json_to_recordset($1) as r (id integer, name text)
       on conflict do nothing`,
      [JSON.stringify(rows)],
    )
  } finally {
    await owner.end()
  }
}
