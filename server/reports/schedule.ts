// Schedule: when a report is next due, stored with it, and the runs of those that are due.
import type { Day } from '#contract/days.ts'
import { sql } from 'kysely'
import type { DateRange } from '#contract/reports.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { now } from '#server/time/clock.ts'
import { localDay } from '#server/time/zones.ts'
import { completenessOf, look_again_ms, settled_after_ms, waited_max_ms } from './completeness.ts'
import { filterKeys } from './filters.ts'
import { dueFrom, dueInstant, dueNext, toBeMade, type Due } from './periods.ts'
import { daysOf, type Days } from './ranges.ts'
import type { ReportIds, ReportQuery } from './asked.ts'
import { kinds } from './kinds.ts'
import { beginRun, type Owned } from './runs.ts'

interface Scheduled extends Owned, Pick<ReportQuery, 'kind'>, ReportIds {
  id: number
  name: string
  format: string
  user_id: number | null
  api_key_id: number | null
  date_range: DateRange | null
  frequency: number
  start_date: string
  next_due_on: string | null
  /** Neither a draft nor disabled nor paused. */
  is_active: boolean
  zone: string
}

const idColumns = sql.join(filterKeys.map((key) => sql.ref(`t.${key}`)))

/** Locked until the transaction ends. Undefined where it has no schedule. */
async function scheduled(scope: Scope, id: number): Promise<Scheduled | undefined> {
  const [report] = await scope.run(sql<Scheduled>`
    select t.id, t.name, t.format, t.user_id, t.api_key_id, t.group_id, t.property_id, t.kind, ${idColumns}, t.date_range,
      t.frequency, t.start_date::text,
      t.next_due_on::text, t.active and not t.draft and t.paused_at is null as is_active, c.time_zone as zone
    from reports as t join customers as c on c.id = t.customer_id
    where t.id = ${id} and t.scheduled and t.start_date is not null and ${scope.inReach('reports', 't')}
    for update of t`)
  return report
}

/**
 * To be called after every change of a report: sets the next time from now on, or none. A time that is already due but has not
 * been handled yet is kept where the change did not concern the schedule.
 */
export async function reschedule(scope: Scope, id: number): Promise<void> {
  const report = await scheduled(scope, id)
  if (!report?.is_active) return void (await scope.change('reports', [id], { next_due_on: null, next_run_at: null }))
  const { zone, next_due_on } = report
  const isDue = next_due_on !== null && dueInstant(next_due_on, zone) <= now()
  if (isDue && dueFrom(report, next_due_on).due_on === next_due_on) return
  const first = dueFrom(report, localDay(now(), zone))
  const next = dueInstant(first.due_on, zone) > now() ? first : dueNext(report, first.due_on)
  await saveNext(scope, report, next)
}

/** It is looked at again when it is due: not before its last day is over everywhere. */
async function saveNext(scope: Scope, report: Scheduled, due: Due): Promise<void> {
  const { over_at } = await completenessFor(scope, report, due)
  const at = Math.max(dueInstant(due.due_on, report.zone), over_at + settled_after_ms)
  await scope.change('reports', [report.id], { next_due_on: due.due_on, next_run_at: new Date(at) })
}

/** The days that a run of the schedule covers: those of its range as of the due date. */
const daysFor = ({ date_range }: Scheduled, due: Due) =>
  date_range === null || date_range === 'custom'
    ? { first: due.period_start, last: due.period_end }
    : daysOf(date_range, due.due_on)

/** Those of them that are to be over: a range that goes on, such as this month, is sent as far as it has come. */
function wholeDaysFor(report: Scheduled, due: Due): Days {
  const { first, last } = daysFor(report, due)
  return { first, last: report.date_range?.startsWith('this_') && last > due.period_end ? due.period_end : last }
}

const askedBy = (report: Scheduled, at = now()) => ({
  ids: report,
  at,
  waits_for: kinds[report.kind].waits_for,
  within: report,
})

const completenessFor = (scope: Scope, report: Scheduled, due: Due) =>
  completenessOf(scope, askedBy(report), wholeDaysFor(report, due))

