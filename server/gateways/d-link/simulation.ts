// Simulation of a D-Link access point: it knows the guest by the query of its login address.
import { randomBytes } from 'node:crypto'
import { dashed, formBox, must, timeKept, wanted, type SentGuest } from '#server/gateways/simulated.ts'

const known = new Map<string, string>()
function stateOf({ mac_address }: SentGuest) {
  const state = randomBytes(8).toString('hex')
  known.set(state, mac_address)
  return state
}

export const simulation = formBox({
  gateway_type_id: 21,
  query: (sent) => ({
    continue_url: wanted,
    login_url: `http://ap.example/splash/login?state=${stateOf(sent)}`,
    ssid: 'Guests',
    ap_mac: sent.gateway.mac_address,
    mauth: 'x',
    ip: '10.0.0.30',
    mac: sent.mac_address,
    logout_url: 'http://ap.example/logout',
  }),
  takes({ username, password }, to, { mac_address }) {
    must(
      to.pathname === '/splash/login' && known.get(to.searchParams.get('state') ?? '') === mac_address,
      `no guest at ${to.href}`,
    )
    return { username, password }
  },
  names: ({ gateway, mac_address }) => ({
    called_station_id: `${dashed(gateway.mac_address)}:Guests`,
    calling_station_id: dashed(mac_address),
  }),
  reads: timeKept,
})
