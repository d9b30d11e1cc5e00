// Aruba: Instant, Instant On and controllers. A form is sent to a name that only the access point answers to, with a public certificate.
import { arrivalBy, externalPortal, ownNames, takesEnd } from '#server/gateways/external-portal.ts'
import { first } from '#server/gateways/read.ts'
import { wisprRadius } from '#server/gateways/wispr-radius.ts'
import { vendorText, type VendorAttribute } from '#server/radius-codec/vendor.ts'

const user_role: VendorAttribute = { vendor: 14_823, type: 1, holds: 'text', name: 'Aruba-User-Role' }
const usual_name = 'securelogin.arubanetworks.com'

const read = arrivalBy({
  marks: ['cmd', 'mac'],
  gateway_mac: ['apmac'],
  access_point: 'apname',
  device: 'mac',
  wanted: 'url',
  error: 'errmsg',
})

export const aruba = externalPortal({
  id: 7,
  name: 'Aruba',
  honours: takesEnd,
  note:
    'Speed is limited by role: name one that exists on the access points and limits it. ' +
    'RADIUS must have dynamic authorisation (RFC 3576) on, or sessions do not end when they should.',
  parameters: [
    {
      key: 'role',
      label: 'Role',
      kind: 'text',
      choices: [],
      required: false,
      once: false,
      help: 'Aruba-User-Role: the role of guests once they have signed in.',
    },
  ],
  walled_garden: [usual_name, '*.cloudauth.net'],
  where:
    'Add an external captive portal of the type RADIUS authentication with https, and the server as its authentication and ' +
    'accounting server with dynamic authorisation and interim accounting on. On Instant, also switch on the dynamic RADIUS proxy: all ' +
    'requests then come from the virtual controller.',
  arrival: (redirect) =>
    redirect.query['cmd'] === 'login' && (redirect.query['essid'] ?? redirect.query['network']) !== undefined
      ? read(redirect)
      : null,
  hostOf: ownNames(
    /^(securelogin\.arubanetworks\.com|([a-z0-9-]+\.)+cloudauth\.net)$/,
    (query) => first(query, 'switchip', 'post'),
    usual_name,
  ),
  letIn: (_redirect, { host }, { username, password, back }) => ({
    by: 'form',
    address: `https://${host}/cgi-bin/login`,
    fields: { user: username, password, cmd: 'authenticate', url: back },
  }),
  radius: {
    dictionary: { ...wisprRadius.dictionary, user_role },
    accept: (limits, request, settings) => [
      ...wisprRadius.accept({ ...limits, speed_mbps: null }, request, settings),
      ...(typeof settings['role'] === 'string' ? [vendorText(user_role, settings['role'])] : []),
    ],
  },
})
