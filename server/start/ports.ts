// Ports: which of them this node listens on, and the sentence for one that it cannot have.
import { CannotStart } from '#server/start/cannot-start.ts'

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
