// Device: describes the browser in which somebody signs in, and recognises it by a mark.
import { timingSafeEqual } from 'node:crypto'
import Bowser from 'bowser'
import type { FastifyRequest } from 'fastify'
import { hashOf } from '#server/access/authenticate.ts'
import { networkOf } from '#server/access/network.ts'
import type { Fingerprint } from '#server/secrets/seal.ts'

const shown_max = 60

/** `Firefox on Windows`; the beginning of the user agent where it is not that of a browser. */
export function deviceIn(agent: string | null): string {
  if (!agent) return 'An unknown device'
  const { browser, os } = Bowser.parse(agent)
  const words = [browser.name, os.name].filter(Boolean)
  return words.length > 0 ? words.join(' on ') : agent.slice(0, shown_max)
}

type RequestOrigin = Pick<FastifyRequest, 'headers' | 'ip'>

/** The mark that a browser has chosen for itself and, once somebody has signed in there, our signature of it. */
function marked({ headers }: RequestOrigin): { mark: string; signature: string | undefined } | null {
  const [, mark, signature] = /^([\w-]{16,64})(?:\.([\w-]{43}))?$/.exec(String(headers['x-device'] ?? '')) ?? []
  return mark === undefined ? null : { mark, signature }
}
const signatureOf = (fingerprint: Fingerprint, mark: string) => fingerprint(`device ${mark}`)

/** The mark with our signature, for the browser to keep; null for clients that send no mark. */
export function signedMark(fingerprint: Fingerprint, request: RequestOrigin): string | null {
  const own = marked(request)
  return own && `${own.mark}.${signatureOf(fingerprint, own.mark).toString('base64url')}`
}

/** The mark, if our signature proves that somebody has signed in with this browser; else null. */
export function provenMark(fingerprint: Fingerprint, request: RequestOrigin): string | null {
  const own = marked(request)
  if (own?.signature === undefined) return null
  return timingSafeEqual(Buffer.from(own.signature, 'base64url'), signatureOf(fingerprint, own.mark)) ? own.mark : null
}

/** Identifies a device of a login; clients that send no mark by their kind and network. */
export const deviceHash = (login_id: number, request: RequestOrigin): Buffer => {
  const device = deviceIn(request.headers['user-agent'] ?? null)
  return hashOf(`${login_id} ${marked(request)?.mark ?? `${device} at ${networkOf(request.ip)}`}`)
}
