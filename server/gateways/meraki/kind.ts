// Cisco Meraki: a sign-on splash with RADIUS of one's own takes a form at the maker's cloud, at an address made for this guest. A
// click-through splash lets in whoever opens its address there, and asks nobody.
import { attribute } from '#server/radius-codec/dictionary.ts'
import { textAttribute } from '#server/radius-codec/packet.ts'
import {
  addressIn,
  arrivalBy,
  claimedPath,
  externalPortal,
  ownNames,
  takesTime,
} from '#server/gateways/external-portal.ts'
import { uncounted } from '#server/gateways/controller-makes.ts'
import { hostOf } from '#server/gateways/definition.ts'
import type { LetIn, Query } from '#server/gateways/kind.ts'
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
const readClick = arrivalBy({
  marks: ['base_grant_url', 'client_mac'],
  gateway_mac: ['node_mac', 'ap_mac'],
  device: 'client_mac',
  wanted: 'user_continue_url',
})
const isClick = (query: Query) => query['base_grant_url'] !== undefined

/** Whoever knows the address of a click-through lets themselves in, and nothing is heard of it: that is chosen, never found out. */
const click_through = 'click_through'
const splash = { sign_on: '/splash/login', click_through: '/splash/grant' }

/** Of its address only the path is used: what it is asked for is ours. */
function clickThrough(query: Query, host: string, back: string): LetIn {
  const { pathname = splash.click_through } = addressIn(first(query, 'base_grant_url')) ?? {}
  const fields = { continue_url: back }
  return { by: 'address', address: `https://${host}${pathname}`, fields, asks_nobody: true, seconds_as: 'duration' }
}

const cloud = '*.network-auth.com'

export const meraki = externalPortal({
  id: 8,
  name: 'Cisco Meraki',
  honours: takesTime,
  honours_when: [
    {
      key: 'splash',
      value: click_through,
      honours: { time: 'yes', speed: 'no', data: 'no', end: 'no', change: 'no', usage: 'no' },
    },
  ],
  note:
    'With a sign-on splash page, RADIUS packets come from the cloud and not from the site: the MAC address of the access point must be ' +
    'right. RADIUS sets neither speed nor volume, only a group policy, and a session ends when its time is over. A click-through ' +
    'splash page does not use RADIUS: it only keeps the granted time, reports no usage and cannot end a session early, and a guest who ' +
    'knows the cloud’s address can let themselves in for any length of time. Choose it only where that does not matter.',
  parameters: [
    {
      key: 'splash',
      label: 'Splash page',
      kind: 'choice',
      choices: [
        { value: 'sign_on', label: 'Sign-on with RADIUS' },
        { value: click_through, label: 'Click-through' },
      ],
      required: false,
      once: false,
      help: 'As in the dashboard. Click-through keeps neither speed nor volume, reports no usage and cannot end a session early.',
    },
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
  walled_garden: [cloud],
  where:
    'In the dashboard, open the access control of the guest network, choose sign-on with your own RADIUS server, add the server ' +
    'for authentication and accounting, and set a custom splash URL.',
  setUp: ({ portal, settings }) =>
    settings['splash'] === click_through
      ? {
          where:
            'In the dashboard, open the access control of the guest network, choose click-through, and set a custom splash URL. It ' +
            'does not use RADIUS.',
          lines: null,
          values: [
            { name: 'Custom splash URL', value: portal },
            { name: 'Allowed before sign-in', value: [hostOf(portal), cloud].join(', ') },
          ],
        }
      : null,
  arrival: (redirect) => (isClick(redirect.query) ? readClick(redirect) : read(redirect)),
  isSetUp: ({ settings }, query) => isClick(query) === (settings['splash'] === click_through),
  hostOf: ownNames(
    /^(n\d+\.network-auth\.com|([a-z0-9-]+\.)+meraki\.com)$/,
    (query) => first(query, 'base_grant_url', 'login_url'),
    null,
  ),
  controller: uncounted,
  letIn({ query }, { host }, { username, password, back }) {
    if (isClick(query)) return clickThrough(query, host, back)
    const { path } = claimedPath(addressIn(first(query, 'login_url')), splash.sign_on, [])
    return { by: 'form', address: `https://${host}${path}`, fields: { username, password, success_url: back } }
  },
  radius: {
    accept: (limits, request, settings) => [
      ...wisprRadius.accept({ ...limits, speed_mbps: null }, request, settings),
      ...(typeof settings['group_policy'] === 'string'
        ? [textAttribute(attribute.filter_id, settings['group_policy'])]
        : []),
    ],
  },
  isGenericToo: (query) => !isClick(query),
})
