// Batcher: requests of gateways in batches, with one queue for each property, and one for each trial. While its transaction is
// running and for a moment after it, new requests collect for the next one: under load a transaction handles many requests, and
// otherwise none has to wait. Where many wait, another one may begin beside it, so that the database works on one while the other is
// answered: they are to each other as those of two nodes.
import { setTimeout as sleep } from 'node:timers/promises'
import { trial_type_id } from '#server/access/principal.ts'
import type { Gateway } from '#server/radius/registered-gateways.ts'

/** Whose requests share a transaction: a trial's with nobody's. */
const queueOf = ({ id, property_id, gateway_type_id }: Gateway) =>
  gateway_type_id === trial_type_id ? `trial ${id}` : `property ${property_id}`

/** Requests in one transaction. */
const together_max = 200
/** Requests that may wait for one property; more are dropped, and gateways repeat them. */
const waiting_max = 2000
/** From so many waiting requests on, another transaction begins: with fewer it would cost more than it gains. */
const waiting_for_another = 24
/** How long requests collect after a transaction: whoever is answered often asks again, and a transaction costs as much as many. */
const collected_ms = 3
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
 * One transaction. `take`, called once it has begun, returns the requests that wait by then, of gateways of one property: none, if
 * another transaction has taken them. Answers are in the same order.
 */
export type BatchWork<Item, Answer> = (
  first: Gateway,
  take: () => readonly FromGateway<Item>[],
) => Promise<readonly Answer[]>

interface Batches<Item, Answer> {
  waiting: Waiting<Item, Answer>[]
  running: number
}

export class Batcher<Item, Answer> {
  readonly #queues = new Map<string, Batches<Item, Answer>>()
  readonly #work: BatchWork<Item, Answer>
  readonly #running_max: number
  /** @param options.running_max transactions of one queue at a time */
  constructor(work: BatchWork<Item, Answer>, { running_max }: { running_max: number }) {
    this.#work = work
    this.#running_max = running_max
  }

  /** Resolves when its transaction is committed; throws when it is not. */
  ask(gateway: Gateway, item: Item): Promise<Answer> {
    const key = queueOf(gateway)
    const queue = this.#queues.get(key) ?? { waiting: [], running: 0 }
    this.#queues.set(key, queue)
    const { waiting } = queue
    if (waiting.length >= waiting_max) throw new Error(`too much of ${key} waits`)
    const asked = new Promise<Answer>((answered, failed) => waiting.push({ gateway, item, answered, failed }))
    const isAnother = queue.running < this.#running_max && waiting.length >= waiting_for_another
    if (queue.running === 0 || isAnother) {
      queue.running++
      // Requests that arrive at the same moment join the batch.
      setImmediate(() => void this.#workOff(key, queue))
    }
    return asked
  }

  async #workOff(key: string, queue: Batches<Item, Answer>) {
    const { waiting } = queue
    for (let first = waiting[0]; first; first = waiting[0]) {
      const taken: Waiting<Item, Answer>[] = []
      try {
        const answers = await this.#work(first.gateway, () => {
          taken.push(...waiting.splice(0, together_max))
          return taken
        })
        handOut(taken, answers)
        await sleep(collected_ms)
      } catch (error) {
        if (taken.length > 1) await this.#eachAlone(taken)
        else for (const { failed } of taken) failed(error)
        // If the transaction did not get its turn, nothing was taken: all that wait fail, unless another one is running.
        if (taken.length === 0 && queue.running > 1) break
        if (taken.length === 0) for (const { failed } of waiting.splice(0)) failed(error)
      }
    }
    queue.running--
    if (queue.running === 0) this.#queues.delete(key)
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
