// Batcher: requests of gateways in batches, with one queue for each property, and one for each trial. While its transaction is
// running, new requests collect for the next one: under load a transaction handles many requests, and otherwise none has to wait.
import { trial_type_id } from '#server/access/principal.ts'
import type { Gateway } from '#server/radius/registered-gateways.ts'

/** Whose requests share a transaction: a trial's with nobody's. */
const queueOf = ({ id, property_id, gateway_type_id }: Gateway) =>
  gateway_type_id === trial_type_id ? `trial ${id}` : `property ${property_id}`

/** Requests in one transaction. */
const together_max = 200
/** Requests that may wait for one property; more are dropped, and gateways repeat them. */
const waiting_max = 2000
/** When a batch fails, its requests are tried one by one until this many have failed: then no single request is the cause. */
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
 * One transaction. `take`, called once it has begun, returns the requests that wait by then, of gateways of one property; answers
 * are in the same order.
 */
export type Work<Item, Answer> = (
  first: Gateway,
  take: () => readonly FromGateway<Item>[],
) => Promise<readonly Answer[]>

export class Batcher<Item, Answer> {
  readonly #queues = new Map<string, Waiting<Item, Answer>[]>()
  readonly #work: Work<Item, Answer>
  constructor(work: Work<Item, Answer>) {
    this.#work = work
  }

  /** Resolves when its transaction is committed; throws when it is not. */
  ask(gateway: Gateway, item: Item): Promise<Answer> {
    const key = queueOf(gateway)
    const queue = this.#queues.get(key)
    const waiting = queue ?? []
    if (waiting.length >= waiting_max) throw new Error(`too much of ${key} waits`)
    const asked = new Promise<Answer>((answered, failed) => waiting.push({ gateway, item, answered, failed }))
    if (!queue) {
      this.#queues.set(key, waiting)
      // Requests that arrive at the same moment join the batch.
      setImmediate(() => void this.#workOff(key, waiting))
    }
    return asked
  }

  async #workOff(key: string, queue: Waiting<Item, Answer>[]) {
    for (let first = queue[0]; first; first = queue[0]) {
      const taken: Waiting<Item, Answer>[] = []
      try {
        const answers = await this.#work(first.gateway, () => {
          taken.push(...queue.splice(0, together_max))
          return taken
        })
        handOut(taken, answers)
      } catch (error) {
        // If the transaction did not get its turn, nothing was taken: all that wait fail.
        if (taken.length > 1) await this.#eachAlone(taken)
        else for (const { failed } of taken.length > 0 ? taken : queue.splice(0)) failed(error)
      }
    }
    this.#queues.delete(key)
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

/** Answers are in the order of the requests; those without an answer fail. */
function handOut<Item, Answer>(waiting: readonly Waiting<Item, Answer>[], answers: readonly Answer[]) {
  for (const [n, answer] of answers.entries()) waiting[n]?.answered(answer)
  for (const { failed } of waiting.slice(answers.length)) failed(new Error('there is no answer'))
}
