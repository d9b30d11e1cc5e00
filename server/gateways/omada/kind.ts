// Omada: a portal with an external RADIUS server takes a form at the controller. A portal of the type External Portal Server is called.
import { hostOf } from '#server/gateways/definition.ts'
import { arrivalBy, withoutPort, ends_by_time, externalPortal, takesTime } from '#server/gateways/external-portal.ts'
import { controller_parameters, isCalled } from '#server/gateways/controller-makes.ts'
import type { Query } from '#server/gateways/kind.ts'
import { limitsBy } from '#server/gateways/radius-limits.ts'
import { vendorNumber, type VendorAttribute } from '#server/radius-codec/vendor.ts'
import { openOmada } from './controller.ts'

const vendor = 11_863
const receive_limit: VendorAttribute = { vendor, type: 1, holds: 'number', name: 'TP-Link-Recv-Limit' }
const transmit_limit: VendorAttribute = { vendor, type: 2, holds: 'number', name: 'TP-Link-Xmit-Limit' }

const read = arrivalBy({
  marks: ['clientMac', 'target'],
  gateway_mac: ['apMac', 'gatewayMac'],
  device: 'clientMac',
  wanted: 'originUrl',
})

const readCalled = arrivalBy({
  marks: ['clientMac', 'site'],
  gateway_mac: ['apMac', 'gatewayMac'],
  device: 'clientMac',
  wanted: 'redirectUrl',
})
const isForCall = (query: Query) => query['target'] === undefined

/** The controller's ports for guests, of its hardware, its software and its cloud. */
const ports = ['8088', '8043', '8843', '443']
const usual = { http: '8088', https: '8843' }
/** What it knows the guest by. */
const known_by = ['clientMac', 'clientIp', 'apMac', 'gatewayMac', 'ssidName', 'vid', 'radioId']
const kept = (query: Query, also: string) =>
  Object.fromEntries([...known_by, also].flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])))

export const omada = externalPortal({
  id: 5,
  name: 'Omada',
  honours: { ...takesTime, speed: 'yes' },
  honours_when: [
    {
      key: 'controller_url',
      value: null,
      honours: { time: 'yes', speed: 'yes', data: 'yes', end: 'yes', change: 'next_sign_in', usage: 'no' },
    },
  ],
  note:
    'With the portal’s authentication type RADIUS server, the host is the address at which guests reach ' +
    'the controller. With the type External ' +
    'Portal Server Foyer calls it at its address, as a hotspot operator of the site: then it also ends ' +
    'sessions, keeps the volume from version ' +
    `6.2.10 on, and does not report usage. With RADIUS: ${ends_by_time}`,
  where:
    'In the Omada controller, add a portal for the guest network with the authentication type RADIUS server, the mode CHAP, ' +
    'and this page as its external web portal, with accounting and interim updates on.',
  setUp: ({ portal, settings }) =>
    isCalled(settings)
      ? {
          where:
            'In the Omada controller, add a portal for the guest network with the authentication type External Portal Server and this ' +
            'page, which must be allowed before sign-in (Pre-Authentication Access). Make a hotspot operator for the site, and enter its ' +
            'name and password here. It does not use RADIUS.',
          lines: null,
          values: [
            { name: 'External portal server', value: portal },
            { name: 'Pre-authentication access', value: hostOf(portal) },
          ],
        }
      : null,
  parameters: [
    ...controller_parameters('https://10.0.0.3:8043', 'the portal’s authentication type is RADIUS server'),
    {
      key: 'site',
      label: 'Site',
      kind: 'text',
      choices: [],
      required: false,
      once: false,
      help: 'Its name in the controller, or its id there. Without one: Default.',
    },
    {
      key: 'time_unit',
      label: 'It counts the time in',
      kind: 'choice',
      choices: [
        { value: 'ms', label: 'Milliseconds' },
        { value: 'us', label: 'Microseconds' },
      ],
      required: false,
      once: false,
      help: 'Milliseconds, unless its guests are offline after a few seconds.',
    },
  ],
  fields: ['username', 'password'],
  controller: { open: openOmada, isCalled },
  isSetUp: ({ settings }, query) => !isForCall(query) || isCalled(settings),
  hostOf: (query, registered) => registered ?? (isForCall(query) ? '' : null),
  arrival: (redirect) => (isForCall(redirect.query) ? readCalled(redirect) : read(redirect)),
  letIn({ query }, { host }, { username, password, back }) {
    if (isForCall(query)) return { by: 'call', fields: kept(query, 'site') }
    const scheme = query['scheme'] === 'http' ? 'http' : 'https'
    const port = ports.find((one) => one === query['targetPort']) ?? usual[scheme]
    return {
      by: 'form',
      address: `${scheme}://${withoutPort(host)}:${port}/portal/radius/browserauth`,
      fields: { ...kept(query, 'radiusServerIp'), originUrl: back, authType: '2', username, password },
    }
  },
  radius: {
    dictionary: { receive_limit, transmit_limit },
    accept: limitsBy({
      // What it receives is the guest's upload.
      speed: (kbits) => [vendorNumber(receive_limit, kbits), vendorNumber(transmit_limit, kbits)],
      volume: () => [],
    }),
  },
})
