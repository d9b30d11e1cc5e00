// Undelivered: mails and text messages that could not be delivered, for the customer's editors to deal with.
import { sql } from 'kysely'
import * as contract from '#contract/undelivered.ts'
import { serve } from '#server/api/serve.ts'
import { entity } from '#server/entities/entity.ts'
import { listRows } from '#server/entities/lists.ts'
import { removeRows } from '#server/entities/verbs.ts'

const sentences = sql.join(
  Object.entries(contract.undeliveredReasons).map(([why, words]) => sql`when ${sql.lit(why)} then ${sql.lit(words)}`),
  sql` `,
)

const undelivered = entity({
  table: 'undelivered',
  row: contract.UndeliveredRow,
  detail: contract.UndeliveredRow,
  // The log outlives the message, so it does not say to whom.
  label: 'kind',
  computed: { message: sql`case t.why ${sentences} else '' end` },
})

export default serve(contract, {
  list: ({ scope, input }) => listRows(scope, undelivered, input),
  dismiss: ({ scope, input }) => removeRows(scope, undelivered, input.ids),
})
