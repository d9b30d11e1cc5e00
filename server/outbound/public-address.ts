// Public address: which addresses of the internet an outgoing call may reach. What is not surely public is not.
import ipaddr from 'ipaddr.js'

/** Of IPv6 only what is handed out as global unicast: all that wraps an IPv4 address or is local lies elsewhere. */
const global_unicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** Public by its number, and the inner side of a provider's network all the same (Azure's own services). */
const inside = new Set(['168.63.129.16'])
/** What an operator may allow by naming the host. Link-local, where metadata services answer, is never among them. */
const allowable = new Set(['private', 'loopback', 'carrierGradeNat', 'uniqueLocal'])

/** `public`, `allowable` where the operator names the host, or `never`. */
export function reachOfAddress(ip: string): 'public' | 'allowable' | 'never' {
  if (!ipaddr.isValid(ip)) return 'never'
  // An IPv4 address that comes mapped into IPv6 counts as what it is.
  const address = ipaddr.process(ip)
  const range = address.range()
  if (allowable.has(range)) return 'allowable'
  if (range !== 'unicast' || inside.has(address.toString())) return 'never'
  return address instanceof ipaddr.IPv6 && !address.match(global_unicast) ? 'never' : 'public'
}
