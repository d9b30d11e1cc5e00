// Forget imports: the job that deletes the stored rows of imports that can no longer be undone. They contain guests' names and their
// sealed passwords, so they are kept no longer than needed.
import { sql } from 'kysely'
import { rows_per_step, whileMore } from '#server/access/chunked-work.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'

export const forgetImports = (tenancy: Tenancy): Promise<void> =>
  whileMore(tenancy, sql`door_forget_imports(${rows_per_step})`)

export const forgetImportsJob = job({
  kind: jobKind('forget_imports'),
  cron: '*/15 * * * *',
  title: 'Forgetting former imports',
  run: ({ tenancy }: { tenancy: Tenancy }) => forgetImports(tenancy),
})
