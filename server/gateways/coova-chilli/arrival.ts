// Arrival from a CoovaChilli: the redirect is signed, and says whether the guest comes for the first time.
import { timingSafeEqual } from 'node:crypto'
import type { Arrival, Redirect } from '#server/gateways/kind.ts'
import { first, macIn, md5Hash, webAddressIn } from '#server/gateways/read.ts'

const outcomes = { success: 'online', already: 'online', failed: 'refused', logoff: 'signed-out' } as const
const isOutcome = (word: string | undefined): word is keyof typeof outcomes =>
  word !== undefined && Object.hasOwn(outcomes, word)

const isDigest = (text: string | undefined): text is string => text !== undefined && /^[0-9a-f]{32}$/i.test(text)

/** `md` is the MD5 of the whole URL before it and the secret. */
function isSigned(address: string, signature: string | undefined, secret: string): boolean {
  const at = address.lastIndexOf('&md=')
  if (at < 0 || !isDigest(signature)) return false
  return timingSafeEqual(md5Hash(address.slice(0, at), secret), Buffer.from(signature, 'hex'))
}

export const arrival = ({ query, address }: Redirect): Arrival | null =>
  query['uamip'] === undefined || query['res'] === undefined
    ? null
    : {
        nas_identifier: first(query, 'nasid'),
        gateway_mac: macIn(first(query, 'called')),
        mac_address: macIn(first(query, 'mac')),
        wanted: webAddressIn(first(query, 'userurl')),
        outcome: isOutcome(query['res']) ? outcomes[query['res']] : null,
        isGenuine: ({ secret }) => isSigned(address, query['md'], secret),
      }
