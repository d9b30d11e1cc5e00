// Forget imports: the job that deletes the stored rows of imports that can no longer be undone. They contain guests' names and their
// sealed passwords, so they are kept no longer than needed.
import { sql } from 'kysely'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'

/** Rows per transaction: few enough that nobody has to wait for it. */
const rows_per_step = 5000

/** Repeats until nothing is left to forget. It may stop at any point: the next run continues from there. */
export async function forgetImports(tenancy: Tenancy): Promise<void> {
  const step = async () => {
    const [row] = await tenancy.callFunction(
      sql<{ more: boolean }>`select door_forget_imports(${rows_per_step}) as more`,
    )
    return row?.more === true
  }
  while (await step());
}

export const forgetImportsJob = job({
  kind: jobKind('forget_imports'),
  cron: '*/15 * * * *',
  title: 'Forgetting former imports',
  run: ({ tenancy }: { tenancy: Tenancy }) => forgetImports(tenancy),
})
