// Definition of Generic RADIUS (WISPr): gateways that sign in with a form of a user name and a password.
import { dnsmasqLine, hostOf, radiusValues, type GatewayDefinition } from '#server/gateways/definition.ts'

export const definition: GatewayDefinition = {
  id: 13,
  name: 'Generic RADIUS (WISPr)',
  parameters: [],
  fields: ['counts_from_gateway_side', 'takes_unsigned', 'login_method', 'disconnect_port'],
  // Its reports show when the volume is used up, and the session is ended then.
  honours: { time: 'yes', speed: 'yes', data: 'yes', end: 'yes', change: 'yes', usage: 'yes' },
  walled_garden: [],
  note: null,
  setUp: (gateway) => ({
    where:
      'Add the server wherever the gateway keeps its RADIUS client, for authentication and for accounting, and the login ' +
      'page as its external portal.',
    lines: null,
    values: [
      { name: 'Login page', value: gateway.portal },
      { name: 'Allowed before sign-in', value: hostOf(gateway.portal) },
      ...radiusValues(gateway),
    ],
  }),
  captiveLine: dnsmasqLine,
}
