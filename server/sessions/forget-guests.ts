// Forget guests: the job that deletes sessions, sign-in attempts, passes and sent messages that are older than the settings allow.
import { sql, type RawBuilder } from 'kysely'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'

/** Rows of one kind per transaction: few enough that nobody has to wait for it. */
const rows_per_step = 5000

interface Kept {
  sessions_kept_ms: number
  attempts_kept_ms: number
}

/** Repeats until nothing is left to forget. It may stop at any point: the next run continues from there. */
export async function forgetGuests(tenancy: Tenancy, { sessions_kept_ms, attempts_kept_ms }: Kept): Promise<void> {
  const [sessions_s, attempts_s] = [sessions_kept_ms, attempts_kept_ms].map((ms) => Math.round(ms / 1000))
  const isMore = async (step: RawBuilder<unknown>) => {
    const [row] = await tenancy.callFunction(sql<{ more: boolean }>`select ${step} as more`)
    return row?.more === true
  }
  while (await isMore(sql`door_forget_guests_data(${sessions_s}, ${attempts_s}, ${rows_per_step})`));
  while (await isMore(sql`door_forget_passes(${attempts_s}, ${rows_per_step})`));
  while (await isMore(sql`door_forget_guest_days(${sessions_s}, ${rows_per_step})`));
}

export const forgetGuestsJob = job({
  kind: jobKind('forget_guests'),
  cron: '17 * * * *',
  title: 'Forgetting former guests',
  run: ({ tenancy, config }: { tenancy: Tenancy; config: Kept }) => forgetGuests(tenancy, config),
})
