// Safe fetch: the one way out. Every call to another system goes through it, whoever has typed the address.
//
// The name is resolved here, each of its addresses is looked at, and the connection goes to exactly the one that was, so
// that a name cannot answer differently the second time. Redirects begin anew. Neither address nor headers are logged.
import dns from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { isInTransaction } from '#server/access/tenancy.ts'
import { reachOfAddress } from './public-address.ts'

export interface OutgoingCall {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  /** For the whole call, redirects and all. */
  timeout_ms?: number
  answer_bytes_max?: number
  redirects_max?: number
}
export interface OutgoingAnswer {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
}
export type SafeFetch = (url: string, call?: OutgoingCall) => Promise<OutgoingAnswer>

/** Why there is no answer, in words that name no secret: at most the host. */
export class NotReached extends Error {
  override name = 'NotReached'
}

const defaults = { timeout_ms: 5000, answer_bytes_max: 1024 * 1024, redirects_max: 3 }
const url_chars_max = 2048
/** What must not travel on to another origin than the one it was meant for. */
const of_origin = /^(authorization|cookie|proxy-authorization|x-api-key|x-.*-(token|key|secret|signature))$/i
/** Ours to say. */
const not_theirs = /^(host|connection|content-length|transfer-encoding|expect|upgrade|accept-encoding)$/i

type Resolve = (hostname: string) => Promise<string[]>
const byDns: Resolve = async (hostname) =>
  (await dns.lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)

/** @param allowed_hosts private hosts that may be reached all the same: `gateway.lan`, or `10.0.0.5:8443` for one port. */
export function openSafeFetch({
  allowed_hosts,
  resolve = byDns,
}: {
  allowed_hosts: readonly string[]
  /** For tests: names that mean whatever they need. */
  resolve?: Resolve
}): SafeFetch {
  const allowed = new Set(allowed_hosts.map((host) => host.toLowerCase()))

  /** The address to connect to. One bad address among many refuses the name: which is taken would be left to chance. */
  async function addressOf(url: URL): Promise<string> {
    const host = bare(url.hostname)
    const found = isIP(host) ? [host] : await resolve(host)
    const named = [url.hostname, host].some((name) => allowed.has(name) || allowed.has(`${name}:${portOf(url)}`))
    const refused = found.some((ip) => {
      const reach = reachOfAddress(ip)
      return reach === 'never' || (reach === 'allowable' && !named)
    })
    const [first] = found
    if (first === undefined) throw new NotReached(`${host} has no address`)
    if (refused) throw new NotReached(`${host} is no public address, and ALLOWED_HOSTS does not name it`)
    return first
  }

  return async (address, { timeout_ms, answer_bytes_max, redirects_max, ...first } = {}) => {
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
      if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return answer
      if (redirects_left === 0) throw new NotReached(`${url.hostname} redirects too often`)
      const next = checked(location, url)
      call = redirected(call, answer.status, url, next)
      url = next
    }
  }
}

function checked(address: string, base?: URL): URL {
  if (address.length > url_chars_max || !URL.canParse(address, base?.href))
    throw new NotReached('this is no web address')
  const url = new URL(address, base)
  if (!['http:', 'https:'].includes(url.protocol)) throw new NotReached('only http and https are called')
  if (url.username !== '' || url.password !== '') throw new NotReached('an address must not hold a name or password')
  if (base?.protocol === 'https:' && url.protocol === 'http:')
    throw new NotReached(`${base.hostname} redirects to where nothing is encrypted`)
  return url
}

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '')
const portOf = (url: URL) => url.port || (url.protocol === 'https:' ? '443' : '80')

/** What was meant for one origin does not go to another; a form that was sent is not sent again unless it must be. */
function redirected(call: OutgoingCall, status: number, from: URL, next: URL): OutgoingCall {
  const asksOnly = status === 303 || ([301, 302].includes(status) && call.method === 'POST')
  const elsewhere = from.origin !== next.origin
  if (elsewhere && !asksOnly && call.body !== undefined)
    throw new NotReached(`${from.hostname} redirects what was sent to somebody else`)
  const { body, ...rest } = call
  const headers = Object.entries(call.headers ?? {}).filter(
    ([name]) => !(elsewhere && of_origin.test(name)) && !(asksOnly && /^content-/i.test(name)),
  )
  return {
    ...rest,
    headers: Object.fromEntries(headers),
    ...(asksOnly ? { method: 'GET' } : body === undefined ? {} : { body }),
  }
}

interface Limits {
  signal: AbortSignal
  bytes_max: number
}

/** A resolver takes no signal. */
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
  const given = Object.entries(call.headers ?? {}).filter(([name]) => !not_theirs.test(name))
  const body = call.body === undefined ? undefined : Buffer.from(call.body)
  const options: https.RequestOptions = {
    // The address that was looked at; nothing is resolved again.
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
    // The certificate must be the name's. An address has none to send along.
    ...(isIP(bare(url.hostname)) ? {} : { servername: bare(url.hostname) }),
    agent: false,
    signal,
    maxHeaderSize: 16 * 1024,
  }
  const begin = url.protocol === 'https:' ? https.request : http.request
  try {
    return await new Promise((resolve, reject) => {
      const request = begin(options, (answer) => {
        read(answer, bytes_max).then(resolve, (error: Error) => {
          request.destroy()
          reject(error)
        })
      })
      request.on('error', reject)
      // Nobody is to speak another language over it.
      request.on('upgrade', (_answer, socket) => socket.destroy(new NotReached('an upgrade was not asked for')))
      request.end(body)
    })
  } catch (error) {
    if (error instanceof NotReached) throw error
    throw new NotReached(signal.aborted ? `${url.hostname} took too long` : `${url.hostname} could not be reached`)
  }
}

async function read(answer: http.IncomingMessage, bytes_max: number): Promise<OutgoingAnswer> {
  // What is packed may be a thousand times as large, and was not asked for.
  if (!['identity', undefined].includes(answer.headers['content-encoding']))
    throw new NotReached('the answer is packed, which was not asked for')
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bytes_max) throw new NotReached('the answer is too large')
    chunks.push(chunk)
  }
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }
}
