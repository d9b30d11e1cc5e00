// Company: the clock by which a customer's reports are sent. What is due moves with it, by a trigger of the database.
import { sql } from 'kysely'
import * as contract from '#contract/company.ts'
import type { Output } from '#contract/endpoint.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { logChangeOfCustomer } from '#server/entities/activity-log.ts'
import { nameOfZone } from '#server/entities/zone-names.ts'

async function present(scope: Scope): Promise<Output<typeof contract.get>> {
  const [found] = await scope.run(sql<Output<typeof contract.get>>`
    select c.name, c.time_zone from customers as c where c.id = ${scope.customer_id}`)
  if (!found) throw new Error('a caller has a customer')
  return found
}

export default serve(contract, {
  get: ({ scope }) => present(scope),
  update: async ({ scope, input }) => {
    const time_zone = await nameOfZone(scope, input.time_zone)
    const before = await present(scope)
    if (before.time_zone !== time_zone) {
      await scope.run(sql`update customers set time_zone = ${time_zone} where id = ${scope.customer_id}`)
      await logChangeOfCustomer(scope, { time_zone: before.time_zone }, { time_zone })
    }
    return present(scope)
  },
})
