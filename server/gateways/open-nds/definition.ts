// Definition of openNDS, at the first level of its forwarding.
import { dnsmasqLine, hostOf, type Definition } from '#server/gateways/definition.ts'

const portOf = (portal: string) => {
  const { port, protocol } = new URL(portal)
  return port || (protocol === 'https:' ? '443' : '80')
}

export const definition: Definition = {
  id: 3,
  name: 'openNDS',
  parameters: [],
  fields: [],
  honours: { time: 'no', speed: 'no', data: 'no', end: 'no', change: 'no', usage: 'no' },
  walled_garden: [],
  note:
    'It reports nothing and takes no orders: time, data and speed of a package end nobody here, nor does a check-out, a block or ' +
    'a disconnect. Set its own sessiontimeout and its own rates, which hold for everybody.',
  setUp: ({ nas_identifier, secret, portal }) => ({
    where: 'Paste this into a shell on the gateway. openNDS speaks no RADIUS: the secret is the key of its forwarding.',
    lines: [
      `uci set opennds.@opennds[0].gatewayname='${nas_identifier}'`,
      `uci set opennds.@opennds[0].fasremotefqdn='${hostOf(portal)}'`,
      `uci set opennds.@opennds[0].fasport='${portOf(portal)}'`,
      `uci set opennds.@opennds[0].faspath='${new URL(portal).pathname}'`,
      "uci set opennds.@opennds[0].fas_secure_enabled='1'",
      `uci set opennds.@opennds[0].faskey='${secret}'`,
      'uci commit opennds && service opennds restart',
    ].join('\n'),
    values: [],
  }),
  captiveLine: dnsmasqLine,
}
