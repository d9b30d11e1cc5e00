// Find due: the job that looks each minute for what is due although nobody has queued it, as each kind says how it is found.
import { forEachCustomer } from '#server/access/each-customer.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { textOf } from '#server/errors/thrown.ts'
import { job, type Job } from '#server/jobs/job.ts'
import { jobKind, type Queue } from '#server/jobs/queue.ts'
import { queueDue, type DueWork } from './due-work.ts'

interface Needs {
  tenancy: Tenancy
  queue: Queue
}
type Found = Pick<DueWork<never>, 'kind' | 'finds'>

/** What fails for a customer, or for a kind, keeps no other from being found. */
export async function findDue({ tenancy, queue }: Needs, works: readonly Found[]): Promise<void> {
  const failed: unknown[] = []
  for (const { kind, finds } of works)
    try {
      const found = finds ? await tenancy.callFunction(finds) : []
      const by_customer = Map.groupBy(found, ({ customer_id }) => customer_id)
      await forEachCustomer([...by_customer.keys()], (customer_id) =>
        tenancy.enter(callerOfJob(customer_id, kind.name), 'write', (scope) =>
          queueDue(scope, queue, kind, by_customer.get(customer_id) ?? []),
        ),
      )
    } catch (error) {
      failed.push(new Error(`${kind.name}: ${textOf(error)}`, { cause: error }))
    }
  if (failed.length > 0) throw new AggregateError(failed, failed.map(textOf).join('; '))
}

export const findDueJob = (works: readonly Found[]): Job<Needs> =>
  job({
    kind: jobKind('find_due'),
    cron: '* * * * *',
    title: 'Finding what is due',
    at_start: true,
    run: (needs: Needs) => findDue(needs, works),
  })
