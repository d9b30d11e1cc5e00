// Alcatel-Lucent: OmniVista Cirrus. A form is sent to a name of the maker's that the access point answers to.
import { arrivalBy, ends_by_time, externalPortal, takesTime } from '#server/gateways/external-portal.ts'

const usual_name = 'cportal.al-enterprise.com'

export const alcatel = externalPortal({
  id: 23,
  name: 'Alcatel-Lucent',
  honours: takesTime,
  note:
    'Its packets carry the network’s name instead of its own, so enter the MAC address of the access point; it signs no access requests, ' +
    `so tick that it is old software. ${ends_by_time}`,
  walled_garden: [usual_name],
  where:
    'In OmniVista, add an external captive portal with this page to the guest network, and the server for authentication and accounting.',
  arrival: arrivalBy({
    marks: ['clientmac', 'clientip', 'switchmac'],
    gateway_mac: ['switchmac'],
    device: 'clientmac',
    wanted: 'url',
  }),
  hostOf: () => usual_name,
  letIn: ({ query }, { host }, { username, password, back }) => ({
    by: 'form',
    address: `http://${host}/login`,
    fields: { user: username, password, client_mac: query['clientmac'] ?? '', url: back },
  }),
})
