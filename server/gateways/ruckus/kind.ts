// Ruckus: Unleashed and ZoneDirector take a form at ports of their own. SmartZone and Ruckus One want a call, and are only recognised.
import { arrivalBy, bare, externalPortal, recognised, takesEnd } from '#server/gateways/external-portal.ts'
import { first } from '#server/gateways/read.ts'

const read = arrivalBy({
  marks: ['sip', 'mac', 'client_mac', 'uip'],
  gateway_mac: ['mac'],
  device: 'client_mac',
  wanted: 'url',
})

export const ruckus = externalPortal({
  id: 6,
  name: 'Ruckus',
  honours: { ...takesEnd, speed: 'yes' },
  note:
    'Guests are signed in at Unleashed and at ZoneDirector: register the address of the master or the controller. ' +
    'SmartZone and Ruckus One are not served yet.',
  where:
    'Add a hotspot service with this login page, and both an authentication and an accounting server, and choose it for the guest WLAN.',
  arrival: (redirect) =>
    redirect.query['nbiIP'] !== undefined && redirect.query['client_mac'] !== undefined
      ? recognised(first(redirect.query, 'mac'))
      : read(redirect),
  // From a page on https browsers would warn of its other port.
  letIn: (_redirect, { host, portal_is_https }, { username, password }) => ({
    by: 'form',
    address: `${portal_is_https ? 'https' : 'http'}://${bare(host)}:${portal_is_https ? 9998 : 9997}/login`,
    fields: { username, password },
  }),
})
