// Forget imports: the job that deletes what was kept of imports which cannot be undone any more. It holds what guests were
// called and their sealed passwords, so it lives no longer than it is good for.
import { sql } from 'kysely'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'

/** Rows in one transaction: few enough that nobody waits for it. */
const rows_per_step = 5000

/** Takes steps until nothing is left to forget. It may stop anywhere: the next run goes on from there. */
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
  run: ({ tenancy }: { tenancy: Tenancy }) => forgetImports(tenancy),
})
