// Definition: what people read and fill in about a kind of gateway; the look-up, the form and the set-up page are drawn from it.
import type { z } from 'zod'
import { interim_s, type GatewayKind, type GatewaySetUp } from '#contract/gateway-kinds.ts'
import type { Settings } from '#contract/parameters.ts'

/** What the set-up of one gateway is written with. */
export interface SetUpOf {
  /** Of the RADIUS server. */
  host: string
  authentication_port: number
  accounting_port: number
  nas_identifier: string
  /** Where it is to listen for our requests about its sessions. */
  disconnect_port: number
  /** What stands where the RADIUS secret goes. */
  secret: string
  /** The address of the portal that its guests see. */
  portal: string
  /** Without secrets. */
  settings: Settings
}

type Described = z.output<typeof GatewayKind>

/** `served` is not said but seen: whether the kind lets guests in from the portal. */
export interface GatewayDefinition extends Omit<Described, 'served' | 'honours_when'> {
  /** Where it keeps to something else, registered so. */
  honours_when?: Described['honours_when']
  setUp(gateway: SetUpOf): Pick<z.output<typeof GatewaySetUp>, 'where' | 'lines' | 'values'>
  /** Option 114 of DHCP (RFC 8910) in the words of the make. */
  captiveLine(address: string): string
}

/** For dnsmasq, on which most gateways are built. */
export const dnsmasqLine = (address: string) => `dhcp-option=114,${address}`

/** The host that a gateway must let guests open before they are online. */
export const hostOf = (portal: string) => new URL(portal).hostname

/** The values of a RADIUS client's form. */
export const radiusValues = ({
  host,
  authentication_port,
  accounting_port,
  nas_identifier,
  secret,
}: SetUpOf): { name: string; value: string }[] =>
  Object.entries({
    'RADIUS server': host,
    'Authentication port': String(authentication_port),
    'Accounting port': String(accounting_port),
    'Shared secret': secret,
    'NAS identifier': nas_identifier,
    'Interim accounting, seconds': String(interim_s),
  }).map(([name, value]) => ({ name, value }))
