// UniFi: guests come by a fixed path of the portal, and are let in by a call to the controller. Without a controller, guests sign in on
// its own page, which asks by RADIUS.
import type { Settings } from '#contract/parameters.ts'
import { dnsmasqLine, hostOf, radiusValues } from '#server/gateways/definition.ts'
import { arrivalBy } from '#server/gateways/external-portal.ts'
import { caught_page, controller_parameters, isCalled } from '#server/gateways/controller-makes.ts'
import { settingText } from '#server/gateways/controller.ts'
import type { GatewayKind, Query } from '#server/gateways/kind.ts'
import { wisprRadius } from '#server/gateways/wispr-radius.ts'
import { openUnifi } from './controller.ts'

const read = arrivalBy({ marks: ['ap', 'id', 't'], gateway_mac: ['ap'], device: 'id', wanted: 'url' })

/** The access point that the guest is at. */
const told = ({ ap = '' }: Query): Record<string, string> => (ap === '' ? {} : { ap })

/** At its own address, or through the maker's cloud. */
const isUnifiCalled = (settings: Settings) => isCalled(settings) || settingText(settings, 'console_id') !== null

export const unifi: GatewayKind = {
  definition: {
    id: 4,
    name: 'UniFi',
    parameters: [
      ...controller_parameters('https://10.0.0.2 or, of the software, https://unifi.hotel.example:8443'),
      {
        key: 'site',
        label: 'Site',
        kind: 'text',
        choices: [],
        required: false,
        once: false,
        help: 'Its short name, as in the controller’s addresses. Without one: default.',
      },
      {
        key: 'api_key',
        label: 'API key',
        kind: 'secret',
        choices: [],
        required: false,
        once: false,
        help: 'In place of a username and a password, from UniFi Network 9.1 on.',
      },
      {
        key: 'console_id',
        label: 'Console in the maker’s cloud',
        kind: 'text',
        choices: [],
        required: false,
        once: false,
        help: 'With an API key of the cloud, where the controller cannot be reached from here: its id there, such as 70A741…:1234567.',
      },
    ],
    fields: ['username', 'password', 'counts_from_gateway_side', 'takes_unsigned', 'disconnect_port'],
    honours: { time: 'yes', speed: 'yes', data: 'yes', end: 'yes', change: 'yes', usage: 'yes' },
    walled_garden: [],
    note:
      'It is called at its address, which must be one that can be reached from here: its own, through a port of the site’s firewall, ' +
      'or the maker’s cloud. With RADIUS instead, it keeps the length of a session, and neither speed nor volume.',
    setUp: (gateway) => ({
      where:
        'In UniFi Network, under Hotspot, choose an external portal server with the address below, and allow it before sign-in. ' +
        'It cannot use another port: guests come to port 80 of that host, or to 443 with HTTPS, which must lead to the portal. ' +
        'Make a local account that may manage hotspots, or an API key, and enter it here. Then accept the access points. ' +
        'For registered devices, add a RADIUS profile with the values for it and choose it for the MAC authentication.',
      lines: null,
      values: [
        { name: 'External portal server', value: hostOf(gateway.portal) },
        { name: 'Pre-authorisation access', value: hostOf(gateway.portal) },
        ...radiusValues(gateway),
      ],
    }),
    captiveLine: dnsmasqLine,
  },
  own_paths: ['/guest/s/:site/'],
  arrival: read,
  portal: {
    letIn: ({ query }) => ({ by: 'call', fields: told(query) }),
    isSetUp: ({ settings }) => isUnifiCalled(settings),
    hostOf: (_query, registered) => registered ?? '',
    pagesOf: () => ({ sign_in: caught_page, sign_out: null }),
  },
  controller: { open: openUnifi, isCalled: isUnifiCalled },
  radius: wisprRadius,
}
