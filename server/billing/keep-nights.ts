// Keep nights: the job that writes down what each property let, as soon as a date is over there. What was missed while no node
// ran is written from what was recorded then (record_nights of migration 0340); what nobody can know is marked so.
import { sql } from 'kysely'
import { forEachCustomer } from '#server/access/each-customer.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'

/** Each step writes one night of every property that has one to write. It may stop anywhere: the next run goes on from there. */
export async function keepNights(tenancy: Tenancy): Promise<void> {
  const customers = await tenancy.callFunction(
    sql<{ customer_id: number }>`select customer_id from door_customers_of_nights()`,
  )
  const ids = customers.map(({ customer_id }) => customer_id)
  await forEachCustomer(ids, async (customer_id) => {
    const step = () =>
      tenancy.enter(callerOfJob(customer_id, 'keep nights'), 'write', async (scope) => {
        const [row] = await scope.run(sql<{ written: number }>`select record_nights() as written`)
        return row?.written ?? 0
      })
    while ((await step()) > 0);
  })
}

/** Wherever midnight is: nowhere more than a few minutes after it. */
export const keepNightsJob = job({
  kind: jobKind('keep_nights'),
  cron: '*/5 * * * *',
  at_start: true,
  run: ({ tenancy }: { tenancy: Tenancy }) => keepNights(tenancy),
})
