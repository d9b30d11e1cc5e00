// State: whether a voucher is valid right now. The rules are the same for the check at the front desk and for sign-in at the portal.
import type { reasons } from '#contract/vouchers.ts'

export type Reason = keyof typeof reasons

/** What the rules depend on. Times are ISO 8601; a limit of 0 means none. */
export interface Facts {
  now: string
  batch_active: boolean
  /** When the code was taken back; null if it was not. */
  taken_back_at: string | null
  package_active: boolean
  valid_from: string | null
  /** The batch's fixed end. */
  ends_at: string | null
  /** The end of the time that started at the first use. Null where no clock runs: fixed end, renewed allowance, no limit. */
  clock_ends_at: string | null
  redeemed_at: string | null
  /** 0 also where a fixed end replaces them. */
  session_time_hrs: number
  /** Time online and data; within the present period if the package's allowance is renewed. */
  seconds_used: number
  volume_gb: number
  bytes_used: number
  max_users: number
  /** Devices on the voucher, other than the one that is signing in. */
  devices: number
}

export const bytes_per_gb = 1_000_000_000

/** The first reason against the voucher, in the order of DECISIONS §4; otherwise whether it is in use. */
export function voucherState(facts: Facts): Reason {
  const now = Date.parse(facts.now)
  const isOver = (moment: string | null) => moment !== null && Date.parse(moment) <= now
  const isUsedUp = (limit: number, used: number) => limit > 0 && used >= limit

  if (!facts.batch_active) return 'batch_disabled'
  if (facts.taken_back_at !== null) return 'taken_back'
  if (!facts.package_active) return 'package_disabled'
  if (facts.valid_from !== null && !isOver(facts.valid_from)) return 'not_yet_valid'
  if (isOver(facts.ends_at)) return 'expired'
  if (
    facts.clock_ends_at !== null
      ? isOver(facts.clock_ends_at)
      : isUsedUp(facts.session_time_hrs * 3600, facts.seconds_used)
  )
    return 'time_used_up'
  if (isUsedUp(facts.volume_gb * bytes_per_gb, facts.bytes_used)) return 'data_used_up'
  if (isUsedUp(facts.max_users, facts.devices)) return 'device_limit'
  return facts.redeemed_at === null ? 'valid_unused' : 'valid_active'
}

export const isValid = (reason: Reason) => reason === 'valid_unused' || reason === 'valid_active'
