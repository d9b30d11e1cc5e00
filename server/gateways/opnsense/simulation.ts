// Simulation of an OPNsense firewall: the page that was uploaded to it, and its API, which lets in whoever has an address, keeps no time,
// and answers with nothing for a zone that it does not have.
import { randomBytes } from 'node:crypto'
import {
  queryText,
  serveSimulation,
  wanted,
  type CalledController,
  type Simulation,
} from '#server/gateways/simulated.ts'

export const simulation: Simulation = {
  gateway_type_id: 12,
  has_radius: false,
  is_called: true,
  redirect: ({ gateway, mac_address }) => ({
    query: queryText({ opnsense: gateway.nas_identifier, mac: mac_address, ip: '192.168.1.77', url: wanted }),
    ask: () => null,
  }),
}

interface Session {
  zoneid: string
  sessionId: string
  authenticated_via: string
  userName: string
  ipAddress: string
  macAddress: string | null
  startTime: number
  bytes_in: number
  bytes_out: number
}

/** Listens on a port of this machine. */
export async function openFirewall({
  key = 'k3y',
  secret = 's3cret',
  zones = { 0: 'Guests' },
}: { key?: string; secret?: string; zones?: Record<string, string> } = {}) {
  const state = {
    sessions: [] as Session[],
    /** Its ARP table: devices by address. */
    devices: new Map<string, string>(),
    /** How often each device was let in. */
    granted: new Map<string, number>(),
    asked: [] as string[],
  }
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`

  function connect(zoneid: string, form: URLSearchParams): unknown {
    const [user, ip] = [form.get('user'), form.get('ip')]
    if (zones[zoneid] === undefined || !user || !ip) return []
    const present = state.sessions.find((one) => one.zoneid === zoneid && one.ipAddress === ip)
    if (present) return present
    const macAddress = state.devices.get(ip) ?? null
    const session: Session = {
      zoneid,
      sessionId: randomBytes(16).toString('base64'),
      authenticated_via: 'API',
      userName: user,
      ipAddress: ip,
      macAddress,
      startTime: Date.now() / 1000,
      bytes_in: 0,
      bytes_out: 0,
    }
    state.sessions.push(session)
    if (macAddress !== null) state.granted.set(macAddress, (state.granted.get(macAddress) ?? 0) + 1)
    return { ...session, clientState: 'AUTHORIZED' }
  }
  function disconnect(form: URLSearchParams): unknown {
    const found = state.sessions.findIndex((one) => one.sessionId === form.get('sessionId'))
    if (found < 0) return []
    const [session] = state.sessions.splice(found, 1)
    return { sessionId: session?.sessionId, terminateCause: 'Admin-Reset' }
  }
  function answer(method: string, [call, zone = '']: string[], form: URLSearchParams): unknown {
    if (call === 'zones') return Object.keys(zones).length === 0 ? [] : zones
    if (call === 'list') return zones[zone] === undefined ? [] : state.sessions.filter((one) => one.zoneid === zone)
    if (method !== 'POST') return []
    return call === 'connect' ? connect(zone, form) : call === 'disconnect' ? disconnect(form) : undefined
  }

  const server = await serveSimulation((request, response, body) => {
    const say = (status: number, said: unknown) =>
      void response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(said))
    state.asked.push(`${request.method} ${request.url}`)
    if (request.headers.authorization !== authorization)
      return say(401, { status: 401, message: 'Authentication Failed' })
    const [, path] = /^\/api\/captiveportal\/session\/(.+)$/.exec(request.url ?? '') ?? []
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
    const form = new URLSearchParams(isForm ? body : '')
    const said = path === undefined ? undefined : answer(request.method ?? '', path.split('/'), form)
    return said === undefined ? say(404, { errorMessage: 'Endpoint not found' }) : say(200, said)
  })
  return Object.assign(state, server)
}

export const called: CalledController = {
  registered: { username: 'k3y', password: 's3cret' },
  error: { type: 'application/json', body: '[]' },
  async open() {
    const { url, close, granted, devices } = await openFirewall()
    return {
      url,
      close,
      query({ gateway, mac_address }) {
        const ip = `192.168.1.${devices.size + 2}`
        devices.set(ip, mac_address)
        return queryText({ opnsense: gateway.nas_identifier, mac: mac_address, ip, url: wanted })
      },
      times: (mac_address) => granted.get(mac_address) ?? 0,
      lasts_s: () => null,
    }
  },
}
