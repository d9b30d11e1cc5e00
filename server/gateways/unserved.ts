// Unserved makes: gateways whose redirect is known by its words, and that no kind of ours answers. Their guests read that the network
// is not set up, and operators which make it is.
import { macIn } from './read.ts'
import type { Query } from './kind.ts'

interface Make {
  /** Of the look-up `gateway_types`. */
  gateway_type_id: number
  /** All of these stand in its redirect, as its maker writes them. */
  words: readonly string[]
  /** Where the gateway's own address stands. */
  gateway_mac?: string
}

/** The words of the makers' own manuals. */
const makes: readonly Make[] = [
  { gateway_type_id: 4, words: ['ap', 'id', 't'], gateway_mac: 'ap' },
  { gateway_type_id: 5, words: ['clientMac', 'site'], gateway_mac: 'apMac' },
  { gateway_type_id: 6, words: ['sip', 'uip', 'client_mac', 'mac'], gateway_mac: 'mac' },
  { gateway_type_id: 7, words: ['cmd', 'mac', 'essid'], gateway_mac: 'apmac' },
  { gateway_type_id: 8, words: ['base_grant_url', 'client_mac'], gateway_mac: 'node_mac' },
  { gateway_type_id: 10, words: ['UI', 'UIP', 'MA'] },
  { gateway_type_id: 11, words: ['zone', 'redirurl'] },
]

export interface UnservedRedirect {
  gateway_type_id: number
  gateway_mac: string | null
}

/** Null: nobody came through a gateway. */
export function unservedIn(query: Query): UnservedRedirect | null {
  const make = makes.find(({ words }) => words.every((word) => query[word] !== undefined))
  if (!make) return null
  const { gateway_type_id, gateway_mac } = make
  return { gateway_type_id, gateway_mac: macIn(gateway_mac === undefined ? null : (query[gateway_mac] ?? null)) }
}
