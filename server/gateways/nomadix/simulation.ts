// Simulation of a Nomadix: guests whom it was given no time for would stay for ever.
import { bytesIn, formBox, must, ownNumberIn, secondsIn, together, wanted } from '#server/gateways/simulated.ts'

export const simulation = formBox({
  gateway_type_id: 10,
  query: ({ gateway, mac_address }) => ({
    OS: wanted,
    UI: gateway.nas_identifier,
    MA: together(mac_address).toUpperCase(),
    RN: '',
    PORT: '4',
  }),
  takes({ username, password }, to) {
    must(`${to.protocol}${to.port}` === 'http:1111' && to.pathname === '/usg/process', `a Nomadix has no ${to.href}`)
    return { username, password }
  },
  names: ({ mac_address }) => ({ calling_station_id: together(mac_address).toUpperCase() }),
  reads: (accept) => ({
    seconds: secondsIn(accept) ?? Infinity,
    up_kbits: ownNumberIn(accept, 3309, 1),
    down_kbits: ownNumberIn(accept, 3309, 2),
    bytes: bytesIn(accept, 3309, 28, 29),
  }),
})
