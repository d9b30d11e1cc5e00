// Queues: what a queue of jobs is told, and the schema in which they are kept.

import { lock_timeout_ms } from '#server/db/connect.ts'

/** A queue, as the program declares it: server/apps/jobs.ts has them all. */
export interface QueueOptions {
  name: string
  /** How often a job that failed is tried again, and so long after it; twice as long after each further one if it `doubles`. */
  retry?: { limit: number; after_s?: number; doubles?: boolean }
}

/**
 * A job whose process has not said so long that it goes on with it is tried again, in seconds. By itself, pg-boss waits for
 * a quarter of an hour: a code that a guest waits for is over by then.
 */
export const heartbeat_s = 30
/**
 * How long a job may take whose process goes on with it, in seconds: the removal of a large property takes its time. pg-boss
 * would begin it a second time after a quarter of an hour.
 */
export const job_max_s = 6 * 3600
/** How often silent jobs are looked for, in seconds. */
export const supervise_s = 30

/** The job queue's library keeps its tables there. */
export const schema = 'pgboss'
/** Of the library's own connections: no lock is waited for without an end. */
export const connection_options = `-c lock_timeout=${lock_timeout_ms}`
