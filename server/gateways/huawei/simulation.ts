// Simulation of a Huawei access point: it writes addresses in groups of four digits, and its redirect names it by its own address alone.
import { dashed, formBox, inFours, must, timeKept, together } from '#server/gateways/simulated.ts'

export const simulation = formBox({
  gateway_type_id: 18,
  query: ({ mac_address, host = 'hotspot.hotel.example' }) => ({
    userip: '10.1.1.20',
    usermac: together(mac_address),
    url: `http://${host}:8000`,
  }),
  takes({ username, password }, to) {
    must(`${to.protocol}${to.port}` === 'http:8000' && to.pathname === '/', `an access point has no ${to.href}`)
    return { username, password }
  },
  names: ({ gateway, mac_address }) => ({
    nas_identifier: inFours(gateway.mac_address),
    called_station_id: `${dashed(gateway.mac_address)}:Guests`,
    calling_station_id: inFours(mac_address),
  }),
  reads: timeKept,
})
