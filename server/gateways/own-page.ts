// Own page: makes whose guests are not let in from the portal yet. They sign in on the gateway's own page, which asks by RADIUS. A
// guest who is redirected to us reads that the network is not set up, and operators see the make.
import { dnsmasqLine, radiusValues, type GatewayDefinition } from './definition.ts'
import { recognised } from './external-portal.ts'
import type { GatewayKind } from './kind.ts'
import { wisprRadius } from './wispr-radius.ts'

const on_its_page =
  'Guests sign in on the gateway’s own page, with a username and password or a voucher’s code; registered devices get ' +
  'online without it. If it can send guests to a page elsewhere that signs in with a form of username and password, ' +
  'register it as Generic RADIUS (WISPr): then guests see your portal.'

interface Make extends Pick<GatewayDefinition, 'id' | 'name' | 'honours'> {
  /** Where in its own screens the RADIUS server is entered. */
  where: string
  note?: string
  /** From the maker's manual: parameters that are all in its redirect. Absent: it is not recognised. */
  redirect?: {
    parameters: readonly string[]
    gateway_mac?: string
    /** There is nothing else in it. */
    alone?: true
  }
  own_paths?: readonly string[]
}

export const ownPage = ({ where, note, redirect, own_paths, ...make }: Make): GatewayKind => ({
  definition: {
    ...make,
    parameters: [],
    fields: ['counts_from_gateway_side', 'takes_unsigned', 'disconnect_port'],
    walled_garden: [],
    note: note === undefined ? on_its_page : `${note} ${on_its_page}`,
    setUp: (gateway) => ({ where, lines: null, values: radiusValues(gateway) }),
    captiveLine: dnsmasqLine,
  },
  arrival: ({ query }) =>
    redirect?.parameters.every((parameter) => query[parameter] !== undefined) &&
    (!redirect.alone || Object.keys(query).every((name) => name === 'lang' || redirect.parameters.includes(name)))
      ? recognised(redirect.gateway_mac === undefined ? null : (query[redirect.gateway_mac] ?? null))
      : null,
  ...(own_paths && { own_paths }),
  portal: null,
  radius: wisprRadius,
})
