// Pack sessions: the job that puts sessions of former months into packs.
import { sql } from 'kysely'
import { whileMore } from '#server/access/chunked-work.ts'
import { areAtWork } from '#server/access/former-nodes.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'
import { now } from '#server/time/clock.ts'
import type { Log } from '#server/watch/log.ts'
import { sessions_per_pack } from './pack-columns.ts'

/** What a first time has to pack may take many hours; the next round goes on. */
const round_ms = 10 * 60_000

/** Nodes of a release before do not look for packed sessions. */
const read_since = '1.0.0'

interface Needs {
  tenancy: Pick<Tenancy, 'callFunction'>
  log: Pick<Log, 'info'>
}

export async function packSessions({ tenancy, log }: Needs, hot_ms: number): Promise<void> {
  if (await areAtWork(tenancy, read_since)) {
    log.info('no sessions are packed before the next release: nodes of the one before may be at work')
    return
  }
  const ends_at = now() + round_ms
  const step = sql`door_pack_sessions(${Math.round(hot_ms / 1000)}, ${sessions_per_pack})`
  await whileMore(tenancy, step, () => now() < ends_at)
}

export const packSessionsJob = job({
  kind: jobKind('pack_sessions'),
  cron: '47 * * * *',
  title: 'Packing sessions of former months',
  run: async ({ config, ...needs }: Needs & { config: { sessions_hot_ms: number | null } }) => {
    if (config.sessions_hot_ms !== null) await packSessions(needs, config.sessions_hot_ms)
  },
})
