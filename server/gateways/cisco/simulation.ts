// Simulation of a Cisco controller: without the number of its button it shows its own page again.
import { formBox, must, namesDevice, numberIn, ownNumberIn, secondsIn } from '#server/gateways/simulated.ts'

const lower = (mac_address: string) => mac_address.replaceAll(':', '-')
const service_type = 6

export const simulation = formBox({
  gateway_type_id: 14,
  query: ({ gateway, mac_address }) => ({
    switch_url: 'https://virtual.example/login.html',
    ap_mac: gateway.mac_address,
    client_mac: mac_address,
    wlan: 'Guests',
    redirect: 'connectivity.example/',
  }),
  takes({ username, password, buttonClicked, err_flag }, to) {
    must(to.protocol === 'https:' && to.port === '' && to.pathname === '/login.html', `a controller has no ${to.href}`)
    must(buttonClicked === '4' && err_flag === '0', 'the page is shown again')
    return { username, password }
  },
  names: ({ gateway, mac_address }) => ({
    nas_identifier: 'wlc',
    called_station_id: `${lower(gateway.mac_address)}:Guests`,
    calling_station_id: lower(mac_address),
    service_type: 1,
  }),
  reads: (accept) => ({
    seconds: secondsIn(accept),
    up_kbits: ownNumberIn(accept, 14_179, 13),
    down_kbits: ownNumberIn(accept, 14_179, 7),
  }),
  obeys: (request, session) => namesDevice(request, session) && numberIn(request, service_type) === 1,
})
