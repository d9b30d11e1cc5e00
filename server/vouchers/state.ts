// State: what a voucher is good for right now. The same rules for the test at the front desk and for the portal that lets guests in.
import type { reasons } from '#contract/vouchers.ts'

export type Reason = keyof typeof reasons

/** What the rules look at. Times are ISO 8601, 0 in a limit means that there is none. */
export interface Facts {
  now: string
  batch_active: boolean
  /** Since when the code is taken back; null where it is not. */
  taken_back_at: string | null
  package_active: boolean
  valid_from: string | null
  /** The batch's fixed end. */
  ends_at: string | null
  /** The end of the time that began to run at the first use. Null where none runs: fixed end, renewed allowance, no limit. */
  clock_ends_at: string | null
  redeemed_at: string | null
  session_time_hrs: number
  /** Time online and data, within the present period where the package's allowance is renewed. */
  seconds_used: number
  volume_gb: number
  bytes_used: number
  max_users: number
  /** Devices that hold the voucher, other than the one that asks. */
  devices: number
}

export const bytes_per_gb = 1_000_000_000

/** The first thing that stands against the voucher, in the order of DECISIONS §4; else whether it is in use. */
export function stateOf(facts: Facts): Reason {
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
