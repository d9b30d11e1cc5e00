// RADIUS process: RADIUS alone, as one of the two processes of a node that has other roles as well. The node starts it and tells it
// what to do (server/apps/radius-apart.ts); it ends when the node does.
import { listenAsSet, openRadius } from '#server/apps/radius.ts'
import type { Order, Word } from '#server/apps/radius-apart.ts'
import { secretKeysOf } from '#server/db/open.ts'
import type { LoginUrls } from '#server/db/logins.ts'
import { openServices } from '#server/services.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import type { Config } from '#server/start/config.ts'
import { connectionsOfRadius } from '#server/turns/shares.ts'
import { openLog, reporting } from '#server/watch/log.ts'

const word_each_ms = 1000

const say = (word: Word) => void (process.connected && process.send?.(word, undefined, undefined, () => {}))

async function open(given: Config, urls: LoginUrls) {
  const connections = given.connections === null ? null : connectionsOfRadius(given.connections)
  const config: Config = { ...given, roles: ['radius'], connections }
  const log = openLog(reporting(config))
  const services = await openServices({ config, ...urls, secretKeys: secretKeysOf(config), log })
  const radius = openRadius(services, config.radius_http?.token ?? null)
  return {
    async listen() {
      await listenAsSet(radius, config)
      setInterval(() => say({ answers: radius.answers() }), word_each_ms)
      say({ answers: radius.answers() })
      say('listening')
    },
    metrics: services.metrics.all,
    async close() {
      await radius.close()
      await services.close()
    },
  }
}

let opened: ReturnType<typeof open> | undefined

async function obey(order: Order): Promise<void> {
  if (typeof order === 'object' && 'open' in order) opened = open(order.open.config, order.open.urls)
  const radius = await opened
  if (order === 'listen') await radius?.listen()
  if (typeof order === 'object' && 'metrics' in order)
    say({ metrics: order.metrics, found: (await radius?.metrics()) ?? [] })
  if (order === 'close') {
    await radius?.close()
    process.exit()
  }
}

function fail(error: unknown): void {
  if (error instanceof CannotStart) say({ refused: error.message })
  else console.error(error)
  process.exitCode = 1
  if (process.connected) process.disconnect()
}

// A signal to the whole group reaches the node as well, which closes this process last of all that gateways need.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
// The node is gone, or this process gave up.
process.on('disconnect', () => process.exit())
process.on('message', (order: Order) => void obey(order).catch(fail))
