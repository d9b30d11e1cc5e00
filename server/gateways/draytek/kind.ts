// DrayTek: the guest's browser opens the login address of the router or access point.
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

export const drayTek = externalPortal({
  id: 22,
  name: 'DrayTek',
  honours: takesTime,
  note: `The host is the name or address that its login page has. ${ends_by_time}`,
  where:
    'Under Hotspot Web Portal, add a profile with an external portal server at this page, and the server as external RADIUS.',
  arrival: arrivalBy({
    marks: ['loginurl', 'apmac', 'client_mac'],
    gateway_mac: ['apmac'],
    device: 'client_mac',
    wanted: 'target',
  }),
  letIn({ query }, { host }, { username, password }) {
    const login = addressIn(first(query, 'loginurl'))
    const { isSecure, port } = claimedPath(login, '', ['8001'])
    return {
      by: 'address',
      address: `${isSecure ? 'https' : 'http'}://${withoutPort(host)}${port}${login?.pathname ?? '/'}`,
      fields: { ...Object.fromEntries(login?.searchParams ?? []), username, password },
    }
  },
  isGenericToo: true,
})
