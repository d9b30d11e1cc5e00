// Accounting: connections to the books, each to one organisation.
import { sql } from 'kysely'
import { dueKind } from '#server/due/due-work.ts'
import type { ConsentKind, SealedTokens } from '#server/connections/kind.ts'

export const accounting = {
  word: 'accounting',
  name: 'Accounting',
  calls: '/accounting-integrations',
  providers: [],
  table: 'accounting_integrations',
  due: dueKind('accounting_connection'),
  known_by: ['tenant_id'],
  carried_over: ['organisations', 'scopes'],
  tokens: {
    column: 'accounting_integration_id',
    placeOf: (id) => id,
    read: (id) => sql<SealedTokens>`select * from integration_secrets(${id})`,
  },
} as const satisfies ConsentKind
