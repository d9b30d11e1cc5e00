// Activity: the log of who did what.
import { sql } from 'kysely'
import * as contract from '#contract/activity.ts'
import { nothing } from '#contract/shapes.ts'
import { serve } from '#server/api/serve.ts'
import { entity } from '#server/entities/entity.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows } from '#server/entities/lists.ts'

const activity = entity({
  table: 'activity',
  label: 'object_name',
  row: contract.ActivityRow,
  detail: nothing,
  computed: { ip: sql`host(t.ip)` },
  filters: {
    from: ({ value: day }) => sql`t.created_at >= ${day}::date`,
    to: ({ value: day }) => sql`t.created_at < ${day}::date + 1`,
  },
})

export default serve(contract, {
  list: ({ scope, input }) => listRows(scope, activity, input),
  exportList: (call) => exportRows(call, activity),
})
