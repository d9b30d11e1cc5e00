// Due work: what is tried again, who tries it, what a node that died leaves behind, and how customers take turns.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as dueWork from '#contract/due-work.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { dueWorks } from '#server/apps/due-work.ts'
import { connect } from '#server/db/logins.ts'
import { noLog } from '#server/watch/log.ts'
import { clash, invalid } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'
import { attempt, take } from './attempt.ts'
import { doubling, dropDue, dueKind, queueDue, TriedInVain, type DueWork, type Held } from './due-work.ts'
import { findDue } from './find-due.ts'
import { openRunner, type Runner } from './runner.ts'

let foyer: TestFoyer
beforeAll(async () => {
  // Without the role of jobs: the test itself is the nodes.
  foyer = await openFoyer({ env: { ROLES: 'api' } })
})
afterAll(() => foyer.close())

let serial = 0
const runners: Runner[] = []
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()))
  await foyer.query('delete from due_work', [])
})

test('kinds keep their names, by which the rows that wait are found after an upgrade', () => {
  const [connections, systems, others] = [
    ['connection', 'accounting_connection', 'marketing_connection', 'audience_erasure', 'draft'],
    ['property_asking', 'property_file', 'property_message', 'departure', 'controller_count', 'guest_grant'],
    ['mail', 'text_message', 'webhook', 'report_file'],
  ]
  const names = dueWorks.map(({ kind }) => kind.name)
  expect(names).toEqual(expect.arrayContaining([...connections, ...systems, ...others]))
})

type Does = (held: Held) => Promise<void>
/** A kind of its own for each test. */
const aKind = (does: Does, more: Partial<DueWork<object>> = {}): DueWork<object> => ({
  kind: dueKind(`kind_${++serial}`),
  about: () => sql`concat('piece ', t.about_id)`,
  promise: 'repeated',
  at_once: 4,
  of_one_customer: 2,
  tries_max: 3,
  wait_s: doubling(60),
  run: (_, held) => does(held),
  ...more,
})
const idOf = (who: Person) => who.user.customer.id
const queue = (kind: DueWork<object>, customer_id: number, about_ids: readonly number[], lane: string | null = null) =>
  foyer.services.tenancy.enter(callerOfJob(customer_id, 'test'), 'write', (scope) =>
    queueDue(
      scope,
      foyer.services.queue,
      kind.kind,
      about_ids.map((about_id) => ({ about_id, lane })),
    ),
  )
const taken = async (kind: DueWork<object>, customer_id: number, about_id: number) => {
  const [held] = await take(foyer.services.tenancy, kind, { customer_id, rows_max: 1, of: { about_id } })
  if (!held) throw new Error('it could not be taken')
  return held
}
const tryOne = async (kind: DueWork<object>, customer_id: number, about_id: number) =>
  attempt(foyer.services.tenancy, noLog, kind, {}, await taken(kind, customer_id, about_id))
const rowsOf = ({ kind }: DueWork<object>) =>
  foyer.query<{ about_id: number; state: string; tries: number; waits_s: number; last_error: string | null }>(
    `select about_id::integer, state, tries, round(extract(epoch from next_at - now()))::integer as waits_s, last_error
     from due_work where kind = $1 order by about_id`,
    [kind.name],
  )
function aNode(...kinds: DueWork<object>[]): Runner {
  const { tenancy } = foyer.services
  const runner = openRunner({ tenancy, log: noLog, ran: () => {} }, kinds, {})
  runners.push(runner)
  return runner
}
const patiently = { timeout: 60_000 }

