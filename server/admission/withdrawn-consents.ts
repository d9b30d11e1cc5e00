// Withdrawn consents: guests who want to be sent no more, whether they say it at the desk or on their own page.
import { sql } from 'kysely'
import type { marketingPurposes } from '#contract/guests.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'
import type { Logged } from '#server/entities/entity.ts'
import { unreachableIds } from '#server/entities/verbs.ts'

/** The log outlives the guest's data, so it names nobody. */
export const loggedGuests = {
  table: 'guests',
  label: 'id',
  belongs: { property_id: 'property_id' },
} as const satisfies Logged

/** @param others who may be gone meanwhile */
export async function lockGuests(scope: Scope, ids: number[], others: number[] = []): Promise<number[]> {
  const known = await scope.lock('guests', sql`t.id = any(${[...ids, ...others]})`)
  if (!ids.every((id) => known.includes(id))) throw unreachableIds()
  return known
}

/** Those who have the same address or number as one of these: a person is a guest of their own at each property. */
async function samePeople(scope: Scope, ids: number[]): Promise<number[]> {
  const addresses = (column: ReturnType<typeof sql>) => sql`
    array(select ${column} from guests as t where t.id = any(${ids}) and ${scope.inReach('guests', 't')})`
  const others = await scope.run(sql<ColumnsOf<'guests', 'id'>>`
    select t.id from guests as t where t.deleted_at is null and ${scope.inReach('guests', 't')}
      and (t.email is not null and lower(t.email) = any(${addresses(sql`lower(t.email)`)})
        or t.mobile_number is not null and t.mobile_number = any(${addresses(sql`t.mobile_number`)}))`)
  return others.map(({ id }) => id)
}

interface Withdrawal {
  ids: number[]
  purposes: readonly (typeof marketingPurposes)[number][]
  /** Where they said it. */
  via: 'desk' | 'portal'
}
/** Returns all guests in the caller's reach whose consent it was. */
export async function withdrawConsents(scope: Scope, { ids: chosen, purposes, via }: Withdrawal): Promise<number[]> {
  const ids = await lockGuests(scope, chosen, await samePeople(scope, chosen))
  const withdrawn = await scope.run(sql<ColumnsOf<'consent_records', 'guest_id'>>`
    update consent_records as t set withdrawn_at = now(), withdrawn_via = ${via}
    where t.guest_id = any(${ids}) and t.purpose = any(${purposes}) and t.withdrawn_at is null
      and ${scope.inReach('consent_records', 't')} returning t.guest_id`)
  const theirs = new Set(withdrawn.map(({ guest_id }) => guest_id).filter((id) => id !== null))
  const after = { consent_withdrawn: purposes }
  if (theirs.size > 0)
    await logActivityOfMany(scope, { action: 'update', entity: loggedGuests, ids: [...theirs], after })
  return ids
}
