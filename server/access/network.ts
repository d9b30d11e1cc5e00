// Network: what counts as one address. Whoever has one IPv6 address has all 2^64 of its network.
import ipaddr from 'ipaddr.js'

const ipv6_groups_of_network = 4

/** An IPv4 address as it is, also where it comes mapped into IPv6; of an IPv6 address its /64. */
export function networkOf(ip: string): string {
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  return `${address.parts
    .slice(0, ipv6_groups_of_network)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** Of what a socket says: a caller over IPv4 is one, also on a socket of both kinds. */
export const plainAddress = (ip: string) => ipaddr.process(ip).toString()
