// Offer: what a guest gets for a voucher, as a sentence.
import { fractionOf } from '#web/kit/display/numbers.ts'

export interface Offer {
  /** 0: no limit. */
  volume_gb: number
  speed_mbps: number
  max_users: number
  /** One code lets in as many, of several guests. */
  shared: boolean
  session_time_hrs: number
  recurs: 'none' | 'daily' | 'weekly' | 'monthly'
  place: string | undefined
  valid_from: string | undefined
  expires_at: string | undefined
  withPassword: boolean
}

const number = (value: number) => fractionOf(value, 2)
const counted = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`

export function volumeOf(volume_gb: number): string {
  if (volume_gb >= 1000) return `${number(volume_gb / 1000)} TB`
  return volume_gb >= 1 ? `${number(volume_gb)} GB` : `${number(volume_gb * 1000)} MB`
}
export function hoursOf(hours: number): string {
  if (hours < 1) return counted(Math.round(hours * 60), 'minute', 'minutes')
  return hours >= 48 && hours % 24 === 0 ? counted(hours / 24, 'day', 'days') : counted(hours, 'hour', 'hours')
}
const each = { none: '', daily: ' a day', weekly: ' a week', monthly: ' a month' } as const

/** A fixed end replaces the package's time limit, unless that is renewed (see DECISIONS §4: a voucher's clock). */
function span({ valid_from, expires_at, session_time_hrs, recurs }: Offer): string {
  const from = valid_from ? ` from ${valid_from}` : ''
  const renewed = session_time_hrs > 0 && recurs !== 'none' ? `, for ${hoursOf(session_time_hrs)}${each[recurs]}` : ''
  if (expires_at) return `${renewed}${from} until ${expires_at}`
  const first = session_time_hrs > 0 ? `, for ${hoursOf(session_time_hrs)} from first use` : ', with no end'
  return `${renewed || first}${from && `, usable${from}`}`
}

/**
 * `Each guest gets 5 GB at up to 20 Mbit/s on 2 devices at Harbour Hotel, for 24 hours from first use.`
 * `Each code lets in 50 devices, which share 5 GB, at up to 20 Mbit/s at Harbour Hotel until 5 Dec.`
 */
export function sentenceOf(offer: Offer): string {
  const data = offer.volume_gb > 0 ? volumeOf(offer.volume_gb) + each[offer.recurs] : 'unlimited data'
  const speed = offer.speed_mbps > 0 ? `at up to ${number(offer.speed_mbps)} Mbit/s` : 'at full speed'
  const devices =
    offer.max_users > 0 ? `on ${counted(offer.max_users, 'device', 'devices')}` : 'on any number of devices'
  const place = offer.place ? ` at ${offer.place}` : ''
  const password = offer.withPassword ? ' They type the password along with the code.' : ''
  const shared = offer.volume_gb > 0 ? `, which share ${data},` : ` with ${data}`
  const given = offer.shared
    ? `Each code lets in ${counted(offer.max_users, 'device', 'devices')}${shared} ${speed}`
    : `Each guest gets ${data} ${speed} ${devices}`
  return `${given}${place}${span(offer)}.${password}`
}
