// Device: where somebody signs in, in words and by a mark that tells one device from another.
import { timingSafeEqual } from 'node:crypto'
import Bowser from 'bowser'
import type { FastifyRequest } from 'fastify'
import { hashOf } from '#server/access/authenticate.ts'
import { networkOf } from '#server/access/network.ts'
import type { Fingerprint } from '#server/secrets/seal.ts'

const shown_max = 60

/** `Firefox on Windows`; of what is no browser, how it names itself. */
export function deviceIn(agent: string | null): string {
  if (!agent) return 'An unknown device'
  const { browser, os } = Bowser.parse(agent)
  const words = [browser.name, os.name].filter(Boolean)
  return words.length > 0 ? words.join(' on ') : agent.slice(0, shown_max)
}

type Asking = Pick<FastifyRequest, 'headers' | 'ip'>

/** What a browser has chosen for itself, and, once somebody has signed in there, our signature. */
function marked({ headers }: Asking): { mark: string; signature: string | undefined } | null {
  const [, mark, signature] = /^([\w-]{16,64})(?:\.([\w-]{43}))?$/.exec(String(headers['x-device'] ?? '')) ?? []
  return mark === undefined ? null : { mark, signature }
}
const signatureOf = (fingerprint: Fingerprint, mark: string) => fingerprint(`device ${mark}`)

/** The mark with our signature, for the browser to keep; null for what sends none. */
export function signedMark(fingerprint: Fingerprint, request: Asking): string | null {
  const own = marked(request)
  return own && `${own.mark}.${signatureOf(fingerprint, own.mark).toString('base64url')}`
}

/** The mark of a browser in which somebody has signed in, as our signature says; null of every other. */
export function provenMark(fingerprint: Fingerprint, request: Asking): string | null {
  const own = marked(request)
  if (own?.signature === undefined) return null
  return timingSafeEqual(Buffer.from(own.signature, 'base64url'), signatureOf(fingerprint, own.mark)) ? own.mark : null
}

/** Tells one device of a login from another; of what sends no mark its kind, and where it is. */
export const deviceHash = (login_id: number, request: Asking): Buffer => {
  const device = deviceIn(request.headers['user-agent'] ?? null)
  return hashOf(`${login_id} ${marked(request)?.mark ?? `${device} at ${networkOf(request.ip)}`}`)
}
