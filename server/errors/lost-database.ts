// Lost database: whether an error comes from a database that does not answer, or does not take writes, rather than from what was asked.

/** Codes of a server that stops, starts or only copies another, and of connections that it does not take. */
const codes = /^(08...|57P0\d|53300|25006)$/
/** Messages of `pg` and of the job queue, which have no code, when a connection is lost or could not be had in time. */
const messages = new RegExp(
  [
    'connection terminated',
    'connection ended',
    'client has encountered a connection error',
    'timeout exceeded when trying to connect',
    'query read timeout',
    'not queryable',
    'connection timeout',
    'heartbeat timed out',
  ].join('|'),
  'i',
)

const lost = new WeakSet<object>()
/** An error of a network: that of the database, which its code does not say. */
export const noteLost = (error: Error) => void lost.add(error)

/** Never throws, whatever was thrown. */
export function isOfLostDatabase(error: unknown): boolean {
  try {
    if (!(error instanceof Error)) return false
    if (lost.has(error)) return true
    const { code } = error as { code?: unknown }
    return typeof code === 'string' ? codes.test(code) : messages.test(error.message)
  } catch {
    return false
  }
}
