// Kills of due work: each kind is done by a node that is killed at each of its steps, and then by the other one of two: what is declared
// to be done once is done once, what may be repeated is repeated under the same id, and nothing is left waiting.
//
// The nodes are real processes that end by SIGKILL: just before each statement that changes something and each call to the other side,
// and just after each commit and each answer. What a killed one held is taken up by itself when its lease is over.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerOfJob } from '#server/access/principal.ts'
import { dueWorks } from '#server/apps/due-work.ts'
import { doubling, dueKind, queueDue, type DueWork } from '#server/due/due-work.ts'
import { openRunner } from '#server/due/runner.ts'
import { setClock } from '#server/time/clock.ts'
import { noLog } from '#server/watch/log.ts'
import type { TestFoyer } from '#test/foyer.ts'
import { killAll } from '#test/process.ts'
import { openDueWorkers, type DueWorkers } from './due-workers.ts'
import { openDueHouse, prepares, type House, type Piece } from './kinds-of-due-work.ts'
import { full, oneIn, seed } from './proof.ts'

/** Each kind has more steps. */
const few = 5
/** More than any has; in `npm test` one of them is enough. */
const last = full ? 1000 : 0
/** Two, so that one has its nodes started while the other one's work. */
const places = full ? 2 : 1
type Place = { house: House; workers: DueWorkers }
const free: Place[] = []
let foyer: TestFoyer
beforeAll(async () => {
  for (let at = 0; at < places; at++) {
    const house = await openDueHouse()
    free.push({ house, workers: await openDueWorkers(house.foyer, house.env) })
    ;({ foyer } = house)
  }
}, 240_000)
afterAll(async () => {
  setClock()
  await Promise.all(free.map(({ workers }) => workers.close()))
  killAll()
  await Promise.all(free.map(({ house }) => house.close()))
})

const one = async <R extends object>(text: string, values: unknown[] = []): Promise<R> => {
  const [row] = await foyer.query<R>(text, values)
  if (!row) throw new Error(`there is none: ${text}`)
  return row
}

/** The work of a piece, as long as it is to be done; else what goes wrong with it. */
const openOf = ({ house }: Place, kind: string, about_id: number) =>
  house.foyer.query<{ state: string; is_unsure: boolean; last_error: string | null }>(
    `select state, is_unsure, last_error from due_work where kind = $1 and about_id = $2
       and (state <> 'waiting' or next_at <= now() or last_error is not null or tries > 0)`,
    [kind, about_id],
  )

interface Killed extends Piece {
  where: string
  work: DueWork<never>
  about_id: number
  place: Place
}
/** What was being done when its node was killed. */
const killed: Killed[] = []

/** One piece, of which a node is killed at a step. False: it has fewer steps. */
async function killAt(place: Place, work: DueWork<never>, step: number): Promise<boolean> {
  const { house, workers } = place
  const kind = work.kind.name
  // One person may send a hundred mails an hour.
  await house.foyer.query('delete from rate_limits', [])
  const piece = await prepares[kind]?.(house)
  if (!piece) throw new Error(`${kind} cannot be prepared: say how, in kinds-of-due-work.ts`)
  const others = await house.foyer.query<{ id: number }>(
    'select about_id::integer as id from due_work where kind = $1 and about_id is distinct from $2',
    [kind, piece.about_id ?? null],
  )
  const isDone = async (about_id: number) =>
    (await piece.done()).length > 0 && (await openOf(place, kind, about_id)).length === 0
  const sought = { kind, not: others.map(({ id }) => id) }
  const { about_id, moments, is_killed } = await workers.killAt(step, sought, { begin: () => piece.begin(), isDone })
  const where = `${kind}, step ${step}, ${moments.at(-1)}`
  // Nobody else has it before the node was silent for its lease, and whether it was done is known to be unknown.
  const [row] = await openOf(place, kind, about_id)
  if (is_killed && row?.state === 'trying') expect(row.is_unsure, where).toBe(work.promise === 'once')
  if (is_killed) killed.push({ ...piece, where, work, about_id, place })
  return is_killed
}

const orderOf = ({ kind }: DueWork<never>) => Object.keys(prepares).indexOf(kind.name)
/** Those whose work, once its node is gone, waits longest are killed first. */
const kinds = dueWorks.toSorted((a, b) => orderOf(a) - orderOf(b))

test('each kind of due work can be prepared', () => {
  expect(Object.keys(prepares).toSorted()).toEqual(dueWorks.map(({ kind }) => kind.name).toSorted())
})

test.for(oneIn(7, kinds).map((work) => [work.kind.name, work] as const))(
  '%s, of which a node is killed at any step',
  { timeout: 1_800_000, concurrent: full },
  async ([, work], { task }) => {
    const place = free.pop()
    if (!place) throw new Error('more are killed at once than there are places')
    try {
      const first = full ? 1 : 1 + (seed % few)
      for (let step = first; (await killAt(place, work, step)) && step < last;) step++
    } finally {
      free.unshift(place)
    }
    const steps = killed.filter((piece) => piece.work === work).length
    expect(steps).toBeGreaterThanOrEqual(full ? few : 1)
    task.meta.figures = `${steps} steps`
  },
)

