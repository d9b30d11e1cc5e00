// Ruijie: guests come by a path of the portal's origin, and bring a token to their box, which asks the portal about it (wifidog). Without
// that, guests sign in on its own page, which asks by RADIUS.
import { arrivalBy, withoutPort, externalPortal } from '#server/gateways/external-portal.ts'
import { asks, tokenOf } from './report.ts'

const usual_port = '2060'

export const ruijie = externalPortal({
  id: 17,
  name: 'Ruijie',
  honours: { time: 'yes', speed: 'no', data: 'yes', end: 'yes', change: 'yes', usage: 'yes' },
  note:
    'Its host is its own address in the guest network, which its redirects name as gw_address. It asks the portal about each guest every ' +
    'minute, and ends a session then if its time or volume is used up or it should end. It cannot limit the speed of a guest: set that ' +
    'on the box. It asks without encryption, at port 80 of the portal’s host, which must lead to the portal.',
  where:
    'In Ruijie or Reyee Cloud, add a portal of the type external (wifidog) with the host of this page and port 80 to the guest network. ' +
    'The RADIUS values are only for registered devices.',
  own_paths: ['/login', '/login/'],
  arrival: arrivalBy({
    marks: ['gw_id', 'gw_address', 'gw_port', 'mac'],
    gateway_mac: ['apmac', 'gw_id'],
    device: 'mac',
    wanted: 'url',
  }),
  asks,
  letIn({ query }, { host }, pass) {
    const port = /^\d{2,5}$/.test(query['gw_port'] ?? '') ? query['gw_port'] : usual_port
    return {
      by: 'address',
      address: `http://${withoutPort(host)}:${port}/wifidog/auth`,
      fields: { token: tokenOf(pass) },
    }
  },
})
