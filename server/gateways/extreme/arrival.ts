// Arrival from ExtremeCloud IQ Controller: its redirects are signed with Signature Version 4, and so is what lets a guest in. The library
// that signs so for Amazon's services works asynchronously and encodes anew, where this needs the query as it was written.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { arrivalBy } from '#server/gateways/external-portal.ts'
import type { Arrival, GatewayCredentials, Redirect } from '#server/gateways/kind.ts'

const service = 'world/ecp/aws4_request'
/** A guest may take a while to read the page; a redirect that is older is a replay. */
const good_for_ms = 3_600_000
const clock_slack_ms = 600_000

const read = arrivalBy({
  marks: ['X-Amz-Signature', 'X-Amz-Date', 'token', 'mac', 'hwc_ip', 'wlan'],
  gateway_mac: ['apmac'],
  device: 'mac',
  wanted: 'dest',
})

interface Signing {
  secret: string
  host: string
  path: string
  /** Sorted and encoded, without the signature. */
  query: string
  /** As `20261127T120000Z`. */
  at: string
}

export function signatureOf({ secret, host, path, query, at }: Signing): string {
  const day = at.slice(0, 8)
  const canonical = ['GET', path, query, `host:${host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', at, `${day}/${service}`, hash].join('\n')
  const key = [day, ...service.split('/')].reduce<string | Buffer>((by, part) => hmac(by, part), `AWS4${secret}`)
  return hmac(key, text).toString('hex')
}
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

export const credentialOf = (identity: string, at: string) => `${identity}/${at.slice(0, 8)}/${service}`

export function signedArrival(redirect: Redirect): Arrival | null {
  const found = read(redirect)
  return found && { ...found, isGenuine: (gateway) => isGenuine(redirect, gateway) }
}

/** The language that our page may have added is none of what was signed. */
const ours = /^lang=/
const signature = /^X-Amz-Signature=/

function isGenuine({ address, query }: Redirect, { secret, settings }: GatewayCredentials): boolean {
  const at = query['X-Amz-Date'] ?? ''
  const identity = settings['identity']
  if (typeof identity !== 'string' || query['X-Amz-Credential'] !== credentialOf(identity, at)) return false
  const age_ms = Date.now() - momentOf(at)
  if (!(age_ms < good_for_ms && age_ms > -clock_slack_ms)) return false
  const [page = '', raw = ''] = address.split('?', 2)
  const { host, pathname } = new URL(page)
  const signed = raw.split('&').filter((pair) => !signature.test(pair) && !ours.test(pair))
  const right = signatureOf({ secret, host, path: pathname, query: signed.join('&'), at })
  const given = query['X-Amz-Signature'] ?? ''
  return /^[0-9a-f]{64}$/.test(given) && timingSafeEqual(Buffer.from(given), Buffer.from(right))
}

/** Not a number where it is none. */
function momentOf(at: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(at) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
