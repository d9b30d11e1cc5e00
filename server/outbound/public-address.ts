// Public address: which IP addresses an outgoing call may reach. An address that is not certainly public counts as private.
import ipaddr from 'ipaddr.js'

/** In IPv6 only global unicast is public; addresses that wrap an IPv4 address or are local are in other ranges. */
const global_unicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** Public by its range, but internal to a provider's network (Azure's own services). */
const inside = new Set(['168.63.129.16'])
/** Ranges that an operator may allow by naming the host. Link-local, which has metadata services, is never allowed. */
const allowable = new Set(['private', 'loopback', 'carrierGradeNat', 'uniqueLocal'])

/** `public`, `allowable` where the operator names the host, or `never`. */
export function reachOfAddress(ip: string): 'public' | 'allowable' | 'never' {
  if (!ipaddr.isValid(ip)) return 'never'
  // An IPv4 address that is mapped into IPv6 counts as IPv4.
  const address = ipaddr.process(ip)
  const range = address.range()
  if (allowable.has(range)) return 'allowable'
  if (range !== 'unicast' || inside.has(address.toString())) return 'never'
  return address instanceof ipaddr.IPv6 && !address.match(global_unicast) ? 'never' : 'public'
}
