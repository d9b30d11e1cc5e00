// A port that nobody listens on, for what must know its port before it starts.

import { randomInt } from 'node:crypto'
import net from 'node:net'

/**
 * The first of so many free ports in a row. Below 32768, where Linux begins to hand ports to outgoing connections: one of
 * those could take it meanwhile.
 */
export async function freePort(in_a_row = 1): Promise<number> {
  for (;;) {
    const first = randomInt(20_000, 32_000)
    const free = await Promise.all(Array.from({ length: in_a_row }, (_, index) => isFree(first + index)))
    if (free.every(Boolean)) return first
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
