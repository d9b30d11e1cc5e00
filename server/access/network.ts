// Network: what counts as one address. A host with one IPv6 address can use all 2^64 of its network.
import ipaddr from 'ipaddr.js'

const ipv6_groups_of_network = 4

/** An IPv4 address as it is, also if it comes mapped into IPv6; the /64 of an IPv6 address. */
export function networkOf(ip: string): string {
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  return `${address.parts
    .slice(0, ipv6_groups_of_network)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** The address that a socket reports, with that of an IPv4 peer on a dual-stack socket as plain IPv4. */
export const plainAddress = (ip: string) => ipaddr.process(ip).toString()
