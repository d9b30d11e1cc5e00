// Schedule: when a report is next due, stored with it, and the runs of those that are due.
import { sql } from 'kysely'
import type { DateRange } from '#contract/reports.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { now } from '#server/time/clock.ts'
import { localDay } from '#server/time/zones.ts'
import { dueFrom, dueInstant, dueNext, toBeMade, type Due } from './periods.ts'
import { daysOf } from './ranges.ts'
import { beginRun, type Owned } from './runs.ts'

interface Scheduled extends Owned {
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

/** Locked until the transaction ends. Undefined where it has no schedule. */
async function scheduled(scope: Scope, id: number): Promise<Scheduled | undefined> {
  const [report] = await scope.run(sql<Scheduled>`
    select t.id, t.name, t.format, t.user_id, t.api_key_id, t.group_id, t.property_id, t.date_range, t.frequency, t.start_date::text,
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
  await saveNext(scope, id, next, zone)
}

const saveNext = (scope: Scope, id: number, { due_on }: Due, zone: string) =>
  scope.change('reports', [id], { next_due_on: due_on, next_run_at: new Date(dueInstant(due_on, zone)) })

/** The days that a run of the schedule covers: those of its range as of the due date. */
const daysFor = ({ date_range }: Scheduled, due: Due) =>
  date_range === null || date_range === 'custom'
    ? { first: due.period_start, last: due.period_end }
    : daysOf(date_range, due.due_on)

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
  for (const one of toBeMade(report, due))
    await beginRun(scope, queue, {
      ...report,
      report_id: id,
      asked: null,
      mails: true,
      due_on: one.due_on,
      days: daysFor(report, one),
    })
  await saveNext(scope, id, next, zone)
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