test('what fails is tried again after growing waits, and is given up after the last try, with why in words', async () => {
  const who = await foyer.customer()
  const told: unknown[] = []
  const kind = aKind(() => Promise.reject(new TriedInVain('The other side is away.')), {
    failed: (_, { about_id, tries }, { as }) => {
      told.push([about_id, tries, as])
      return Promise.resolve()
    },
  })
  await queue(kind, idOf(who), [7])
  for (const longest of [60, 120]) {
    await tryOne(kind, idOf(who), 7)
    const [row] = await rowsOf(kind)
    expect(row).toMatchObject({ state: 'waiting', last_error: 'The other side is away.' })
    expect(row?.waits_s).toBeGreaterThan(longest / 2 - 5)
    expect(row?.waits_s).toBeLessThanOrEqual(longest)
  }
  await tryOne(kind, idOf(who), 7)
  expect(await rowsOf(kind)).toMatchObject([{ state: 'failed', tries: 3, last_error: 'The other side is away.' }])
  expect(told).toEqual([
    [7, 1, 'again'],
    [7, 2, 'again'],
    [7, 3, 'failed'],
  ])
})

test('a fault of ours is not shown to people, and what the other side asks to wait is no try', async () => {
  const who = await foyer.customer()
  const ours = aKind(() => Promise.reject(new Error('relation "secret_table" does not exist')))
  await queue(ours, idOf(who), [1])
  await tryOne(ours, idOf(who), 1)
  expect((await rowsOf(ours))[0]?.last_error).toBe(
    'Something went wrong on our side. The server’s log has the details.',
  )
  const asked = aKind(() => Promise.reject(new TriedInVain('It is busy.', { retry_after_s: 900 })))
  await queue(asked, idOf(who), [1])
  for (let tries = 0; tries < 5; tries++) await tryOne(asked, idOf(who), 1)
  expect(await rowsOf(asked)).toMatchObject([{ state: 'waiting', tries: 0, waits_s: 900 }])
})

test('a node that fell silent stores nothing any more once another one has its work', async () => {
  const who = await foyer.customer()
  let stored = 0
  const kind = aKind(() => Promise.resolve(), {
    run: () =>
      Promise.resolve(async (scope) => {
        await scope.run(sql`select 1`)
        stored++
      }),
  })
  await queue(kind, idOf(who), [1])
  const first = await taken(kind, idOf(who), 1)
  const second = await taken(kind, idOf(who), 1)
  expect(await attempt(foyer.services.tenancy, noLog, kind, {}, first)).toBe('lost')
  expect(await rowsOf(kind)).toMatchObject([{ state: 'trying', tries: 2 }])
  expect(await attempt(foyer.services.tenancy, noLog, kind, {}, second)).toBe('done')
  expect(await rowsOf(kind)).toEqual([])
  expect(stored).toBe(2)
})

test('what was taken back while it was tried stays taken back', async () => {
  const who = await foyer.customer()
  const kind = aKind(() => Promise.reject(new Error('late')))
  await queue(kind, idOf(who), [1])
  const held = await taken(kind, idOf(who), 1)
  await foyer.query('delete from due_work where kind = $1', [kind.kind.name])
  expect(await attempt(foyer.services.tenancy, noLog, kind, {}, held)).toBe('lost')
  expect(await rowsOf(kind)).toEqual([])
})

test('work that must not be done twice says whether a try before may have done it', async () => {
  const who = await foyer.customer()
  const unsure: boolean[] = []
  let is_sure = false
  const kind = aKind(
    ({ was_unsure }) => {
      unsure.push(was_unsure)
      return Promise.reject(new TriedInVain('No answer came.', { is_sure }))
    },
    { promise: 'once' },
  )
  await queue(kind, idOf(who), [1])
  // A node that dies with it leaves it unsure, too.
  await taken(kind, idOf(who), 1)
  await tryOne(kind, idOf(who), 1)
  is_sure = true
  await tryOne(kind, idOf(who), 1)
  expect(unsure).toEqual([true, true])
  expect(await rowsOf(kind)).toMatchObject([{ state: 'failed', tries: 3 }])

  is_sure = false
  await queue(kind, idOf(who), [2])
  for (let tries = 0; tries < 3; tries++) await tryOne(kind, idOf(who), 2)
  expect(unsure.slice(2)).toEqual([false, true, true])
  expect((await rowsOf(kind)).at(-1)).toMatchObject({ state: 'unknown', tries: 3 })
})

