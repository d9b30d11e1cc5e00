// Find: one voucher by its code, with everything that decides whether it is valid, in one read.
import { sql, type RawBuilder } from 'kysely'
import { isCode } from '#contract/vouchers.ts'
import { periodBegan } from '#server/time/zones.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { inOrder, numbersOf } from '#server/db/batched-lookups.ts'
import type { StoredCode } from '#server/secrets/voucher-codes.ts'
import type { Facts } from '#server/vouchers/state.ts'
import { joinCode, storedCode } from '#server/secrets/stored-code.ts'

/** Its code is opened where it is shown: `scope.codes.open(voucher)`. */
export interface Voucher extends Facts, StoredCode {
  id: number
  last_four: string
  voucher_batch_id: number
  batch_number: string
  /** The property's name, or the group's where it is valid in all of its properties. */
  place: string
  good_in: 'property' | 'group'
  package_name: string
  package_id: number
  speed_mbps: number
  idle_timeout_hrs: number
  recurs: 'none' | 'daily' | 'weekly' | 'monthly'
  sealed_password: Buffer | null
}

export interface SoughtVoucher {
  /** Normalised. */
  code: string
  batch_id?: number | null | undefined
}

/** Undefined: no such code, or out of reach, or its batch was deleted. */
export async function findVoucher(scope: Scope, sought: SoughtVoucher): Promise<Voucher | undefined> {
  if (!isCode(sought.code)) return undefined
  const [voucher] = await scope.run(read(scope, sought))
  return voucher
}

/** For a voucher that somebody has entered before. @param property_id where its holder is; null: where they were last */
export async function voucherById(scope: Scope, id: number, property_id: number | null): Promise<Voucher | undefined> {
  const [voucher] = await scope.run(
    sql<Voucher>`${factsAt(property_id)} where t.id = ${id} and ${scope.inReach('vouchers', 't')}`,
  )
  return voucher
}

/**
 * Of a package's `hours`, those that a voucher of batch `b` has: a fixed end replaces the clock of package `p`, not an allowance that
 * is renewed.
 */
export const hoursBesideEnd = (hours: RawBuilder<unknown>) =>
  sql`case when b.expires_at is null or p.recurs <> 'none' then ${hours} else 0 end`

/** An allowance is renewed at midnight of the property where its holder is, whose days usage is kept by. */
export const period_began = periodBegan(sql`p.recurs`, sql`zone`)

const read = (scope: Scope, { code, batch_id }: SoughtVoucher) => sql<Voucher>`
  ${factsAt(null)}
  where ${hasVoucherCode(scope, code)} and h.deleted_at is null and ${scope.inReach('vouchers', 't')}
    and ${batch_id == null ? sql`true` : sql`b.id = ${batch_id}`}`

/** Of the row `t` of `vouchers`; normalised. What a node of the release before has just made is found by the code as it is printed. */
export const hasVoucherCode = (scope: Scope, code: string) => sql<boolean>`t.id = ${voucherWith(scope, code)}`
/** Its id. */
export const voucherWith = (scope: Scope, code: string) => sql`
  coalesce((select k.voucher_id from voucher_codes as k where k.fingerprint = ${scope.codes.fingerprintOf(code)}),
    (select o.id from vouchers as o where o.code = ${code}))`

/** For each code, normalised, the voucher in reach that has it; in the same order. */
export async function vouchersOf(scope: Scope, codes: readonly string[]): Promise<({ id: number } | undefined)[]> {
  if (!codes.some(isCode)) return []
  const fingerprints = codes.map((code) => (isCode(code) ? scope.codes.fingerprintOf(code) : null))
  const found = await scope.run(sql<{ n: number; id: number }>`
    select q.n, t.id from unnest(${numbersOf(codes)}::integer[], ${[...codes]}::text[], ${fingerprints}::bytea[])
      as q(n, code, fingerprint)
    cross join lateral (
      select t.id from vouchers as t where t.id = coalesce(
        (select k.voucher_id from voucher_codes as k where k.fingerprint = q.fingerprint),
        (select o.id from vouchers as o where o.code = q.code)) and ${scope.inReach('vouchers', 't')} limit 1) as t`)
  return inOrder(codes, found)
}

/**
 * Everything that decides the state of the voucher `t`, which the caller narrows with `inReach`.
 *
 * @param property_id where the holder of a voucher of a whole group is; null: where they were last
 */
export const factsAt = (property_id: number | null) => sql`
  select t.id, ${storedCode('t')}, coalesce(k.last_four, right(t.code, 4)) as last_four,
    t.voucher_batch_id, b.batch_number, coalesce(h.name, g.name) as place,
    case when h.id is null then 'group' else 'property' end as good_in,
    p.id as package_id, p.name as package_name, p.recurs, ${hoursBesideEnd(sql`p.session_time_hrs`)} as session_time_hrs,
    p.idle_timeout_hrs,
    case when b.devices > 0 then b.devices else p.max_users end as max_users,
    case when b.volume_gb > 0 then b.volume_gb else p.volume_gb end as volume_gb,
    case when b.speed_mbps > 0 then b.speed_mbps else p.speed_mbps end as speed_mbps,
    app_now() as now, b.active as batch_active, t.taken_back_at, p.active and p.deleted_at is null as package_active,
    b.valid_from, b.expires_at as ends_at, t.expires_at as clock_ends_at, t.redeemed_at,
    case p.recurs when 'none' then t.seconds_used else used.seconds end as seconds_used,
    case p.recurs when 'none' then t.bytes_used else used.bytes end as bytes_used,
    (select count(*)::integer from guest_devices as d
      where d.customer_id = t.customer_id and d.voucher_id = t.id and d.signed_out_at is null) as devices,
    (select w.sealed_password from voucher_batch_passwords as w
      where w.customer_id = t.customer_id and w.voucher_batch_id = t.voucher_batch_id) as sealed_password
  from vouchers as t
  ${joinCode('t')}
  join voucher_batches as b on b.customer_id = t.customer_id and b.id = t.voucher_batch_id and b.deleted_at is null
  join packages as p on p.customer_id = b.customer_id and p.id = b.package_id
  join customers as c on c.id = t.customer_id
  left join properties as h on h.customer_id = b.customer_id and h.id = b.property_id
  left join groups as g on g.customer_id = b.customer_id and g.id = b.group_id
  left join properties as here on here.customer_id = t.customer_id and here.id = case when h.id is null then coalesce(
    ${property_id}::integer, (select s.property_id from radius_sessions as s where s.customer_id = t.customer_id and s.voucher_id = t.id
      order by s.created_at desc, s.id desc limit 1)) end
  cross join lateral (select coalesce(h.time_zone, here.time_zone, c.time_zone) as zone) as z
  cross join lateral (
    select coalesce(sum(u.seconds_used), 0) as seconds, coalesce(sum(u.bytes_used), 0) as bytes from usage_periods as u
    where u.customer_id = t.customer_id and u.voucher_id = t.id and p.recurs <> 'none' and u.starts_at >= ${period_began}) as used`

/** A voucher is valid in its own property or, without one, in every property of its group. */
export const goodAt = (property_id: number) => sql`
  (b.property_id = ${property_id} or b.property_id is null and b.group_id =
    (select here.group_id from properties as here where here.customer_id = b.customer_id and here.id = ${property_id}))`
