// Lines: what the gateways of a property ask. While one transaction of theirs is under way, what comes meanwhile gathers for
// the next: under load a transaction does much, and at rest nobody waits.
import type { Gateway } from '#server/radius/gateways.ts'

/** In one transaction. */
const together_max = 200
/** What may wait of one property; more is dropped, and comes again. */
const waiting_max = 2000
/** Where what was done together fails, each is tried alone, until so many have failed: then it is not the fault of one. */
const alone_failed_max = 2

export interface FromGateway<Item> {
  gateway: Gateway
  item: Item
}
interface Waiting<Item, Answer> extends FromGateway<Item> {
  answered: (answer: Answer) => void
  failed: (error: unknown) => void
}

/**
 * One transaction. `take`, once it has begun, gives what waits by then, of gateways of one property; answers are in its
 * order.
 */
export type Work<Item, Answer> = (
  first: Gateway,
  take: () => readonly FromGateway<Item>[],
) => Promise<readonly Answer[]>

export class Lines<Item, Answer> {
  /** By property. */
  readonly #lines = new Map<number, Waiting<Item, Answer>[]>()
  readonly #work: Work<Item, Answer>
  constructor(work: Work<Item, Answer>) {
    this.#work = work
  }

  /** Resolves when its transaction is committed; throws when it is not. */
  ask(gateway: Gateway, item: Item): Promise<Answer> {
    const { property_id } = gateway
    const line = this.#lines.get(property_id)
    const waiting = line ?? []
    if (waiting.length >= waiting_max) throw new Error(`too much of property ${property_id} waits`)
    const asked = new Promise<Answer>((answered, failed) => waiting.push({ gateway, item, answered, failed }))
    if (!line) {
      this.#lines.set(property_id, waiting)
      // What else arrives in this very moment goes along.
      setImmediate(() => void this.#workOff(property_id, waiting))
    }
    return asked
  }

  async #workOff(property_id: number, line: Waiting<Item, Answer>[]) {
    for (let first = line[0]; first; first = line[0]) {
      const taken: Waiting<Item, Answer>[] = []
      try {
        const answers = await this.#work(first.gateway, () => {
          taken.push(...line.splice(0, together_max))
          return taken
        })
        handOut(taken, answers)
      } catch (error) {
        // Where no turn came nothing was taken: nobody waits any longer.
        if (taken.length > 1) await this.#eachAlone(taken)
        else for (const { failed } of taken.length > 0 ? taken : line.splice(0)) failed(error)
      }
    }
    this.#lines.delete(property_id)
  }

  async #eachAlone(taken: Waiting<Item, Answer>[]) {
    let failures = 0
    for (const one of taken) {
      try {
        if (failures >= alone_failed_max) throw new Error('others failed alone, too')
        handOut([one], await this.#work(one.gateway, () => [one]))
      } catch (error) {
        failures++
        one.failed(error)
      }
    }
  }
}

/** Answers stand in the order of those who wait; who has none fails. */
function handOut<Item, Answer>(waiting: readonly Waiting<Item, Answer>[], answers: readonly Answer[]) {
  for (const [n, answer] of answers.entries()) waiting[n]?.answered(answer)
  for (const { failed } of waiting.slice(answers.length)) failed(new Error('there is no answer'))
}
