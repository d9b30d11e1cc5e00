// Unproven queue: packets of senders that have not yet proven, from their address, that they know a gateway's secret. They wait in their
// own queue, a few per address, and are looked up in batches at a fixed rate: a flood of them costs no more than a trickle.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Claim } from '#server/radius/proven-gateways.ts'
import type { Log } from '#server/watch/log.ts'

/** Packets per address, and addresses. More are dropped, and gateways repeat them. */
const of_address_max = 4
const addresses_max = 2000
/** Packets in one look-up, and the time from one look-up to the next. The first one after a pause does not wait. */
const together_max = 100
const apart_ms = 100

interface Waiting<Found> {
  claim: Claim
  done: (found: Found | null) => void
  failed: (error: unknown) => void
}

export class UnprovenQueue<Found> {
  /** By address, in the order of their next turn. */
  readonly #waiting = new Map<string, Waiting<Found>[]>()
  readonly #look: (claims: readonly Claim[]) => Promise<readonly Found[]>
  #isBusy = false
  constructor(look: (claims: readonly Claim[]) => Promise<readonly Found[]>) {
    this.#look = look
  }

  /** Null: there was no room. Throws where it could not be looked up. */
  find(claim: Claim): Promise<Found | null> {
    const own = this.#waiting.get(claim.address) ?? []
    if (own.length >= of_address_max || (own.length === 0 && this.#waiting.size >= addresses_max))
      return Promise.resolve(null)
    this.#waiting.set(claim.address, own)
    return new Promise((done, failed) => {
      own.push({ claim, done, failed })
      if (!this.#isBusy) void this.#workOff()
    })
  }

  async #workOff() {
    this.#isBusy = true
    // Packets that arrive at the same moment join the batch.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.size > 0) {
      const pause = sleep(apart_ms, undefined, { ref: false })
      const taken = this.#take()
      try {
        const found = await this.#look(taken.map(({ claim }) => claim))
        for (const [n, { done }] of taken.entries()) done(found[n] ?? null)
      } catch (error) {
        for (const { failed } of taken) failed(error)
      }
      await pause
    }
    this.#isBusy = false
  }

  /** One packet of each address, then a second one of each. */
  #take(): Waiting<Found>[] {
    const taken: Waiting<Found>[] = []
    while (taken.length < together_max) {
      const [address] = this.#waiting.keys()
      const own = address === undefined ? undefined : this.#waiting.get(address)
      const first = own?.shift()
      if (address === undefined || !own || !first) break
      this.#waiting.delete(address)
      if (own.length > 0) this.#waiting.set(address, own)
      taken.push(first)
    }
    return taken
  }
}

const minute_ms = 60_000

/** Logs events of unknown senders in one line per minute and kind of event, with their number and one example. */
export function openTally(log: Log) {
  const kinds = new Map<string, { logged_at: number; packets: number }>()
  return (event: string, example: object) => {
    const now = performance.now()
    const kind = kinds.get(event) ?? { logged_at: -Infinity, packets: 0 }
    kinds.set(event, kind)
    kind.packets++
    if (now - kind.logged_at < minute_ms) return
    log.info({ ...example, packets: kind.packets }, event)
    kind.logged_at = now
    kind.packets = 0
  }
}
