// D-Link: Nuclias. A form is sent to the login address of the access point, whose query says which guest it is for.
import {
  addressIn,
  arrivalBy,
  withoutPort,
  claimedPath,
  ends_by_time,
  externalPortal,
  takesTime,
} from '#server/gateways/external-portal.ts'
import { first } from '#server/gateways/read.ts'

export const dLink = externalPortal({
  id: 21,
  name: 'D-Link',
  honours: takesTime,
  note: `The host is the name or address that its login page has. ${ends_by_time}`,
  where:
    'In Nuclias, choose sign-on with RADIUS for the guest SSID, this page as its external captive portal, and add the server.',
  arrival: arrivalBy({
    marks: ['login_url', 'continue_url', 'ap_mac', 'mac'],
    gateway_mac: ['ap_mac'],
    device: 'mac',
    wanted: 'continue_url',
  }),
  letIn({ query }, { host }, { username, password }) {
    const { path, isSecure } = claimedPath(addressIn(first(query, 'login_url')), '/login', [])
    return {
      by: 'form',
      address: `${isSecure ? 'https' : 'http'}://${withoutPort(host)}${path}`,
      fields: { username, password },
    }
  },
  isGenericToo: true,
})
