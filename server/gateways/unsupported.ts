// Unsupported makes: gateways whose redirect is recognised by its parameters, but that no kind supports. Their guests read that the
// network is not set up, and operators see the make.
import { macIn } from './read.ts'
import type { Query } from './kind.ts'

interface Make {
  /** Of the look-up table `gateway_types`. */
  gateway_type_id: number
  /** Parameters that are all in its redirect. */
  parameters: readonly string[]
  /** The parameter with the gateway's own MAC address. */
  gateway_mac?: string
}

/** From the makers' own manuals. */
const makes: readonly Make[] = [
  { gateway_type_id: 4, parameters: ['ap', 'id', 't'], gateway_mac: 'ap' },
  { gateway_type_id: 5, parameters: ['clientMac', 'site'], gateway_mac: 'apMac' },
  { gateway_type_id: 6, parameters: ['sip', 'uip', 'client_mac', 'mac'], gateway_mac: 'mac' },
  { gateway_type_id: 7, parameters: ['cmd', 'mac', 'essid'], gateway_mac: 'apmac' },
  { gateway_type_id: 8, parameters: ['base_grant_url', 'client_mac'], gateway_mac: 'node_mac' },
  { gateway_type_id: 10, parameters: ['UI', 'UIP', 'MA'] },
  { gateway_type_id: 11, parameters: ['zone', 'redirurl'] },
]

export interface UnsupportedRedirect {
  gateway_type_id: number
  gateway_mac: string | null
}

/** Null: the query is not one of these. */
export function unsupportedIn(query: Query): UnsupportedRedirect | null {
  const make = makes.find(({ parameters }) => parameters.every((parameter) => query[parameter] !== undefined))
  if (!make) return null
  const { gateway_type_id, gateway_mac } = make
  return { gateway_type_id, gateway_mac: macIn(gateway_mac === undefined ? null : (query[gateway_mac] ?? null)) }
}
