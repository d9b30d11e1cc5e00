// Safe fetch: the one way out. Every call to another system goes through it, whoever entered the address.
//
// The name is resolved here, each of its addresses is checked, and the connection goes to exactly the address that was checked, so
// that a second look-up cannot give another one. Redirects are checked again. Neither addresses nor headers are logged.
import dns from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import tls from 'node:tls'
import { isInTransaction } from '#server/access/tenancy.ts'
import { reachOfAddress } from './public-address.ts'

export interface OutgoingCall {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  /** For the whole call including redirects. */
  timeout_ms?: number
  answer_bytes_max?: number
  redirects_max?: number
  /** A redirect is answered as it came. */
  as_is?: boolean
  /** The certificate (SHA-256, as `AB:CD:…`) that is good without an authority; null: none yet, so it is told which one was shown. */
  pinned?: string | null
}
export interface OutgoingAnswer {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
}
export type SafeFetch = (url: string, call?: OutgoingCall) => Promise<OutgoingAnswer>

/** There was no answer. The message has no secrets, at most the host. */
export class NotReached extends Error {
  override name = 'NotReached'
}

/** No authority stands for the certificate that was shown, and nobody has accepted it. Nothing was sent. */
export class NotTrusted extends NotReached {
  override name = 'NotTrusted'
  readonly fingerprint: string
  constructor(host: string, fingerprint: string) {
    super(`${host} has a certificate that no known authority has signed`)
    this.fingerprint = fingerprint
  }
}

const defaults = { timeout_ms: 5000, answer_bytes_max: 1024 * 1024, redirects_max: 3 }
const url_chars_max = 2048
/** Headers that must not be sent to another origin after a redirect. */
const of_origin = /^(authorization|cookie|proxy-authorization|x-api-key|x-.*-(token|key|secret|signature))$/i
/** Headers that only we set. */
const set_here = /^(host|connection|content-length|transfer-encoding|expect|upgrade|accept-encoding)$/i

type Resolve = (hostname: string) => Promise<string[]>
const byDns: Resolve = async (hostname) =>
  (await dns.lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)

/** Whether an address is of one of these hosts: `gateway.lan`, or `10.0.0.5:8443` for one port. */
export function namedHosts(hosts: readonly string[]): (url: string) => boolean {
  const all = new Set(hosts.map((host) => host.toLowerCase()))
  return (address) => {
    const url = new URL(address)
    return [url.hostname, bare(url.hostname)].some((name) => all.has(name) || all.has(`${name}:${portOf(url)}`))
  }
}

export interface Reaching {
  /** Private hosts that may be reached nevertheless: `gateway.lan`, or `10.0.0.5:8443` for one port. */
  allowed_hosts: readonly string[]
  /** For tests. */
  resolve?: Resolve
}

/** Finds the address to connect to, and refuses one that must not be reached. */
export function checkedAddresses({ allowed_hosts, resolve = byDns }: Reaching): (url: URL) => Promise<string> {
  const isNamed = namedHosts(allowed_hosts)

  /** One bad address among several refuses the name, since the choice between them would be random. */
  return async (url) => {
    const host = bare(url.hostname)
    const found = isIP(host) ? [host] : await resolve(host)
    const named = isNamed(url.href)
    const refused = found.some((ip) => {
      const reach = reachOfAddress(ip)
      return reach === 'never' || (reach === 'allowable' && !named)
    })
    const [first] = found
    if (first === undefined) throw new NotReached(`${host} has no address`)
    if (refused) throw new NotReached(`${host} is not a public address, and is not in ALLOWED_HOSTS`)
    return first
  }
}

