// IP address: an address as people, proxies and logs write it, in one form. A proxy adds a port, a socket that takes both families maps
// IPv4 into IPv6, and a link-local address names its interface.
import { z } from 'zod'

const quoted = /^"(.*)"$/
const with_port = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/
const in_brackets = /^\[([^[\]]*)\](?::\d{1,5})?$/
const ipv4 = z.ipv4()
const ipv6 = z.ipv6()
const dotted_end = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/

/**
 * The address in its usual form (RFC 5952), without port, brackets and interface, IPv4 as IPv4: `203.0.113.9` for
 * `::ffff:203.0.113.9` or `203.0.113.9:51234`. Undefined where it is none, such as `unknown`.
 */
export function addressIn(written: string): string | undefined {
  const given = written.trim().replace(quoted, '$1')
  const address = (with_port.exec(given)?.[1] ?? in_brackets.exec(given)?.[1] ?? given).replace(/%.*$/s, '')
  if (ipv4.safeParse(address).success) return address
  if (!ipv6.safeParse(address).success) return undefined
  const words = wordsOf(address)
  const [high = 0, low = 0] = words.slice(6)
  const isMapped = words[5] === 0xffff && words.slice(0, 5).every((word) => word === 0)
  return isMapped ? [high, low].flatMap((word) => [word >> 8, word & 0xff]).join('.') : shortened(words)
}

/** The eight words of an IPv6 address. */
function wordsOf(address: string): number[] {
  const [, start, ...bytes] = dotted_end.exec(address) ?? []
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
  const hexadecimal =
    start === undefined ? address : `${start}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  const [before = [], after = []] = hexadecimal
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16))))
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

/** The first of the longest runs of zeros is left out. */
function shortened(words: readonly number[]): string {
  const zerosFrom = words.map((_, at) => {
    const end = words.findIndex((word, n) => n >= at && word !== 0)
    return (end === -1 ? words.length : end) - at
  })
  const most = Math.max(...zerosFrom)
  const text = (some: readonly number[]) => some.map((word) => word.toString(16)).join(':')
  if (most < 2) return text(words)
  const at = zerosFrom.indexOf(most)
  return `${text(words.slice(0, at))}::${text(words.slice(at + most))}`
}

export const ipAddress = z.string().transform((written, refused) => {
  const address = addressIn(written)
  if (address !== undefined) return address
  refused.addIssue({ code: 'custom', message: 'Please enter an IP address' })
  return z.NEVER
})
