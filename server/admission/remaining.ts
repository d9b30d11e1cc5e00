// Remaining: how much time and data somebody still has who was let in, and of whom no session is known yet.
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

/** Null: the holder no longer exists. @param unreported_s since they were let in */
export async function leftOf(
  scope: Scope,
  { holder, property_id, unreported_s }: { holder: Holder; property_id: number; unreported_s: number },
): Promise<Left | null> {
  const { kind, id } = holder
  if (kind === 'voucher') {
    const voucher = await voucherById(scope, id, property_id)
    return voucher
      ? notBelow0({ bytes: allowanceOf(voucher).bytes, seconds: secondsLeft(voucher, unreported_s) })
      : null
  }
  const facts = await factsOf(scope, property_id, { holder: { kind, id }, mac_address: null })
  if (!facts) return null
  const { seconds, bytes } = allowanceOf(facts)
  const online_s = seconds === null ? null : seconds - unreported_s
  return notBelow0({ bytes, seconds: least(online_s, secondsUntil(facts.ends_at, facts.now)) })
}

export const notBelow0 = ({ seconds, bytes }: Left): Left => ({
  seconds: seconds === null ? null : Math.max(0, seconds),
  bytes: bytes === null ? null : Math.max(0, bytes),
})
