// Simulation of a Ruckus Unleashed master, which takes the form at one port with encryption, and at another without; and of a SmartZone.
import {
  dashed,
  formBox,
  jsonAsked,
  must,
  namesDevice,
  serveSimulation,
  together,
  wanted,
  wisprKept,
  type CalledController,
} from '#server/gateways/simulated.ts'

export const simulation = formBox({
  gateway_type_id: 6,
  query: ({ gateway, mac_address }) => ({
    sip: '192.168.0.253',
    mac: together(gateway.mac_address),
    client_mac: together(mac_address),
    uip: '192.168.1.106',
    lid: '',
    dn: '',
    url: wanted,
    ssid: 'Guests',
    loc: '',
    vlan: '1',
  }),
  takes({ username, password }, to) {
    must(
      ['http 9997', 'https 9998'].includes(`${to.protocol.slice(0, -1)} ${to.port}`),
      `a Ruckus does not listen at ${to.href}`,
    )
    must(to.pathname === '/login', `a Ruckus has no ${to.pathname}`)
    return { username, password }
  },
  names: ({ gateway, mac_address }) => ({
    nas_identifier: dashed(gateway.mac_address),
    called_station_id: `${dashed(gateway.mac_address)}:Guests`,
    calling_station_id: dashed(mac_address),
  }),
  reads: wisprKept,
  obeys: namesDevice,
})

/** What a SmartZone sends guests with, or Ruckus One. */
export const calledQuery = (access_point: string, mac_address: string) =>
  `?${new URLSearchParams({
    nbiIP: 'evil.example',
    client_mac: mac_address.toUpperCase(),
    reason: 'Un-Auth-Captive',
    wlanName: 'Guests',
    dn: 'sz.example',
    ssid: 'Guests',
    mac: access_point,
    url: wanted,
    proxy: '0',
    vlan: '1',
    wlan: '1',
    sip: 'sz.example',
    zoneName: 'Lobby',
    apip: '192.168.1.9',
    sshTunnelStatus: '1',
    uip: '192.168.1.106',
    StartURL: '',
  }).toString()}`

/** A controller that is called at its northbound interface: it asks RADIUS with what it is told, and answers everything with 200. */
export async function openSmartZone(
  asks: (mac_address: string, username: string, password: string) => Promise<boolean>,
  request_password = 'northbound password',
) {
  const state = { online: new Set<string>(), asked: [] as string[], loses: 0 }
  async function answer(body: Record<string, unknown>): Promise<[code: number, said: string]> {
    const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
    if (text('RequestPassword') !== request_password) return [306, 'Wrong request password']
    if (text('Vendor') !== 'ruckus' || text('APIVersion') !== '1.0') return [303, 'Version not supported']
    if (text('RequestCategory') !== 'UserOnlineControl') return [305, 'Category not supported']
    const mac = text('UE-MAC').toLowerCase()
    if (!/^([\da-f]{2}:){5}[\da-f]{2}$/.test(mac)) return [302, 'Bad request']
    state.asked.push(`${text('RequestType')} ${mac}`)
    if (text('RequestType') === 'Status')
      return state.online.has(mac) ? [101, 'Client authorized'] : [100, 'Client unauthorized']
    if (text('RequestType') === 'Logout') return state.online.delete(mac) ? [200, 'OK'] : [300, 'Not found']
    if (text('RequestType') !== 'Login') return [304, 'Command not supported']
    if (text('UE-IP') !== '192.168.1.106' || text('UE-Proxy') !== '0') return [302, 'Bad request']
    if (state.online.has(mac)) return [101, 'Client authorized']
    if (!(await asks(mac, text('UE-Username'), text('UE-Password')))) return [301, 'Login failed']
    state.online.add(mac)
    return [201, 'Login succeeded']
  }
  const server = await serveSimulation((request, response, body) => {
    if (request.method !== 'POST' || request.url !== '/portalintf') return void response.writeHead(404).end()
    void answer(jsonAsked(body)).then(([ResponseCode, ReplyMessage]) => {
      if (ResponseCode === 201 && state.loses-- > 0) return void response.destroy()
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ Vendor: 'ruckus', APIVersion: '1.0', ResponseCode, ReplyMessage }))
    })
  })
  return Object.assign(state, server)
}

export const called: CalledController = {
  registered: { password: 'northbound password' },
  error: { type: 'application/json', body: '{"ResponseCode":302,"ReplyMessage":"Bad request"}' },
  async open() {
    const { url, close, asked } = await openSmartZone(() => Promise.resolve(true))
    return {
      url,
      close,
      query: ({ gateway, mac_address }) => calledQuery(gateway.mac_address, mac_address),
      times: (mac_address) => asked.filter((one) => one === `Login ${mac_address}`).length,
      // What RADIUS has told it.
      lasts_s: () => null,
    }
  },
}
