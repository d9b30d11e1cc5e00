// List: the codes of one batch and the state of each, in the order in which they are printed.
import { sql } from 'kysely'
import type { Output, Parsed } from '#contract/endpoint.ts'
import { helpIn } from '#catalogue/spoken.ts'
import { constants } from '#contract/constants.ts'
import type * as contract from '#contract/vouchers.ts'
import { nothingLeftOut } from '#server/entities/list-conditions.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { factsAt, type Voucher } from '#server/vouchers/find.ts'
import { codeFor, foundByCode } from '#server/vouchers/shown-codes.ts'
import { bytes_per_gb, isValid, voucherState } from '#server/vouchers/state.ts'

type Answer = Output<typeof contract.list>

const gigabytes = (bytes: number) => Math.round((bytes / bytes_per_gb) * 1000) / 1000

/** The next page begins after this voucher. */
function idAfter(cursor: string | null | undefined): number {
  const id = cursor == null ? 0 : Number(cursor)
  if (!Number.isSafeInteger(id) || id < 0) throw invalid({ cursor: ['Start again from the first page.'] })
  return id
}

export async function listVouchers(scope: Scope, input: Parsed<typeof contract.list>): Promise<Answer> {
  if (input.shouldExclude) throw invalid({ shouldExclude: [nothingLeftOut] })
  const { counted_max, exactly_counted_max } = constants.list
  const used = input.filters.used === undefined ? [] : [input.filters.used].flat()
  const excluded = [...input.excludeIds, ...input.exclude_ids]
  const max = input.count ? exactly_counted_max : counted_max
  const matching = sql`
    t.voucher_batch_id = ${input.params.voucher_batch_id} and t.id > ${idAfter(input.cursor)} and ${scope.inReach('vouchers', 't')}
    and ${used.length === 1 ? sql`(t.redeemed_at is not null) = ${used[0]}` : sql`true`}
    and ${foundByCode(scope, input.searchValue ?? '')}
    and ${excluded.length === 0 ? sql`true` : sql`t.id not in (select unnest(${`{${excluded.join()}}`}::bigint[]))`}`
  const [rows, [counts]] = await Promise.all([
    scope.run(sql<Voucher>`${factsAt(null)} where ${matching} order by t.id limit ${input.per_page}`),
    scope.run(sql<{ total: number; fetched_at: string }>`
      select (select count(*)::integer from (select from vouchers as t where ${matching} limit ${max + 1}) as c) as total,
        now() as fetched_at`),
  ])
  if (!counts) throw new Error('counting gave no row')
  const total = Math.min(counts.total, max)
  const last = rows.at(-1)
  return {
    data: rows.map((voucher) => rowOf(scope, voucher)),
    meta: {
      total: Math.max(total, rows.length),
      from: rows.length > 0 ? 1 : 0,
      to: rows.length,
      per_page: input.per_page,
      next_cursor: last && counts.total > rows.length ? String(last.id) : null,
      fetched_at: input.lastFetchedAt ?? counts.fetched_at,
      // A batch has all its codes from the start.
      newer: 0,
      ...(counts.total > max ? { more: true as const } : {}),
    },
  }
}

function rowOf(scope: Scope, voucher: Voucher): Answer['data'][number] {
  const reason = voucherState(voucher)
  return {
    id: voucher.id,
    code: codeFor(scope, voucher),
    state: isValid(reason) ? 'valid' : 'invalid',
    reason: helpIn(scope.language)(`voucher.${reason}`),
    redeemed_at: voucher.redeemed_at,
    in_use: voucher.redeemed_at !== null && (isValid(reason) || reason === 'device_limit'),
    expires_at: voucher.clock_ends_at ?? voucher.ends_at,
    taken_back_at: voucher.taken_back_at,
    data_used: gigabytes(voucher.bytes_used),
  }
}
