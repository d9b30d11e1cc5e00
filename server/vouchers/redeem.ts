// Redeem: admits devices by vouchers, and starts the clock of each voucher at its first use. Called by sign-in at a portal and by
// RADIUS.
import { sql } from 'kysely'
import { normalised, shown } from '#contract/vouchers.ts'
import { matches, repeatName, type Credentials } from '#server/access/guest-credentials.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { inOrder, numbersOf } from '#server/db/batched-lookups.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import { factsAt, goodAt, vouchersOf, type Voucher } from '#server/vouchers/find.ts'
import { isValid, voucherState, type Reason } from '#server/vouchers/state.ts'

export interface VoucherTry {
  voucher_id: number
  mac_address: string
  /** The code as the guest gave it. */
  typed: string
  /** What the guest gave with the code. Null: the device was admitted before, or the portal has already checked it. */
  credentials: Credentials | null
}
export type Redemption =
  | { admitted: true; voucher: Voucher }
  | { admitted: false; reason: Reason | 'password'; voucher: Voucher }
  | { admitted: false; reason: 'unknown'; voucher?: never }

type LockedVoucher = Voucher & { places: string[] }

/**
 * Locks the vouchers until the transaction ends, so that devices that come at the same time on several nodes are decided one after
 * the other, each by what the one before it left. A device that was admitted before is admitted again. Outcomes are in the order of
 * the tries.
 */
export async function redeem(
  scope: Scope,
  seal: Seal,
  property_id: number,
  tries: readonly VoucherTry[],
): Promise<Redemption[]> {
  if (tries.length === 0) return []
  const vouchers = await lockedVouchers(scope, property_id, tries)
  const places = new Map(vouchers.map((voucher) => [voucher?.id, new Set(voucher?.places)]))
  const outcomes = tries.map((one, n): Redemption => {
    const { mac_address } = one
    const voucher = vouchers[n]
    if (!voucher) return { admitted: false, reason: 'unknown' }
    if (!credentialsFit(scope, seal, voucher, one)) return { admitted: false, reason: 'password', voucher }
    const taken = places.get(voucher.id) ?? new Set<string>()
    const reason = voucherState({ ...voucher, devices: taken.size - (taken.has(mac_address) ? 1 : 0) })
    if (!isValid(reason)) return { admitted: false, reason, voucher }
    taken.add(mac_address)
    return { admitted: true, voucher }
  })
  const admitted = tries.flatMap(({ mac_address }, n) => {
    const outcome = outcomes[n]
    return outcome?.admitted ? [{ voucher: outcome.voucher, mac_address }] : []
  })
  if (admitted.length > 0) await keep(scope, admitted)
  return outcomes
}

/** One try with a typed code, which must be normalised. */
export async function redeemCode(
  scope: Scope,
  seal: Seal,
  { code, property_id, ...one }: Omit<VoucherTry, 'voucher_id' | 'typed'> & { code: string; property_id: number },
): Promise<Redemption> {
  const [known] = await vouchersOf(scope, [code])
  const [outcome] = known ? await redeem(scope, seal, property_id, [{ voucher_id: known.id, typed: code, ...one }]) : []
  return outcome ?? { admitted: false, reason: 'unknown' }
}

async function lockedVouchers(scope: Scope, property_id: number, tries: readonly VoucherTry[]) {
  const ids = tries.map(({ voucher_id }) => voucher_id)
  // Sent together: the second statement runs once the first has locked the rows.
  const [, found] = await Promise.all([
    scope.run(sql`
      select from vouchers as t where t.id = any(${ids}) and ${scope.inReach('vouchers', 't')}
      order by t.id for no key update`),
    scope.run(sql<LockedVoucher & { n: number }>`
      select q.n, voucher.*, array(select d.mac_address::text from guest_devices as d
          where d.customer_id = ${scope.customer_id} and d.voucher_id = q.id and d.signed_out_at is null) as places
      from unnest(${numbersOf(ids)}::integer[], ${ids}::bigint[]) as q(n, id)
      cross join lateral (
        ${factsAt(property_id)} where t.id = q.id and h.deleted_at is null and ${scope.inReach('vouchers', 't')}
          and ${goodAt(property_id)} limit 1) as voucher`),
  ])
  return inOrder(tries, found)
}

interface Admitted {
  voucher: Voucher
  mac_address: string
}

/** Stores the devices in one statement and, with the first device of a voucher, starts its clock and counts it in its batch. */
async function keep(scope: Scope, admitted: Admitted[]) {
  const devices = new Map(admitted.map((one) => [`${one.voucher.id} ${one.mac_address}`, one]))
  const rows = [...devices.values()].map(({ voucher, mac_address }) => ({
    id: voucher.id,
    mac_address,
    clock_s: clockSeconds(voucher),
  }))
  await scope.run(sql`
    with d as (select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(id bigint, mac_address macaddr, clock_s float)),
    devices as (
      insert into guest_devices (customer_id, voucher_id, mac_address)
      select ${scope.customer_id}, d.id, d.mac_address from d order by d.id, d.mac_address
      on conflict (customer_id, account_id, voucher_id, guest_id, mac_address) do update set last_seen_at = now(),
        signed_out_at = null),
    first as (
      update vouchers as t set redeemed_at = now(), expires_at = now() + make_interval(secs => d.clock_s)
      from (select distinct on (d.id) d.id, d.clock_s from d) as d
      where t.id = d.id and t.redeemed_at is null and ${scope.inReach('vouchers', 't')}
      returning t.voucher_batch_id),
    batches as (
      select t.id from voucher_batches as t where t.id in (select voucher_batch_id from first)
        and ${scope.inReach('voucher_batches', 't')} order by t.id for no key update)
    update voucher_batches as t
    set redeemed = t.redeemed + (select count(*) from first where first.voucher_batch_id = t.id)
    where t.id in (select id from batches) and ${scope.inReach('voucher_batches', 't')}`)
}

/** How long the clock runs from the first use; null where there is none. */
export const clockSeconds = ({ recurs, session_time_hrs }: Voucher): number | null =>
  recurs === 'none' && session_time_hrs > 0 ? session_time_hrs * 3600 : null

/** The batch's password; where it has none, the code again in any spelling, or nothing. */
function credentialsFit(scope: Scope, seal: Seal, voucher: Voucher, { credentials, typed }: VoucherTry) {
  if (credentials === null) return true
  const { voucher_batch_id, sealed_password } = voucher
  if (sealed_password === null) {
    // It was found by what was typed, so that is its code.
    const name = normalised(typed)
    const forms = [shown(name), name.toLowerCase(), shown(name).toLowerCase()]
    return matches(credentials, '') || repeatName(credentials, { name, typed, fold: normalised, forms })
  }
  return matches(
    credentials,
    seal.open(sealed_password, placeIn('voucher_batch_passwords.sealed_password', scope, voucher_batch_id)),
  )
}