test('a lane whose other side does not answer is tried by one at a time until it does, so that others have their places', async () => {
  const who = await foyer.customer()
  let isAway = true
  let [running, most, dead] = [0, 0, 0]
  const first = Promise.withResolvers<void>()
  const done: number[] = []
  const kind = aKind(
    async ({ about_id, lane }) => {
      if (lane === 'dead' && isAway) {
        most = Math.max(most, ++running)
        await Promise.all([first.promise, sleep(20)])
        running--
        dead++
        throw new TriedInVain('It is away.', { lane: 'waits', retry_after_s: 0.01 })
      }
      done.push(about_id)
    },
    { of_one_customer: 4, of_one_lane: 3 },
  )
  await queue(kind, idOf(who), [1, 2, 3, 4, 5, 6], 'dead')
  const node = aNode(kind)
  node.wake(kind.kind.name)
  await expect.poll(() => running, patiently).toBe(3)
  first.resolve()
  await expect.poll(() => dead, patiently).toBeGreaterThanOrEqual(3)
  await expect.poll(() => running, patiently).toBeLessThanOrEqual(1)
  const before = dead
  most = 0
  await expect.poll(() => (node.wake(kind.kind.name), dead), patiently).toBeGreaterThan(before + 5)
  expect(most).toBe(1)
  isAway = false
  await expect.poll(() => (node.wake(kind.kind.name), done.length), patiently).toBe(6)
})

/** How many pages it takes to find whose turn it is, by a plan that was made while there was little due. */
async function plannedWhileSmall({ kind }: DueWork<object>) {
  const client = await connect(foyer.database.ownerUrl)
  onTestFinished(() => client.end())
  await client.query('set enable_seqscan to off')
  const pagesRead = async () => {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number } }] }>(
      `explain (analyze, buffers, format json) select * from door_due_customers('${kind.name}', false, 0, 50)`,
    )
    return rows[0]?.['QUERY PLAN'][0].Plan['Shared Hit Blocks']
  }
  // From its sixth use on, a plan stays as it is.
  for (let used = 0; used < 6; used++) await pagesRead()
  return pagesRead
}

test('of a customer with twenty thousand pieces another one’s is done after a few of them', async () => {
  const [many, one] = [await foyer.customer(), await foyer.customer()]
  const done: number[] = []
  const kind = aKind(({ caller }) => {
    done.push(caller.customer_id)
    return Promise.resolve()
  })
  await queue(kind, idOf(one), [2])
  const pagesRead = await plannedWhileSmall(kind)
  await foyer.query(
    `insert into due_work (customer_id, kind, about_id) select $1, $2, n from generate_series(1, 20000) as n`,
    [idOf(many), kind.kind.name],
  )
  await pagesRead()
  expect(await pagesRead()).toBeLessThan(30)
  const node = aNode(kind)
  node.wake(kind.kind.name)
  await expect.poll(() => done.length, patiently).toBeGreaterThan(20)
  const before = done.length
  await queue(kind, idOf(one), [1])
  await expect.poll(() => done.slice(before).includes(idOf(one)), patiently).toBe(true)
  // Those that were taken while it was queued, and a turn of each place.
  const between = done.slice(before).indexOf(idOf(one))
  expect(between).toBeLessThan(200)
})

test('a customer whose work is slow leaves places for others', async () => {
  const [slow, quick] = [await foyer.customer(), await foyer.customer()]
  const done: number[] = []
  let end = () => {}
  const ends = new Promise<void>((resolve) => (end = resolve))
  let running = 0
  const kind = aKind(async ({ caller: { customer_id } }) => {
    if (customer_id === idOf(slow)) {
      running++
      await ends
    }
    done.push(customer_id)
  })
  await queue(kind, idOf(slow), [1, 2, 3, 4, 5, 6, 7, 8])
  const node = aNode(kind)
  node.wake(kind.kind.name)
  await expect.poll(() => running, patiently).toBe(kind.of_one_customer)
  await queue(kind, idOf(quick), [1, 2, 3])
  node.wake(kind.kind.name)
  await expect.poll(() => done, patiently).toEqual([idOf(quick), idOf(quick), idOf(quick)])
  expect(running).toBe(kind.of_one_customer)
  end()
  await expect.poll(() => done.length, patiently).toBe(11)
})

