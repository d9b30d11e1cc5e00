// Queue: work that goes on after the answer, kept in PostgreSQL by pg-boss in its own schema, shared by all nodes.
//
// A job is enqueued in the transaction that causes it, carries ids only, and may run more than once. Customers take turns.
import { PgBoss } from 'pg-boss'
import type { Tenancy } from '#server/access/tenancy.ts'
import { connection_options, schema, supervise_s, type Jobs } from '#server/db/queues.ts'
import { below, placeFor } from '#server/jobs/places.ts'
import type { Log } from '#server/watch/log.ts'
import { redact } from '#server/watch/redact.ts'

/** What is told of the jobs that this node runs. */
export interface QueueWatch {
  log: Log
  ran(queue: string, result: 'done' | 'failed'): void
}

export interface Queue {
  /** Inside `tenancy.enter` the job exists only if the transaction is committed. An urgent one goes before all others. */
  send<N extends keyof Jobs>(name: N, job: Jobs[N], how?: { urgent: boolean }): Promise<void>
  /** Of one customer, each not before its time. */
  sendMany<N extends CustomersQueue>(
    name: N,
    customer_id: number,
    jobs: { job: Omit<Jobs[N], 'customer_id'>; after_s: number }[],
  ): Promise<void>
  work<N extends keyof Jobs>(name: N, handler: (job: Jobs[N]) => Promise<void>): Promise<void>
  /** Runs a job at the times of a cron line, once over all nodes. */
  schedule(name: keyof Jobs, cron: string): Promise<void>
  /** Jobs that wait, by queue; counted by the database twice a minute. */
  lengths(): Promise<Record<string, number>>
  stop(): Promise<void>
}

/** Those whose jobs are customers'. */
type CustomersQueue = { [N in keyof Jobs]: Jobs[N] extends { customer_id: number } ? N : never }[keyof Jobs]

/** `works`: this node runs jobs; every node may send them. */
export async function openQueue(
  appUrl: string,
  tenancy: Tenancy,
  works: boolean,
  { log, ran }: QueueWatch,
): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: appUrl,
    // Its own connections, which take jobs and clear up; what is sent goes by the app's.
    options: connection_options,
    schema,
    max: 3,
    migrate: false,
    createSchema: false,
    supervise: works,
    superviseIntervalSeconds: supervise_s,
    monitorIntervalSeconds: supervise_s,
    schedule: works,
    useListenNotify: works,
  })
  boss.on('error', (err) => log.warn({ err }, 'the job queue had an error'))
  await boss.start()
  const db = { executeSql: (text: string, values?: unknown[]) => tenancy.execute(text, values) }
  return {
    async send(name, job, { urgent } = { urgent: false }) {
      if (!('customer_id' in job)) return void (await boss.send(name, job, { db }))
      const { customer_id } = job
      const priority = await placeFor(db, { queue: name, customer_id, urgent })
      await boss.send(name, job, { db, priority, group: { id: String(customer_id) } })
    },
    async sendMany(name, customer_id, jobs) {
      if (jobs.length === 0) return
      const first = await placeFor(db, { queue: name, customer_id, urgent: false })
      const inserted = jobs.map(({ job, after_s }, index) => ({
        data: { customer_id, ...job },
        startAfter: after_s,
        priority: below(first, index),
        group: { id: String(customer_id) },
      }))
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
                // It stays in the queue for days: what a mail server says of an address is not for it.
                return { id, status: 'failed' as const, output: { message: redact(String(error)) } }
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
