// Cisco Meraki: sign-on splash with RADIUS of one's own. A form is sent to the maker's cloud, at an address made for this guest.
import { attribute } from '#server/radius-codec/dictionary.ts'
import { text } from '#server/radius-codec/packet.ts'
import {
  addressIn,
  arrivalBy,
  claimedPath,
  externalPortal,
  ownNames,
  recognised,
  takesTime,
} from '#server/gateways/external-portal.ts'
import { first } from '#server/gateways/read.ts'
import { wisprRadius } from '#server/gateways/wispr-radius.ts'

const read = arrivalBy({
  marks: ['login_url', 'continue_url', 'ap_mac', 'client_mac'],
  gateway_mac: ['ap_mac'],
  access_point: 'ap_name',
  device: 'client_mac',
  wanted: 'continue_url',
  error: 'error_message',
})

export const meraki = externalPortal({
  id: 8,
  name: 'Cisco Meraki',
  honours: takesTime,
  note:
    'Choose sign-on with your own RADIUS server as the splash page: a click-through splash page asks no RADIUS, so its guests are not ' +
    'let in. RADIUS packets come from the cloud and not from the site: the MAC address of the access point must be right. ' +
    'Neither speed nor volume is taken from RADIUS, only a group policy; and a session ends when its time is over.',
  parameters: [
    {
      key: 'group_policy',
      label: 'Group policy',
      kind: 'text',
      choices: [],
      required: false,
      once: false,
      help: 'Filter-Id: a group policy of the network, which may limit speed.',
    },
  ],
  walled_garden: ['*.network-auth.com'],
  where:
    'In the dashboard, open the access control of the guest network, choose sign-on with your own RADIUS server, add the server ' +
    'for authentication and accounting, and set a custom splash URL.',
  arrival: (redirect) =>
    redirect.query['base_grant_url'] === undefined
      ? read(redirect)
      : recognised(first(redirect.query, 'node_mac', 'ap_mac')),
  hostOf: ownNames(
    /^(n\d+\.network-auth\.com|([a-z0-9-]+\.)+meraki\.com)$/,
    (query) => first(query, 'login_url'),
    null,
  ),
  letIn({ query }, { host }, { username, password, back }) {
    const { path } = claimedPath(addressIn(first(query, 'login_url')), '/splash/login', [])
    return { by: 'form', address: `https://${host}${path}`, fields: { username, password, success_url: back } }
  },
  radius: {
    accept: (limits, request, settings) => [
      ...wisprRadius.accept({ ...limits, speed_mbps: null }, request, settings),
      ...(typeof settings['group_policy'] === 'string' ? [text(attribute.filter_id, settings['group_policy'])] : []),
    ],
  },
  isGenericToo: true,
})
