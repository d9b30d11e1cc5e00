// Activity: the log of who did what.
import { sql } from 'kysely'
import type { z } from 'zod'
import * as contract from '#contract/activity.ts'
import { labelOf } from '#contract/fields.ts'
import { loggedFields } from '#contract/logged-fields.ts'
import { nothing } from '#contract/shapes.ts'
import { serve } from '#server/api/serve.ts'
import { entity } from '#server/entities/entity.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows } from '#server/entities/lists.ts'

/** The customer's own, for the lines of groups and properties, too. */
const zone = sql`(select c.time_zone from customers as c where c.id = t.customer_id)`
const today = sql`local_day(app_now(), ${zone})`

const activity = entity({
  table: 'activity',
  label: 'object_name',
  row: contract.ActivityRow,
  detail: nothing,
  computed: { ip: sql`host(t.ip)` },
  // Each with a bound that an index finds and that holds in every zone, from 12 hours behind UTC to 14 ahead.
  filters: {
    from: ({ value: day }) => sql`
      (t.created_at >= ${day}::date - interval '14 hours' and t.created_at >= day_begins(${day}::date, ${zone}))`,
    to: ({ value: day }) => sql`
      (t.created_at < ${day}::date + interval '36 hours' and t.created_at < day_begins(${day}::date + 1, ${zone}))`,
    days: ({ value: days }) => sql`
      (t.created_at >= app_now() - interval '1 day' * ${days}::integer - interval '2 hours'
        and t.created_at >= day_begins(${today} - (${days}::integer - 1), ${zone}))`,
  },
})

/** `City: Bath`, a line for each field, as the log on the screen calls it. */
const linesOf = (values: Record<string, unknown>, line: z.output<typeof contract.ActivityRow>): string =>
  loggedFields(line, values)
    .map(({ name, label, isSecret }) => `${label}: ${isSecret ? 'replaced' : textOf(values[name])}`)
    .join('\n')

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ')
  if (typeof value !== 'object') return String(value)
  if ('name' in value) return String(value.name)
  return Object.entries(value)
    .map(([name, one]) => `${labelOf(name)}: ${textOf(one)}`)
    .join(', ')
}

export default serve(contract, {
  list: ({ scope, input }) => listRows(scope, activity, input),
  exportList: (call) => exportRows(call, activity, { before: linesOf, after: linesOf }),
})
