// Redact: removes from addresses and messages what a log may not contain. Logs are read by more people than the database, and for
// longer.
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

const octets_kept = 3
const ipv6_groups_kept = 3

/** The network of an address, too large to identify one person: a /24 of IPv4, a /48 of IPv6. */
export function networkOnly(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return `${address.octets.slice(0, octets_kept).join('.')}.0/24`
  const groups = address.parts.slice(0, ipv6_groups_kept).map((part) => part.toString(16))
  return `${groups.join(':')}::/48`
}

const rules: [RegExp, string | ((found: string) => string)][] = [
  // A login in a URL: postgres://login:password@host
  [/:\/\/[^\s/@]+@/g, '://[login]@'],
  [/[\w.+%-]+@[\w-]+(?:\.[\w-]+)*/g, '[mail address]'],
  // Tokens are 43 letters and digits; no name in a stack trace is that long without a slash or a dot.
  [/[\w-]{40,}/g, '[secret]'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, (found) => (ipaddr.isValid(found) ? networkOnly(found) : found)],
  [/(?<![\w:])[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?![\w:])/gi, (found) => (isIPv6(found) ? networkOnly(found) : found)],
]

/** A message without personal data and secrets: mail addresses, IP addresses, tokens, logins. */
export const redact = (text: string): string =>
  rules.reduce(
    (left, [pattern, by]) => left.replace(pattern, (found) => (typeof by === 'string' ? by : by(found))),
    text,
  )
