// Adopt: the jobs of the release before become due work. Its nodes run beside those of this release while an installation is upgraded,
// and leave jobs behind that wait for their time.
import { callerOfJob } from '#server/access/principal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job, type Job } from '#server/jobs/job.ts'
import type { JobKind, Queue } from '#server/jobs/queue.ts'
import { queueDue, type DueKind } from './due-work.ts'

interface Carried {
  customer_id: number
  urgent?: boolean
}

/** A job that is about one piece of due work. */
export const adopt = <Id extends string>(
  kind: JobKind<Carried & Record<Id, number>>,
  due: DueKind,
  id: Id,
): Job<{ tenancy: Tenancy; queue: Queue }> =>
  job({
    kind,
    run: ({ tenancy, queue }: { tenancy: Tenancy; queue: Queue }, carried) =>
      tenancy.enter(callerOfJob(carried.customer_id, due.name), 'write', (scope) =>
        queueDue(scope, queue, due, [{ about_id: carried[id], urgent: carried.urgent ?? false }]),
      ),
  })
