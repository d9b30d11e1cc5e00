// Health check: asks the Foyer of the same settings on this machine whether it works, for the image's HEALTHCHECK. One that is starting
// or being upgraded is at work too: whoever restarts it makes it begin again.
import { isIPv6 } from 'node:net'
import { readConfig } from '#server/start/config.ts'

const at_work = new Set(['ready', 'starting', 'upgrading'])
/** Listening on every address includes the machine's own. */
const own: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

const { host, port } = readConfig(process.env)
const name = own[host] ?? host
// oxlint-disable-next-line no-restricted-globals -- asks this machine alone
const answer = await fetch(`http://${isIPv6(name) ? `[${name}]` : name}:${port}/readyz`).catch(() => null)
const { status = 'no answer' } = ((await answer?.json().catch(() => null)) ?? {}) as { status?: string }
console.log(status)
process.exitCode = at_work.has(status) ? 0 : 1
