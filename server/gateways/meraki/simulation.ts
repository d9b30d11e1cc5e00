// Simulation of a Meraki network with a sign-on splash: the cloud knows the guest by what it wrote into the login address; and of one
// with a click-through, which asks nobody.
import { randomBytes } from 'node:crypto'
import {
  dashed,
  formBox,
  must,
  queryText,
  timeKept,
  wanted,
  type SentGuest,
  type Simulation,
} from '#server/gateways/simulated.ts'

const known = new Map<string, string>()
function mauthOf({ mac_address }: SentGuest) {
  const mauth = `MM${randomBytes(16).toString('base64url')}=`
  known.set(mauth, mac_address)
  return mauth
}

export const simulation = formBox({
  gateway_type_id: 8,
  own_host: 'n949.network-auth.com',
  query: (sent) => ({
    login_url: `https://n949.network-auth.com/splash/login${queryText({ mauth: mauthOf(sent), continue_url: wanted })}`,
    continue_url: wanted,
    ap_mac: sent.gateway.mac_address,
    ap_name: 'lobby',
    ap_tags: 'recently-added',
    client_mac: sent.mac_address,
    client_ip: '10.20.30.40',
  }),
  takes({ username, password }, to, { mac_address }) {
    must(`${to.origin}${to.pathname}` === 'https://n949.network-auth.com/splash/login', `no splash at ${to.href}`)
    must(known.get(to.searchParams.get('mauth') ?? '') === mac_address, 'the cloud does not know this guest')
    return { username, password }
  },
  names: ({ gateway, mac_address }) => ({
    nas_identifier: 'Cisco Meraki cloud RADIUS client',
    called_station_id: `${dashed(gateway.mac_address)}:Guests`,
    calling_station_id: dashed(mac_address),
  }),
  reads: timeKept,
})

const grant = 'https://n93.network-auth.com/splash/grant'
const clickThrough: Simulation = {
  gateway_type_id: 8,
  settings: { splash: 'click_through' },
  has_radius: false,
  own_host: 'n93.network-auth.com',
  redirect: ({ gateway, mac_address }) => ({
    query: queryText({
      base_grant_url: grant,
      user_continue_url: wanted,
      node_id: '149624921787028',
      node_mac: gateway.mac_address,
      gateway_id: '149624921787028',
      client_ip: '10.20.30.40',
      client_mac: mac_address,
    }),
    ask({ continue_url = '' }, to) {
      must(`${to.origin}${to.pathname}` === grant, `no grant at ${to.href}`)
      must(URL.canParse(continue_url), 'the cloud does not know where the guest goes on to')
      return null
    },
  }),
  letsIn: ({ duration }) => ({ seconds: duration === undefined ? undefined : Number(duration) }),
}
export const others = [clickThrough]
