// Shown codes: a code that still works is worth money, so only users who hand out codes see it whole, also in a session `t`.
import { sql } from 'kysely'
import { allows } from '#contract/permissions.ts'
import { mask } from '#contract/vouchers.ts'
import type { Scope } from '#server/access/tenancy.ts'

export const identifierFor = (scope: Scope) =>
  allows(scope.can, 'voucher_batches', 'desk')
    ? sql`t.identifier`
    : sql`case when t.voucher_id is null then t.identifier else ${sql.lit(mask)} || right(t.identifier, 4) end`
