// Simulation of a UniFi controller: a console, or the software on a server, as strict as what is known of them: a certificate of its own,
// log-ins that end, a sign against forged requests, errors with 200, and no effect at a site that it does not know.
import { randomBytes } from 'node:crypto'
import type http from 'node:http'
import {
  jsonAsked,
  queryText,
  serveSimulation,
  wanted,
  type CalledController,
  type Simulation,
} from '#server/gateways/simulated.ts'

export const simulation: Simulation = {
  gateway_type_id: 4,
  has_radius: false,
  is_called: true,
  redirect: ({ gateway, mac_address }) => ({
    query: queryText({
      ap: gateway.mac_address,
      id: mac_address,
      t: String(Math.floor(Date.now() / 1000)),
      url: wanted,
      ssid: 'Guests',
    }),
    ask: () => null,
  }),
}

interface Guest {
  mac: string
  ap_mac: string | undefined
  start: number
  end: number
  minutes: number
  up: number | undefined
  down: number | undefined
  bytes_max: number | undefined
  rx_bytes: number
  tx_bytes: number
  expired: boolean
}

type Answers = (request: http.IncomingMessage, response: http.ServerResponse) => boolean

export interface SimulatedController {
  url: string
  /** By device: the last time that each was let in. */
  guests: Map<string, Guest>
  /** How often each device was let in. */
  granted: Map<string, number>
  /** What it has been asked, without the host. */
  asked: string[]
  /** The most calls that it has had at once. */
  at_once: number
  log_ins: number
  /** Ends every log-in. */
  forget(): void
  /** Answers instead of it, where it returns true. */
  instead: Answers | null
  /** Of so many guests whom it lets in, the answer is lost. */
  loses: number
  /** How long each answer takes. */
  slow_ms: number
  /** By how much its clock is behind. */
  behind_s: number
  close(): Promise<void>
}

interface Options {
  /** A console (UniFi OS), or the software on a server. */
  is_console?: boolean
  tls?: { key: string; cert: string }
  username?: string
  password?: string
  api_key?: string
  sites?: string[]
  access_points?: { mac: string; name: string }[]
}

const answer = (response: http.ServerResponse, status: number, said: unknown, headers: http.OutgoingHttpHeaders = {}) =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(said))
const fail = (response: http.ServerResponse, msg: string) =>
  answer(response, 200, { meta: { rc: 'error', msg }, data: [] })
const ok = (response: http.ServerResponse, data: unknown[]) => answer(response, 200, { meta: { rc: 'ok' }, data })

interface Credentials {
  is_console: boolean
  username: string
  password: string
  api_key: string | undefined
}

/** Whoever is signed in, with the token that a console wants besides the cookie. */
function openSessions({ is_console, username, password, api_key }: Credentials) {
  const sessions = new Map<string, string>()
  function logIn(body: Record<string, unknown>, response: http.ServerResponse) {
    if (body['username'] !== username || body['password'] !== password)
      return is_console
        ? answer(response, 403, { code: 'AUTHENTICATION_FAILED_INVALID_CREDENTIALS' })
        : answer(response, 400, { meta: { rc: 'error', msg: 'api.err.Invalid' }, data: [] })
    const csrf = randomBytes(8).toString('hex')
    const claims = Buffer.from(JSON.stringify({ csrfToken: csrf, jti: randomBytes(4).toString('hex') })).toString(
      'base64url',
    )
    const token = is_console ? `h.${claims}.s` : randomBytes(8).toString('hex')
    sessions.set(token, csrf)
    const cookie = is_console ? `TOKEN=${token}; path=/; HttpOnly` : `unifises=${token}; path=/`
    answer(response, 200, is_console ? {} : { meta: { rc: 'ok' }, data: [] }, {
      'set-cookie': [cookie, 'csrf_hint=1; path=/'],
    })
  }

  /** Whether the request is of somebody who has signed in; else it is answered. */
  function isKnown(request: http.IncomingMessage, response: http.ServerResponse): boolean {
    if (api_key !== undefined && request.headers['x-api-key'] === api_key) return true
    const [, token = ''] = /(?:TOKEN|unifises)=([^;]+)/.exec(request.headers.cookie ?? '') ?? []
    const csrf = sessions.get(token)
    if (csrf === undefined) {
      if (is_console) answer(response, 401, { code: 'UNAUTHORIZED' })
      else fail(response, 'api.err.LoginRequired')
      return false
    }
    if (is_console && request.method === 'POST' && request.headers['x-csrf-token'] !== csrf) {
      answer(response, 403, { code: 'FORBIDDEN' })
      return false
    }
    return true
  }

  return { logIn, isKnown, forget: () => sessions.clear() }
}

