// Shown codes: a code that still works is worth money, so only users who hand out codes see it whole, also in a session `t`. Nobody else
// can spell one out by searching: what they type is compared with what they see, or with a whole code.
import { sql } from 'kysely'
import { allows } from '#contract/permissions.ts'
import { isCode, mask, masked, normalised, shown } from '#contract/vouchers.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Condition } from '#server/entities/entity.ts'
import type { StoredCode } from '#server/secrets/voucher-codes.ts'
import { hasCode } from '#server/vouchers/find.ts'

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

/** The voucher `t`, by what was typed into a search: all of its code, or a part of what can be read of it. */
export function foundByCode(scope: Scope, typed: string): Condition {
  const sought = normalised(typed).replace(/[^\w]/g, '')
  if (sought === '') return sql`true`
  return isCode(sought) ? hasCode(scope, sought) : sql`strpos(${lastFourOf('t')}, ${sought}) > 0`
}

/** A working code is worth money: callers who may not hand codes out see only its end. */
export const codeFor = (scope: Scope, voucher: StoredCode & { last_four: string }) =>
  seesCodes(scope) ? shown(scope.codes.open(voucher)) : masked(voucher.last_four)

/** As sign-ins with it stand in attempts that name no voucher. */
export const formsOfCode = (code: string) => [code, shown(code)]

/** Of a row of `vouchers`. */
export const lastFourOf = (row: string) => sql<string>`coalesce(
  (select k.last_four from voucher_codes as k
    where k.customer_id = ${sql.ref(`${row}.customer_id`)} and k.voucher_id = ${sql.ref(`${row}.id`)}),
  right(${sql.ref(`${row}.code`)}, 4))`
