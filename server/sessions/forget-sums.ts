// Forget sums: the job that deletes sums by day and hour that are older than the setting allows, and adds up what each holder used on
// days that no allowance is reckoned by any more.
import { sql } from 'kysely'
import { rows_per_step, whileMore } from '#server/access/chunked-work.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'

interface Kept {
  sums_kept_ms: number
}

/** The longest period of an allowance is a month, and a session ends at most some days late in the books. */
const usage_kept_s = 62 * 86_400

export async function forgetSums(tenancy: Tenancy, { sums_kept_ms }: Kept): Promise<void> {
  const kept_s = Math.round(sums_kept_ms / 1000)
  await whileMore(tenancy, sql`door_forget_sums(${kept_s}, ${rows_per_step})`)
  await foldUsage(tenancy)
}

/** May be cut off at any point: what was added up is no longer there to be added again. */
async function foldUsage(tenancy: Tenancy): Promise<void> {
  const foldAfter = async (id: number) => {
    const [row] = await tenancy.callFunction(
      sql<{ last: number | null }>`select door_fold_usage(${usage_kept_s}, ${id}, ${rows_per_step}) as last`,
    )
    return row?.last ?? null
  }
  for (let last = await foldAfter(0); last !== null; last = await foldAfter(last));
}

export const forgetSumsJob = job({
  kind: jobKind('forget_sums'),
  cron: '41 3 * * *',
  title: 'Forgetting former sums',
  run: ({ tenancy, config }: { tenancy: Tenancy; config: Kept }) => forgetSums(tenancy, config),
})