/** Null: the call is not as the controller wants it. */
function guestIn(body: Record<string, unknown>, start: number): Guest | null {
  const mac = String(body['mac'])
  if (!/^([\da-f]{2}:){5}[\da-f]{2}$/.test(mac) || typeof body['minutes'] !== 'number') return null
  const number = (name: string) => (typeof body[name] === 'number' ? body[name] : undefined)
  return {
    mac,
    ap_mac: typeof body['ap_mac'] === 'string' ? body['ap_mac'] : undefined,
    start,
    end: start + body['minutes'] * 60,
    minutes: body['minutes'],
    up: number('up'),
    down: number('down'),
    bytes_max: number('bytes'),
    rx_bytes: 0,
    tx_bytes: 0,
    expired: false,
  }
}

/** Listens on a port of this machine. */
export async function openController({
  is_console = true,
  tls,
  username = 'foyer',
  password = 'controller password',
  api_key,
  sites = ['default'],
  access_points = [],
}: Options = {}): Promise<SimulatedController> {
  const sessions = openSessions({ is_console, username, password, api_key })
  let running = 0
  const now_s = () => Math.floor(Date.now() / 1000) - state.behind_s
  const prefix = is_console ? '/proxy/network' : ''

  function authorise(site: string, body: Record<string, unknown>, response: http.ServerResponse) {
    const guest = guestIn(body, now_s())
    if (!guest) return fail(response, 'api.err.Invalid')
    const { mac } = guest
    if (sites.includes(site)) {
      state.guests.set(mac, guest)
      state.granted.set(mac, (state.granted.get(mac) ?? 0) + 1)
    }
    if (state.loses > 0) {
      state.loses--
      return void response.destroy()
    }
    ok(response, [{ mac, authorized_by: 'api', minutes: guest.minutes }])
  }

  function handle(request: http.IncomingMessage, response: http.ServerResponse, body: Record<string, unknown>) {
    const path = request.url ?? ''
    if (path === '/proxy/network/status') return is_console ? answer(response, 401, {}) : answer(response, 404, {})
    if (path === (is_console ? '/api/auth/login' : '/api/login')) {
      state.log_ins++
      return sessions.logIn(body, response)
    }
    if (!path.startsWith(`${prefix}/api/`)) return answer(response, 404, {})
    if (!sessions.isKnown(request, response)) return
    const asked = path.slice(prefix.length)
    if (asked === '/api/self/sites')
      return ok(
        response,
        sites.map((name) => ({ name, desc: `The site ${name}` })),
      )
    const [, site = '', what] = /^\/api\/s\/([^/]+)\/(.+)$/.exec(asked) ?? []
    if (what === 'stat/device')
      return ok(
        response,
        access_points.map((one) => ({ ...one, type: 'uap' })),
      )
    if (what === 'stat/guest')
      return ok(
        response,
        sites.includes(site)
          ? [...state.guests.values()].map(({ bytes_max: _, ...guest }) => ({
              ...guest,
              expired: guest.expired || guest.end <= now_s(),
            }))
          : [],
      )
    if (what !== 'cmd/stamgr' || request.method !== 'POST') return fail(response, 'api.err.NotFound')
    if (body['cmd'] === 'authorize-guest') return authorise(site, body, response)
    if (body['cmd'] !== 'unauthorize-guest') return fail(response, 'api.err.Invalid')
    const guest = state.guests.get(String(body['mac']))
    if (guest) guest.expired = true
    ok(response, [])
  }

  const server = await serveSimulation((request, response, body) => {
    running++
    state.at_once = Math.max(state.at_once, running)
    response.on('close', () => running--)
    state.asked.push(`${request.method} ${request.url}`)
    if (state.instead?.(request, response)) return
    setTimeout(() => handle(request, response, jsonAsked(body)), state.slow_ms)
  }, tls)
  const state: SimulatedController = {
    ...server,
    guests: new Map(),
    granted: new Map(),
    asked: [],
    at_once: 0,
    log_ins: 0,
    forget: sessions.forget,
    instead: null,
    loses: 0,
    slow_ms: 0,
    behind_s: 0,
  }
  return state
}

export const called: CalledController = {
  registered: { username: 'foyer', password: 'controller password' },
  error: { type: 'application/json', body: '{"meta":{"rc":"error","msg":"api.err.Invalid"},"data":[]}' },
  async open() {
    const { url, close, granted, guests } = await openController()
    return {
      url,
      close,
      query: (sent) => simulation.redirect(sent).query,
      times: (mac_address) => granted.get(mac_address) ?? 0,
      lasts_s: (mac_address) => (guests.get(mac_address)?.minutes ?? 0) * 60,
    }
  },
}
