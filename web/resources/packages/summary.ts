// Package summary: what a package gives, in one sentence. 0 means no limit.
import { fractionOf } from '#web/kit/display/numbers.ts'
import type { recurrences } from '#contract/packages.ts'

export interface Allowance {
  volume_gb: number
  speed_mbps: number
  max_users: number
  session_time_hrs: number
  idle_timeout_hrs: number
  recurs: (typeof recurrences)[number]
}

const number = (value: number) => fractionOf(value, 2)
const counted = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`

/** `500 MB`, `5 GB`, `1.5 TB` */
export const volumeOf = (volume_gb: number): string =>
  volume_gb >= 1000
    ? `${number(volume_gb / 1000)} TB`
    : volume_gb >= 1
      ? `${number(volume_gb)} GB`
      : `${number(volume_gb * 1000)} MB`

/** `30 minutes`, `24 hours`, `7 days` */
export function timeOf(hours: number): string {
  if (hours < 1) return counted(Math.round(hours * 60), 'minute', 'minutes')
  if (hours > 24 && hours % 24 === 0) return counted(hours / 24, 'day', 'days')
  return counted(hours, 'hour', 'hours')
}

const each = { none: '', daily: ' a day', weekly: ' a week', monthly: ' a month' } as const
export const renewals = { none: 'Never', daily: 'Every day', weekly: 'Every week', monthly: 'Every month' } as const

/** `5 GB a day at 20 Mbit/s on 3 devices, for 24 hours` */
export function summaryOf(pack: Allowance): string {
  const data = pack.volume_gb > 0 ? volumeOf(pack.volume_gb) + each[pack.recurs] : 'Unlimited data'
  const speed = pack.speed_mbps > 0 ? `at ${number(pack.speed_mbps)} Mbit/s` : 'at full speed'
  const devices = pack.max_users > 0 ? `on ${counted(pack.max_users, 'device', 'devices')}` : 'on any number of devices'
  const time =
    pack.session_time_hrs > 0 ? `for ${timeOf(pack.session_time_hrs)}${renewed(pack)}` : 'without a time limit'
  const idle = pack.idle_timeout_hrs > 0 ? `, signed out after ${timeOf(pack.idle_timeout_hrs)} without use` : ''
  return `${data} ${speed} ${devices}, ${time}${idle}`
}

/** Without a data limit, the time renews. */
const renewed = ({ volume_gb, recurs }: Allowance) => (volume_gb > 0 ? '' : each[recurs])
