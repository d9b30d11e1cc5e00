// Queue tables: the job queue's own schema, created and upgraded by its library, used by the app's login.
import type { Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import { openPool } from '#server/db/connect.ts'
import { lock_wait_ms, withLockLimit } from '#server/db/lock-timeout.ts'
import { heartbeat_s, job_max_s, schema, type QueueOptions } from '#server/db/queues.ts'
import { connectionTo } from '#server/db/writer.ts'

/** Finds the last job of a customer in a queue (server/jobs/places.ts); pg-boss's own indexes find the first job of all. */
const customerIndex = `
  create index if not exists foyer_lines on ${schema}.job_common (name, group_id, priority, start_after)
  where state < 'active' and not blocked`

/** Makes or upgrades the library's own tables, and these queues. Runs as their owner, after the product's migrations. */
export async function prepareQueues(ownerUrl: string, queues: readonly QueueOptions[]) {
  const boss = new PgBoss({
    ...connectionTo(withLockLimit(ownerUrl, lock_wait_ms)),
    schema,
    max: 2,
    supervise: false,
    schedule: false,
  })
  boss.on('error', (error) => console.error(`Job queue: ${error.message}`))
  await boss.start()
  for (const { name, retry } of queues) {
    const options = {
      retryLimit: retry?.limit ?? 0,
      retryDelay: retry?.after_s ?? 0,
      retryBackoff: retry?.doubles ?? false,
      heartbeatSeconds: heartbeat_s,
      expireInSeconds: job_max_s,
    }
    if (await boss.getQueue(name)) await boss.updateQueue(name, options)
    else await boss.createQueue(name, { ...options, notify: true })
  }
  const pool = openPool(ownerUrl, { connections_max: 1 })
  await pool.query(customerIndex)
  await pool.query(`grant usage on schema ${schema} to foyer_app`)
  await pool.query(`grant select, insert, update, delete on all tables in schema ${schema} to foyer_app`)
  await pool.query(`grant execute on all functions in schema ${schema} to foyer_app`)
  await dropFormerQueues(boss, pool, queues)
  await boss.stop({ graceful: false })
  await pool.end()
}

/**
 * Drops queues that the program no longer declares, with their schedules, so that nothing waits in them for ever. A week after it was
 * first seen: nodes of the release before still send to them while they are replaced.
 */
async function dropFormerQueues(boss: PgBoss, pool: Pool, queues: readonly QueueOptions[]) {
  const declared = new Set(queues.map(({ name }) => name))
  const all = (await boss.getQueues()).map(({ name }) => name)
  const former = all.filter((name) => !declared.has(name) && !name.startsWith('__pgboss'))
  await pool.query('delete from upgrade_former_queues where name <> all ($1)', [former])
  await pool.query('insert into upgrade_former_queues (name) select unnest($1::text[]) on conflict do nothing', [
    former,
  ])
  const { rows } = await pool.query<{ name: string }>(
    `select name from upgrade_former_queues where since < now() - interval '7 days'`,
  )
  for (const { name } of rows) {
    await boss.unschedule(name)
    await boss.deleteQueue(name)
  }
}
