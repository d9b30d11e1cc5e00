// Definition of openNDS, at the levels of its forwarding.
import type { Settings } from '#contract/parameters.ts'
import { dnsmasqLine, hostOf, type Definition } from '#server/gateways/definition.ts'
import { isFetched } from './report.ts'

const portOf = (portal: string) => {
  const { port, protocol } = new URL(portal)
  return port || (protocol === 'https:' ? '443' : '80')
}

/** One of the choices: what is pasted into a shell. */
const levelIn = ({ level }: Settings) => (['2', '3', '4'].includes(String(level)) ? String(level) : '1')

export const definition: Definition = {
  id: 3,
  name: 'openNDS',
  parameters: [
    {
      key: 'level',
      label: 'Level of its forwarding (fas_secure_enabled)',
      kind: 'choice',
      choices: [
        { value: '1', label: '1: guests bring a token' },
        { value: '2', label: '2: the same, encrypted' },
        { value: '3', label: '3: encrypted, and fetched by the box' },
        { value: '4', label: '4: fetched by the box' },
      ],
      required: false,
      once: false,
      help:
        'At 3 and 4 the box asks the portal whom to let in, and keeps time, speed and volume; both need a portal on https. ' +
        'From release 10 on choose 4, which needs nothing more; or 3, with php-cli on the box as for 2, where a check-out or a block ' +
        'must hold soon: at 3 it is told 15 minutes at once. Without a choice: 1.',
    },
  ],
  fields: [],
  honours: { time: 'yes', speed: 'yes', data: 'yes', end: 'next_sign_in', change: 'next_sign_in', usage: 'yes' },
  walled_garden: [],
  note:
    'At the levels 3 and 4 it keeps time, speed (on average) and volume (up and down each for itself), and says what a guest has used ' +
    'when they leave. It takes no orders: a check-out, a block or a disconnect holds from the end of the granted length on. At level 3 ' +
    'that is 15 minutes at most, and guests are let in again without a form for as long as they may stay; at level 4 it is the whole ' +
    'time of their package, so keep packages for it short. At the levels 1 and 2 it keeps none of these and reports nothing: set its ' +
    'own sessiontimeout and rates, which hold for everybody.',
  setUp: ({ nas_identifier, secret, portal, settings }) => ({
    where: 'Paste this into a shell on the gateway. openNDS speaks no RADIUS: the secret is the key of its forwarding.',
    lines: [
      `uci set opennds.@opennds[0].gatewayname='${nas_identifier}'`,
      `uci set opennds.@opennds[0].fasremotefqdn='${hostOf(portal)}'`,
      `uci set opennds.@opennds[0].fasport='${portOf(portal)}'`,
      `uci set opennds.@opennds[0].faspath='${new URL(portal).pathname}'`,
      `uci set opennds.@opennds[0].fas_secure_enabled='${levelIn(settings)}'`,
      `uci set opennds.@opennds[0].faskey='${secret}'`,
      // It is this script of its own that says who has left, with what they used.
      ...(isFetched(settings) ? ["uci set opennds.@opennds[0].binauth='/usr/lib/opennds/binauth_log.sh'"] : []),
      'uci commit opennds && service opennds restart',
    ].join('\n'),
    values: [],
  }),
  captiveLine: dnsmasqLine,
}
