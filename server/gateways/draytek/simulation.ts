// Simulation of a DrayTek router with its hotspot web portal.
import { dashed, formBox, must, timeKept, wanted } from '#server/gateways/simulated.ts'

export const simulation = formBox({
  gateway_type_id: 22,
  query: ({ gateway, mac_address }) => ({
    apmac: gateway.mac_address,
    client_mac: mac_address,
    loginurl: 'http://portal.draytek.example:8001/cgi-bin/login',
    target: wanted,
  }),
  takes({ username, password }, to) {
    must(`${to.protocol}${to.port}` === 'http:8001' && to.pathname === '/cgi-bin/login', `a DrayTek has no ${to.href}`)
    return { username, password }
  },
  names: ({ gateway, mac_address }) => ({
    called_station_id: dashed(gateway.mac_address),
    calling_station_id: dashed(mac_address),
  }),
  reads: timeKept,
})
