// Simulation of an Omada controller with a RADIUS portal: it knows the guest by what it sent, and hashes the password.
import { randomBytes } from 'node:crypto'
import type http from 'node:http'
import {
  dashed,
  formBox,
  jsonAsked,
  must,
  ownNumberIn,
  secondsIn,
  serveSimulation,
  wanted,
  type CalledController,
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

/** One time that somebody was let in. */
interface Row {
  id: string
  mac: string
  valid: boolean
  /** By its own clock. */
  ends_at: number
  said: Record<string, unknown>
}
const isValid = ({ valid, ends_at }: Row) => valid && ends_at > Date.now()
/** What a site is called, and what its paths have in the place of that. */
const site = { name: 'Default', id: '6aa3913c3ee1605f71ac35a1' }
const other_site = { name: 'Annex', id: '6aa3913c3ee1605f71ac35a2' }

/** A controller that is called: both of its cookies and its token are needed, and it answers others with its log-in page. */
export async function openController({ name = 'foyer', password = 'operator password', lists_sites = true } = {}) {
  const id = randomBytes(16).toString('hex')
  const sessions = new Map<string, string>()
  const rows: Row[] = []
  const timesOf = (mac: string) => rows.filter((row) => row.mac === mac)
  const state = { rows, timesOf, log_ins: 0, lists: 0, is_sorted: true, forget: () => sessions.clear() }
  /** Of an operator who may list no sites, it is the name. */
  const site_path = `/sites/${lists_sites ? site.id : site.name}`
  const server = await serveSimulation((request, response, text) => {
    const body = jsonAsked(text)
    const say = (said: unknown, headers: http.OutgoingHttpHeaders = {}) =>
      void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(said))
    const ok = (result: unknown) => say({ errorCode: 0, msg: 'Success.', result })
    const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://controller')
    const page = <R>(all: R[]) => {
      const [number, size] = [
        Number(searchParams.get('currentPage')) || 1,
        Number(searchParams.get('currentPageSize')) || 10,
      ]
      return ok({ totalRows: all.length, data: all.slice((number - 1) * size, number * size) })
    }
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
      const ends_at = Date.now() + Number(body['time'])
      rows.push({ id: `c${rows.length + 1}`, mac, valid: true, ends_at, said: body })
      return ok(null)
    }
    if (path === `/${id}/api/v2/user/sites`)
      return lists_sites ? page([other_site, site]) : say({ errorCode: -1005, msg: 'Operation forbidden.' })
    if (path === `${base}${site_path}/clients`) {
      state.lists++
      const isAsked = state.is_sorted && searchParams.get('sorts.end') === 'desc'
      const listed = isAsked ? rows.toSorted((one, next) => next.ends_at - one.ends_at) : rows
      return page(listed.map((row) => ({ id: row.id, mac: row.mac, end: row.ends_at, valid: isValid(row) })))
    }
    const [, ended] = path.startsWith(`${base}${site_path}/`)
      ? (/\/cmd\/clients\/(\w+)\/disconnect$/.exec(path) ?? [])
      : []
    const row = rows.find((one) => one.id === ended)
    if (!row) return say({ errorCode: -1001, msg: 'Auth record does not exist.' })
    Object.assign(row, { valid: false, ends_at: Math.min(row.ends_at, Date.now()) })
    ok(null)
  })
  return Object.assign(state, server)
}

export const called: CalledController = {
  registered: { username: 'foyer', password: 'operator password' },
  error: { type: 'application/json', body: '{"errorCode":-1,"msg":"General error."}' },
  async open() {
    const { url, close, timesOf } = await openController()
    return {
      url,
      close,
      query: ({ gateway, mac_address }) => calledQuery(gateway.mac_address, mac_address),
      times: (mac_address) => timesOf(dashed(mac_address)).length,
      lasts_s: (mac_address) => ((timesOf(dashed(mac_address)).at(-1)?.ends_at ?? 0) - Date.now()) / 1000,
    }
  },
}