test('two nodes do each piece once, and both find what comes to its time', async () => {
  const who = await foyer.customer()
  const done: number[] = []
  const kind = aKind(({ about_id }) => {
    done.push(about_id)
    return Promise.resolve()
  })
  await queue(
    kind,
    idOf(who),
    Array.from({ length: 200 }, (_, index) => index),
  )
  for (const node of [aNode(kind), aNode(kind)]) node.wake(kind.kind.name)
  await expect.poll(() => done.length, patiently).toBe(200)
  expect(new Set(done).size).toBe(200)
  // Nobody wakes them: its time comes.
  await queue(kind, idOf(who), [1000])
  await foyer.query(`update due_work set next_at = now() + interval '1 second' where kind = $1`, [kind.kind.name])
  await expect.poll(() => done.at(-1), patiently).toBe(1000)
  await expect.poll(() => rowsOf(kind), patiently).toEqual([])
})

test('editors see what waits and why, and nobody else does', async () => {
  const [who, other] = [await foyer.customer(), await foyer.customer()]
  await foyer.query('delete from due_work', [])
  await foyer.query(
    `insert into due_work (customer_id, kind, about_id, state, last_error) values ($1, 'mail', 0, 'unknown', 'No answer came.'),
       ($1, 'mail', -1, 'failed', 'The mail server did not take it.'), ($1, 'mail', -2, 'waiting', null)`,
    [idOf(who)],
  )
  const listed = (filters: object) => foyer.get(dueWork.list, { filters }, who)
  const { data } = await listed({})
  expect(data.map(({ state, last_error }) => [state, last_error])).toEqual([
    ['waiting', null],
    ['failed', 'The mail server did not take it.'],
    ['unknown', 'No answer came.'],
  ])
  expect((await listed({ state: ['failed', 'unknown'] })).data).toHaveLength(2)
  expect((await listed({ kind: ['report_file'] })).data).toEqual([])
  expect((await foyer.get(dueWork.list, {}, other)).data).toEqual([])
  const [waiting, failed, unknown] = data.map(({ id }) => id)
  if (waiting === undefined || failed === undefined || unknown === undefined) throw new Error('three are listed')

  expectRefused(
    await foyer.ask(dueWork.dismiss, { ids: [waiting] }, who),
    clash('Only work that was given up can be dismissed. The rest is still being tried.'),
  )
  const refused = await foyer.ask(dueWork.dismiss, { ids: [failed, unknown] }, who)
  expectRefused(refused, invalid({ reason: ['Enter what you found: it is not known whether this was done.'] }))
  await foyer.get(dueWork.dismiss, { ids: [unknown], reason: 'It stands in the books.' }, who)
  await foyer.get(dueWork.retry, { ids: [failed] }, who)
  const left = (await listed({})).data
  expect(left.map(({ id, state, last_error }) => [id, state, last_error])).toEqual([
    [waiting, 'waiting', null],
    [failed, 'waiting', 'The mail server did not take it.'],
  ])
  const { data: lines } = await foyer.get(activity.list, { filters: { object_type: ['due_work'] } }, who)
  expect(lines.map(({ after }) => after)).toEqual([
    { state: 'waiting' },
    { state: 'dismissed', reason: 'It stands in the books.' },
  ])
})

