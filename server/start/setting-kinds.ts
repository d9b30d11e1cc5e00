// Setting kinds: what the value of an environment variable may be, and what is said of one that is not.
import { isIP } from 'node:net'
import { z } from 'zod'
import { day_ms } from '#contract/days.ts'
import { asOneHost } from '#server/start/database-address.ts'
import type { Keys } from '#server/start/secret-key.ts'

export function textSetting() {
  return z.string().trim()
}

export function whole(least: number, most: number) {
  return textSetting()
    .transform(Number)
    .refine(
      (value) => Number.isInteger(value) && value >= least && value <= most,
      `must be a whole number from ${least} to ${most}`,
    )
}

export function perDay(usual: string) {
  return whole(1, 1_000_000_000).prefault(usual)
}

export function address(protocols: string[], example: string) {
  return textSetting()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be an address such as ${example}`,
    )
    .transform((value) => value.replace(/\/+$/, ''))
}

/** A folder, or a bucket. A key in the address would be shown wherever the address is. */
export function storage() {
  return address(['file:', 's3:'], 'file:/var/lib/foyer/files or s3://bucket?region=eu-central-1')
    .refine((url) => !url.startsWith('file:') || isFolder(url), 'must name a folder of this machine from its root')
    .refine(
      (url) => !url.startsWith('s3:') || isBucket(url),
      'must be s3://bucket, with a folder behind it if need be, then ?region= or ?endpoint=; AWS_ACCESS_KEY_ID and ' +
        'AWS_SECRET_ACCESS_KEY say who may use it',
    )
}

const isFolder = (url: string) => /^file:(\/|\/\/\/)[^/]/.test(url)

function isBucket(url: string) {
  const { hostname, port, username, password, searchParams } = new URL(url)
  const endpoint = searchParams.get('endpoint')
  const names = [...searchParams.keys()]
  return (
    hostname !== '' &&
    `${port}${username}${password}` === '' &&
    names.every((name) => name === 'region' || name === 'endpoint') &&
    (endpoint === null || isWebAddress(endpoint))
  )
}

/** Unchanged, because the address is called exactly as it is. */
export function isWebAddress(value: string) {
  if (!URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return ['http:', 'https:'].includes(protocol) && username === '' && password === ''
}

export function web(example: string) {
  return address(['http:', 'https:'], example)
}

/** Scheme, host and port only. */
export function origin(example: string, why: string) {
  return web(example).refine((url) => new URL(url).href === `${new URL(url).origin}/`, `must not have a path: ${why}`)
}

/** Of one server or several (server/start/database-address.ts). */
export function database() {
  return textSetting()
    .transform(asOneHost)
    .pipe(
      address(
        ['postgres:', 'postgresql:'],
        'postgres://login:password@host:5432/foyer, or a:5432,b:5432 for several servers',
      ),
    )
}

export function postgres() {
  return address(['postgres:', 'postgresql:'], 'postgres://login:password@host:5432/foyer')
}

/** The newest first. */
export function secretKeysIn(value: string): Keys {
  const [newest = '', ...former] = value.split(',').map((key) => key.trim())
  return [newest, ...former]
}

/** Words with spaces or commas between them, each of which must match. */
export function list(each: RegExp | ((word: string) => boolean), message: string) {
  const matches = each instanceof RegExp ? (word: string) => each.test(word) : each
  return textSetting()
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine((words) => words.every(matches), message)
}

export function duration(least: string, most: string) {
  return textSetting()
    .transform(milliseconds)
    .refine(
      (ms) => ms >= milliseconds(least) && ms <= milliseconds(most),
      `must be a time from ${least} to ${most}, such as 45m or 4h`,
    )
}

/** `4h` is 14,400,000. Anything but a number with s, m, h or d is NaN, which is in no range. */
function milliseconds(duration: string): number {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(duration) ?? []
  const unit_ms = { s: 1000, m: 60_000, h: 3_600_000, d: day_ms }
  return Number(amount) * unit_ms[unit as keyof typeof unit_ms]
}

/** An address, a network in CIDR form, one of the names that Fastify's `trustProxy` knows, or `none`. */
export function isNetwork(word: string): boolean {
  if (['none', 'loopback', 'linklocal', 'uniquelocal'].includes(word)) return true
  const [ip = '', bits] = word.split('/')
  const version = isIP(ip)
  return version !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
}
