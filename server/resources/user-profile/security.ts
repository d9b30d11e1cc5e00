// Security: whether a customer's users need a second factor to sign in.
import { sql } from 'kysely'
import * as contract from '#contract/security.ts'
import type { Output } from '#contract/endpoint.ts'
import { invalid } from '#server/errors/refused.ts'
import { userIdOf } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { logChangeOfCustomer } from '#server/entities/activity-log.ts'

async function present(scope: Scope): Promise<Output<typeof contract.get>> {
  const [found] = await scope.run(sql<Output<typeof contract.get>>`
    select c.second_factor_required, p.people, p.without as people_without
    from customers as c, people_without_second_factor() as p where c.id = ${scope.customer_id}`)
  if (!found) throw new Error('a caller has a customer')
  return found
}

/** A user who requires it of others must have one, or would be locked out first. */
async function insistOnOwn(scope: Scope) {
  const [own] = await scope.run(sql<{ has: boolean }>`
    select own_second_factor(${userIdOf(scope)}::integer) as has`)
  if (!own?.has)
    throw invalid({ second_factor_required: ['Set up your own second factor first, then require it of others.'] })
}

export default serve(contract, {
  get: ({ scope }) => present(scope),
  update: async ({ scope, input: { second_factor_required } }) => {
    if (second_factor_required) await insistOnOwn(scope)
    const before = await present(scope)
    if (before.second_factor_required !== second_factor_required) {
      await scope.run(
        sql`update customers set second_factor_required = ${second_factor_required} where id = ${scope.customer_id}`,
      )
      await logChangeOfCustomer(
        scope,
        { second_factor_required: before.second_factor_required },
        { second_factor_required },
      )
    }
    return present(scope)
  },
})