/** Whether it can be made: all is there, or the last day has been over for so long that it is sent without what is missing. */
async function isReady(scope: Scope, report: Scheduled, due: Due): Promise<boolean> {
  const { over_at, missing } = await completenessFor(scope, report, due)
  return now() >= over_at + (missing.length === 0 ? settled_after_ms : waited_max_ms)
}

/**
 * Begins the runs of a report that is due and moves its due date on in the same transaction: however many nodes call this, each
 * due date has one run.
 */
export async function beginDue(scope: Scope, queue: Queue, id: number): Promise<void> {
  const report = await scheduled(scope, id)
  if (!report?.is_active || report.next_due_on === null) return
  const { zone } = report
  const due: Due[] = []
  let next = dueFrom(report, report.next_due_on)
  for (; dueInstant(next.due_on, zone) <= now(); next = dueNext(report, next.due_on)) due.push(next)
  // Each is ready before the next one: its last day is over a day or more earlier.
  const ready = [...due]
  let waiting: Due | undefined
  for (let last = ready.at(-1); last && !(await isReady(scope, report, last)); last = ready.at(-1))
    waiting = ready.pop()
  for (const one of toBeMade(report, ready))
    await beginRun(scope, queue, {
      ...report,
      report_id: id,
      asked: null,
      mails: true,
      due_on: one.due_on,
      days: daysFor(report, one),
    })
  await saveNext(scope, report, waiting ?? next)
  // Its last day is over: what is missing is looked for until then.
  const again_at = new Date(now() + look_again_ms)
  if (waiting)
    await scope.change('reports', sql<boolean>`t.id = ${id} and t.next_run_at < ${again_at}`, { next_run_at: again_at })
}

/** For how long what was missing in a file may still come. */
const looked_for_days = 31

/** Sends a file again once what was missing in it has come. */
export async function completeRun(scope: Scope, queue: Queue, id: number): Promise<void> {
  const [run] = await scope.run(sql<Begun>`
    select t.id, t.report_id, t.name, t.format, t.user_id, t.api_key_id, t.group_id, t.property_id, t.asked, t.period_start::text,
      t.period_end::text, extract(epoch from t.created_at)::float8 * 1000 as begun_at,
      t.created_at < app_now() - make_interval(days => ${looked_for_days}) as is_old
    from report_runs as t where t.id = ${id} and t.look_again_at is not null and ${scope.inReach('report_runs', 't')} for update of t`)
  if (!run) return
  const report = await scheduled(scope, run.report_id)
  const { period_start: first, period_end: last } = run
  const isWanted = report?.is_active && !run.is_old
  // As of when it was made: of a range that goes on, more days are over by now.
  const { missing } = isWanted
    ? await completenessOf(scope, askedBy(report, run.begun_at), { first, last })
    : { missing: [] }
  const look_again_at = missing.length > 0 ? new Date(now() + look_again_ms) : null
  await scope.change('report_runs', [id], { look_again_at })
  if (isWanted && look_again_at === null)
    await beginRun(scope, queue, { ...run, mails: true, due_on: null, days: { first, last }, completes_run_id: id })
}

interface Begun extends Owned {
  id: number
  report_id: number
  name: string
  format: string
  user_id: number | null
  api_key_id: number | null
  asked: object | null
  period_start: Day
  period_end: Day
  begun_at: number
  is_old: boolean
}

/** A run that a user asks for, of the days that have just ended. */
export async function beginNow(scope: Scope, queue: Queue, id: number) {
  const report = await scheduled(scope, id)
  if (!report) return null
  const due_on = localDay(now(), report.zone)
  const days = daysFor(report, dueFrom({ ...report, start_date: due_on }, due_on))
  const { user_id = null, key_id: api_key_id = null } = scope.asked ?? {}
  return beginRun(scope, queue, {
    ...report,
    user_id,
    api_key_id,
    report_id: id,
    asked: null,
    mails: true,
    due_on: null,
    days,
  })
}
