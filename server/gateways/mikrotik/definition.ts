// Definition of MikroTik RouterOS.
import { hostOf, type GatewayDefinition } from '#server/gateways/definition.ts'

/** With the parameters that arrival.ts reads. */
const loginPage = (portal: string) =>
  `<meta http-equiv="refresh" content="0; url=${portal}?identity=$(identity)&mac=$(mac-esc)&error=$(error)` +
  '&link-orig=$(link-orig-esc)&link-login-only=$(link-login-only-esc)">'

export const definition: GatewayDefinition = {
  id: 1,
  name: 'MikroTik RouterOS',
  parameters: [],
  fields: ['counts_from_gateway_side', 'takes_unsigned', 'disconnect_port'],
  honours: { time: 'yes', speed: 'yes', data: 'yes', end: 'yes', change: 'yes', usage: 'yes' },
  walled_garden: [],
  note: 'Without “radius incoming”, a guest cannot be disconnected from here.',
  setUp: ({ host, authentication_port, accounting_port, nas_identifier, disconnect_port, secret, portal }) => ({
    where:
      'Open a terminal on the router, and paste this. The router names itself to RADIUS by its identity. Then replace all ' +
      'of hotspot/login.html by the line below.',
    lines: [
      `/system identity set name="${nas_identifier}"`,
      `/radius add service=hotspot address=[:resolve "${host}"] secret="${secret}" ` +
        `authentication-port=${authentication_port} accounting-port=${accounting_port} timeout=3s`,
      `/radius incoming set accept=yes port=${disconnect_port}`,
      '/ip hotspot profile set [find] use-radius=yes radius-accounting=yes radius-interim-update=5m login-by=http-pap,mac',
      `/ip hotspot walled-garden add dst-host="${hostOf(portal)}"`,
    ].join('\n'),
    values: [{ name: 'login.html', value: loginPage(portal) }],
  }),
  captiveLine: (address) => `/ip dhcp-server option add name=captive-portal code=114 value="'${address}'"`,
}
