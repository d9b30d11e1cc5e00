// Queue: work that goes on after the answer, kept in PostgreSQL by pg-boss in its own schema, shared by all nodes.
//
// A job is enqueued in the transaction that causes it, carries ids only, and may run more than once. Customers take turns.
import { PgBoss, type WipData } from 'pg-boss'
import { connection_options, schema, supervise_s, type QueueOptions } from '#server/db/queues.ts'
import { below, placeFor } from '#server/jobs/places.ts'
import { textOf } from '#server/errors/thrown.ts'
import type { Log } from '#server/watch/log.ts'
import { redact } from '#server/watch/redact.ts'
import { noteLost } from '#server/errors/lost-database.ts'
import { connectionTo } from '#server/db/writer.ts'

/** What the sender of a job knows about it. Its data are ids, including the customer's. */
export interface JobKind<Carried extends object = object> extends QueueOptions {
  /** For the compiler only. */
  readonly carries?: Carried
}

/**
 * @param name of its queue, which also has jobs from former versions of the program
 * @param retry how often a failed job is tried again; by default, never
 */
export const jobKind = <Carried extends object = Record<string, never>>(
  name: string,
  retry?: QueueOptions['retry'],
): JobKind<Carried> => ({ name, ...(retry && { retry }) })

/** Where results of the jobs that this node runs are reported. */
export interface QueueWatch {
  log: Log
  ran(queue: string, result: 'done' | 'failed'): void
}

export interface Queue {
  /**
   * Inside `tenancy.enter` the job exists only if the transaction is committed. An urgent job comes before all others; no job is
   * run before its time.
   */
  send<Carried extends object>(
    kind: JobKind<Carried>,
    carried: NoInfer<Carried>,
    how?: { urgent?: boolean; after_s?: number },
  ): Promise<void>
  /** Jobs of one customer, each to be run at its time or later. */
  sendMany<Carried extends { customer_id: number }>(
    kind: JobKind<Carried>,
    customer_id: number,
    jobs: { carried: Omit<NoInfer<Carried>, 'customer_id'>; after_s: number }[],
  ): Promise<void>
  work<Carried extends object>(kind: JobKind<Carried>, run: (carried: Carried) => Promise<void>): Promise<void>
  /** Sends jobs at the times of these cron lines, by one of all nodes; all other schedules are removed. */
  schedule(all: { kind: JobKind; cron: string }[]): Promise<void>
  /** Whether this node takes jobs from every queue that it works on. */
  works(): boolean
  /** Number of waiting jobs by queue; the database counts them twice a minute. */
  lengths(): Promise<Record<string, number>>
  /** How long, in seconds, the oldest job of a queue has been due. */
  late_s(): Promise<Record<string, number>>
  stop(): Promise<void>
}

/** The app's own connection: inside a scope, that of its transaction. */
interface Executing {
  execute(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/** `works`: this node runs jobs; every node may send them. */
export async function openQueue(
  appUrl: string,
  app: Executing,
  works: boolean,
  { log, ran }: QueueWatch,
): Promise<Queue> {
  const boss = new PgBoss({
    ...connectionTo(appUrl),
    // Its own connections are for taking jobs and maintenance; jobs are sent through the app's.
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
  boss.on('error', (thrown) => log.warn({ err: errorOf(thrown) }, 'the job queue had an error'))
  await boss.start()
  const db = { executeSql: (text: string, values?: unknown[]) => app.execute(text, values) }
  return {
    async send({ name }, carried, { urgent = false, after_s = 0 } = {}) {
      if (!isCustomers(carried)) return void (await boss.send(name, carried, { db, startAfter: after_s }))
      const { customer_id } = carried
      const priority = await placeFor(db, { queue: name, customer_id, urgent })
      await boss.send(name, carried, { db, priority, startAfter: after_s, group: { id: String(customer_id) } })
    },
    async sendMany({ name }, customer_id, jobs) {
      if (jobs.length === 0) return
      const first = await placeFor(db, { queue: name, customer_id, urgent: false })
      const inserted = jobs.map(({ carried, after_s }, index) => ({
        data: { customer_id, ...carried },
        startAfter: after_s,
        priority: below(first, index),
        group: { id: String(customer_id) },
      }))
      await boss.insert(name, inserted, { db })
    },
    async work<Carried extends object>({ name }: JobKind<Carried>, run: (carried: Carried) => Promise<void>) {
      // A notify queue takes one batch and then sleeps, unless `burstWhenBatchFull` is set. There is no notification when
      // the time of a retry comes: the queue is polled for these every 5 s.
      await boss.work<Carried | null>(
        name,
        { batchSize: 2, burstWhenBatchFull: true, perJobResults: true, notifyPollingIntervalSeconds: 5 },
        async (jobs) =>
          Promise.all(
            jobs.map(async ({ id, data }) => {
              try {
                // A job that a schedule sends carries nothing, as its kind says.
                await run(data ?? ({} as Carried))
                ran(name, 'done')
                return { id, status: 'completed' as const }
              } catch (error) {
                ran(name, 'failed')
                log.warn({ err: error, job: id, queue: name, ...idsOf(data) }, 'a job failed')
                // It stays in the queue for days, so it must not have mail addresses from a mail server's answer.
                return { id, status: 'failed' as const, output: { message: redact(textOf(error)) } }
              }
            }),
          ),
      )
    },
    async schedule(all) {
      for (const { kind, cron } of all) await boss.schedule(kind.name, cron)
      const named = new Set(all.map(({ kind }) => kind.name))
      for (const { name } of await boss.getSchedules()) if (!named.has(name)) await boss.unschedule(name)
    },
    works: () => boss.getWipData().every((worker) => isAtWork(worker)),
    async lengths() {
      const all = await boss.getQueues()
      return Object.fromEntries(all.map(({ name, queuedCount }) => [name, queuedCount]))
    },
    async late_s() {
      const { rows } = await db.executeSql(
        `select name, extract(epoch from now() - min(start_after))::float8 as late_s from ${schema}.job
         where state < 'active' and start_after <= now() group by name`,
      )
      return Object.fromEntries((rows as { name: string; late_s: number }[]).map(({ name, late_s }) => [name, late_s]))
    },
    stop: () => boss.stop({ graceful: true, timeout: 5000 }),
  }
}

/** Many times the interval in which queues are polled. */
const silent_max_ms = 90_000
/** One that has no job asks for jobs all the time; a long job takes as long as it takes. */
const isAtWork = ({ count, createdOn, lastFetchedOn }: WipData) =>
  count > 0 || Date.now() - (lastFetchedOn ?? createdOn) < silent_max_ms

const isCustomers = (carried: object): carried is { customer_id: number } => 'customer_id' in carried

/** The data of a job are ids; one that a schedule sends has none. */
const idsOf = (job: object | null) =>
  Object.fromEntries(Object.entries(job ?? {}).filter(([, value]) => typeof value === 'number'))

/** The library hands on some errors as plain objects. Those of a network are the database's. */
function errorOf(thrown: unknown): Error {
  const { message, code } = Object(thrown) as { message?: unknown; code?: unknown }
  const error =
    thrown instanceof Error ? thrown : Object.assign(new Error(textOf(message)), code !== undefined && { code })
  if (/^E[A-Z]+$/.test(textOf(code ?? ''))) noteLost(error)
  return error
}
