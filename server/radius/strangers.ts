// Strangers: packets of whoever has not shown yet, from where they come, that they know a gateway's secret. They wait in a line of
// their own, a few of each address, and are looked up together so many times a second: a flood of them costs what a trickle does.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Named } from '#server/radius/proven.ts'
import type { Log } from '#server/watch/log.ts'

/** Of one address, and of how many addresses. More are dropped, and come again. */
const of_address_max = 4
const addresses_max = 2000
/** In one look-up, and the time from one to the next. At rest nobody waits. */
const together_max = 100
const apart_ms = 100

interface Waiting<Found> {
  named: Named
  done: (found: Found | null) => void
  failed: (error: unknown) => void
}

export class StrangersLine<Found> {
  /** By address, in the order of their next turn. */
  readonly #waiting = new Map<string, Waiting<Found>[]>()
  readonly #look: (named: readonly Named[]) => Promise<readonly Found[]>
  #isBusy = false
  constructor(look: (named: readonly Named[]) => Promise<readonly Found[]>) {
    this.#look = look
  }

  /** Null: there was no room. Throws where it could not be looked up. */
  find(named: Named): Promise<Found | null> {
    const own = this.#waiting.get(named.address) ?? []
    if (own.length >= of_address_max || (own.length === 0 && this.#waiting.size >= addresses_max))
      return Promise.resolve(null)
    this.#waiting.set(named.address, own)
    return new Promise((done, failed) => {
      own.push({ named, done, failed })
      if (!this.#isBusy) void this.#workOff()
    })
  }

  async #workOff() {
    this.#isBusy = true
    // What else arrives in this very moment goes along.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.size > 0) {
      const pause = sleep(apart_ms, undefined, { ref: false })
      const taken = this.#take()
      try {
        const found = await this.#look(taken.map(({ named }) => named))
        for (const [n, { done }] of taken.entries()) done(found[n] ?? null)
      } catch (error) {
        for (const { failed } of taken) failed(error)
      }
      await pause
    }
    this.#isBusy = false
  }

  /** One of each address, then a second one of each. */
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

/** Says what strangers do in one line a minute for each kind of it, however many they are: how often, and by one of them. */
export function openTally(log: Log) {
  const kinds = new Map<string, { said_at: number; packets: number }>()
  return (what: string, one: object) => {
    const now = performance.now()
    const kind = kinds.get(what) ?? { said_at: -Infinity, packets: 0 }
    kinds.set(what, kind)
    kind.packets++
    if (now - kind.said_at < minute_ms) return
    log.info({ ...one, packets: kind.packets }, what)
    kind.said_at = now
    kind.packets = 0
  }
}
