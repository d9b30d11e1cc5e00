// Marketing: connections to those who write to guests, each to one audience.
import { sql } from 'kysely'
import { dueKind } from '#server/due/due-work.ts'
import type { ConsentKind, SealedTokens } from '#server/connections/kind.ts'

export const marketing = {
  word: 'marketing',
  name: 'Marketing',
  calls: '/marketing-integrations',
  providers: [],
  table: 'marketing_integrations',
  due: dueKind('marketing_connection'),
  known_by: ['tenant_id', 'audience_id'],
  carried_over: ['audiences'],
  tokens: {
    column: 'marketing_integration_id',
    placeOf: (id) => -id,
    read: (id) => sql<SealedTokens>`select * from integration_secrets(${-id})`,
  },
} as const satisfies ConsentKind
