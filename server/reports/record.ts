// Record: a saved report, which is also its schedule.
import { daysIn } from '#contract/days.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { ReportRun } from '#contract/report-runs.ts'
import { Report as ReportShape, ReportRow } from '#contract/reports.ts'
import { messages } from '#contract/messages.ts'
import type { FieldErrors } from '#contract/errors.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { goesUntil, hasStopped, isKnown } from '#server/deliveries/receivers.ts'
import { column, entity, nameOf } from '#server/entities/entity.ts'
import { wordsOf } from '#server/entities/list-search.ts'
import { appliedIn, type FilterKey } from './filters.ts'
import { kinds } from './kinds.ts'

type Report = z.output<typeof ReportShape>

/** Of the recipient `named`. Who needs no question was never asked. */
const receiverState = (scope: Scope) => sql`
  case when ${hasStopped(scope, sql`named.email`)} then 'stopped'
    when not ${isKnown(scope, sql`named.email`, [])} and exists (select from report_receivers as v
      where v.email = lower(named.email) and ${scope.inReach('report_receivers', 'v')}) then 'unconfirmed'
    else 'confirmed' end`

const state = sql`case when t.paused_at is null then 'active' else 'paused' end`

export const reports = entity({
  table: 'reports',
  row: ReportRow,
  detail: ReportShape,
  computed: {
    last_run: sql`(select json_build_object('id', r.id, 'outcome', r.outcome, 'created_at', r.created_at,
      'error', r.error) from report_runs as r where r.customer_id = t.customer_id and r.report_id = t.id
      order by r.created_at desc, r.id desc limit 1)`,
    owner: nameOf('users', 'user_id'),
    state,
    unconfirmed: (scope: Scope) => sql`
      (select count(*)::integer from unnest(t.recipients) as named(email) where ${receiverState(scope)} = 'unconfirmed')`,
    receivers: (scope: Scope) => sql`
      (select coalesce(json_agg(json_build_object('email', named.email, 'state', ${receiverState(scope)},
        'until', case when ${receiverState(scope)} = 'unconfirmed' then ${goesUntil(scope, sql`named.email`)} end)
        order by named.place), '[]') from unnest(t.recipients) with ordinality as named(email, place))`,
    paused_for: sql`case when t.paused_at is not null then coalesce(t.paused_for, 'failed') end`,
    filters_applied: appliedIn(sql`t.customer_id`, (key) => column(key)),
  },
  filters: { state: ({ is }) => is(state) },
})

/** Each time a report was made into a file. */
export const reportRunEntity = entity({
  table: 'report_runs',
  row: ReportRun,
  detail: ReportRun,
  filters: { words: wordsOf(sql`t.name`) },
  belongs: { group_id: 'group_id', property_id: 'property_id' },
})

interface Days {
  date_range?: string | null | undefined
  start_date?: string | null | undefined
  end_date?: string | null | undefined
}
/** The most days that a report covers. */
const days_max = 3660

/** Checks a range given by its days. */
export function wrongDays({ date_range, start_date, end_date }: Days): FieldErrors {
  if (date_range !== 'custom') return {}
  if (!start_date || !end_date)
    return {
      ...(start_date ? {} : { start_date: [messages.fields.required] }),
      ...(end_date ? {} : { end_date: [messages.fields.required] }),
    }
  const days = daysIn(start_date, end_date)
  if (days < 1) return { end_date: ['The last day comes before the first'] }
  return days > days_max ? { end_date: ['A report covers ten years at most'] } : {}
}

export function wrongFilters(asked: Pick<Report, 'kind' | FilterKey>): FieldErrors {
  const { by, message } = kinds[asked.kind].not_narrowed
  return Object.fromEntries(by.filter((key) => asked[key].length > 0).map((key) => [key, [message]]))
}

/** A draft may be incomplete; a report that is to be run or sent may not. */
export function refuseUnfit(report: Report, { scheduled }: { scheduled: boolean }) {
  if (report.draft) return
  const errors: FieldErrors = {
    ...(scheduled ? wrongSchedule(report) : wrongDays(report)),
    ...wrongFilters(report),
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

const wrongSchedule = ({ date_range, start_date }: Report): FieldErrors => ({
  ...(date_range === 'custom'
    ? { date_range: ['A scheduled report needs a range that moves with the date, such as last month'] }
    : {}),
  ...(start_date ? {} : { start_date: [messages.fields.required] }),
})
