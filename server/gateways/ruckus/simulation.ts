// Simulation of a Ruckus Unleashed master: it takes the form at one port with encryption, and at another without.
import { dashed, formBox, must, namesDevice, together, wanted, wisprKept } from '#server/gateways/simulated.ts'

export const simulation = formBox({
  gateway_type_id: 6,
  query: ({ gateway, mac_address }) => ({
    sip: '192.168.0.253',
    mac: together(gateway.mac_address),
    client_mac: together(mac_address),
    uip: '192.168.1.106',
    lid: '',
    dn: '',
    url: wanted,
    ssid: 'Guests',
    loc: '',
    vlan: '1',
  }),
  takes({ username, password }, to) {
    must(
      ['http 9997', 'https 9998'].includes(`${to.protocol.slice(0, -1)} ${to.port}`),
      `a Ruckus does not listen at ${to.href}`,
    )
    must(to.pathname === '/login', `a Ruckus has no ${to.pathname}`)
    return { username, password }
  },
  names: ({ gateway, mac_address }) => ({
    nas_identifier: dashed(gateway.mac_address),
    called_station_id: `${dashed(gateway.mac_address)}:Guests`,
    calling_station_id: dashed(mac_address),
  }),
  reads: wisprKept,
  obeys: namesDevice,
})