test('what is done again and again begins anew each time: its tries, and what went wrong before', async () => {
  const who = await foyer.customer()
  let isAway = true
  const kind = aKind(() => Promise.resolve(), {
    run: () => {
      if (isAway) return Promise.reject(new TriedInVain('The other side is away.'))
      return Promise.resolve(() => Promise.resolve({ again_s: 900 }))
    },
  })
  await queue(kind, idOf(who), [1])
  for (let round = 0; round < 3; round++) {
    isAway = true
    await tryOne(kind, idOf(who), 1)
    await tryOne(kind, idOf(who), 1)
    expect(await rowsOf(kind)).toMatchObject([{ state: 'waiting', tries: 2, last_error: 'The other side is away.' }])
    isAway = false
    expect(await tryOne(kind, idOf(who), 1)).toBe('done')
    expect(await rowsOf(kind)).toEqual([{ about_id: 1, state: 'waiting', tries: 0, waits_s: 900, last_error: null }])
  }
})

test('what a kind finds is queued, and neither a customer nor a kind for which that fails keeps others from it', async () => {
  const [who, other] = [await foyer.customer(), await foyer.customer()]
  const found = (customer_id: number, about_id: number) =>
    sql<{
      customer_id: number
      about_id: number
    }>`select ${customer_id}::integer as customer_id, ${about_id}::integer as about_id
      union all select ${idOf(other)}::integer, 8`
  const nobody = 2_000_000_000
  const [wrong, half, whole] = [
    aKind(() => Promise.resolve(), { finds: sql`select no_such_function()` }),
    aKind(() => Promise.resolve(), { finds: found(nobody, 7) }),
    aKind(() => Promise.resolve(), { finds: found(idOf(who), 7) }),
  ]
  await expect(findDue(foyer.services, [wrong, half, whole])).rejects.toThrow(half.kind.name)
  expect((await rowsOf(half)).map(({ about_id }) => about_id)).toEqual([8])
  expect((await rowsOf(whole)).map(({ about_id }) => about_id)).toEqual([7, 8])
})

test('what another node is just taking is passed over, and not waited for', async () => {
  const who = await foyer.customer()
  const kind = aKind(() => Promise.resolve())
  await queue(kind, idOf(who), [1, 2])
  const other = await connect(foyer.database.ownerUrl)
  try {
    await other.query('begin')
    await other.query('select from due_work where kind = $1 and about_id = 1 for no key update', [kind.kind.name])
    const which = { customer_id: idOf(who), rows_max: 2, of: { urgent: false } }
    const found = await take(foyer.services.tenancy, kind, which)
    expect(found.map(({ about_id }) => about_id)).toEqual([2])
  } finally {
    await other.end()
  }
})

test('what is queued again while it is tried stays with whoever tries it, and what is taken back is of its kind alone', async () => {
  const who = await foyer.customer()
  const [kind, other] = [aKind(() => Promise.resolve()), aKind(() => Promise.resolve())]
  await queue(kind, idOf(who), [1])
  const held = await taken(kind, idOf(who), 1)
  await queue(kind, idOf(who), [1])
  expect(await rowsOf(kind)).toMatchObject([{ state: 'trying', tries: 1 }])
  await queue(other, idOf(who), [1])
  await foyer.services.tenancy.enter(held.caller, 'write', (scope) => dropDue(scope, kind.kind, [1]))
  expect([await rowsOf(kind), (await rowsOf(other)).length]).toEqual([[], 1])
  expect(await attempt(foyer.services.tenancy, noLog, kind, {}, held)).toBe('lost')
})

test('a node that stops ends what it is doing first, and begins nothing more', async () => {
  const who = await foyer.customer()
  const begun: number[] = []
  let end = () => {}
  const ends = new Promise<void>((resolve) => (end = resolve))
  const kind = aKind(({ about_id }) => {
    begun.push(about_id)
    return ends
  })
  await queue(kind, idOf(who), [1, 2, 3])
  const node = aNode(kind)
  node.wake(kind.kind.name)
  await expect.poll(() => begun.length, patiently).toBe(kind.of_one_customer)
  let isStopped = false
  const stopped = node.stop().then(() => (isStopped = true))
  // What it does before it would answer at once.
  await rowsOf(kind)
  expect(isStopped).toBe(false)
  end()
  await stopped
  expect(begun).toEqual([1, 2])
  expect((await rowsOf(kind)).map(({ about_id, state }) => [about_id, state])).toEqual([[3, 'waiting']])
})
