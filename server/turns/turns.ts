// Turns: how a node's resources (connections, processors, readers of files) are shared when there are more requests than it can take.
//
// A request belongs to a party (a customer, or an address while nobody is signed in yet) and, within it, to a member (a person, a
// key). Parties take turns, and so do the members of each, so that those who ask most wait longest. It is decided before a
// connection is taken, in this process alone: every node shares its own resources.
import { randomUUID } from 'node:crypto'
import { Refused, tooMany, tooMuch } from '#server/errors/refused.ts'

/** How one kind of work is shared out. */
export interface Share {
  /** At the same time, for all parties together. */
  running_max: number
  /** At the same time, for one party: fewer than there are, so that it can never take all of them. */
  party_running_max: number
  /** How many of one party may wait, and of one of its members. */
  party_waiting_max: number
  member_waiting_max: number
  /** The time after which a wait is given up. */
  wait_max_ms: number
  /** What waits are attempts to sign in: a refusal then says so. */
  of_guesses?: boolean
}

/** To be ended once the work is done; ending it again does nothing. */
export interface Turn {
  end(): void
  [Symbol.dispose](): void
}

/** Called for every turn. */
export interface TurnsWatch {
  taken(waited_s: number): void
  refused(status: number): void
}
const nobody: TurnsWatch = { taken() {}, refused() {} }

interface Waiting {
  begin: () => void
}

interface Party {
  running: number
  /** By member, in the order of their next turn. */
  waiting: Map<string, Waiting[]>
}

const retry_after_s = 2
const second_ms = 1000

/** At most `running_max` at the same time, first come, first served: for work that has already been shared out elsewhere. */
export const atOnce = (running_max: number): Share => ({
  running_max,
  party_running_max: running_max,
  party_waiting_max: Infinity,
  member_waiting_max: Infinity,
  wait_max_ms: 60_000,
})

export class Turns {
  #running = 0
  readonly #share: Share
  readonly #watch: TurnsWatch
  /** Those that have something running or waiting, in the order of their next turn. */
  readonly #parties = new Map<string, Party>()

  constructor(share: Share, watch = nobody) {
    this.#share = share
    this.#watch = watch
  }

  get running() {
    return this.#running
  }
  get waiting() {
    return [...this.#parties.values()].reduce((sum, party) => sum + waitingIn(party), 0)
  }

  /**
   * Resolves when it is this request's turn, at once if there is room. Throws `Refused`: 429 if too many of the same party or
   * member wait already, or if the party's own work took up its whole share; 503 if the party had less than that running, and the
   * whole node is busy. Without a party key, a request is a party of its own, so that a wait for others is not its fault.
   */
  async take(party_key: string = randomUUID(), member_key = ''): Promise<Turn> {
    const asked_at = performance.now()
    try {
      const turn = await this.#take(party_key, member_key)
      this.#watch.taken((performance.now() - asked_at) / second_ms)
      return turn
    } catch (error) {
      if (error instanceof Refused) this.#watch.refused(error.status)
      throw error
    }
  }

  #tooMuch() {
    return this.#share.of_guesses ? tooMany(retry_after_s) : tooMuch(retry_after_s)
  }

  async #take(party_key: string, member_key: string): Promise<Turn> {
    const party = this.#partyOf(party_key)
    if (party.waiting.size === 0 && this.#hasRoomFor(party)) return this.#begin(party_key, party)
    const own = party.waiting.get(member_key) ?? []
    const { party_waiting_max, member_waiting_max, wait_max_ms } = this.#share
    if (own.length >= member_waiting_max || waitingIn(party) >= party_waiting_max) throw this.#tooMuch()
    return new Promise<Turn>((resolve, reject) => {
      const late = setTimeout(() => {
        this.#forget(party_key, party, member_key, waiting)
        const hasItsShare = party.running >= this.#share.party_running_max
        reject(hasItsShare ? this.#tooMuch() : new Refused('unavailable', { retry_after_s }))
      }, wait_max_ms)
      const waiting = {
        begin: () => {
          clearTimeout(late)
          resolve(this.#begin(party_key, party))
        },
      }
      own.push(waiting)
      party.waiting.set(member_key, own)
    })
  }

  #partyOf(key: string): Party {
    const known = this.#parties.get(key)
    if (known) return known
    const party: Party = { running: 0, waiting: new Map() }
    this.#parties.set(key, party)
    return party
  }

  #hasRoomFor(party: Party) {
    return this.#running < this.#share.running_max && party.running < this.#share.party_running_max
  }

  #begin(key: string, party: Party): Turn {
    this.#running++
    party.running++
    let over = false
    const end = () => {
      if (over) return
      over = true
      this.#running--
      party.running--
      this.#tidy(key, party)
      this.#goOn()
    }
    return { end, [Symbol.dispose]: end }
  }

  /** Gives the free turns to the next parties, which then go to the end of the queue. */
  #goOn() {
    for (;;) {
      const next = [...this.#parties].find(([, party]) => party.waiting.size > 0 && this.#hasRoomFor(party))
      if (!next) return
      const [key, party] = next
      this.#parties.delete(key)
      this.#parties.set(key, party)
      firstOf(party)?.begin()
    }
  }

  #forget(key: string, party: Party, member_key: string, waiting: Waiting) {
    const others = (party.waiting.get(member_key) ?? []).filter((other) => other !== waiting)
    if (others.length > 0) party.waiting.set(member_key, others)
    else party.waiting.delete(member_key)
    this.#tidy(key, party)
  }

  #tidy(key: string, party: Party) {
    if (party.running === 0 && party.waiting.size === 0) this.#parties.delete(key)
  }
}

const waitingIn = ({ waiting }: Party) => [...waiting.values()].reduce((sum, own) => sum + own.length, 0)

/** The next request of the next member, which goes to the end of the queue if it has more. */
function firstOf({ waiting }: Party): Waiting | undefined {
  for (const [member, own] of waiting) {
    const first = own.shift()
    waiting.delete(member)
    if (own.length > 0) waiting.set(member, own)
    return first
  }
  return undefined
}
