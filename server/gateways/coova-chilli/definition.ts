// Definition of CoovaChilli, and of products built on it.
import { interim_s } from '#contract/gateway-kinds.ts'
import { dnsmasqLine, hostOf, type GatewayDefinition, type SetUpOf } from '#server/gateways/definition.ts'

export const definition: GatewayDefinition = {
  id: 2,
  name: 'CoovaChilli',
  parameters: [],
  fields: ['counts_from_gateway_side', 'takes_unsigned', 'disconnect_port'],
  honours: { time: 'yes', speed: 'yes', data: 'yes', end: 'yes', change: 'yes', usage: 'yes' },
  walled_garden: [],
  note: 'Unless “swapoctets” is set, it counts from the guest’s side.',
  setUp: ({
    host,
    authentication_port,
    accounting_port,
    nas_identifier,
    disconnect_port,
    secret,
    portal,
  }: SetUpOf) => ({
    where: 'Add these lines to /etc/chilli/defaults, and restart chilli.',
    lines: [
      `HS_NASID="${nas_identifier}"`,
      `HS_RADIUS="${host}"`,
      `HS_RADIUS2="${host}"`,
      `HS_RADAUTH=${authentication_port}`,
      `HS_RADACCT=${accounting_port}`,
      `HS_RADSECRET="${secret}"`,
      `HS_UAMFORMAT="${portal}"`,
      `HS_UAMSECRET="${secret}"`,
      `HS_UAMALLOW="${hostOf(portal)}"`,
      'HS_MACAUTH=on',
      `HS_DEFINTERIMINTERVAL=${interim_s}`,
      `HS_COAPORT=${disconnect_port}`,
    ].join('\n'),
    values: [],
  }),
  captiveLine: dnsmasqLine,
}
