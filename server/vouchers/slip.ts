// Slip: the texts of a printed voucher for the guest, in plain words. The same for all codes of a batch, except for the code.
import type { Language } from '#contract/languages.ts'
import { localeOf } from '#catalogue/spoken.ts'

export interface SlipFacts {
  /** The property's name, or the group's. */
  place: string
  /** What the batch was made for. */
  name: string | null
  /** The Wi-Fi's name, if it is the same wherever the voucher is valid. */
  network_name: string | null
  /** Of the portal where guests sign in, if it is the same everywhere. */
  portal_public_id: string | null
  batch_number: string
  quantity: number
  package_name: string
  /** 0 also where a fixed end replaces them. */
  session_time_hrs: number
  volume_gb: number
  speed_mbps: number
  max_users: number
  /** One code lets in as many, of several guests. */
  shared: boolean
  recurs: 'none' | 'daily' | 'weekly' | 'monthly'
  valid_from: string | null
  ends_at: string | null
  has_password: boolean
  time_zone: string
}

export interface Slip {
  place: string
  /** What to do with it. */
  how: string
  package_name: string
  time: string
  data: string
  speed: string
  devices: string
  /** A line each: when it begins, when it ends. */
  validity: string[]
  password: string | null
  batch_number: string
}

const period = { none: '', daily: ' a day', weekly: ' a week', monthly: ' a month' }

/** What one code gives to several guests. */
const sharedBy = ({ shared }: SlipFacts) => (shared ? ' shared' : '')

const plural = (count: number, noun: string) => `${round(count)} ${noun}${count === 1 ? '' : 's'}`
const round = (value: number) => Math.round(value * 100) / 100

function duration(hours: number): string {
  if (hours < 1) return plural(Math.max(1, Math.round(hours * 60)), 'minute')
  return hours >= 48 && hours % 24 === 0 ? plural(hours / 24, 'day') : plural(hours, 'hour')
}

function time(facts: SlipFacts): string {
  const { session_time_hrs, recurs } = facts
  if (session_time_hrs === 0) return 'No time limit'
  const length = duration(session_time_hrs)
  return recurs === 'none' ? `${length} from first use` : `${length}${period[recurs]}${sharedBy(facts)}`
}

function data(facts: SlipFacts): string {
  const { volume_gb, recurs } = facts
  if (volume_gb === 0) return 'Unlimited data'
  const amount = volume_gb < 1 ? `${round(volume_gb * 1000)} MB` : `${round(volume_gb)} GB`
  return `${amount}${period[recurs]}${sharedBy(facts)}`
}

/** `31 Dec 2026, 23:59`, in the given zone and language. */
export function slipMoment(iso: string, time_zone: string, language?: Language): string {
  const format = {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: time_zone,
  } as const
  return new Intl.DateTimeFormat(localeOf(language), format).format(new Date(iso))
}

const validity = ({ valid_from, ends_at, time_zone }: SlipFacts): string[] => [
  ...(valid_from === null ? [] : [`From ${slipMoment(valid_from, time_zone)}`]),
  ...(ends_at === null ? [] : [`Until ${slipMoment(ends_at, time_zone)}`]),
]

export const voucherSlip = (facts: SlipFacts): Slip => ({
  place: facts.name === null ? facts.place : `${facts.place} · ${facts.name}`,
  how:
    facts.network_name === null
      ? 'Join the Wi-Fi and enter this code'
      : `Join “${facts.network_name}”, enter this code`,
  package_name: facts.package_name,
  time: time(facts),
  data: data(facts),
  speed: facts.speed_mbps === 0 ? 'Full speed' : `${round(facts.speed_mbps)} Mbps`,
  devices: facts.max_users === 0 ? 'Any number of devices' : plural(facts.max_users, 'device'),
  validity: validity(facts),
  password: facts.has_password ? 'Also needs the password: please ask us' : null,
  batch_number: facts.batch_number,
})
