// Owners of schedules: a schedule belongs to a user, and to the key it was saved with; it runs within what they may do at present. It
// rests, and says so, once they are gone or may no more, or something that it names is out of their reach.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { refsIn } from '#contract/refs.ts'
import { ReportInput, type PausedFor } from '#contract/reports.ts'
import { forEachCustomer } from '#server/access/each-customer.ts'
import { presentOf, userBehind } from '#server/access/present-rights.ts'
import { callerOfJob, type Asked, type Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { oneRow } from '#server/entities/read.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'
import { reports } from './record.ts'
import { mailNotice, type NoticeOptions } from './schedule-notices.ts'

/** The columns of whoever saves or takes over a schedule. A key's belongs to whoever made the key. */
export async function ownedByCaller(scope: Scope): Promise<{ user_id: number | null; api_key_id: number | null }> {
  const { kind, id } = scope.principal
  return { user_id: await userBehind(scope), api_key_id: kind === 'api_key' ? id : null }
}

interface Owned {
  user_id: number | null
  api_key_id: number | null
}
const rightOf = ({ user_id, api_key_id }: Owned): Asked => ({
  user_id,
  key_id: api_key_id,
  area: 'reports',
  action: 'write',
})

/** The sentence of a run that does not go, and of the notice. */
export const pausedSentences: Record<PausedFor, string> = {
  owner_left: 'Its owner, or the API key that saved it, no longer exists.',
  owner_lowered: 'Its owner may no longer send reports.',
  owner_reach: 'Something that it names no longer exists, or is out of reach.',
  failed: 'It failed several times.',
}

/** What a report names that is absent or out of the scope's reach, by its fields. */
export async function unreachableIn(scope: Scope, report_id: number): Promise<string[]> {
  const report = await oneRow(scope, reports, report_id)
  const beyond = await scope.unreachable(refsIn(ReportInput, report))
  return [...new Set(beyond.map(({ field }) => field))]
}

/** Whoever a schedule runs as, or why it does not run. */
export async function ownerOfSchedule(
  tenancy: Tenancy,
  customer_id: number,
  report_id: number,
): Promise<Caller | PausedFor> {
  const owner = await tenancy.enter(callerOfJob(customer_id, 'reports'), 'read', async (scope) => {
    const [owned] = await scope.run(sql<Owned>`
      select t.user_id, t.api_key_id from reports as t where t.id = ${report_id} and ${scope.inReach('reports', 't')}`)
    return owned === undefined || owned.user_id === null ? 'left' : presentOf(scope, rightOf(owned))
  })
  if (typeof owner === 'string') return `owner_${owner}`
  const beyond = await tenancy.enter(owner, 'read', (scope) => unreachableIn(scope, report_id))
  return beyond.length > 0 ? 'owner_reach' : owner
}

/** The same in the transaction of a change: why it would not run, within the reach of whoever changes it. */
export async function hindranceOf(scope: Scope, report_id: number): Promise<PausedFor | null> {
  const [owned] = await scope.run(sql<Owned>`
    select t.user_id, t.api_key_id from reports as t where t.id = ${report_id} and ${scope.inReach('reports', 't')}`)
  const owner = owned === undefined || owned.user_id === null ? 'left' : await presentOf(scope, rightOf(owned))
  if (typeof owner === 'string') return `owner_${owner}`
  return (await unreachableIn(scope, report_id)).length > 0 ? 'owner_reach' : null
}

export interface CheckOptions extends NoticeOptions {
  tenancy: Tenancy
}

/** Lets a schedule rest where its owner's rights end; one that has no owner goes to the customer's oldest active editor. */
async function checkSchedule(options: CheckOptions, customer_id: number, report_id: number): Promise<void> {
  const { tenancy } = options
  const caller = callerOfJob(customer_id, 'reports')
  await tenancy.enter(caller, 'write', (scope) => adopt(scope, options, report_id))
  const found = await ownerOfSchedule(tenancy, customer_id, report_id)
  await tenancy.enter(caller, 'write', async (scope) => {
    if (typeof found === 'string') await pause(scope, options, report_id, found)
    await scope.change('reports', [report_id], { owner_checked_at: sql`now()` })
  })
}

/** Suspends it and writes to its owner, or to an editor. */
export async function pause(scope: Scope, options: NoticeOptions, report_id: number, why: PausedFor, error?: string) {
  const mine = sql<boolean>`t.id = ${report_id} and t.paused_at is null and t.scheduled`
  const values = { paused_at: sql`now()`, paused_for: why, next_run_at: null, next_due_on: null }
  const paused = await scope.change('reports', mine, values)
  if (paused.length === 0) return
  await mailNotice(scope, options, report_id, { paused_for: why, sentence: error ?? pausedSentences[why] })
}

async function adopt(scope: Scope, options: NoticeOptions, report_id: number): Promise<void> {
  const [editor] = await scope.run(sql<ColumnsOf<'users', 'id'>>`
    select u.id from users as u join user_types as y on y.id = u.user_type_id and y.role = 'editor'
    where ${scope.inReach('users', 'u')} and u.active and not u.draft and u.login_id is not null
      and u.group_id is null and u.property_id is null and u.package_id is null
    order by u.created_at, u.id limit 1`)
  const ownerless = sql<boolean>`t.id = ${report_id} and t.user_id is null and t.scheduled`
  if (!editor || (await scope.change('reports', ownerless, { user_id: editor.id })).length === 0) return
  const row = await oneRow(scope, reports, report_id)
  await logActivity(scope, {
    action: 'update',
    entity: reports,
    row,
    before: { owner: null },
    after: { owner: row.owner },
  })
  await mailNotice(scope, options, report_id, {
    paused_for: null,
    sentence: 'It had no owner, so it is yours now.',
  })
}

const schedules_per_step = 1000

/** Checks the schedules whose owners, or what they name, have changed. */
export async function checkSchedules(options: CheckOptions): Promise<void> {
  const unchecked = await options.tenancy.callFunction(sql<{ customer_id: number; report_id: number }>`
    select customer_id, report_id from door_unchecked_schedules(${schedules_per_step})`)
  const byCustomer = Map.groupBy(unchecked, ({ customer_id }) => customer_id)
  await forEachCustomer([...byCustomer.keys()], async (customer_id) => {
    for (const { report_id } of byCustomer.get(customer_id) ?? []) await checkSchedule(options, customer_id, report_id)
  })
}

export const checkSchedulesJob = job({
  kind: jobKind('check_schedules'),
  cron: '* * * * *',
  title: 'Looking after the owners of reports',
  run: checkSchedules,
})
