// Simulation of an access point of ExtremeCloud IQ (HiveOS).
import { formBox, must, namesDevice, dashed, timeKept, together, wanted } from '#server/gateways/simulated.ts'

export const simulation = formBox({
  gateway_type_id: 15,
  own_host: '1.1.1.1',
  query: ({ gateway, mac_address }) => ({
    url: wanted,
    ssid: 'Guests',
    mac: together(mac_address),
    autherr: '0',
    challenge: 'b2f6b1f0b33dbd0d',
    'Called-Station-Id': dashed(gateway.mac_address),
    'NAS-IP-Address': '192.168.1.9',
    'RADIUS-NAS-IP': '192.168.1.9',
    'Calling-Station-Id': dashed(mac_address),
    'STA-IP': '192.168.1.77',
    'NAS-ID': gateway.nas_identifier,
    'MGT-MAC-Address': together(gateway.mac_address),
  }),
  takes({ username, password, autherr, ssid, Submit2 }, to) {
    must(to.href === 'http://1.1.1.1/reg.php', `an access point has no ${to.href}`)
    must(autherr === '0' && ssid === 'Guests' && Submit2 !== undefined, 'the form is not whole')
    return { username, password }
  },
  names: ({ gateway, mac_address }) => ({
    called_station_id: dashed(gateway.mac_address),
    calling_station_id: dashed(mac_address),
  }),
  reads: timeKept,
  obeys: namesDevice,
})
