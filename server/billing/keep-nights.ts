// Keep nights: the job that records each property's nights as soon as a date is over there. Nights that were missed while no node ran
// are derived from what was recorded at the time (function record_nights); those that nobody can know are marked as unknown.
import { sql } from 'kysely'
import { forEachCustomer } from '#server/access/each-customer.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'

/** Each step records one night for every property that has one due. It may stop at any point: the next run continues from there. */
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

/** In every time zone, nights are recorded within minutes of midnight. */
export const keepNightsJob = job({
  kind: jobKind('keep_nights'),
  cron: '*/5 * * * *',
  at_start: true,
  run: ({ tenancy }: { tenancy: Tenancy }) => keepNights(tenancy),
})
