// Keep nights: the job that records each property's nights as soon as a date is over there. Nights that were missed while no node ran
// are derived from what was recorded at the time (function write_nights); those that nobody can know are marked as unknown.
import { sql } from 'kysely'
import { openAttempts } from '#server/access/each-customer.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'

/** Nights of one property in one transaction; each of its statements has the time limit of any other. */
const nights_at_once = 31

/**
 * One property at a time, each in a transaction of its own: it may stop at any point, and the next run continues from there. A
 * property with many missed nights comes again once all others had their turn.
 */
export async function keepNights(tenancy: Tenancy): Promise<void> {
  const { attempt, done } = openAttempts()
  const rest = new Set<number>()
  const nextDue = async () => {
    const due = await tenancy.callFunction(
      sql<{ customer_id: number; property_id: number }>`select customer_id, property_id from door_due_nights()`,
    )
    return due.filter(({ property_id }) => !rest.has(property_id))
  }
  for (let due = await nextDue(); due.length > 0; due = await nextDue())
    for (const { customer_id, property_id } of due) {
      const isDone = await attempt(customer_id, `nights of property ${property_id}`, async () => {
        if ((await writeSome(tenancy, customer_id, property_id)) === 0) rest.add(property_id)
      })
      if (!isDone) rest.add(property_id)
    }
  done()
}

/** What fails for many nights at once, or takes too long, is tried for the oldest alone. */
async function writeSome(tenancy: Tenancy, customer_id: number, property_id: number): Promise<number> {
  const write = (nights: number) =>
    tenancy.enter(callerOfJob(customer_id, 'keep nights'), 'write', async (scope) => {
      const [row] = await scope.run(
        sql<{ written: number }>`select write_nights(${property_id}::integer, ${nights}::integer) as written`,
      )
      return row?.written ?? 0
    })
  try {
    return await write(nights_at_once)
  } catch {
    return write(1)
  }
}

/** In every time zone, nights are recorded within minutes of midnight. */
export const keepNightsJob = job({
  kind: jobKind('keep_nights'),
  cron: '*/5 * * * *',
  title: 'Writing nights down',
  at_start: true,
  run: ({ tenancy }: { tenancy: Tenancy }) => keepNights(tenancy),
})