const passLeases = () =>
  foyer.query(
    `with work as (update due_work set next_at = now() where state = 'trying'),
       drafts as (update billing_invoices set claimed_until = now() where claimed_until > now())
     update marketing_members set due_at = now() where due_at > now()`,
    [],
  )

test(
  'each was done by the other node as its kind declares, and nothing waits for ever',
  { timeout: 900_000 },
  async ({ task }) => {
    // In full by itself, which takes minutes where a kind has leases of its own.
    if (!full) await passLeases()
    let again = 0
    for (const { where, work, about_id, done, place } of killed) {
      const patience = { timeout: 600_000, interval: 200, message: where }
      await expect.poll(async () => (await done()).length > 0, patience).toBe(true)
      await expect.poll(() => openOf(place, work.kind.name, about_id), patience).toEqual([])
      const ids = await done()
      expect(new Set(ids).size, where).toBe(1)
      if (work.promise === 'once') expect(ids, where).toHaveLength(1)
      if (ids.length > 1) again++
    }
    const left = `select kind, state, last_error from due_work where state in ('trying', 'failed', 'unknown')
      or last_error is not null or next_at < now() - interval '1 minute'`
    for (const { house } of free)
      await expect.poll(() => house.foyer.query(left, []), { timeout: 120_000, interval: 500 }).toEqual([])
    task.meta.figures = `${killed.length} kills, ${again} pieces were done again under the same id`
  },
)

let serial = 0
const aKind = (does: (customer_id: number) => void): DueWork<object> => ({
  kind: dueKind(`crowd_${++serial}`),
  about: () => sql`''`,
  promise: 'repeated',
  at_once: 8,
  of_one_customer: 2,
  tries_max: 3,
  wait_s: doubling(60),
  run: (_, { caller }) => Promise.resolve(does(caller.customer_id)),
})
const queue = (kind: DueWork<object>, customer_id: number, about_id: number) =>
  foyer.services.tenancy.enter(callerOfJob(customer_id, 'test'), 'write', (scope) =>
    queueDue(scope, { send: () => Promise.resolve() }, kind.kind, [{ about_id }]),
  )

test(
  'with 100,000 due of one customer another one’s waits no longer than alone and two seconds',
  { timeout: 600_000 },
  async ({ task }) => {
    const [many, other] = [await foyer.customer(), await foyer.customer()]
    const [crowd, few] = [many.user.customer.id, other.user.customer.id]
    let seen = Promise.withResolvers<void>()
    let crowded = 0
    const kind = aKind((customer_id) => (customer_id === few ? seen.resolve() : void crowded++))
    const node = openRunner({ tenancy: foyer.services.tenancy, log: noLog, ran: () => {} }, [kind], {})
    const waited = async (about_id: number) => {
      seen = Promise.withResolvers<void>()
      const began_at = performance.now()
      await queue(kind, few, about_id)
      node.wake(kind.kind.name)
      await seen.promise
      return performance.now() - began_at
    }
    const alone = Math.max(await waited(1), await waited(2), await waited(3))
    await foyer.query(
      'insert into due_work (customer_id, kind, about_id) select $1, $2, n from generate_series(1, 100000) as n',
      [crowd, kind.kind.name],
    )
    node.wake(kind.kind.name)
    await expect.poll(() => crowded, { timeout: 60_000 }).toBeGreaterThan(20)
    const beside: number[] = []
    for (let about_id = 10; about_id < 20; about_id++) beside.push(await waited(about_id))
    const longest = Math.max(...beside)
    const left_over = await one<{ left: number }>('select count(*)::integer as left from due_work where kind = $1', [
      kind.kind.name,
    ])
    await node.stop()
    await foyer.query('delete from due_work where kind = $1', [kind.kind.name])
    expect(left_over.left).toBeGreaterThan(10_000)
    expect(longest).toBeLessThan(alone + 2000)
    task.meta.figures = `alone at most ${alone.toFixed(0)} ms, beside ${left_over.left} of another at most ${longest.toFixed(0)} ms`
  },
)

// What is due is decided by the database's own clock. The one that is moved is this process's, for both runners. That two nodes, each with
// connections of its own, do each piece once is shown by test/two-nodes-work.test.ts.
test(
  'two runners do each piece once and none before its time, whether their clock is a day ahead or behind',
  { timeout: 120_000 },
  async () => {
    const who = (await foyer.customer()).user.customer.id
    let done = 0
    const kind = aKind(() => void done++)
    const nodes = [1, 2].map(() =>
      openRunner({ tenancy: foyer.services.tenancy, log: noLog, ran: () => {} }, [kind], {}),
    )
    await foyer.query(
      `insert into due_work (customer_id, kind, about_id, next_at)
     select $1, $2, n, now() + case when n > 50 then interval '1 hour' else interval '0' end from generate_series(1, 100) as n`,
      [who, kind.kind.name],
    )
    for (const days of [1, -1]) {
      setClock(Date.now() + days * 86_400_000)
      for (const node of nodes) node.wake(kind.kind.name)
      await expect.poll(() => done, { timeout: 60_000 }).toBe(50)
    }
    setClock()
    // Its row goes in the transaction that follows what is done.
    const waiting = async () => (await foyer.query('select from due_work where kind = $1', [kind.kind.name])).length
    await expect.poll(waiting, { timeout: 60_000 }).toBe(50)
    expect(done).toBe(50)
    await Promise.all(nodes.map((node) => node.stop()))
  },
)
