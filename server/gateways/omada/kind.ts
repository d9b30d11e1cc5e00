// Omada: a portal with an external RADIUS server takes a form at the controller. A portal of the kind External Portal Server wants a
// call, and is only recognised.
import {
  arrivalBy,
  bare,
  ends_by_time,
  externalPortal,
  recognised,
  takesTime,
} from '#server/gateways/external-portal.ts'
import type { Query } from '#server/gateways/kind.ts'
import { limitsBy } from '#server/gateways/radius-limits.ts'
import { first } from '#server/gateways/read.ts'
import { vendorNumber, type VendorAttribute } from '#server/radius-codec/vendor.ts'

const vendor = 11_863
// FreeRADIUS has no dictionary of this vendor, so these are its names for attributes that it does not know.
const receive_limit: VendorAttribute = { vendor, type: 1, holds: 'number', name: 'Attr-26.11863.1' }
const transmit_limit: VendorAttribute = { vendor, type: 2, holds: 'number', name: 'Attr-26.11863.2' }

const read = arrivalBy({
  marks: ['clientMac', 'target'],
  gateway_mac: ['apMac', 'gatewayMac'],
  device: 'clientMac',
  wanted: 'originUrl',
})

/** The controller's ports for guests, of its hardware, its software and its cloud. */
const ports = ['8088', '8043', '8843', '443']
const usual = { http: '8088', https: '8843' }
/** What it knows the guest by. */
const returned = ['clientMac', 'clientIp', 'apMac', 'gatewayMac', 'ssidName', 'vid', 'radioId', 'radiusServerIp']
const kept = (query: Query) =>
  Object.fromEntries(returned.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])))

export const omada = externalPortal({
  id: 5,
  name: 'Omada',
  honours: { ...takesTime, speed: 'yes' },
  note:
    'Choose the portal’s authentication type RADIUS server, with an external web portal; the type External Portal Server is not ' +
    `served yet. The host is the controller as guests reach it. ${ends_by_time}`,
  where:
    'In the Omada controller, add a portal for the guest network with the authentication type RADIUS server, the mode CHAP, ' +
    'and this page as its external web portal, with accounting and interim updates on.',
  arrival: (redirect) =>
    redirect.query['clientMac'] !== undefined &&
    redirect.query['target'] === undefined &&
    redirect.query['site'] !== undefined
      ? recognised(first(redirect.query, 'apMac', 'gatewayMac'))
      : read(redirect),
  letIn({ query }, { host }, { username, password, back }) {
    const scheme = query['scheme'] === 'http' ? 'http' : 'https'
    const port = ports.find((one) => one === query['targetPort']) ?? usual[scheme]
    return {
      by: 'form',
      address: `${scheme}://${bare(host)}:${port}/portal/radius/browserauth`,
      fields: { ...kept(query), originUrl: back, authType: '2', username, password },
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
