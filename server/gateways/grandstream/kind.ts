// Grandstream: GWN access points. The guest's browser opens an address under a name that the access point answers to.
import {
  addressIn,
  arrivalBy,
  ends_by_time,
  externalPortal,
  ownNames,
  takesTime,
} from '#server/gateways/external-portal.ts'
import { first } from '#server/gateways/read.ts'

const usual_name = 'cwp.gwnportal.cloud'

export const grandstream = externalPortal({
  id: 19,
  name: 'Grandstream',
  honours: takesTime,
  note:
    'Its access requests carry neither a name nor a signature: enter the MAC address of the access point, and tick that it is old ' +
    `software that signs no requests. ${ends_by_time}`,
  walled_garden: [usual_name],
  where:
    'In GWN, add an external captive portal policy of the type RADIUS with this page, and the server for authentication and accounting.',
  arrival: arrivalBy({
    marks: ['login_url', 'ap_mac', 'client_mac', 'orig_url'],
    gateway_mac: ['ap_mac'],
    device: 'client_mac',
    wanted: 'orig_url',
  }),
  hostOf: ownNames(/^cwp\.gwnportal\.cloud$/, (query) => first(query, 'login_url'), usual_name),
  letIn({ query }, { host }, { username, password, back }) {
    const scheme = addressIn(first(query, 'login_url'))?.protocol === 'https:' ? 'https' : 'http'
    return {
      by: 'address',
      address: `${scheme}://${host}:${scheme === 'https' ? 8443 : 8080}/gwn_login`,
      fields: { username, password, redirect: back },
    }
  },
  isGenericToo: true,
})
