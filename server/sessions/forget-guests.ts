// Forget guests: the job that deletes sessions, sign-in attempts, passes and sent messages that are older than the settings allow.
import { sql } from 'kysely'
import { rows_per_step, whileMore } from '#server/access/chunked-work.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'

/** Each stands for some thousand sessions. */
const packs_per_step = 20

interface Kept {
  sessions_kept_ms: number
  attempts_kept_ms: number
}

export async function forgetGuests(tenancy: Tenancy, { sessions_kept_ms, attempts_kept_ms }: Kept): Promise<void> {
  const [sessions_s, attempts_s] = [sessions_kept_ms, attempts_kept_ms].map((ms) => Math.round(ms / 1000))
  await whileMore(tenancy, sql`door_forget_guests_data(${sessions_s}, ${attempts_s}, ${rows_per_step})`)
  await whileMore(tenancy, sql`door_forget_packed_sessions(${sessions_s}, ${packs_per_step})`)
  await whileMore(tenancy, sql`door_forget_passes(${attempts_s}, ${rows_per_step})`)
  await whileMore(tenancy, sql`door_forget_guest_days(${sessions_s}, ${rows_per_step})`)
}

export const forgetGuestsJob = job({
  kind: jobKind('forget_guests'),
  cron: '17 * * * *',
  title: 'Forgetting former guests',
  run: ({ tenancy, config }: { tenancy: Tenancy; config: Kept }) => forgetGuests(tenancy, config),
})
