// Runs: the rows of report runs: how each begins, is taken, says how far it is, and ends. Whoever makes one holds a number, that of
// its attempt: where another has taken it since, or a person has cancelled it, what the former one says counts for nothing.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { jobKind, type Queue } from '#server/jobs/queue.ts'
import type { Days } from './ranges.ts'

/** What fails says by itself when it is tried again; this is for nodes that were killed. */
export const reportRunKind = jobKind<{ customer_id: number; run_id: number }>('report_run', { limit: 2, after_s: 60 })

/** Whose it is, beyond the customer's own. */
export interface Owned {
  group_id: number | null
  property_id: number | null
}
interface NewRun extends Owned {
  /** Null where it is asked by fields alone. */
  report_id: number | null
  name: string
  format: string
  user_id: number | null
  /** Fields that stand in for those of the record, or are all there is. */
  asked: object | null
  /** To the report's recipients, once it is made. */
  mails: boolean
  /** Of a schedule's own run. */
  due_on: string | null
  days: Days | null
}

/** Null: this time of the schedule has its run already. */
export async function beginRun(scope: Scope, queue: Queue, run: NewRun): Promise<{ id: number } | null> {
  const { report_id, name, format, user_id, group_id, property_id, asked, mails, due_on, days } = run
  const [begun] = await scope.run(sql<{ id: number }>`
    insert into report_runs (report_id, name, format, user_id, group_id, property_id, asked, mails, due_on, period_start, period_end)
    values (${report_id}, ${name}, ${format}, ${user_id}, ${group_id}, ${property_id},
      ${asked === null ? null : JSON.stringify(asked)}::jsonb, ${mails}, ${due_on}::date, ${days?.first ?? null}::date,
      ${days?.last ?? null}::date)
    on conflict (customer_id, report_id, due_on) do nothing returning id`)
  if (!begun) return null
  await queue.send(reportRunKind, { customer_id: scope.customer_id, run_id: begun.id })
  return begun
}

export interface TakenRun extends Owned {
  id: number
  report_id: number | null
  name: string
  format: 'xls' | 'xlsx' | 'csv' | 'pdf'
  asked: object | null
  mails: boolean
  period_start: string | null
  period_end: string | null
  attempts: number
}

/** Nobody takes what another was seen to work on so shortly before. */
const silent_s = 60

/** Null: it is over, or somebody is at work on it. */
export async function takeRun(scope: Scope, id: number): Promise<TakenRun | null> {
  const [run] = await scope.run(sql<TakenRun>`
    update report_runs as t set outcome = 'running', progress = 0, attempts = attempts + 1, touched_at = now()
    where t.id = ${id} and ${scope.inReach('report_runs', 't')}
      and (outcome = 'queued' or (outcome = 'running' and touched_at < now() - make_interval(secs => ${silent_s})))
    returning id, report_id, name, format, asked, mails, group_id, property_id, period_start::text, period_end::text, attempts`)
  return run ?? null
}

/** False: it is not this attempt's any more, and nothing was written. */
async function say(scope: Scope, { id, attempts }: TakenRun, values: Record<string, unknown>): Promise<boolean> {
  const mine = sql<boolean>`t.id = ${id} and t.attempts = ${attempts} and t.outcome = 'running'`
  return (await scope.change('report_runs', mine, { ...values, touched_at: sql`now()` })).length > 0
}

export const sayProgress = (scope: Scope, run: TakenRun, progress: number) =>
  say(scope, run, { progress: Math.min(Math.round(progress), 99) })

interface Made {
  row_count: number
  bytes: number
  file_id: number
  names_guests: boolean
  period_start: string
  period_end: string
  kept_ms: number
}
export const sayDone = (scope: Scope, run: TakenRun, { kept_ms, ...made }: Made) =>
  say(scope, run, {
    ...made,
    outcome: 'done',
    progress: 100,
    error: null,
    finished_at: sql`now()`,
    kept_until: sql`now() + make_interval(secs => ${kept_ms / 1000})`,
  })

/** So often it is tried before it has failed, and so long after the first try; twice as long after each further one. */
export const tries_max = 4
const again_after_s = 20

export async function sayTriedInVain(scope: Scope, queue: Queue, run: TakenRun, error: string): Promise<void> {
  const { id, attempts } = run
  if (!(await say(scope, run, { outcome: 'queued', progress: null, error }))) return
  const after_s = again_after_s * 2 ** (attempts - 1)
  await queue.sendMany(reportRunKind, scope.customer_id, [{ carried: { run_id: id }, after_s }])
}

export const sayFailed = (scope: Scope, run: TakenRun, error: string) =>
  say(scope, run, { outcome: 'failed', error, finished_at: sql`now()` })

/** Of what is not over yet. Whoever makes it finds out with the next rows. */
export const cancelRun = async (scope: Scope, id: number): Promise<boolean> => {
  const open = sql<boolean>`t.id = ${id} and t.outcome in ('queued', 'running')`
  return (
    (await scope.change('report_runs', open, { outcome: 'cancelled', finished_at: sql`now()`, touched_at: sql`now()` }))
      .length > 0
  )
}
