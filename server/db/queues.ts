// Queues: the kinds of job, what each carries and how often it is tried, and the schema in which they are kept.

import { lock_timeout_ms } from '#server/db/connect.ts'

/** Every queue, with what its jobs carry. */
export interface Jobs {
  mail: { customer_id: number; mail_id: number }
  text: { customer_id: number; text_id: number }
  forget_guests: Record<string, never>
  cleanup: Record<string, never>
  count_hours: Record<string, never>
  keep_nights: Record<string, never>
  removal: Record<string, never>
  disconnect: { customer_id: number; session_ids: number[]; cause?: string | undefined }
  /** own: the package is looked up anew, the holder's, the room's or the property's. lifted: there is a limit less. */
  change_sessions: { customer_id: number; session_ids: number[]; own: boolean; lifted: boolean }
  end_sessions: Record<string, never>
  unused_files: Record<string, never>
  due_reports: Record<string, never>
  report_run: { customer_id: number; run_id: number }
  due_integrations: Record<string, never>
  sync_integration: { customer_id: number; kind: 'accounting' | 'marketing'; integration_id: number }
  push_run: { customer_id: number; run_id: number }
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

export const queues = {
  mail: { retryLimit: 12, retryBackoff: true, retryDelay: 5 },
  text: { retryLimit: 6, retryBackoff: true, retryDelay: 5 },
  forget_guests: { retryLimit: 0 },
  cleanup: { retryLimit: 0 },
  count_hours: { retryLimit: 0 },
  keep_nights: { retryLimit: 0 },
  removal: { retryLimit: 3 },
  disconnect: { retryLimit: 2 },
  change_sessions: { retryLimit: 2 },
  end_sessions: { retryLimit: 0 },
  unused_files: { retryLimit: 0 },
  due_reports: { retryLimit: 0 },
  // What fails says by itself when it is tried again; this is for nodes that were killed.
  report_run: { retryLimit: 2, retryDelay: 60 },
  due_integrations: { retryLimit: 0 },
  // What fails stands on the connection, with the time of the next try.
  sync_integration: { retryLimit: 0 },
  // What fails stands on its draft, with the time of the next try; this is for nodes that were killed.
  push_run: { retryLimit: 20, retryDelay: 15 },
} as const

/** The job queue's library keeps its tables there. */
export const schema = 'pgboss'
/** Of the library's own connections: no lock is waited for without an end. */
export const connection_options = `-c lock_timeout=${lock_timeout_ms}`
