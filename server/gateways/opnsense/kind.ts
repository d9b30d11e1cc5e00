// OPNsense: a page that is uploaded to it sends guests to the portal, and its API lets them in. Without the API, guests sign in on its own
// page, which asks by RADIUS.
import { caught_page, controller_parameters, isCalled } from '#server/gateways/controller-makes.ts'
import { dnsmasqLine, hostOf, radiusValues } from '#server/gateways/definition.ts'
import { arrivalBy } from '#server/gateways/external-portal.ts'
import type { GatewayKind } from '#server/gateways/kind.ts'
import { thinPage } from '#server/gateways/thin-page.ts'
import { wisprRadius } from '#server/gateways/wispr-radius.ts'
import { openOpnSense } from './controller.ts'

export const opnSense: GatewayKind = {
  definition: {
    id: 12,
    name: 'OPNsense',
    parameters: [
      ...controller_parameters('https://10.0.0.4'),
      {
        key: 'zone',
        label: 'Zone',
        kind: 'text',
        choices: [],
        required: false,
        once: false,
        help: 'The number of the captive portal’s zone. Without one: 0.',
      },
    ],
    fields: ['username', 'password', 'counts_from_gateway_side', 'takes_unsigned', 'disconnect_port'],
    honours: { time: 'yes', speed: 'no', data: 'yes', end: 'yes', change: 'yes', usage: 'yes' },
    walled_garden: [],
    note:
      'Its API is called at its address, which must be one that can be reached from here, with the key of a user who may use the captive ' +
      'portal as username, and its secret as password. It keeps no limits itself: Foyer ends the session, within about a minute. ' +
      'It cannot limit the speed of a guest: use the firewall’s traffic shaper.',
    setUp: (gateway) => ({
      where:
        'Under Services, Captive Portal, download the default template, put these lines in place of its index.html, upload it, and ' +
        'choose it for the zone. In the zone, turn on “Extended pre-authorisation data” (in advanced mode, from 25.1 on), and allow the ' +
        'addresses of the portal. For registered devices, add a RADIUS server with the values below.',
      lines: page(gateway.portal, gateway.nas_identifier),
      values: [{ name: 'Allowed before sign-in', value: hostOf(gateway.portal) }, ...radiusValues(gateway)],
    }),
    captiveLine: dnsmasqLine,
  },
  arrival: arrivalBy({
    marks: ['opnsense', 'mac', 'ip'],
    nas_identifier: 'opnsense',
    device: 'mac',
    wanted: 'url',
  }),
  portal: {
    letIn: ({ query: { ip = '' } }) => ({ by: 'call', fields: { ip } }),
    isSetUp: ({ settings }) => isCalled(settings),
    hostOf: (_query, registered) => registered ?? '',
    pagesOf: () => ({ sign_in: caught_page, sign_out: null }),
  },
  controller: { open: openOpnSense, isCalled },
  radius: wisprRadius,
}

const page = (portal: string, box: string) =>
  thinPage(portal, box, {
    body: '<p id="state">One moment, please…</p>',
    script: [
      'var request = new XMLHttpRequest()',
      'request.onload = function () {',
      '  var guest = JSON.parse(request.responseText), wanted = given("redirurl")',
      '  if (guest.clientState === "AUTHORIZED") document.getElementById("state").textContent = "You are online."',
      '  else location.replace(address({',
      '    opnsense: box, mac: guest.macAddress, ip: guest.ipAddress, url: wanted && "http://" + wanted',
      '  }))',
      '}',
      'request.open("GET", "/api/captiveportal/access/status/")',
      'request.send()',
    ],
  })
