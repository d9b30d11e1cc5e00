// Shown codes: a code that still works is worth money, so only users who hand out codes see it whole, also in a session `t`. Nobody else
// can spell one out by searching: what they type is compared with what they see, or with a whole code.
import { sql } from 'kysely'
import { allows } from '#contract/permissions.ts'
import { code_length, mask, normalised } from '#contract/vouchers.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Condition } from '#server/entities/entity.ts'

const seesCodes = (scope: Scope) => allows(scope.can, 'voucher_batches', 'desk')

export const identifierFor = (scope: Scope) =>
  seesCodes(scope)
    ? sql`t.identifier`
    : sql`case when t.voucher_id is null then t.identifier else ${sql.lit(mask)} || right(t.identifier, 4) end`

/** Of a table with `identifier`, `voucher_id` and `mac_address`. */
export const foundByIdentifier =
  (table: 'radius_sessions' | 'radius_authorisations') =>
  (scope: Scope, typed: string): Condition | undefined =>
    seesCodes(scope)
      ? undefined
      : sql`(t.voucher_id is null or replace(t.identifier, '-', '') = ${normalised(typed)}
          or search_text(' ' || right(t.identifier, 4) || ' ' || coalesce(t.mac_address::text, '') || search_hex(t.mac_address::text))
            like all (search_patterns(${table}, ${typed})))`

/** The voucher `t`, by what was typed into a search: all of its code, or a part of what is seen of it. */
export function foundByCode(scope: Scope, typed: string): Condition {
  const sought = normalised(typed).replace(/[^\w]/g, '')
  if (sought === '') return sql`true`
  if (sought.length === code_length) return sql`t.code = ${sought}`
  return seesCodes(scope) ? sql`strpos(t.code, ${sought}) > 0` : sql`strpos(right(t.code, 4), ${sought}) > 0`
}
