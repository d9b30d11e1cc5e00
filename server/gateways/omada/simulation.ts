// Simulation of an Omada controller with a RADIUS portal: it knows the guest by what it sent, and hashes the password.
import { randomBytes } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  dashed,
  formBox,
  must,
  ownNumberIn,
  secondsIn,
  wanted,
  type SimulatedCall,
} from '#server/gateways/simulated.ts'

export const simulation = formBox({
  gateway_type_id: 5,
  chap: true,
  query: ({ gateway, mac_address }) => ({
    target: '192.168.0.2',
    targetPort: '8088',
    scheme: 'http',
    clientMac: dashed(mac_address),
    clientIp: '192.168.0.77',
    apMac: dashed(gateway.mac_address),
    ssidName: 'Guests',
    radioId: '0',
    originUrl: wanted,
    radiusServerIp: '10.0.0.1',
  }),
  takes({ clientMac, apMac, ssidName, radioId, authType, username, password }, to, { gateway, mac_address }) {
    must(
      `${to.protocol}${to.port}` === 'http:8088' && to.pathname === '/portal/radius/browserauth',
      `no portal at ${to.href}`,
    )
    must(authType === '2', 'Omada −41500: the type of authentication is wrong')
    must(clientMac === dashed(mac_address) && apMac === dashed(gateway.mac_address), 'Omada −1001: parameters')
    must(ssidName === 'Guests' && radioId === '0', 'Omada −1001: parameters')
    return { username, password }
  },
  names: ({ gateway, mac_address }) => ({
    nas_identifier: 'TP-Link',
    called_station_id: `${dashed(gateway.mac_address)}:Guests`,
    calling_station_id: dashed(mac_address),
  }),
  reads: (accept) => ({
    seconds: secondsIn(accept),
    up_kbits: ownNumberIn(accept, 11_863, 1),
    down_kbits: ownNumberIn(accept, 11_863, 2),
  }),
})

/** What a portal of the type External Portal Server sends guests with. */
export const calledQuery = (access_point: string, mac_address: string) =>
  `?${new URLSearchParams({
    clientMac: dashed(mac_address),
    clientIp: '198.51.100.7',
    t: String(Math.floor(Date.now() / 1000)),
    site: 'Default',
    redirectUrl: wanted,
    apMac: dashed(access_point),
    ssidName: 'Guests',
    radioId: '0',
  }).toString()}`

interface Client {
  id: string
  mac: string
  valid: boolean
  /** By its own clock. */
  ends_at: number
  said: Record<string, unknown>
}

/** A controller that is called: both of its cookies and its token are needed, and it answers others with its log-in page. */
export async function openController({ name = 'foyer', password = 'operator password' } = {}) {
  const id = randomBytes(16).toString('hex')
  const sessions = new Map<string, string>()
  const clients = new Map<string, Client>()
  const state = { clients, log_ins: 0, granted: new Map<string, number>(), forget: () => sessions.clear() }
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
      const say = (said: unknown, headers: http.OutgoingHttpHeaders = {}) =>
        void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(said))
      const ok = (result: unknown) => say({ errorCode: 0, msg: 'Success.', result })
      const path = request.url ?? ''
      if (path === '/api/info') return ok({ omadacId: id, controllerVer: '6.2.10' })
      const base = `/${id}/api/v2/hotspot`
      if (path === `${base}/login`) {
        state.log_ins++
        if (body['name'] !== name || body['password'] !== password)
          return say({ errorCode: -30109, msg: 'Invalid username or password.' })
        const [session, token] = [randomBytes(8).toString('hex'), randomBytes(8).toString('hex')]
        sessions.set(session, token)
        const cookies = [
          `TPOMADA_SESSIONID=${session}; Path=/${id}; HttpOnly`,
          `rememberMe=${session.slice(0, 4)}; Path=/`,
        ]
        return say({ errorCode: 0, result: { token } }, { 'set-cookie': cookies })
      }
      const { cookie = '' } = request.headers
      const [, session = ''] = /TPOMADA_SESSIONID=(\w+)/.exec(cookie) ?? []
      const token = sessions.get(session)
      if (!token || token !== request.headers['csrf-token'] || !cookie.includes('rememberMe='))
        return void response.writeHead(302, { location: `/${id}/login` }).end()
      if (path === `${base}/extPortal/auth`) {
        const complete = ['clientMac', 'clientIp', 'apMac', 'ssidName', 'radioId', 'site', 'time']
        if (body['authType'] !== '4' || complete.some((one) => typeof body[one] !== 'string'))
          return say({ errorCode: -1001, msg: 'Invalid request parameters.' })
        const mac = String(body['clientMac'])
        clients.set(mac, {
          id: `c${clients.size + 1}`,
          mac,
          valid: true,
          ends_at: Date.now() + Number(body['time']),
          said: body,
        })
        state.granted.set(mac, (state.granted.get(mac) ?? 0) + 1)
        return ok(null)
      }
      if (path.startsWith(`${base}/sites/Default/clients?`))
        return ok({
          totalRows: clients.size,
          data: [...clients.values()].map((one) => ({
            id: one.id,
            mac: one.mac,
            valid: one.valid && one.ends_at > Date.now(),
          })),
        })
      const [, ended] = /\/sites\/Default\/cmd\/clients\/(\w+)\/disconnect$/.exec(path) ?? []
      const client = [...clients.values()].find((one) => one.id === ended)
      if (!client) return say({ errorCode: -1, msg: 'General error.' })
      client.valid = false
      ok(null)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return Object.assign(state, { url: `http://127.0.0.1:${port}`, close })
}

export const called: SimulatedCall = {
  registered: { username: 'foyer', password: 'operator password' },
  error: { type: 'application/json', body: '{"errorCode":-1,"msg":"General error."}' },
  async open() {
    const { url, close, granted, clients } = await openController()
    return {
      url,
      close,
      query: ({ gateway, mac_address }) => calledQuery(gateway.mac_address, mac_address),
      times: (mac_address) => granted.get(dashed(mac_address)) ?? 0,
      lasts_s: (mac_address) => ((clients.get(dashed(mac_address))?.ends_at ?? 0) - Date.now()) / 1000,
    }
  },
}
