// Activity: the log of who did what.
import { sql } from 'kysely'
import * as contract from '#contract/activity.ts'
import { nothing } from '#contract/shapes.ts'
import { serve } from '#server/api/serve.ts'
import { listRows, type Entity } from '#server/entities/verbs.ts'

const activity: Entity = {
  table: 'activity',
  row: contract.ActivityRow,
  detail: nothing,
  computed: { ip: sql`host(t.ip)` },
  filters: {
    from: (day: string) => sql`t.created_at >= ${day}::date`,
    to: (day: string) => sql`t.created_at < ${day}::date + 1`,
  },
}

export default serve(contract, {
  list: ({ scope, input }) => listRows(scope, activity, input),
})
