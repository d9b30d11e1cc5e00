// Simulation of a SonicWall with external guest authentication: it lets in who has a session of its own, for the seconds that it is told.
import { randomBytes } from 'node:crypto'
import {
  queryText,
  serveSimulation,
  together,
  wanted,
  type SentGuest,
  type Simulation,
  type CalledController,
} from '#server/gateways/simulated.ts'

const query = ({ gateway, mac_address, host = '10.0.0.6' }: SentGuest, sessionId: string) =>
  queryText({
    ssid: 'Guests',
    sessionId,
    ip: '192.168.1.77',
    mac: mac_address,
    ufi: together(gateway.mac_address).toUpperCase(),
    mgmtBaseUrl: `https://${host}:4043/`,
    clientRedirectUrl: 'https://evil.example/',
    req: wanted,
  })

export const simulation: Simulation = {
  gateway_type_id: 24,
  has_radius: false,
  is_called: true,
  redirect: (sent) => ({ query: query(sent, randomBytes(8).toString('hex')), ask: () => null }),
}

/** Listens on a port of this machine. */
export async function openSonicWallBox() {
  const sessions = new Map<string, { mac_address: string; seconds: number | null }>()
  const server = await serveSimulation((request, response, body) => {
    if (request.method !== 'POST' || request.url !== '/externalGuestLogin.cgi')
      return void response.writeHead(404).end('<html>')
    const form = new URLSearchParams(body)
    const [sessId, userName, seconds] = ['sessId', 'userName', 'sessionLifetime'].map((name) => form.get(name))
    const session = sessions.get(sessId ?? '')
    const isWhole = sessId && userName && /^\d+$/.test(seconds ?? '') && /^\d+$/.test(form.get('idleTimeout') ?? '')
    const code = !isWhole ? 254 : session ? 50 : 253
    if (session && code === 50) session.seconds = Number(seconds)
    response.writeHead(200, { 'content-type': 'text/xml' })
    response.end(
      `<?xml version="1.0"?><SonicWALLAccessGatewayParam><AuthenticationReply><ResponseCode>${code}</ResponseCode>` +
        '</AuthenticationReply></SonicWALLAccessGatewayParam>',
    )
  })
  return {
    ...server,
    sessions,
    query(sent: SentGuest) {
      const id = randomBytes(8).toString('hex')
      sessions.set(id, { mac_address: sent.mac_address, seconds: null })
      return query(sent, id)
    },
  }
}

export const called: CalledController = {
  registered: {},
  error: {
    type: 'text/xml',
    body: '<SonicWALLAccessGatewayParam><ResponseCode>99</ResponseCode></SonicWALLAccessGatewayParam>',
  },
  async open() {
    const { url, close, sessions, query: queryFor } = await openSonicWallBox()
    const of = (mac: string) =>
      [...sessions.values()].filter(({ mac_address, seconds }) => mac_address === mac && seconds !== null)
    return {
      url,
      close,
      query: queryFor,
      times: (mac_address) => of(mac_address).length,
      lasts_s: (mac_address) => of(mac_address)[0]?.seconds ?? 0,
    }
  },
}
