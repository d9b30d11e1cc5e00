// A port that nobody listens on, for programs that must know their port before they start.

import { randomInt } from 'node:crypto'
import net from 'node:net'

/**
 * The first of `in_a_row` free ports. Below 32768, where Linux's ports for outgoing connections begin: such a connection could
 * take it in the meantime.
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
