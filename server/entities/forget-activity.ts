// Forget activity: the job that deletes lines of the activity log that are older than the setting allows.
import { sql } from 'kysely'
import { rows_per_step, whileMore } from '#server/access/chunked-work.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'

interface Kept {
  activity_kept_ms: number
}

export const forgetActivity = (tenancy: Tenancy, { activity_kept_ms }: Kept): Promise<void> =>
  whileMore(tenancy, sql`door_forget_activity(${Math.round(activity_kept_ms / 1000)}, ${rows_per_step})`)

export const forgetActivityJob = job({
  kind: jobKind('forget_activity'),
  cron: '11 3 * * *',
  title: 'Forgetting former lines of the activity log',
  run: ({ tenancy, config }: { tenancy: Tenancy; config: Kept }) => forgetActivity(tenancy, config),
})
