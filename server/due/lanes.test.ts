// Lanes: work that shares one other side waits or ends together, and while it is not answered one piece asks for all.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as dueWork from '#contract/due-work.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { doubling, dueKind, queueDue, TriedInVain, type DueWork, type Held, type Settle } from './due-work.ts'

let foyer: TestFoyer
let serial = 0
beforeAll(async () => {
  foyer = await openFoyer({ env: { ROLES: 'api' } })
})
afterAll(() => foyer.close())

type Kind = DueWork<TestFoyer['services']>
/** A kind of its own for each test. */
const aKind = (run: (held: Held) => Promise<Settle | void>, more: Partial<Kind> = {}): Kind => ({
  kind: dueKind(`lane_kind_${++serial}`),
  about: () => sql`concat('piece ', t.about_id)`,
  promise: 'repeated',
  at_once: 4,
  of_one_customer: 2,
  tries_max: 9,
  wait_s: doubling(60),
  run: (_, held) => run(held),
  ...more,
})
const idOf = (who: Person) => who.user.customer.id
const queue = (kind: Kind, who: Person, about_ids: readonly number[], lane: string) =>
  foyer.services.tenancy.enter(callerOfJob(idOf(who), 'test'), 'write', (scope) =>
    queueDue(
      scope,
      foyer.services.queue,
      kind.kind,
      about_ids.map((about_id) => ({ about_id, lane })),
    ),
  )
const tryOne = (kind: Kind, who: Person, about_id: number) =>
  tryDue(kind, foyer.services, { customer_id: idOf(who), about_id })
/** When the pieces are due, in seconds from now, and the errors that stand there. */
const rowsOf = ({ kind }: Kind) =>
  foyer.query<{ about_id: number; state: string; waits_s: number; last_error: string | null }>(
    `select about_id::integer, state, round(extract(epoch from next_at - now()))::integer as waits_s, last_error
     from due_work where kind = $1 order by about_id`,
    [kind.name],
  )

test('a failure of the other side holds up its lane, or ends it, and no other', async () => {
  const who = await foyer.customer()
  let how: 'waits' | 'fails' = 'waits'
  const failed: number[] = []
  const kind = aKind(
    () =>
      Promise.reject(
        new TriedInVain(
          'Reconnect it.',
          how === 'waits' ? { lane: how, retry_after_s: 600 } : { lane: how, hopeless: true },
        ),
      ),
    {
      failed: (_, { about_id }, { as }) => {
        if (as === 'failed') failed.push(about_id)
        return Promise.resolve()
      },
    },
  )
  await queue(kind, who, [1, 2], 'books 1')
  await queue(kind, who, [3], 'books 2')
  await tryOne(kind, who, 1)
  const waits = async () => (await rowsOf(kind)).map(({ state, waits_s }) => [state, waits_s > 500])
  expect(await waits()).toEqual([
    ['waiting', true],
    ['waiting', true],
    ['waiting', false],
  ])
  how = 'fails'
  await tryOne(kind, who, 1)
  expect((await rowsOf(kind)).map(({ state }) => state)).toEqual(['failed', 'failed', 'waiting'])
  expect(new Set(failed)).toEqual(new Set([1, 2]))
})

