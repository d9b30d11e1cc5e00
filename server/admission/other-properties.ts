// Other properties: a name or code that is unknown here may be good at another property of the same customer. Guests read the same
// in both cases; the desk sees the difference.
import { sql } from 'kysely'
import { isCode, normalised } from '#contract/vouchers.ts'
import type { Scope } from '#server/access/tenancy.ts'

/** For each name or code that was typed. @param property_id where it was tried */
export async function areGoodElsewhere(
  scope: Scope,
  typed: readonly string[],
  property_id: number,
): Promise<boolean[]> {
  if (typed.length === 0) return []
  const codes = typed.map(normalised)
  const fingerprints = codes.map((code) => (isCode(code) ? scope.codes.fingerprintOf(code) : null))
  const found = await scope.run(sql<{ elsewhere: boolean }>`
    select signs_in_at_others(q.typed, q.code, q.fingerprint, ${property_id}) as elsewhere
    from unnest(${[...typed]}::text[], ${codes}::text[], ${fingerprints}::bytea[])
      with ordinality as q(typed, code, fingerprint, n) order by n`)
  return found.map(({ elsewhere }) => elsewhere)
}

export async function isGoodElsewhere(scope: Scope, typed: string, property_id: number): Promise<boolean> {
  const [elsewhere] = await areGoodElsewhere(scope, [typed], property_id)
  return elsewhere ?? false
}
