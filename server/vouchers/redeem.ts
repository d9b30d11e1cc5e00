// Redeem: lets a device in on a voucher, and starts its clock at the first use. Asked by sign-in at a portal.
import { sql } from 'kysely'
import { shown } from '#contract/vouchers.ts'
import { fit, type Credentials } from '#server/access/guest-credentials.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { findVoucher, type Sought, type Voucher } from '#server/vouchers/find.ts'
import { isValid, stateOf, type Reason } from '#server/vouchers/state.ts'

export interface Try extends Sought {
  property_id: number
  mac_address: string
  /** What the guest gave beside the code. Null: the device was let in before, or the portal has looked at it already. */
  credentials: Credentials | null
}
export type Outcome =
  { admitted: true; voucher: Voucher } | { admitted: false; reason: Reason | 'unknown' | 'password' }

/**
 * Whoever redeems a voucher holds its row until the transaction ends, so the devices that come at once on several nodes
 * are judged one after the other, each by what the one before it left. A device that was let in before comes in again.
 */
export async function redeem(scope: Scope, seal: Seal, attempt: Try): Promise<Outcome> {
  // Sent together: the second is read when the first has the row.
  const [, voucher] = await Promise.all([
    scope.run(
      sql`select from vouchers as t where t.code = ${attempt.code} and ${scope.inReach('vouchers', 't')} for no key update`,
    ),
    findVoucher(scope, attempt),
  ])
  if (!voucher) return { admitted: false, reason: 'unknown' }
  if (!credentialsFit(scope, seal, voucher, attempt)) return { admitted: false, reason: 'password' }
  const reason = stateOf(voucher)
  if (!isValid(reason)) return { admitted: false, reason }
  await admit(scope, voucher, attempt.mac_address)
  return { admitted: true, voucher }
}

/** One statement: the device, and with the first of them the voucher's clock and the batch's count. */
const admit = (scope: Scope, voucher: Voucher, mac_address: string) =>
  scope.run(sql`
    with device as (
      insert into guest_devices (customer_id, voucher_id, mac_address) values (${scope.customer_id}, ${voucher.id}, ${mac_address})
      on conflict (customer_id, account_id, voucher_id, guest_id, mac_address) do update set last_seen_at = now(),
        signed_out_at = null),
    first as (
      update vouchers as t set redeemed_at = now(), expires_at = now() + make_interval(secs => ${clockSeconds(voucher)}::float)
      where t.id = ${voucher.id} and t.redeemed_at is null and ${scope.inReach('vouchers', 't')}
      returning t.voucher_batch_id)
    update voucher_batches as t set redeemed = t.redeemed + 1
    where t.id = (select voucher_batch_id from first) and ${scope.inReach('voucher_batches', 't')}`)

/** How long the clock runs from the first use; null where none does. */
export const clockSeconds = ({ ends_at, recurs, session_time_hrs }: Voucher): number | null =>
  ends_at === null && recurs === 'none' && session_time_hrs > 0 ? session_time_hrs * 3600 : null

/** The batch's password; where it has none, the code once more, or nothing. */
function credentialsFit(scope: Scope, seal: Seal, voucher: Voucher, { credentials, code }: Try) {
  if (credentials === null) return true
  const { voucher_batch_id, sealed_password } = voucher
  if (sealed_password === null) return ['', code, shown(code)].some((expected) => fit(credentials, expected))
  return fit(
    credentials,
    seal.open(sealed_password, placeIn('voucher_batch_passwords.sealed_password', scope, voucher_batch_id)),
  )
}
