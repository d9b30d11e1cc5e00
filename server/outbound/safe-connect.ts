// Safe connect: the one way out over TCP that is no HTTP, with the same checks as safe fetch: the name is resolved here, each of its
// addresses is checked, and the connection goes to the address that was checked.
import net from 'node:net'
import { isInTransaction } from '#server/access/tenancy.ts'
import { checkedAddresses, NotReached, type Reaching } from './safe-fetch.ts'

export type SafeConnect = (to: { host: string; port: number; timeout_ms?: number }) => Promise<net.Socket>

const usual_timeout_ms = 10_000

export function openSafeConnect(reaching: Reaching): SafeConnect {
  const addressOf = checkedAddresses(reaching)
  return async ({ host, port, timeout_ms = usual_timeout_ms }) => {
    if (isInTransaction()) throw new Error('A transaction is open: call out before or after it.')
    const name = net.isIPv6(host) ? `[${host}]` : host
    const address = `http://${name}:${port}/`
    if (!URL.canParse(address) || new URL(address).pathname !== '/') throw new NotReached('this is not a host')
    const late = AbortSignal.timeout(timeout_ms)
    const tooLate = new Promise<never>((_, reject) => {
      late.addEventListener('abort', () => reject(new NotReached(`${host} took too long`)), { once: true })
    })
    const ip = await Promise.race([
      addressOf(new URL(address)).catch((error: unknown) => {
        throw error instanceof NotReached ? error : new NotReached(`${host} could not be found`)
      }),
      tooLate,
    ])
    const socket = net.connect({ host: ip, port })
    try {
      await Promise.race([
        new Promise<void>((resolve, reject) => {
          socket.once('connect', resolve)
          socket.once('error', () => reject(new NotReached(`${host} could not be reached`)))
        }),
        tooLate,
      ])
      // Whoever reads it is told; until then an error must not end the process.
      socket.on('error', () => {})
      return socket
    } catch (error) {
      socket.on('error', () => {})
      socket.destroy()
      throw error
    }
  }
}
