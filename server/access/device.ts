// Device: where somebody signs in, in words and by a mark that tells one device from another.
import Bowser from 'bowser'
import type { FastifyRequest } from 'fastify'
import { hashOf } from '#server/access/authenticate.ts'
import { networkOf } from '#server/access/network.ts'

const shown_max = 60

/** `Firefox on Windows`; of what is no browser, how it names itself. */
export function deviceIn(agent: string | null): string {
  if (!agent) return 'An unknown device'
  const { browser, os } = Bowser.parse(agent)
  const words = [browser.name, os.name].filter(Boolean)
  return words.length > 0 ? words.join(' on ') : agent.slice(0, shown_max)
}

/** The mark that a browser keeps for itself; of what sends none, its kind and where it is. Another for each login. */
export function markOf(login_id: number, { headers, ip }: FastifyRequest): Buffer {
  const mark = /^[\w-]{16,64}$/.exec(String(headers['x-device'] ?? ''))?.[0]
  return hashOf(`${login_id} ${mark ?? `${deviceIn(headers['user-agent'] ?? null)} at ${networkOf(ip)}`}`)
}
