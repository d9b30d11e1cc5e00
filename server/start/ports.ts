// Ports: which of them this node listens on, and the sentence for one that it cannot have.
import { CannotStart } from '#server/start/cannot-start.ts'
import { freePort } from '#server/start/free-port.ts'

interface PagePorts {
  port: number
  portal_port: number
}

/** The ports of the pages, with a free one in place of each that is 0. */
export async function chosenPorts({ port, portal_port }: PagePorts): Promise<PagePorts> {
  if (port !== 0 && portal_port !== 0) return { port, portal_port }
  const free = await freePort(2)
  return { port: port || free, portal_port: portal_port || free + 1 }
}

/** What to do where a port cannot be had; any other error is thrown again as it is. */
export function portRefused(error: unknown, { host, port, setting }: { host: string; port: number; setting: string }) {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return new CannotStart(`Port ${port} is taken. Stop what listens there, or set ${setting} to another one.`)
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
    return new CannotStart(
      `Foyer cannot listen on ${host}, port ${port} (${message}). Set HOST and ${setting} to others.`,
    )
  return error
}

/** The same for the ports of gateways. */
export function radiusPortRefused(error: unknown, host: string) {
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') return error
  return new CannotStart(
    `Foyer cannot listen to gateways on ${host}, port ${port} (${message}). Stop what listens there, or set RADIUS_HOST, ` +
      'RADIUS_AUTH_PORT and RADIUS_ACCT_PORT to others, and then the same in each gateway.',
  )
}
