// Events: what has happened in the last 30 days, for programs that missed some.
import { sql } from 'kysely'
import * as contract from '#contract/events.ts'
import { serve } from '#server/api/serve.ts'
import { entity } from '#server/entities/entity.ts'
import { searched, wordsOf } from '#server/entities/list-search.ts'
import { listRows } from '#server/entities/lists.ts'

const events = entity({
  table: 'events',
  row: contract.Event,
  detail: contract.Event,
  label: 'type',
  computed: {
    message_id: sql`concat('msg_', t.uuid)`,
    timestamp: sql`t.created_at`,
    data: sql`jsonb_build_object('id', t.object_id, 'property_id', t.property_id, 'sequence', t.sequence) || t.data`,
  },
  filters: { words: wordsOf(sql`t.type`) },
})

export default serve(contract, {
  list: ({ scope, input }) => listRows(scope, events, searched(input)),
})
