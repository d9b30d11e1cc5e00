// Voucher allowance: what a voucher at a gateway allows its user, in the terms of the admission policy.
import type { AttemptReason } from '#contract/sign-in-attempts.ts'
import { allowanceOf, least, secondsUntil, shortest } from '#server/admission/allowance.ts'
import type { Voucher } from '#server/vouchers/find.ts'
import { clockSeconds, type Redemption } from '#server/vouchers/redeem.ts'

type Allowance = Voucher & { seconds: number; bytes: number | null }

/** What somebody who was let in with it may use. */
export const allowanceOfVoucher = (voucher: Voucher): Allowance => ({
  ...voucher,
  bytes: allowanceOf(voucher).bytes,
  seconds: shortest(secondsLeft(voucher)),
})

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

type Refusal = Extract<Redemption, { admitted: false }>['reason']
/** Why a voucher is refused, as attempts call it. A valid one is not refused. */
export function reasonOf(reason: Refusal): AttemptReason {
  if (reason === 'unknown') return 'unknown_user'
  if (reason === 'password') return 'wrong_password'
  return reason === 'valid_unused' || reason === 'valid_active' ? 'accepted' : reason
}
