// Runs: the rows of report runs: how each begins, is taken, records its progress and ends. The node that makes one holds the number of
// its attempt: once another node has taken the run or a user has cancelled it, updates of the former attempt have no effect.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { dropDue, dueKind, queueDue } from '#server/due/due-work.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { now } from '#server/time/clock.ts'
import type { Days } from './ranges.ts'

/** About a run: its file is made. */
export const reportFileKind = dueKind('report_file')

/** The owner, where it is not the customer. */
export interface Owned {
  group_id: number | null
  property_id: number | null
}
interface NewRun extends Owned {
  /** Null where only fields were given. */
  report_id: number | null
  name: string
  format: string
  user_id: number | null
  api_key_id: number | null
  /** Fields that override those of the record, or all fields where there is no record. */
  asked: object | null
  /** Sent to the report's recipients once it is made. */
  mails: boolean
  /** Given for a run of the schedule. */
  due_on: string | null
  days: Days | null
  /** The run that lacked something which has come since. */
  completes_run_id?: number
  /** When it was asked, where that was before now. */
  asked_at?: number
}

/** Null: the schedule already has a run for this due date. */
export async function beginRun(scope: Scope, queue: Queue, run: NewRun): Promise<{ id: number } | null> {
  const {
    report_id,
    name,
    format,
    user_id,
    api_key_id,
    group_id,
    property_id,
    asked,
    mails,
    due_on,
    days,
    completes_run_id,
    asked_at = now(),
  } = run
  const [begun] = await scope.run(sql<ColumnsOf<'report_runs', 'id'>>`
    insert into report_runs (report_id, name, format, user_id, api_key_id, group_id, property_id, asked, mails, due_on, period_start,
      period_end, completes_run_id, created_at)
    values (${report_id}, ${name}, ${format}, ${user_id}, ${api_key_id}, ${group_id}, ${property_id},
      ${asked === null ? null : JSON.stringify(asked)}::jsonb, ${mails}, ${due_on}::date, ${days?.first ?? null}::date,
      ${days?.last ?? null}::date, ${completes_run_id ?? null}::integer,
      ${new Date(asked_at)})
    on conflict do nothing returning id`)
  if (!begun) return null
  await queueDue(scope, queue, reportFileKind, [{ about_id: begun.id }])
  return begun
}

export interface TakenRun extends Owned {
  id: number
  user_id: number | null
  api_key_id: number | null
  /** Given for a run of the schedule. */
  due_on: string | null
  report_id: number | null
  name: string
  format: 'xls' | 'xlsx' | 'csv' | 'pdf'
  asked: object | null
  mails: boolean
  period_start: string | null
  period_end: string | null
  attempts: number
  completes_run_id: number | null
  /** In milliseconds. */
  asked_at: number
}

/** A run updated more recently than this is not taken from a node of the release before that works on it. */
export const silent_s = 60

/** `busy`: a node of the release before is working on it. Null: it has ended. */
export async function takeRun(scope: Scope, id: number, tries: number): Promise<TakenRun | 'busy' | null> {
  // Not while guests are erased: what it read of them would stand in its file.
  await scope.run(sql`select pg_advisory_xact_lock_shared(hashtext('erase guests'), ${scope.customer_id})`)
  const [run] = await scope.run(sql<TakenRun>`
    update report_runs as t set outcome = 'running', progress = 0, attempts = attempts + 1, touched_at = now()
    where t.id = ${id} and ${scope.inReach('report_runs', 't')}
      and (outcome = 'queued' or (outcome = 'running' and (${tries} > 1 or touched_at < now() - make_interval(secs => ${silent_s}))))
    returning id, report_id, user_id, api_key_id, due_on::text, name, format, asked, mails, group_id, property_id, period_start::text,
      period_end::text, attempts, completes_run_id, extract(epoch from created_at)::float8 * 1000 as asked_at`)
  if (run) return run
  const [open] = await scope.run(sql`
    select from report_runs as t where t.id = ${id} and t.outcome in ('queued', 'running') and ${scope.inReach('report_runs', 't')}`)
  return open ? 'busy' : null
}

/** False: the run no longer belongs to this attempt, and nothing was written. */
async function updateRun(scope: Scope, { id, attempts }: TakenRun, values: Record<string, unknown>): Promise<boolean> {
  const mine = sql<boolean>`t.id = ${id} and t.attempts = ${attempts} and t.outcome = 'running'`
  return (await scope.change('report_runs', mine, { ...values, touched_at: sql`now()` })).length > 0
}

export const recordProgress = (scope: Scope, run: TakenRun, progress: number) =>
  updateRun(scope, run, { progress: Math.min(Math.round(progress), 99) })

interface Made {
  row_count: number
  bytes: number
  file_id: number
  names_guests: boolean
  period_start: string
  period_end: string
  complete_to: string
  missing: string[]
  look_again_at: Date | null
  kept_ms: number
}
export const markDone = (scope: Scope, run: TakenRun, { kept_ms, ...made }: Made) =>
  updateRun(scope, run, {
    ...made,
    outcome: 'done',
    progress: 100,
    error: null,
    finished_at: sql`now()`,
    kept_until: sql`now() + make_interval(secs => ${kept_ms / 1000})`,
  })

export const markQueued = (scope: Scope, run: TakenRun, error: string) =>
  updateRun(scope, run, { outcome: 'queued', progress: null, error })

export const markFailed = (scope: Scope, run: TakenRun, error: string) =>
  updateRun(scope, run, { outcome: 'failed', error, finished_at: sql`now()` })

/** Cancels a run that has not ended. The node that makes it finds out when it next records its progress. */
export const cancelRun = async (scope: Scope, id: number): Promise<boolean> => {
  const open = sql<boolean>`t.id = ${id} and t.outcome in ('queued', 'running')`
  const ended = { outcome: 'cancelled', finished_at: sql`now()`, touched_at: sql`now()` }
  const cancelled = await scope.change('report_runs', open, ended)
  await dropDue(scope, reportFileKind, cancelled)
  return cancelled.length > 0
}
