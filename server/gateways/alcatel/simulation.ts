// Simulation of an Alcatel-Lucent access point: in RADIUS it calls itself by the network's name, and signs nothing.
import { formBox, must, timeKept, together, wanted } from '#server/gateways/simulated.ts'

export const simulation = formBox({
  gateway_type_id: 23,
  own_host: 'cportal.al-enterprise.com',
  is_unsigned: true,
  query: ({ gateway, mac_address }) => ({
    clientmac: mac_address,
    clientip: '192.168.1.138',
    ssid: 'Guests',
    switchmac: gateway.mac_address,
    switchip: '192.168.1.4',
    url: wanted,
  }),
  takes({ user, password, client_mac }, to, { mac_address }) {
    must(to.href === 'http://cportal.al-enterprise.com/login', `an access point has no ${to.href}`)
    must(client_mac === mac_address, 'the form is for another guest')
    return { username: user, password }
  },
  names: ({ gateway, mac_address }) => ({
    nas_identifier: 'Guests',
    called_station_id: `${together(gateway.mac_address).toUpperCase()}:Guests`,
    calling_station_id: together(mac_address).toUpperCase(),
  }),
  reads: timeKept,
})
