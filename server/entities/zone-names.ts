// Zone names: a time zone in the database's spelling.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { invalid } from '#server/errors/refused.ts'

/** Callers may use other capitals, and the database may lack a zone that Node has. */
export async function nameOfZone(scope: Scope, given: string): Promise<string> {
  const [known] = await scope.run(sql<{ name: string }>`
    select name from pg_timezone_names where lower(name) = lower(${given})`)
  if (!known) throw invalid({ time_zone: ['Please choose a time zone'] })
  return known.name
}
