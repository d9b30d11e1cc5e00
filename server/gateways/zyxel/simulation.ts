// Simulation of a Zyxel access point of Nebula.
import { dashed, formBox, must, timeKept } from '#server/gateways/simulated.ts'

export const simulation = formBox({
  gateway_type_id: 20,
  own_host: 'nap-slogin.nebula.zyxel.com',
  query: ({ gateway, mac_address }) => ({
    apmac: gateway.mac_address,
    usermac: mac_address,
    apip: '192.168.1.3',
    userip: '192.168.1.50',
    ssid_name: 'Guests',
    apurl: 'http://nap-slogin.nebula.zyxel.com/login.cgi?key=7',
  }),
  takes({ username, password }, to) {
    must(to.href === 'http://nap-slogin.nebula.zyxel.com/login.cgi?key=7', `an access point has no ${to.href}`)
    return { username, password }
  },
  names: ({ gateway, mac_address }) => ({
    called_station_id: `${dashed(gateway.mac_address)}:Guests`,
    calling_station_id: dashed(mac_address),
  }),
  reads: timeKept,
})