test('while a lane is not answered one piece of it asks, and the others rest, untouched, until it is', async () => {
  const who = await foyer.customer()
  let isAway = true
  const away = () => new TriedInVain('It is away.', { lane: 'waits', lane_wait_s: 30 })
  const kind = aKind(() => (isAway ? Promise.reject(away()) : Promise.resolve()))
  const about = Array.from({ length: 200 }, (_, n) => n + 1)
  await queue(kind, who, about, 'hook')
  await queue(kind, who, [900], 'another hook')
  const versions = () =>
    foyer.query<{ about_id: number; version: string }>(
      `select about_id::integer, xmin::text as version from due_work where kind = $1 and about_id <= 200 order by about_id`,
      [kind.kind.name],
    )
  await tryOne(kind, who, 1)
  const [first, second, third] = await rowsOf(kind)
  expect([first?.waits_s, second?.waits_s]).toEqual([expect.closeTo(45, -2), 30])
  expect(third).toMatchObject({ waits_s: 900, last_error: 'It is away.' })
  expect((await rowsOf(kind)).at(-1)).toMatchObject({ waits_s: 0, last_error: null })
  for (const asks of [2, 3, 4]) {
    const before = await versions()
    await tryOne(kind, who, asks)
    const after = await versions()
    const changed = after.filter(({ version }, n) => version !== before[n]?.version).map(({ about_id }) => about_id)
    expect(changed).toEqual([asks, asks + 1])
    expect((await rowsOf(kind))[asks]).toMatchObject({ waits_s: 30 })
  }
  // What comes meanwhile is tried once, and rests, too.
  await queue(kind, who, [201], 'hook')
  await tryOne(kind, who, 5)
  expect((await rowsOf(kind)).at(-2)).toMatchObject({ about_id: 201, waits_s: 30, last_error: 'It is away.' })
  isAway = false
  await tryOne(kind, who, 201)
  const left = await rowsOf(kind)
  const own = left.filter(({ about_id }) => about_id <= 5)
  expect(own.map(({ last_error }) => last_error)).toEqual(Array.from({ length: 5 }, () => 'It is away.'))
  const others = left.filter(({ about_id }) => about_id > 5 && about_id < 900)
  expect(others).toHaveLength(195)
  for (const one of others) expect(one).toMatchObject({ waits_s: 0, last_error: null })
})

test('one that asks passes it on where its turn has not come, and an answer that refuses it is an answer, too', async () => {
  const who = await foyer.customer()
  const does: Record<number, () => Promise<Settle | void>> = {
    1: () => Promise.reject(new TriedInVain('It is away.', { lane: 'waits', lane_wait_s: 30 })),
    2: () => Promise.resolve(() => Promise.resolve({ waits_s: 500 })),
    3: () => Promise.reject(new TriedInVain('It does not want it.', { hopeless: true })),
  }
  const kind = aKind(({ about_id }) => does[about_id]?.() ?? Promise.resolve())
  await queue(kind, who, [1, 2, 3, 4], 'hook')
  const waits = async () => (await rowsOf(kind)).slice(1).map(({ waits_s }) => waits_s)
  await tryOne(kind, who, 1)
  expect(await waits()).toEqual([30, 900, 900])
  // The time of the others is when they are tried at the latest, and the list says so.
  const { data: page } = await foyer.get(dueWork.list, { filters: { kind: [kind.kind.name] } }, who)
  expect(page.toReversed().map((row) => row.waits_for_answer)).toEqual([false, false, true, true])
  await tryOne(kind, who, 2)
  expect(await waits()).toEqual([500, 0, 900])
  await tryOne(kind, who, 3)
  expect(await waits()).toEqual([500, 0, 0])
  expect((await rowsOf(kind)).map(({ state }) => state)).toEqual(['waiting', 'waiting', 'failed', 'waiting'])
})

test('what rests and is to be tried again does not wait for an answer', async () => {
  const who = await foyer.customer()
  const kind = aKind(() => Promise.reject(new TriedInVain('It is away.', { lane: 'waits', lane_wait_s: 30 })))
  await queue(kind, who, [1, 2, 3], 'hook')
  await tryOne(kind, who, 1)
  const listed = async () => (await foyer.get(dueWork.list, { filters: { kind: [kind.kind.name] } }, who)).data
  expect((await listed()).some((row) => row.waits_for_answer)).toBe(true)
  await foyer.get(dueWork.retry, { ids: (await listed()).map(({ id }) => id) }, who)
  expect((await listed()).map((row) => row.waits_for_answer)).toEqual([false, false, false])
})
