// Reachable: whether gateways and guests elsewhere can come to this installation at all, as far as its settings say.
import { BlockList, isIP } from 'node:net'
import type { Config } from './config.ts'

const this_machine = new BlockList()
this_machine.addSubnet('127.0.0.0', 8, 'ipv4')
this_machine.addAddress('::1', 'ipv6')

/** A host of this machine alone, with or without the brackets of an address in a URL. */
export function isHere(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  const family = isIP(bare)
  if (family === 0) return bare === 'localhost' || bare.endsWith('.localhost')
  return this_machine.check(bare, family === 6 ? 'ipv6' : 'ipv4')
}

/** The first thing in the way, with the setting that helps. Null: nothing in the settings is in the way. */
export function unreachableBecause({
  roles,
  radius_host,
  radius_name,
  radius_http,
  portal_url,
}: Pick<Config, 'roles' | 'radius_host' | 'radius_name' | 'radius_http' | 'portal_url'>): string | null {
  if (roles.includes('radius') && radius_http === null && isHere(radius_host))
    return (
      'No gateway can reach this Foyer yet: it listens to gateways on this machine alone. ' +
      'Start it with RADIUS_HOST=0.0.0.0 (or HOST, for the pages too), then come back.'
    )
  if (isHere(radius_name))
    return (
      `Gateways elsewhere cannot use ${radius_name}: it means themselves. Start Foyer with PUBLIC_URL at the address by which ` +
      'others reach this machine, or set RADIUS_HOST to that address, then come back.'
    )
  if (isHere(new URL(portal_url).hostname))
    return (
      `Guests cannot open ${portal_url}: on their phones it means the phone. Start Foyer with HOST=0.0.0.0 and PORTAL_URL at ` +
      'the address by which phones reach this machine, then come back.'
    )
  return null
}
