// Elsewhere: what nobody here knows may be good at another property of the same customer. Guests read the same in both
// cases; the desk is told.
import { sql } from 'kysely'
import type { AttemptReason } from '#contract/sign-in-attempts.ts'
import { normalised } from '#contract/vouchers.ts'
import type { Scope } from '#server/access/tenancy.ts'

/** @param property_id where it was tried */
export async function isGoodElsewhere(scope: Scope, typed: string, property_id: number): Promise<boolean> {
  const [found] = await scope.run(sql<{ elsewhere: boolean }>`
    select signs_in_elsewhere(${typed}, ${normalised(typed)}, ${property_id}) as elsewhere`)
  return found?.elsewhere ?? false
}

export const reasonOfUnknown = async (
  scope: Scope,
  { user_name, property_id }: { user_name: string; property_id: number },
): Promise<AttemptReason> =>
  (await isGoodElsewhere(scope, user_name, property_id)) ? 'wrong_property' : 'unknown_user'
