// Runner: does what is due, in each node with the role `jobs`. It is woken by the queue, and looks every few seconds for what has come
// to its time. Customers take turns, and none has all places of a kind, however much of it they have or however slow it is.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { Recent } from '#server/turns/recent-cache.ts'
import type { Log } from '#server/watch/log.ts'
import { attempt, lease_s, take, type Taken } from './attempt.ts'
import { TriedInVain, wakeKind, type DueWork } from './due-work.ts'

/** How often, in seconds, a node looks for what has come to its time. */
const look_every_s = 5
/** How often, in seconds, it says that it still works on what it holds. */
const beat_every_s = 10
/** Customers whose work is looked for at once. */
const customers_max = 50
/** How long, and of how many lanes, a node remembers that the other side did not answer. */
const silent = { for_ms: 60_000, max: 1000 }
/** How long a node that stops waits for what it is doing. */
const stop_max_ms = 5000

export interface RunnerOptions {
  tenancy: Tenancy
  log: Log
  /** Told of each try. */
  ran(kind: string, result: 'done' | 'failed'): void
}

export interface Runner {
  /** Looks for what is due of a kind. */
  wake(kind: string): void
  /** Ends when what is being done is done, or after some seconds. */
  stop(): Promise<void>
}

export function openRunner<Needs>(options: RunnerOptions, works: readonly DueWork<Needs>[], needs: Needs): Runner {
  const { tenancy, log } = options
  const lines = new Map(works.map((work) => [work.kind.name, new Line(options, work, needs)]))
  const wake = (kind: string) => lines.get(kind)?.wake()
  const every = (seconds: number, failure: string, run: () => Promise<void>) =>
    setInterval(() => void run().catch((err: unknown) => log.warn({ err }, failure)), seconds * 1000)

  const looking = every(look_every_s, 'due work could not be looked up', async () => {
    const due = await tenancy.callFunction(sql<{ kind: string }>`select kind from door_due_kinds()`)
    for (const { kind } of due) wake(kind)
  })
  const beating = every(beat_every_s, 'the lease of due work could not be renewed', async () => {
    const held = [...lines.values()].flatMap((line) => [...line.held])
    if (held.length === 0) return
    await tenancy.callFunction(sql`select door_extend_leases(${held.map(({ id }) => id)}::bigint[],
      ${held.map(({ lease }) => lease)}::uuid[], ${lease_s})`)
  })
  return {
    wake,
    async stop() {
      clearInterval(looking)
      const ended = Promise.all([...lines.values()].map((line) => line.stop()))
      await Promise.race([ended, sleep(stop_max_ms)])
      clearInterval(beating)
    },
  }
}

/** The job by which the queue wakes a node. */
export const wakeJob = job({
  kind: wakeKind,
  run: ({ runner }: { runner: Pick<Runner, 'wake'> }, { kind }) => Promise.resolve(runner.wake(kind)),
})

/** The work of one kind in this node. */
class Line<Needs> {
  /** What is being done. */
  readonly held = new Set<Taken>()
  /** Lanes whose other side does not answer: one try at a time finds out as much as several, and leaves places for the others. */
  readonly #silent = new Recent<true>(silent.for_ms, silent.max)
  readonly #options: RunnerOptions
  readonly #work: DueWork<Needs>
  readonly #needs: Needs
  #isWoken = false
  #isStopped = false
  #running: Promise<void> | undefined
  #ends = new Set<Promise<void>>()
  /** Customers in turn, those with urgent work first, and the last one of the others. */
  #turns: { customer_id: number; urgent: boolean }[] = []
  #last = 0
  /** Whether any of the customers found last had something to take. */
  #hasTaken = true

  constructor(options: RunnerOptions, work: DueWork<Needs>, needs: Needs) {
    this.#options = options
    this.#work = work
    this.#needs = needs
  }

