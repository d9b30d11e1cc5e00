// Remaining: how much time and data somebody who is online still has, as shown to them.
import type { Scope } from '#server/access/tenancy.ts'
import { allowanceOf, least, secondsUntil } from '#server/admission/allowance.ts'
import { factsOf, type Holder } from '#server/admission/holders.ts'
import { secondsLeft } from '#server/admission/voucher-allowance.ts'
import { voucherById } from '#server/vouchers/find.ts'

/** Null: no limit. */
export interface Left {
  seconds: number | null
  bytes: number | null
}

interface Online {
  holder: Holder
  property_id: number
  /** Of a session that is open; else the holder's own. */
  package_id?: number | null
  /** Time online since the last report, which the sums do not include. */
  unreported_s: number
}

/** Null: the holder no longer exists. */
export async function leftOf(
  scope: Scope,
  { holder, property_id, package_id, unreported_s }: Online,
): Promise<Left | null> {
  const { kind, id } = holder
  if (kind === 'voucher') {
    const voucher = await voucherById(scope, id, property_id)
    return voucher
      ? notBelow0({ bytes: allowanceOf(voucher).bytes, seconds: secondsLeft(voucher, unreported_s) })
      : null
  }
  const facts = await factsOf(scope, property_id, { holder: { kind, id }, mac_address: null, package_id })
  if (!facts) return null
  const { seconds, bytes } = allowanceOf(facts)
  const online_s = seconds === null ? null : seconds - unreported_s
  return notBelow0({ bytes, seconds: least(online_s, secondsUntil(facts.ends_at, facts.now)) })
}

export const notBelow0 = ({ seconds, bytes }: Left): Left => ({
  seconds: seconds === null ? null : Math.max(0, seconds),
  bytes: bytes === null ? null : Math.max(0, bytes),
})
