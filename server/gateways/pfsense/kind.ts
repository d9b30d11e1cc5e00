// pfSense: a page that is uploaded to it sends guests to the portal, and takes them back with a one-time name and password, which it asks
// RADIUS about. It takes no Disconnect, but asks every minute whether they may stay.
import {
  arrivalBy,
  withoutPort,
  claimedPath,
  addressIn,
  externalPortal,
  recognised,
  takesEnd,
} from '#server/gateways/external-portal.ts'
import { limitsBy } from '#server/gateways/radius-limits.ts'
import { first } from '#server/gateways/read.ts'
import { thinPage } from '#server/gateways/thin-page.ts'
import { wisprSpeed } from '#server/gateways/wispr-radius.ts'
import { vendorNumber, wispr } from '#server/radius-codec/vendor.ts'

/** Of 32 bits, and nothing counts on: a larger volume ends when it asks again. */
const octets = { vendor: 13_644, type: 3, holds: 'number', name: 'pfSense-Max-Total-Octets' } as const
const octets_max = 2 ** 32 - 1

/** Each zone has two ports of its own, the second with encryption. */
const ports = Array.from({ length: 100 }, (_, n) => String(8000 + n))
const usual_port = '8002'

const read = arrivalBy({
  marks: ['pfsense', 'mac', 'zone'],
  nas_identifier: 'pfsense',
  device: 'mac',
  wanted: 'url',
  error: 'error',
})

export const pfSense = externalPortal({
  id: 11,
  name: 'pfSense',
  honours: { ...takesEnd, speed: 'yes' },
  note:
    'It keeps time, speed and volume only where the boxes for them are ticked in the zone: the RADIUS session timeout, the per-user ' +
    'bandwidth restrictions and the traffic quota. It cannot be told to end a session: one that should ' +
    'end does when it asks again, within two minutes. ' +
    'Its host is the firewall’s address in the guest network.',
  where:
    'Under Services, Captive Portal, save these lines as a file, and upload it as the zone’s portal page, and as its error page. Choose ' +
    'RADIUS as the authentication method, with the values below; turn on re-authentication every minute, and accounting updates of the ' +
    'kind “Interim”; leave the MAC filter on, and let guests open the portal’s host before sign-in.',
  lines: ({ portal, nas_identifier }) => page(portal, nas_identifier),
  // What it sends by itself names neither the firewall nor the device.
  arrival: (redirect) =>
    read(redirect) ??
    (redirect.query['zone'] !== undefined && redirect.query['redirurl'] !== undefined ? recognised() : null),
  letIn({ query }, { host }, { username, password, back }) {
    const { port, isSecure } = claimedPath(addressIn(first(query, 'action')), '', ports)
    return {
      by: 'address',
      address: `${isSecure ? 'https' : 'http'}://${withoutPort(host)}${port || `:${usual_port}`}/index.php`,
      fields: { zone: first(query, 'zone') ?? '', redirurl: back, user: username, pass: password },
    }
  },
  radius: {
    dictionary: { ...wispr, octets },
    accept: limitsBy({
      speed: wisprSpeed,
      volume: (bytes) => (bytes > octets_max ? [] : [vendorNumber(octets, bytes)]),
    }),
    end: null,
  },
})

/** The box puts its own words in the place of those between dollar signs. */
const page = (portal: string, box: string) =>
  thinPage(portal, box, {
    body: [
      '<form method="post" action="$PORTAL_ACTION$">',
      '<input type="hidden" name="auth_user"><input type="hidden" name="auth_pass">',
      '<input type="hidden" name="accept" value="Continue">',
      '<input type="hidden" name="zone" value="$PORTAL_ZONE$">',
      '<input type="hidden" name="redirurl" value="$PORTAL_REDIRURL$">',
      '</form>',
      '<p id="message" hidden>$PORTAL_MESSAGE$</p>',
    ].join('\n'),
    script: [
      'var form = document.forms[0], elements = form.elements',
      'if (given("pass")) {',
      '  elements.auth_user.value = given("user")',
      '  elements.auth_pass.value = given("pass")',
      '  form.submit()',
      '} else location.replace(address({',
      '  pfsense: box, zone: elements.zone.value, action: form.getAttribute("action"), mac: "$CLIENT_MAC$",',
      '  url: elements.redirurl.value, error: document.getElementById("message").textContent && "1"',
      '}))',
    ],
  })
