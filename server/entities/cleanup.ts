// Cleanup: the job that removes what has expired: sessions, links for a new password, idempotency keys, devices of log-ins.
import { sql } from 'kysely'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'

export const cleanupJob = job({
  kind: jobKind('cleanup'),
  cron: '*/15 * * * *',
  title: 'Removing what has expired',
  run: async ({ tenancy }: { tenancy: Tenancy }) => {
    await tenancy.callFunction(sql`select door_sweep()`)
  },
})
