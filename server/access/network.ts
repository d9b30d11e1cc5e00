// Network: what counts as one address. A host with one IPv6 address can use all 2^64 of its network.
import ipaddr from 'ipaddr.js'
import { addressIn } from '#contract/ip-address.ts'

const ipv6_groups_of_network = 4

/** An IPv4 address as it is, also if it comes mapped into IPv6; the /64 of an IPv6 address. */
export function networkOf(ip: string): string {
  const address = ipaddr.process(plainAddress(ip))
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  return `${address.parts
    .slice(0, ipv6_groups_of_network)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** What stands for an address that cannot be read: all of these count as one. A socket that is closed by now reports none. */
const unknown_address = '0.0.0.0'

/** The address that a socket or a proxy reports, with that of an IPv4 peer on a dual-stack socket as plain IPv4. */
export const plainAddress = (ip: string | undefined) => addressIn(ip ?? '') ?? unknown_address
