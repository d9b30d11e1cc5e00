// Cleanup: the job that removes what is past its time: sessions, links for a new password, keys of repeats, devices of log-ins.
import { sql } from 'kysely'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'

export const cleanupJob = job({
  kind: jobKind('cleanup'),
  cron: '*/15 * * * *',
  run: async ({ tenancy }: { tenancy: Tenancy }) => {
    await tenancy.callFunction(sql`select door_sweep()`)
  },
})
