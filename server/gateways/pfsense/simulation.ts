// Simulation of a pfSense firewall: its uploaded page sends the browser to the portal, and posts back what it was given. It asks again
// with the same name and password, and takes no Disconnect.
import { bytesIn, formBox, must, wanted, wisprKept } from '#server/gateways/simulated.ts'

export const simulation = formBox({
  gateway_type_id: 11,
  says_no_class: true,
  query: ({ gateway, mac_address, host = 'hotspot.hotel.example' }) => ({
    pfsense: gateway.nas_identifier,
    zone: 'guests',
    action: `http://${host}:8002/index.php?zone=guests`,
    mac: mac_address,
    url: wanted,
    error: '',
  }),
  // The page posts them to the address of the form, which is its own.
  takes({ zone, redirurl, user, pass }, to) {
    must(to.protocol === 'http:' && to.port === '8002', `a pfSense does not listen at ${to.href}`)
    must(to.pathname === '/index.php', `a pfSense has no ${to.pathname}`)
    must(zone === 'guests', 'a pfSense has no other zone')
    must(redirurl !== undefined, 'guests are to come back')
    return { username: user, password: pass }
  },
  names: ({ gateway, mac_address }) => ({
    nas_identifier: gateway.nas_identifier,
    called_station_id: `${gateway.mac_address}:pfSense.home.arpa`,
    calling_station_id: mac_address,
  }),
  reads: (accept) => ({ ...wisprKept(accept), bytes: bytesIn(accept, 13_644, 3, 0) }),
})
