// Zyxel: Nebula. A form is sent to a name of the maker's that the access point answers to.
import {
  addressIn,
  arrivalBy,
  claimedPath,
  ends_by_time,
  externalPortal,
  ownNames,
  takesTime,
} from '#server/gateways/external-portal.ts'
import { first } from '#server/gateways/read.ts'

const usual_name = 'nap-slogin.nebula.zyxel.com'

export const zyxel = externalPortal({
  id: 20,
  name: 'Zyxel',
  honours: takesTime,
  note: ends_by_time,
  walled_garden: [usual_name],
  where:
    'In Nebula, choose sign-on with my RADIUS server for the guest SSID, this page as its external captive portal, and add the server.',
  arrival: arrivalBy({
    marks: ['apurl', 'usermac', 'apmac'],
    gateway_mac: ['apmac'],
    device: 'usermac',
    error: 'error_num',
  }),
  hostOf: ownNames(/^nap-slogin\.nebula\.zyxel\.com$/, (query) => first(query, 'apurl'), usual_name),
  letIn({ query }, { host }, { username, password }) {
    const { path, isSecure } = claimedPath(addressIn(first(query, 'apurl')), '/', [])
    return { by: 'form', address: `${isSecure ? 'https' : 'http'}://${host}${path}`, fields: { username, password } }
  },
})
