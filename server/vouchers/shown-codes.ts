// Shown codes: a code that still works is worth money, so only users who hand out codes see it whole, also in a session `t`. Nobody else
// can spell one out by searching: what they type is compared with what they see, or with a whole code.
import type { Condition } from '#server/access/reach.ts'
import { sql } from 'kysely'
import { allows } from '#contract/permissions.ts'
import { isCode, mask, masked, normalised, shown } from '#contract/vouchers.ts'
import type { Scope } from '#server/access/tenancy.ts'

import type { StoredCode } from '#server/secrets/voucher-codes.ts'
import { Json } from '#server/entities/json.ts'
import type { Listed } from '#server/entities/lists.ts'
import { hasVoucherCode, voucherWith } from '#server/vouchers/find.ts'

/** Who may hand codes out. */
export const seesCodes = (scope: Scope) => allows(scope.can, 'voucher_batches', 'desk')

export const identifierFor = (scope: Scope) =>
  seesCodes(scope)
    ? sql`t.identifier`
    : sql`case when t.voucher_id is null then t.identifier else ${sql.lit(mask)} || right(t.identifier, 4) end`

type Named = 'radius_sessions' | 'radius_authorisations'

/** Names of a page of sessions or attempts, by their ids, for whoever sees codes: names are kept without them. */
export async function withShownCodes<R extends { id: number; identifier: string | null }>(
  scope: Scope,
  table: Named,
  rows: R[],
): Promise<R[]> {
  const ids = rows.filter(({ identifier }) => identifier?.startsWith(mask)).map(({ id }) => id)
  if (ids.length === 0 || !seesCodes(scope)) return rows
  const found = await scope.run(sql<StoredCode & { id: number }>`
    select t.id, null as code, k.fingerprint, k.sealed_code from ${sql.table(table)} as t
    join voucher_codes as k on k.customer_id = t.customer_id and k.voucher_id = t.voucher_id
    where t.id = any(${ids}) and ${scope.inReach(table, 't')}`)
  const codes = new Map(found.map(({ id, ...sealed }) => [id, shown(scope.codes.open(sealed))]))
  return rows.map((row) => ({ ...row, identifier: codes.get(row.id) ?? row.identifier }))
}

export interface OfVoucher {
  voucher_id: number | null
}
/** The same for rows of a report, by their vouchers: packed sessions are in no list. */
export async function withCodesOf<R extends OfVoucher & { identifier: string | null }>(scope: Scope, rows: R[]) {
  const ids = new Set(rows.filter(({ identifier }) => identifier?.startsWith(mask)).map(({ voucher_id }) => voucher_id))
  const found =
    ids.size === 0 || !seesCodes(scope)
      ? []
      : await scope.run(sql<StoredCode & { voucher_id: number }>`
          select k.voucher_id, null as code, k.fingerprint, k.sealed_code from voucher_codes as k
          where k.customer_id = ${scope.customer_id} and k.voucher_id = any(${[...ids]}::bigint[])`)
  const codes = new Map(found.map(({ voucher_id, ...sealed }) => [voucher_id, shown(scope.codes.open(sealed))]))
  return rows.map(({ voucher_id, ...row }) => ({
    ...row,
    identifier: (voucher_id === null ? undefined : codes.get(voucher_id)) ?? row.identifier,
  }))
}

/** The same for a list, which the database has written out. */
export async function listedWithCodes<R extends { id: number; identifier: string | null }>(
  scope: Scope,
  table: Named,
  list: Json<Listed<R>>,
): Promise<Json<Listed<R>>> {
  if (!list.text.includes(mask) || !seesCodes(scope)) return list
  const { data, meta } = list.parsed()
  return new Json(JSON.stringify({ data: await withShownCodes(scope, table, data), meta }))
}

/** Rows that a whole code finds, although their names are kept without it: those of its voucher, and of nobody known who typed it. */
export const alsoFoundByCode =
  (table: Named) =>
  async (scope: Scope, typed: string, rows_max: number): Promise<number[]> => {
    const code = normalised(typed)
    if (!isCode(code)) return []
    const rows = await scope.run(sql<{ id: number }>`
      (select t.id from ${sql.table(table)} as t where t.voucher_id = ${voucherWith(scope, code)} and ${scope.inReach(table, 't')}
        order by t.created_at desc limit ${rows_max})
      union all
      (select t.id from ${sql.table(table)} as t where t.id in (select search_ids(${table}, ${masked(code)}, ${rows_max}))
        and t.voucher_id is null and t.identifier = ${masked(code)} and ${scope.inReach(table, 't')})`)
    return rows.map(({ id }) => id)
  }

/** Of a table with `identifier`, `voucher_id` and `mac_address`. */
export const foundByIdentifier =
  (table: Named) =>
  (scope: Scope, typed: string): Condition | undefined =>
    seesCodes(scope)
      ? undefined
      : sql`(t.voucher_id is null or replace(t.identifier, '-', '') = ${normalised(typed)}
          or t.voucher_id = ${voucherWith(scope, normalised(typed))}
          or search_text(' ' || right(t.identifier, 4) || ' ' || coalesce(t.mac_address::text, '') || search_hex(t.mac_address::text))
            like all (search_patterns(${table}, ${typed})))`

/** The voucher `t`, by what was typed into a search: all of its code, or a part of what can be read of it. */
export function foundByCode(scope: Scope, typed: string): Condition {
  const sought = normalised(typed).replace(/[^\w]/g, '')
  if (sought === '') return sql`true`
  return isCode(sought) ? hasVoucherCode(scope, sought) : sql`strpos(${lastFourOf('t')}, ${sought}) > 0`
}

/** A working code is worth money: callers who may not hand codes out see only its end. */
export const codeFor = (scope: Scope, voucher: StoredCode & { last_four: string }) =>
  seesCodes(scope) ? shown(scope.codes.open(voucher)) : masked(voucher.last_four)

/** As sign-ins with it stand in attempts that name no voucher. */
export const formsOfCode = (code: string) => [code, shown(code), masked(code)]

/** Of a row of `vouchers`. */
export const lastFourOf = (row: string) => sql<string>`coalesce(
  (select k.last_four from voucher_codes as k
    where k.customer_id = ${sql.ref(`${row}.customer_id`)} and k.voucher_id = ${sql.ref(`${row}.id`)}),
  right(${sql.ref(`${row}.code`)}, 4))`
