// Shown codes: a code that still works is worth money: only those who hand codes out read it whole, of a session `t` as anywhere else.
import { sql } from 'kysely'
import { allows } from '#contract/permissions.ts'
import { mask } from '#contract/vouchers.ts'
import type { Scope } from '#server/access/tenancy.ts'

export const identifierFor = (scope: Scope) =>
  allows(scope.can, 'voucher_batches', 'desk')
    ? sql`t.identifier`
    : sql`case when t.voucher_id is null then t.identifier else ${sql.lit(mask)} || right(t.identifier, 4) end`
