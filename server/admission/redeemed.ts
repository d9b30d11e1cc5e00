// Redeemed: a voucher at a gateway: what it allows whoever is let in on it, in the words of the policy.
import type { AttemptReason } from '#contract/sign-in-attempts.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { allowanceOf, least, secondsUntil, shortest } from '#server/admission/allowance.ts'
import type { TypedVoucher } from '#server/admission/identify.ts'
import type { Seal } from '#server/secrets/seal.ts'
import type { Voucher } from '#server/vouchers/find.ts'
import { clockSeconds, redeem, type Outcome } from '#server/vouchers/redeem.ts'

interface At {
  property_id: number
  mac_address: string
}

type Redeemed =
  | { admitted: false; reason: AttemptReason }
  | { admitted: true; allowed: Voucher & { seconds: number; bytes: number | null } }

export async function redeemed(
  scope: Scope,
  seal: Seal,
  { property_id, mac_address }: At,
  { code, credentials }: TypedVoucher,
): Promise<Redeemed> {
  const outcome = await redeem(scope, seal, { code, property_id, mac_address, credentials })
  if (!outcome.admitted) return { admitted: false, reason: reasonOf(outcome.reason) }
  const { voucher } = outcome
  const allowed = { ...voucher, bytes: allowanceOf(voucher).bytes, seconds: shortest(secondsLeft(voucher)) }
  return { admitted: true, allowed }
}

/**
 * The voucher's own clock counts the hours, where it has one; else the time online does. Null: no limit.
 * @param unreported_s online since the last report
 */
export function secondsLeft(voucher: Voucher, unreported_s = 0): number | null {
  const { now, ends_at, clock_ends_at, redeemed_at } = voucher
  const clock_s = redeemed_at === null ? clockSeconds(voucher) : secondsUntil(clock_ends_at, now)
  const { seconds } = allowanceOf(voucher)
  return least(secondsUntil(ends_at, now), clock_s ?? (seconds === null ? null : seconds - unreported_s))
}

type Refusal = Extract<Outcome, { admitted: false }>['reason']
/** Why a voucher is refused, as attempts call it. One that is good is not refused. */
export function reasonOf(reason: Refusal): AttemptReason {
  if (reason === 'unknown') return 'unknown_user'
  if (reason === 'password') return 'wrong_password'
  return reason === 'valid_unused' || reason === 'valid_active' ? 'accepted' : reason
}
