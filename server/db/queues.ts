// Queues: the options of job queues, and the schema in which they are stored.

import { lock_timeout_ms } from '#server/db/connect.ts'

/** A queue, as the program declares it: server/apps/jobs.ts has them all. */
export interface QueueOptions {
  name: string
  /** How often a failed job is retried, and how long after the failure; twice as long after each further one if it `doubles`. */
  retry?: { limit: number; after_s?: number; doubles?: boolean }
}

/**
 * How long, in seconds, a job's process may send no heartbeat before the job is retried. pg-boss's default is a quarter of an
 * hour: a code that a guest waits for would have expired by then.
 */
export const heartbeat_s = 30
/**
 * How long, in seconds, a job may take whose process sends heartbeats: the removal of a large property takes its time. By
 * default pg-boss would begin it a second time after a quarter of an hour.
 */
export const job_max_s = 6 * 3600
/** How often, in seconds, jobs without a heartbeat are looked for. */
export const supervise_s = 30

/** The job queue's library keeps its tables there. */
export const schema = 'pgboss'
/**
 * For the library's own connections: limits the wait for locks. Limits that the login itself may have are meant for requests
 * (login-limits.ts).
 */
export const connection_options = `-c lock_timeout=${lock_timeout_ms} -c statement_timeout=0 -c enable_seqscan=on`
