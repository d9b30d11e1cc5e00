// Simulation of an Aruba Instant access point: its name is answered to inside only, and it wants the command among the fields.
import { formBox, must, namesDevice, timeKept, together, wanted } from '#server/gateways/simulated.ts'

export const simulation = formBox({
  gateway_type_id: 7,
  own_host: 'securelogin.arubanetworks.com',
  query: ({ gateway, mac_address }) => ({
    cmd: 'login',
    mac: mac_address,
    essid: 'Guests',
    ip: '172.31.98.12',
    apname: 'lobby',
    apmac: gateway.mac_address,
    vcname: 'instant-1',
    switchip: 'securelogin.arubanetworks.com',
    url: wanted,
  }),
  takes({ user, password, cmd }, to) {
    must(to.href === 'https://securelogin.arubanetworks.com/cgi-bin/login', `an Aruba does not listen at ${to.href}`)
    must(cmd === 'authenticate', 'an Aruba wants cmd=authenticate')
    return { username: user, password }
  },
  names: ({ gateway, mac_address }) => ({
    called_station_id: together(gateway.mac_address),
    calling_station_id: together(mac_address),
    nas_ip_address: Buffer.from([10, 0, 0, 7]),
    service_type: 1,
  }),
  reads: timeKept,
  obeys: namesDevice,
})
