// Company: the customer's time zone, by which reports are sent, and the contact for front desks. When the zone changes, a database
// trigger moves what is due.
import { sql } from 'kysely'
import * as contract from '#contract/company.ts'
import type { Output } from '#contract/endpoint.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { logChangeOfCustomer } from '#server/entities/activity-log.ts'
import { nameOfZone } from '#server/entities/zone-names.ts'

async function present(scope: Scope): Promise<Output<typeof contract.get>> {
  const [found] = await scope.run(sql<Output<typeof contract.get>>`
    select c.name, c.time_zone, c.desk_contact from customers as c where c.id = ${scope.customer_id}`)
  if (!found) throw new Error('a caller has a customer')
  return found
}

export default serve(contract, {
  get: ({ scope }) => present(scope),
  update: async ({ scope, input }) => {
    const { name: _, ...before } = await present(scope)
    const after = {
      time_zone: input.time_zone === undefined ? before.time_zone : await nameOfZone(scope, input.time_zone),
      desk_contact: input.desk_contact === undefined ? before.desk_contact : input.desk_contact,
    }
    const changed = (['time_zone', 'desk_contact'] as const).filter((field) => before[field] !== after[field])
    if (changed.length > 0) {
      await scope.run(sql`
        update customers set ${sql.join(changed.map((field) => sql`${sql.ref(field)} = ${after[field]}`))}
        where id = ${scope.customer_id}`)
      const only = (values: typeof after) => Object.fromEntries(changed.map((field) => [field, values[field]]))
      await logChangeOfCustomer(scope, only(before), only(after))
    }
    return present(scope)
  },
})
