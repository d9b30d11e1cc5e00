// Simulation of a FortiGate with a FortiAP: it knows the guest by its magic number.
import { randomBytes } from 'node:crypto'
import { dashed, formBox, must, namesDevice, timeKept, type SentGuest } from '#server/gateways/simulated.ts'

const known = new Map<string, string>()
function magicOf({ mac_address }: SentGuest) {
  const magic = randomBytes(8).toString('hex')
  known.set(magic, mac_address)
  return magic
}

export const simulation = formBox({
  gateway_type_id: 16,
  query: (sent) => ({
    post: 'http://172.172.172.1:1000/fgtauth',
    magic: magicOf(sent),
    usermac: sent.mac_address,
    apmac: sent.gateway.mac_address,
    apip: '172.172.172.2',
    userip: '172.172.172.20',
    ssid: 'Guests',
    apname: 'lobby',
    bssid: sent.gateway.mac_address,
  }),
  takes({ username, password, magic = '' }, to, { mac_address }) {
    must(`${to.protocol}${to.port}` === 'http:1000' && to.pathname === '/fgtauth', `a FortiGate has no ${to.href}`)
    must(known.get(magic) === mac_address, 'a FortiGate does not know this magic number')
    return { username, password }
  },
  names: ({ gateway, mac_address }) => ({
    called_station_id: `${dashed(gateway.mac_address)}:Guests`,
    calling_station_id: dashed(mac_address),
  }),
  reads: timeKept,
  obeys: namesDevice,
})
