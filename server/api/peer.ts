// Peer: the address that a request comes from, read once at the edge. Proxies write X-Forwarded-For as they like: with ports, in
// brackets, or `unknown`; what cannot be read is no address, and neither is anything that stands before it.
import type { FastifyInstance } from 'fastify'
import { addressIn } from '#contract/ip-address.ts'
import { plainAddress } from '#server/access/network.ts'

const header = 'x-forwarded-for'

/** Before anything else looks at `request.ip`, which is plain from then on. */
export function readPeer(app: FastifyInstance) {
  app.addHook('onRequest', async (request) => {
    const { headers } = request.raw
    if (headers[header] !== undefined) headers[header] = readable(String(headers[header]))
    Object.defineProperty(request, 'ip', { value: plainAddress(request.ip) })
  })
}

/** The nearest addresses, up to the first that cannot be read: a proxy that is trusted wrote each of them, the nearest last. */
function readable(written: string): string {
  const addresses = written.split(',').map(addressIn)
  return addresses.slice(addresses.lastIndexOf(undefined) + 1).join(', ')
}
