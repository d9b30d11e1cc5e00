// Allowance: what is left of a package's time and data.
import { bytes_per_gb } from '#server/vouchers/state.ts'

/** At the latest after this time a device asks again, however much time is left, so that changes take effect. */
const day_s = 24 * 3600

interface Used {
  session_time_hrs: number
  seconds_used: number
  volume_gb: number
  bytes_used: number
}

/** Null: no limit. */
export const allowanceOf = ({ session_time_hrs, seconds_used, volume_gb, bytes_used }: Used) => ({
  seconds: session_time_hrs > 0 ? session_time_hrs * 3600 - seconds_used : null,
  bytes: volume_gb > 0 ? volume_gb * bytes_per_gb - bytes_used : null,
})

/** Null: none of them is a limit. */
export const least = (...limits: (number | null)[]): number | null => {
  const given = limits.filter((limit) => limit !== null)
  return given.length === 0 ? null : Math.min(...given)
}

/** How long a session may last. */
export const shortest = (...limits: (number | null)[]): number => Math.min(day_s, least(...limits) ?? day_s)

export const secondsUntil = (moment: string | null, now: string): number | null =>
  moment === null ? null : (Date.parse(moment) - Date.parse(now)) / 1000