export function openSafeFetch(reaching: Reaching): SafeFetch {
  const addressOf = checkedAddresses(reaching)
  return async (address, { timeout_ms, answer_bytes_max, redirects_max, as_is = false, ...first } = {}) => {
    if (isInTransaction()) throw new Error('A transaction is open: call out before or after it.')
    const limits = {
      signal: AbortSignal.timeout(timeout_ms ?? defaults.timeout_ms),
      bytes_max: answer_bytes_max ?? defaults.answer_bytes_max,
    }
    let url = checked(address)
    let call: OutgoingCall = first
    for (let redirects_left = redirects_max ?? defaults.redirects_max; ; redirects_left--) {
      const ip = await inTime(addressOf(url), limits.signal, url)
      const answer = await send(url, ip, call, limits)
      const location = answer.headers.location
      if (as_is || ![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return answer
      if (redirects_left === 0) throw new NotReached(`${url.hostname} redirects too often`)
      const next = checked(location, url)
      call = redirected(call, answer.status, url, next)
      url = next
    }
  }
}

function checked(address: string, base?: URL): URL {
  if (address.length > url_chars_max || !URL.canParse(address, base?.href))
    throw new NotReached('this is not a web address')
  const url = new URL(address, base)
  if (!['http:', 'https:'].includes(url.protocol)) throw new NotReached('only http and https are allowed')
  if (url.username !== '' || url.password !== '') throw new NotReached('an address must not hold a name or password')
  if (base?.protocol === 'https:' && url.protocol === 'http:')
    throw new NotReached(`${base.hostname} redirects to an unencrypted address`)
  return url
}

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '')
const portOf = (url: URL) => url.port || (url.protocol === 'https:' ? '443' : '80')

/** The call after a redirect. Secrets and a body do not go to another origin; a POST becomes a GET unless the status forbids it. */
function redirected(call: OutgoingCall, status: number, from: URL, next: URL): OutgoingCall {
  const becomesGet = status === 303 || ([301, 302].includes(status) && call.method === 'POST')
  const elsewhere = from.origin !== next.origin
  if (elsewhere && !becomesGet && call.body !== undefined)
    throw new NotReached(`${from.hostname} redirects the request to another host`)
  const { body, ...rest } = call
  const headers = Object.entries(call.headers ?? {}).filter(
    ([name]) => !(elsewhere && of_origin.test(name)) && !(becomesGet && /^content-/i.test(name)),
  )
  return {
    ...rest,
    headers: Object.fromEntries(headers),
    ...(becomesGet ? { method: 'GET' } : body === undefined ? {} : { body }),
  }
}

interface Limits {
  signal: AbortSignal
  bytes_max: number
}

/** For the resolver, which takes no signal. */
async function inTime<T>(work: Promise<T>, signal: AbortSignal, url: URL): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new NotReached(`${url.hostname} took too long`)), { once: true })
  })
  try {
    return await Promise.race([work, late])
  } catch (error) {
    throw error instanceof NotReached ? error : new NotReached(`${url.hostname} could not be found`)
  }
}

async function send(url: URL, ip: string, call: OutgoingCall, { signal, bytes_max }: Limits): Promise<OutgoingAnswer> {
  const given = Object.entries(call.headers ?? {}).filter(([name]) => !set_here.test(name))
  const body = call.body === undefined ? undefined : Buffer.from(call.body)
  const options: https.RequestOptions = {
    // The address that was checked; the name is not resolved again.
    host: ip,
    port: portOf(url),
    path: url.pathname + url.search,
    method: call.method ?? 'GET',
    headers: {
      ...Object.fromEntries(given),
      host: url.host,
      'accept-encoding': 'identity',
      ...(body && { 'content-length': body.length }),
    },
    // The certificate must be that of the name. For an address there is no server name to send.
    ...(isIP(bare(url.hostname)) ? {} : { servername: bare(url.hostname) }),
    agent: false,
    signal,
    maxHeaderSize: 16 * 1024,
  }
  const begin = url.protocol === 'https:' ? https.request : http.request
  try {
    if (url.protocol === 'https:' && call.pinned !== undefined) {
      const socket = await trusted(url, ip, call.pinned, signal)
      // An agent would open a connection of its own.
      options.agent = undefined
      options.createConnection = () => socket
    }
    return await new Promise((resolve, reject) => {
      const request = begin(options, (answer) => {
        read(answer, bytes_max).then(resolve, (error: Error) => {
          request.destroy()
          reject(error)
        })
      })
      request.on('error', reject)
      // Another protocol must not be used on this connection.
      request.on('upgrade', (_answer, socket) => socket.destroy(new NotReached('an upgrade was not asked for')))
      request.end(body)
    })
  } catch (error) {
    if (error instanceof NotReached) throw error
    const why = isOfCertificate(error) ? 'has a certificate that is not valid for it' : 'could not be reached'
    throw new NotReached(`${url.hostname} ${signal.aborted ? 'took too long' : why}`)
  }
}

/** A connection whose certificate an authority stands for, or that is the pinned one: seen before anything is sent. */
async function trusted(url: URL, ip: string, pinned: string | null, signal: AbortSignal): Promise<tls.TLSSocket> {
  const host = bare(url.hostname)
  const name = isIP(host) ? {} : { servername: host }
  const socket = tls.connect({ host: ip, port: Number(portOf(url)), ...name, rejectUnauthorized: false })
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('too late')), { once: true })
      socket.once('secureConnect', resolve)
      socket.once('error', reject)
    })
    const { fingerprint256 } = socket.getPeerCertificate()
    if (!socket.authorized && fingerprint256 !== pinned) throw new NotTrusted(host, fingerprint256)
    return socket
  } catch (error) {
    socket.on('error', () => {})
    socket.destroy()
    throw error
  }
}

/** By the codes of OpenSSL and Node. */
const isOfCertificate = (error: unknown) =>
  error instanceof Error && 'code' in error && /CERT|LEAF_SIGNATURE/.test(String(error.code))

async function read(answer: http.IncomingMessage, bytes_max: number): Promise<OutgoingAnswer> {
  // A compressed answer may be a thousand times as large, and was not requested.
  if (!['identity', undefined].includes(answer.headers['content-encoding']))
    throw new NotReached('the answer is compressed, which was not requested')
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bytes_max) throw new NotReached('the answer is too large')
    chunks.push(chunk)
  }
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }
}
