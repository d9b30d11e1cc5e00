// Queue: work that goes on after the answer, kept in PostgreSQL by pg-boss in its own schema, shared by all nodes.
//
// A job is enqueued in the transaction that causes it, carries ids only, and may run more than once.
import { PgBoss } from 'pg-boss'
import type { Tenancy } from '#server/access/tenancy.ts'
import { schema, type Jobs } from '#server/db/queues.ts'
import type { Log } from '#server/watch/log.ts'

/** What is told of the jobs that this node runs. */
export interface QueueWatch {
  log: Log
  ran(queue: string, result: 'done' | 'failed'): void
}

export interface Queue {
  /** Inside `tenancy.enter` the job exists only if the transaction is committed. */
  send<N extends keyof Jobs>(name: N, job: Jobs[N]): Promise<void>
  /** Each not before its time. */
  sendMany<N extends keyof Jobs>(name: N, jobs: { job: Jobs[N]; after_s: number }[]): Promise<void>
  work<N extends keyof Jobs>(name: N, handler: (job: Jobs[N]) => Promise<void>): Promise<void>
  /** Runs a job at the times of a cron line, once over all nodes. */
  schedule(name: keyof Jobs, cron: string): Promise<void>
  /** Jobs that wait, by queue; counted by the database once a minute. */
  lengths(): Promise<Record<string, number>>
  stop(): Promise<void>
}

/** `works`: this node runs jobs; every node may send them. */
export async function openQueue(
  appUrl: string,
  tenancy: Tenancy,
  works: boolean,
  { log, ran }: QueueWatch,
): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: appUrl,
    schema,
    max: 3,
    migrate: false,
    createSchema: false,
    supervise: works,
    schedule: works,
    useListenNotify: works,
  })
  boss.on('error', (err) => log.warn({ err }, 'the job queue had an error'))
  await boss.start()
  const db = { executeSql: (text: string, values?: unknown[]) => tenancy.execute(text, values) }
  return {
    async send(name, job) {
      await boss.send(name, job, { db })
    },
    async sendMany(name, jobs) {
      const inserted = jobs.map(({ job, after_s }) => ({ data: job, startAfter: after_s }))
      await boss.insert(name, inserted, { db })
    },
    async work(name, handler) {
      // A notify queue takes one batch and then sleeps unless it is told to go on while batches are full. Nobody is
      // notified of a job that waits for its next try: those are looked for every 5 s.
      await boss.work<Jobs[typeof name]>(
        name,
        { batchSize: 2, burstWhenBatchFull: true, perJobResults: true, notifyPollingIntervalSeconds: 5 },
        async (jobs) =>
          Promise.all(
            jobs.map(async ({ id, data }) => {
              try {
                await handler(data)
                ran(name, 'done')
                return { id, status: 'completed' as const }
              } catch (error) {
                ran(name, 'failed')
                log.warn({ err: error, job: id, queue: name, ...idsOf(data) }, 'a job failed')
                return { id, status: 'failed' as const, output: { message: String(error) } }
              }
            }),
          ),
      )
    },
    async schedule(name, cron) {
      await boss.schedule(name, cron)
    },
    async lengths() {
      const all = await boss.getQueues()
      return Object.fromEntries(all.map(({ name, queuedCount }) => [name, queuedCount]))
    },
    stop: () => boss.stop({ graceful: true, timeout: 5000 }),
  }
}

/** What a job carries are ids. */
const idsOf = (job: object) => Object.fromEntries(Object.entries(job).filter(([, value]) => typeof value === 'number'))
