// Zone names: a time zone as the database writes it.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { invalid } from '#server/errors/refused.ts'

/** Programs have their own idea of capitals, and it may lack a zone that Node has. */
export async function nameOfZone(scope: Scope, given: string): Promise<string> {
  const [known] = await scope.run(sql<{ name: string }>`
    select name from pg_timezone_names where lower(name) = lower(${given})`)
  if (!known) throw invalid({ time_zone: ['Please choose a time zone'] })
  return known.name
}
