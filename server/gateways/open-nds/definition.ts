// Definition of openNDS, at the levels of its forwarding.
import { isIPv4 } from 'node:net'
import type { Settings } from '#contract/parameters.ts'
import { dnsmasqLine, type GatewayDefinition, type SetUpOf } from '#server/gateways/definition.ts'
import { isFetched } from './report.ts'

/** One of the choices: what is pasted into a shell. */
const levelIn = ({ level }: Settings) => (['2', '3', '4'].includes(String(level)) ? String(level) : '1')

/** It opens https at the levels 3 and 4, and http at the others, whatever the port is. */
const opens = (settings: Settings) => (isFetched(settings) ? 'https:' : 'http:')
const usual_port = { 'http:': '80', 'https:': '443' }

const set = (key: string, value: string) => `uci set opennds.@opennds[0].${key}=${value}`

/** Guests may open the portal before they are online at this address alone; without one, at the box's own. */
const addressLines = (host: string) =>
  isIPv4(host)
    ? [set('fasremoteip', `'${host}'`)]
    : [
        // What every box has, and what says an address in its first line, whether or not it is answered.
        `address=$(ping -4 -c 1 -w 1 ${host} | sed -n '1s/[^(]*(\\([0-9.]*\\)).*/\\1/p')`,
        set('fasremoteip', `"\${address:?${host} has no address here}"`),
      ]

function lines({ nas_identifier, secret, portal, settings }: SetUpOf): string {
  const { hostname, pathname, port } = new URL(portal)
  return [
    set('gatewayname', `'${nas_identifier}'`),
    ...addressLines(hostname),
    set('fasremotefqdn', `'${hostname}'`),
    set('fasport', `'${port || usual_port[opens(settings)]}'`),
    set('faspath', `'${pathname}'`),
    set('fas_secure_enabled', `'${levelIn(settings)}'`),
    set('faskey', `'${secret}'`),
    // It is this script of its own that says who has left, with what they used.
    ...(isFetched(settings) ? [set('binauth', "'/usr/lib/opennds/binauth_log.sh'")] : []),
    'uci commit opennds && service opennds restart',
  ].join('\n')
}

const where = {
  paste:
    'Paste this into a shell on the gateway. openNDS does not use RADIUS: the secret is the key of its forwarding (FAS). It lets guests ' +
    'open the portal at one address: paste the lines again when that changes. If the portal has several addresses, add its name to ' +
    'walledgarden_fqdn_list, too, with dnsmasq-full on the box.',
  needs_https:
    'This portal is on https, which openNDS only opens at the levels 3 and 4 of its forwarding: at 1 and 2 guests would open it by ' +
    'http and see an error. Choose level 4 for this gateway, or 3, and then paste the lines shown here.',
  needs_http:
    'This portal is on http, and openNDS opens https at the levels 3 and 4 of its forwarding. Choose level 1 for this gateway, or 2, and ' +
    'then paste the lines shown here.',
}

function setUp(gateway: SetUpOf): ReturnType<GatewayDefinition['setUp']> {
  const { protocol } = new URL(gateway.portal)
  if (protocol !== opens(gateway.settings))
    return { where: protocol === 'https:' ? where.needs_https : where.needs_http, lines: null, values: [] }
  return { where: where.paste, lines: lines(gateway), values: [] }
}

export const definition: GatewayDefinition = {
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
        'With a portal on https choose 4, from release 10.2 on; or 3, with php-cli on the box as for 2, before that release or where a ' +
        'check-out or a block must apply soon: at 3 it gets 15 minutes at a time. At both the box asks the portal whom to let in, and ' +
        'keeps time, speed and volume. 1 and 2 are for a portal on http. Without a choice: 1.',
    },
  ],
  fields: [],
  honours: { time: 'yes', speed: 'yes', data: 'yes', end: 'next_sign_in', change: 'next_sign_in', usage: 'yes' },
  walled_garden: [],
  note:
    'At the levels 3 and 4 it keeps time, speed (on average) and volume (up and down each for itself), and reports what a guest has ' +
    'used when they leave. It cannot be told to end a session: a check-out, a block or a disconnect applies once the granted time is ' +
    'over. At level 3 that is 15 minutes at most, and guests are let in again without a form for as long as they may stay; at level 4 ' +
    'it is the whole time of their package, so keep packages for it short. At the levels 1 and 2 it keeps no limits and reports no ' +
    'usage: set its own sessiontimeout and rates, which apply to everybody.',
  setUp,
  captiveLine: dnsmasqLine,
}
