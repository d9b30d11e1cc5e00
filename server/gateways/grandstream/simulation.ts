// Simulation of a Grandstream access point: its packets carry neither a name nor a signature.
import { dashed, formBox, must, timeKept, wanted } from '#server/gateways/simulated.ts'

export const simulation = formBox({
  gateway_type_id: 19,
  own_host: 'cwp.gwnportal.cloud',
  is_unsigned: true,
  query: ({ gateway, mac_address }) => ({
    login_url: 'http://cwp.gwnportal.cloud:8080/gwn_login',
    ap_mac: gateway.mac_address,
    client_mac: mac_address,
    ssid: 'Guests',
    orig_url: wanted,
  }),
  takes({ username, password }, to) {
    must(to.origin + to.pathname === 'http://cwp.gwnportal.cloud:8080/gwn_login', `an access point has no ${to.href}`)
    return { username, password }
  },
  names: ({ gateway, mac_address }) => ({
    nas_identifier: '',
    called_station_id: dashed(gateway.mac_address),
    calling_station_id: dashed(mac_address),
  }),
  reads: timeKept,
})
