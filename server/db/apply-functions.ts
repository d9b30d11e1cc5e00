// Apply functions: the database's functions have one source each, server/db/schema/functions. One whose text has changed is replaced
// after the migrations; nodes of the release before go on calling it, so its arguments and what it returns stay as they are. The comment
// above a function is the database's comment on it, for whoever looks with psql.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Client } from 'pg'

/** Next to this file, in the sources as well as in dist. */
export const functions_folder = path.join(import.meta.dirname, 'schema', 'functions')

/** What stands above a function in its file. */
const leading_comment = /^(--.*\n)+/

interface Source {
  name: string
  text: string
  /** In one line; null: there is none. */
  comment: string | null
  hash: string
}
function readSources(folder: string): Source[] {
  const files = fs.readdirSync(folder).filter((file) => file.endsWith('.sql'))
  return files.map((file) => {
    const text = fs.readFileSync(path.join(folder, file), 'utf8')
    const comment = leading_comment.exec(text)?.[0].replace(/^-- ?/gm, '').trim().replace(/\s+/g, ' ') ?? null
    return { name: path.basename(file, '.sql'), text, comment, hash: createHash('sha256').update(text).digest('hex') }
  })
}

/** Those whose text differs from what was applied last. */
export async function changedFunctions(owner: Client, folder = functions_folder): Promise<Source[]> {
  const { rows } = await owner.query<{ name: string; hash: string }>('select name, hash from upgrade_functions')
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]))
  return readSources(folder).filter(({ name, hash }) => applied.get(name) !== hash)
}

/** In a transaction of the caller. */
export async function applyFunctions(owner: Client, folder = functions_folder): Promise<string[]> {
  const changed = await changedFunctions(owner, folder)
  // A body may name what another file makes; what does not exist when it is called is an error then.
  await owner.query('set local check_function_bodies = off')
  // A function may set a parameter of pg_trgm, which PostgreSQL knows once a function of that has been called.
  await owner.query('select show_limit()')
  let waiting = changed
  while (waiting.length > 0) {
    const refused: [Source, unknown][] = []
    for (const source of waiting) {
      await owner.query('savepoint source')
      try {
        await owner.query(source.text)
      } catch (error) {
        await owner.query('rollback to savepoint source')
        refused.push([source, error])
      }
    }
    // Arguments' defaults and standard SQL bodies need functions of other files.
    const [first] = refused
    if (first && refused.length === waiting.length)
      throw new Error(`The function ${first[0].name} could not be applied`, { cause: first[1] })
    waiting = refused.map(([source]) => source)
  }
  await commentOn(owner, changed)
  for (const { name, hash } of changed)
    await owner.query(
      `insert into upgrade_functions (name, hash) values ($1, $2)
       on conflict (name) do update set hash = excluded.hash, applied_at = now()`,
      [name, hash],
    )
  return changed.map(({ name }) => name)
}

async function commentOn(owner: Client, sources: Source[]) {
  const { rows } = await owner.query<{ statement: string }>(
    `select format('comment on function %s is %L', oid::regprocedure, said.comment) as statement
     from unnest($1::text[], $2::text[]) as said (name, comment)
     join pg_proc on proname = said.name and pronamespace = 'public'::regnamespace
     where obj_description(oid, 'pg_proc') is distinct from said.comment`,
    [sources.map(({ name }) => name), sources.map(({ comment }) => comment)],
  )
  if (rows.length > 0) await owner.query(rows.map(({ statement }) => statement).join(';\n'))
}
