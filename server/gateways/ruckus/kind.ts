// Ruckus: Unleashed and ZoneDirector take a form at ports of their own. SmartZone and Ruckus One are called, and then ask RADIUS.
import { controller_parameters, isCalled } from '#server/gateways/controller-makes.ts'
import { arrivalBy, withoutPort, externalPortal, recognised, takesEnd } from '#server/gateways/external-portal.ts'
import type { Query } from '#server/gateways/kind.ts'
import { first } from '#server/gateways/read.ts'
import { openRuckus } from './controller.ts'

const read = arrivalBy({
  marks: ['sip', 'mac', 'client_mac', 'uip'],
  gateway_mac: ['mac'],
  device: 'client_mac',
  wanted: 'url',
})
const isForCall = (query: Query) => query['nbiIP'] !== undefined && query['client_mac'] !== undefined

/** What the controller knows the guest by. */
const known_by = ['client_mac', 'uip', 'proxy']
const kept = (query: Query): Record<string, string> =>
  Object.fromEntries(known_by.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])))

export const ruckus = externalPortal({
  id: 6,
  name: 'Ruckus',
  honours: { ...takesEnd, speed: 'yes' },
  note:
    'With Unleashed and ZoneDirector, guests submit a form to the master or the controller: register its host. Foyer calls SmartZone ' +
    'and Ruckus One at their address, through the northbound portal interface: enter its password, and its user name if it has one. On ' +
    'a SmartZone, turn off the encryption of MAC and IP addresses (“no encrypt-mac-ip” on its command line): guests whose redirect is ' +
    'encrypted cannot be let in.',
  where:
    'Add a hotspot service with this login page, and both an authentication and an accounting server, and choose it for the guest WLAN.',
  parameters: controller_parameters(
    'https://10.0.0.5:9443 or https://3f1a.wispr.eu.ruckus.cloud',
    'guests of SmartZone and Ruckus One are not let in from the portal; those of Unleashed and ZoneDirector need none',
  ),
  fields: ['username', 'password'],
  controller: { open: openRuckus, isCalled, asks_radius: true },
  isSetUp: ({ settings }, query) => !isForCall(query) || isCalled(settings),
  hostOf: (query, registered) => registered ?? (isForCall(query) ? '' : null),
  arrival(redirect) {
    const { query } = redirect
    const isEncrypted = isForCall(query) && query['client_mac']?.startsWith('ENC') === true
    return isEncrypted ? recognised(first(query, 'mac')) : read(redirect)
  },
  // From a page on https browsers would warn of its other port.
  letIn: ({ query }, { host, portal_is_https }, { username, password }) =>
    isForCall(query)
      ? { by: 'call', fields: kept(query) }
      : {
          by: 'form',
          address: `${portal_is_https ? 'https' : 'http'}://${withoutPort(host)}:${portal_is_https ? 9998 : 9997}/login`,
          fields: { username, password },
        },
})
