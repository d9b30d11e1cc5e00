// A port that nobody listens on, for what must know its port before it starts.

import { randomInt } from 'node:crypto'
import net from 'node:net'

/** Below 32768, where Linux begins to hand ports to outgoing connections: one of those could take it meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