  wake() {
    this.#isWoken = true
    if (this.#isStopped) return
    this.#running ??= this.#run()
      .catch((err: unknown) =>
        this.#options.log.warn({ err, kind: this.#work.kind.name }, 'due work could not be taken'),
      )
      .finally(() => {
        this.#running = undefined
        // Woken between its last look and its end.
        if (this.#isWoken) this.wake()
      })
  }

  async stop() {
    this.#isStopped = true
    await this.#running
    await Promise.all(this.#ends)
  }

  async #run() {
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false
      while (!this.#isStopped && (await this.#takeNext()));
    }
  }

  /** Takes the work of the customer whose turn it is. False: nothing can be taken until something comes, or ends. */
  async #takeNext(): Promise<boolean> {
    const { at_once } = this.#work
    if (this.held.size >= at_once) return false
    const turn = this.#turns.shift()
    if (!turn) return this.#refill()
    const rows_max = Math.min(this.#placesOf(turn.customer_id), at_once - this.held.size)
    if (rows_max <= 0) return true
    const { customer_id, urgent } = turn
    const taken = await take(this.#options.tenancy, this.#work, {
      customer_id,
      // One by one where lanes are bounded, so that two of a lane are never taken together.
      rows_max: this.#work.of_one_lane === undefined ? rows_max : 1,
      of: { urgent, busy_lanes: this.#busyLanesOf(customer_id) },
    })
    for (const held of taken) this.#start(held)
    this.#hasTaken ||= taken.length > 0
    return true
  }

  #placesOf(customer: number) {
    const theirs = [...this.held].filter(({ caller }) => caller.customer_id === customer).length
    return this.#work.of_one_customer - theirs
  }

  #busyLanesOf(customer: number): string[] {
    const { of_one_lane } = this.#work
    if (of_one_lane === undefined) return []
    const lanes = [...this.held].flatMap(({ caller, lane }) =>
      caller.customer_id === customer && lane !== null ? [lane] : [],
    )
    const placesOf = (lane: string) => (this.#silent.get(laneKey(customer, lane)) ? 1 : of_one_lane)
    return [...new Set(lanes)].filter((lane) => lanes.filter((other) => other === lane).length >= placesOf(lane))
  }

  /** Finds the customers who have something due, and places left. */
  async #refill(): Promise<boolean> {
    // What is due was taken by others meanwhile, or is locked: it is looked for again in some seconds.
    if (!this.#hasTaken) {
      this.#hasTaken = true
      return false
    }
    let { urgent, others } = await this.#dueCustomers(this.#last)
    if (others.length === 0 && this.#last > 0) ({ urgent, others } = await this.#dueCustomers(0))
    this.#last = others.length < customers_max ? 0 : (others.at(-1)?.customer_id ?? 0)
    this.#turns = [...urgent, ...others].filter(({ customer_id }) => this.#placesOf(customer_id) > 0)
    this.#hasTaken = this.#turns.length === 0
    return this.#turns.length > 0
  }

  /** Those with urgent work, and of the others the next ones. */
  async #dueCustomers(after: number) {
    const { name } = this.#work.kind
    const found = await this.#options.tenancy.callFunction(sql<{ customer_id: number; urgent: boolean }>`
      select customer_id, true as urgent from door_due_customers(${name}, true, 0, ${customers_max})
      union all select customer_id, false from door_due_customers(${name}, false, ${after}, ${customers_max})`)
    return { urgent: found.filter((one) => one.urgent), others: found.filter((one) => !one.urgent) }
  }

  #start(held: Taken) {
    this.held.add(held)
    const ends = this.#attempt(held).finally(() => {
      this.held.delete(held)
      this.#ends.delete(ends)
      // Somebody else's may have come to its time meanwhile.
      this.wake()
    })
    this.#ends.add(ends)
  }

  async #attempt(held: Taken) {
    const { tenancy, log, ran } = this.#options
    const { name } = this.#work.kind
    try {
      const result = await attempt(tenancy, log, this.#work, this.#needs, held)
      ran(name, typeof result === 'object' ? 'failed' : 'done')
      if (held.lane === null) return
      const key = laneKey(held.caller.customer_id, held.lane)
      if (result === 'done') this.#silent.delete(key)
      else if (typeof result === 'object' && result.error instanceof TriedInVain && result.error.how.lane === 'waits')
        this.#silent.set(key, true)
    } catch (err) {
      // Its lease runs out, and it is tried again.
      ran(name, 'failed')
      log.warn({ err, kind: name, due: held.id }, 'due work could not be settled')
    }
  }
}

const laneKey = (customer: number, lane: string) => `${customer} ${lane}`
