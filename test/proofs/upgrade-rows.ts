// Upgrade rows: a copy of every table as the release before has left it, and which of its rows and columns the upgrade has changed.
import type { Client } from 'pg'
import type { Found } from './upgrade-explained.ts'

const copies = 'as_before'

const tablesOf = async (admin: Client, schema: string) =>
  (
    await admin.query<{ table: string; columns: string[]; key: string[] }>(
      `select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns,
         coalesce((select array_agg(k.attname::text) from pg_index as i join pg_attribute as k
           on k.attrelid = i.indrelid and k.attnum = any (i.indkey)
           where i.indrelid = to_regclass('public.' || quote_ident(c.relname)) and i.indisprimary), '{}') as key
       from pg_class as c join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relnamespace = $1::regnamespace and c.relkind = 'r' group by c.relname order by 1`,
      [schema],
    )
  ).rows

export async function copyTables(admin: Client): Promise<void> {
  await admin.query(`create schema ${copies}`)
  for (const { table } of await tablesOf(admin, 'public'))
    await admin.query(`create table ${copies}.${table} as table public.${table}`)
}

/** `accounts.name: 3 of 2898`, `accounts: 1 row gone`, `accounts: 1 row more`, `accounts: no table`. */
export async function changedRows(admin: Client): Promise<{ changed: Found[]; tables: number; rows: number }> {
  const present = new Map((await tablesOf(admin, 'public')).map((one) => [one.table, one]))
  const changed: Found[] = []
  const before = await tablesOf(admin, copies)
  let all = 0
  for (const { table, columns, key: keyed } of before) {
    // Some have a unique id that is no primary key.
    const key = keyed.length === 0 && columns.includes('id') ? ['id'] : keyed
    const now = present.get(table)
    const gone = now ? columns.filter((column) => !now.columns.includes(column)) : []
    if (!now) changed.push({ where: table, example: 'the table is gone' })
    changed.push(...gone.map((column) => ({ where: `${table}.${column}`, example: 'the column is gone' })))
    if (!now) continue
    if (key.length === 0) throw new Error(`${table} has no primary key to compare its rows by`)
    const compared = columns.filter((column) => !gone.includes(column) && !key.includes(column))
    const same = key.map((column) => `b.${column} = n.${column}`).join(' and ')
    const [first = ''] = key
    // As text: json and some others have no equality.
    const counted = compared.map(
      (column) => `count(*) filter (where b.${first} is not null and n.${first} is not null
        and b.${column}::text is distinct from n.${column}::text)::int as "${column}"`,
    )
    const { rows } = await admin.query<Record<string, number>>(
      `select ${[
        `count(b.${first})::int as "all"`,
        `count(*) filter (where n.${first} is null)::int as "rows gone"`,
        `count(*) filter (where b.${first} is null)::int as "rows more"`,
        ...counted,
      ].join(', ')} from ${copies}.${table} as b full join public.${table} as n on ${same}`,
    )
    const { all: compared_rows = 0, ...counts } = rows[0] ?? {}
    all += compared_rows
    for (const [what, times] of Object.entries(counts))
      if (times > 0)
        changed.push({ where: `${table}${what.includes(' ') ? ': ' : '.'}${what}`, example: `${times} rows` })
  }
  return { changed, tables: before.length, rows: all }
}
