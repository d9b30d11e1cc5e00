// Expansion: what nodes of the release before rely on in the database, and what a change since then has taken away from them.
import type { Client } from 'pg'

/** A line for each thing, such as `column accounts.name text`; each must still be there, as it is. */
const needed = `
  select format('table %s', c.relname) as line from pg_class c where c.relkind in ('r', 'v') and own(c)
  union all
  select format('column %s.%s %s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), case a.attgenerated when 's'
    then ' generated' else '' end)
  from pg_class c join pg_attribute a on a.attrelid = c.oid where c.relkind in ('r', 'v') and own(c) and a.attnum > 0 and not a.attisdropped
  union all
  select format('default of %s.%s', c.relname, a.attname)
  from pg_class c join pg_attribute a on a.attrelid = c.oid where c.relkind = 'r' and own(c) and a.attnum > 0 and not a.attisdropped
    and (a.atthasdef or a.attidentity <> '')
  union all
  select format('function %s returns %s', p.oid::regprocedure, pg_get_function_result(p.oid)) from pg_proc p
  where p.pronamespace = 'public'::regnamespace and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
  union all
  select format('%s on %s for %s', r.right, c.relname, u.login) from pg_class c,
    unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) as r ("right"), unnest(array['foyer_app', 'foyer_auth',
      'foyer_guest']) as u (login)
  where c.relkind in ('r', 'v') and own(c) and has_table_privilege(u.login, c.oid, r.right)
  union all
  select format('unique %s', pg_get_indexdef(i.indexrelid)) from pg_index i join pg_class c on c.oid = i.indrelid where i.indisunique
    and own(c)`

/** A line for each thing that can refuse what a node writes. */
const refusing = `
  select format('not null %s.%s', c.relname, a.attname) as line, c.relname as of, '{}'::text[] as columns from pg_class c
    join pg_attribute a on a.attrelid = c.oid
  where c.relkind = 'r' and own(c) and a.attnum > 0 and not a.attisdropped and a.attnotnull and not a.atthasdef and a.attidentity = ''
  union all
  select format('constraint %s on %s %s', k.conname, c.relname, pg_get_constraintdef(k.oid)), c.relname,
    array(select attname::text from pg_attribute where attrelid = k.conrelid and attnum = any (k.conkey))
  from pg_constraint k join pg_class c on c.oid = k.conrelid where own(c) and k.contype in ('c', 'f', 'x')
  union all
  select format('unique %s', pg_get_indexdef(i.indexrelid)), c.relname,
    array(select attname::text from pg_attribute where attrelid = i.indrelid and attnum = any (i.indkey::int2[]))
  from pg_index i join pg_class c on c.oid = i.indrelid where i.indisunique and own(c)`

/** Of the schema `public`, without the upgrades' own tables. */
const ofProduct = (query: string) =>
  query.replaceAll('own(c)', `c.relnamespace = 'public'::regnamespace and c.relname !~ '^(kysely|upgrade)_'`)

export interface Relied {
  needs: Set<string>
  /** Whose they are, and of which columns. */
  refusals: Map<string, { of: string; columns: string[] }>
}

export async function reliedOn(owner: Client): Promise<Relied> {
  const needs = await owner.query<{ line: string }>(ofProduct(needed))
  const refusals = await owner.query<{ line: string; of: string; columns: string[] }>(ofProduct(refusing))
  return {
    needs: new Set(needs.rows.map(({ line }) => line)),
    refusals: new Map(refusals.rows.map(({ line, of, columns }) => [line, { of, columns }])),
  }
}

/** Releases of PostgreSQL word what a constraint demands in different ways. */
const named = (line: string) => line.replace(/ (CHECK|FOREIGN KEY|EXCLUDE) .*$/s, '')

/** A line for each thing that a node of before cannot do any more. It leaves new columns empty, which their constraints let pass. */
export function takenAway(before: Relied, after: Relied): string[] {
  const gone = [...before.needs].filter((line) => !after.needs.has(line)).map((line) => `gone: ${line}`)
  const known = [...before.needs]
  const isKnown = (table: string, column: string) => known.some((line) => line.startsWith(`column ${table}.${column} `))
  const narrower = [...after.refusals].filter(
    ([line, { of, columns }]) =>
      before.needs.has(`table ${of}`) && !before.refusals.has(line) && columns.every((column) => isKnown(of, column)),
  )
  return [...gone, ...narrower.map(([line]) => `new: ${named(line)}`)].toSorted()
}
