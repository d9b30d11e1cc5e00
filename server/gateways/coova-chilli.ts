// CoovaChilli, and products built on it: the redirect is signed, and the guest signs in by CHAP at a URL of the gateway.
import { timingSafeEqual } from 'node:crypto'
import type { GatewayKind, Query } from './kind.ts'
import { first, macIn, md5, webAddressIn } from './read.ts'

const usual_port = '3990'

const outcomes = { success: 'online', already: 'online', failed: 'refused', logoff: 'signed-out' } as const
const isOutcome = (word: string | undefined): word is keyof typeof outcomes =>
  word !== undefined && Object.hasOwn(outcomes, word)

const isChallenge = (text: string | undefined): text is string => text !== undefined && /^[0-9a-f]{32}$/i.test(text)

/** `md` is the MD5 of the whole URL before it and the secret. */
function isSigned(address: string, signature: string | undefined, secret: string): boolean {
  const at = address.lastIndexOf('&md=')
  if (at < 0 || signature === undefined || !isChallenge(signature)) return false
  return timingSafeEqual(md5(address.slice(0, at), secret), Buffer.from(signature, 'hex'))
}

/** The CHAP response: a hash of the password and of the challenge, which is first hashed with the secret. */
export function chapResponse(challenge: string, secret: string, password: string): string {
  const bytes = Buffer.from(challenge, 'hex')
  const changed = secret === '' ? bytes : md5(bytes, secret)
  return md5(Uint8Array.of(0), password, changed).toString('hex')
}

export const coovaChilli: GatewayKind = {
  gateway_type_id: 2,
  arrival: (query, address) =>
    query['uamip'] === undefined || query['res'] === undefined
      ? null
      : {
          nas_identifier: first(query, 'nasid'),
          gateway_mac: macIn(first(query, 'called')),
          mac_address: macIn(first(query, 'mac')),
          wanted: webAddressIn(first(query, 'userurl')),
          outcome: isOutcome(query['res']) ? outcomes[query['res']] : null,
          isGenuine: (secret) => isSigned(address, query['md'], secret),
        },
  handOver(query: Query, { host, secret }, { username, password, back }) {
    const { challenge } = query
    if (!isChallenge(challenge)) throw new Error('the redirect of a CoovaChilli has a challenge')
    const port = /^\d{1,5}$/.test(query['uamport'] ?? '') ? query['uamport'] : usual_port
    const fields = { username, response: chapResponse(challenge, secret, password), userurl: back }
    return { method: 'get', address: `http://${host.replace(/:\d+$/, '')}:${port}/logon`, fields }
  },
  has_radius: true,
  takes_changes: true,
  pagesOf(host) {
    const own = `http://${/:\d+$/.test(host) ? host : `${host}:${usual_port}`}`
    return { sign_in: `${own}/prelogin`, sign_out: `${own}/logoff` }
  },
}
