// Tenancy: a scope lives exactly as long as its transaction, and a caller reaches exactly its sets of groups and properties.
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { callerOfJob, type Caller } from '#server/access/principal.ts'
import { connect } from '#server/db/logins.ts'
import { openTenancy, type Scope, type Tenancy } from '#server/access/tenancy.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
/** With one connection, so that later work runs on the same one. */
let narrow: Tenancy
let mine: Person
let neighbour: Person
beforeAll(async () => {
  foyer = await openFoyer()
  narrow = openTenancy(foyer.database, { connections_max: 1 })
  mine = await foyer.customer()
  neighbour = await foyer.customer()
})
afterAll(async () => {
  await narrow.close()
  await foyer.close()
})

const job = (who: Person) => callerOfJob(who.user.customer.id, 'test')
const names = sql<{ name: string }>`select name from packages`
const ended = 'This transaction has ended'

describe('a scope dies with its transaction', () => {
  const methods: [string, (scope: Scope) => unknown][] = [
    ['run', (scope) => scope.run(names)],
    ['read', (scope) => scope.read(names)],
    ['inReach', (scope) => scope.inReach('packages', 't')],
    ['everInReach', (scope) => scope.everInReach('packages', 't')],
    ['insert', (scope) => scope.insert('packages', { name: 'late' })],
    ['insertMany', (scope) => scope.insertMany('packages', [{ name: 'late' }])],
    ['lock', (scope) => scope.lock('packages', sql`true`)],
    ['change', (scope) => scope.change('packages', [1], { name: 'late' })],
    ['unlink', (scope) => scope.unlink('collection_users', { user_id: 1 })],
    ['unreachable', (scope) => scope.unreachable([{ target: 'packages', id: 1, field: 'id' }])],
    ['search', (scope) => scope.search('packages', 'late', 1)],
  ]
  test('each of its methods is named here', async () => {
    const scope = await narrow.enter(job(mine), 'read', async (entered) => entered)
    const all = Object.entries(scope).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
    expect(all.toSorted()).toEqual(methods.map(([name]) => name).toSorted())
  })
  test.each(methods)('%s throws afterwards, after a commit and after an error', async (_, use) => {
    const kept: Scope[] = []
    await narrow.enter(job(mine), 'write', async (scope) => void kept.push(scope))
    await expect(
      narrow.enter(job(mine), 'write', async (scope) => {
        kept.push(scope)
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    for (const scope of kept) await expect((async () => use(scope))()).rejects.toThrow(ended)
  })

  test('a statement that reads alone sees its customer and leaves no trace of it on the connection', async () => {
    const customers = sql<{ id: number; name: string }>`select id, name from customers`
    for (const who of [mine, neighbour, mine]) {
      const seen = await narrow.enter(job(who), 'read', (scope) => scope.read(customers))
      expect(seen.map(({ id }) => id)).toEqual([who.user.customer.id])
      const left = await narrow.execute(`select current_setting('app.customer_id', true) as left`)
      expect(left.rows).toEqual([{ left: '' }])
      expect((await narrow.execute('select id, name from customers')).rows).toEqual([])
    }
  })
  test('a generator that reads on after the commit is refused, and never sees the customer that came next', async () => {
    async function* pages(scope: Scope) {
      for (;;) yield await scope.run(names)
    }
    const reading = await narrow.enter(job(mine), 'read', async (scope) => {
      const generator = pages(scope)
      await generator.next()
      return generator
    })
    const seen = await narrow.enter(job(neighbour), 'read', async (scope) => {
      await scope.run(sql`select 1`)
      return reading.next().catch((error: Error) => error.message)
    })
    expect(seen).toContain(ended)
  })

  test('a statement that nobody awaits runs in its transaction or not at all', async () => {
    const late = (scope: Scope) => scope.run(names).catch(() => 'refused' as const)
    const floating: Promise<unknown>[] = []
    await narrow.enter(job(mine), 'read', async (scope) => {
      floating.push(late(scope))
      void Promise.resolve()
        .then(() => sleep(0))
        .then(() => floating.push(late(scope)))
    })
    await narrow.enter(job(neighbour), 'read', () => sleep(20))
    expect(floating).toHaveLength(2)
    const [first, second] = await Promise.all(floating)
    expect(first).toHaveLength(3)
    expect(second).toBe('refused')
  })
})

test('a reading scope cannot write', async () => {
  const writing = narrow.enter(job(mine), 'read', (scope) => scope.insert('packages', { name: 'Written by a reader' }))
  await expect(writing).rejects.toThrow('read-only transaction')
})

test('what was not stored is not acknowledged, though its error was swallowed', async () => {
  const swallowed = narrow.enter(job(mine), 'write', async (scope) => {
    await scope.insert('packages', { name: 'Not stored' })
    await scope.run(sql`select 1 / 0`).catch(() => {})
  })
  await expect(swallowed).rejects.toThrow('the transaction was rolled back')
  const stored = sql`select from packages where name = 'Not stored'`
  expect(await narrow.enter(job(mine), 'read', (scope) => scope.read(stored))).toEqual([])
})

test('a connection that was lost in a transaction is not used again', async () => {
  const lost = narrow.enter(job(mine), 'write', (scope) =>
    scope.run(sql`select pg_terminate_backend(pg_backend_pid())`),
  )
  await expect(lost).rejects.toThrow()
  expect(await narrow.enter(job(mine), 'read', (scope) => scope.run(names))).not.toEqual([])
})

test('a transaction inside another is refused', async () => {
  await expect(
    narrow.enter(job(mine), 'read', () => narrow.enter(job(neighbour), 'read', async () => 'inside')),
  ).rejects.toThrow('A transaction is open already')
  expect(await narrow.enter(job(mine), 'read', async () => 'after')).toBe('after')
})

test('the rows of a condition are changed as far as they are in reach', async () => {
  const change = (who: Person) =>
    narrow.enter(job(who), 'write', async (scope) => {
      const own = await scope.insert('packages', { name: 'Named by both' })
      return [own, ...(await scope.change('packages', sql`t.name = 'Named by both'`, { name: 'Changed' }))]
    })
  for (const who of [mine, neighbour]) {
    const [own, ...changed] = await change(who)
    expect(changed).toEqual([own])
  }
})

test('rows are locked in the order of their ids, wherever they are stored, so that no two transactions wait for each other', async () => {
  const caller = job(await foyer.customer())
  const [low = 0, high = 0] = await narrow.enter(caller, 'write', async (scope) => {
    const ids = [await scope.insert('packages', { name: 'Low' }), await scope.insert('packages', { name: 'High' })]
    // From here on its row is stored after the other one.
    await scope.change('packages', ids.slice(0, 1), { name: 'Lower' })
    return ids
  })
  const other = await connect(foyer.database.adminUrl)
  try {
    await other.query('begin')
    await other.query('update packages set name = name where id = $1', [low])
    const change = narrow.enter(caller, 'write', (scope) =>
      scope.change('packages', sql`t.name in ('Lower', 'High')`, { name: 'Both' }),
    )
    const waiting = () =>
      other.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    await expect.poll(async () => (await waiting()).rowCount, { timeout: 20_000 }).toBeGreaterThan(0)
    await other.query('select from packages where id = $1 for update nowait', [high])
    await other.query('rollback')
    expect((await change).toSorted((one, next) => one - next)).toEqual([low, high])
  } finally {
    await other.end()
  }
})

test('a job is sent with its transaction, and not after it', async () => {
  let late: Promise<unknown> | undefined
  await narrow.enter(job(mine), 'read', async () => {
    void sleep(5).then(() => (late = narrow.execute('select 1').catch((error: Error) => error.message)))
  })
  await expect.poll(() => late).toBeDefined()
  expect(await late).toContain(ended)
})

test('a caller reaches exactly the properties, or the groups, that it is given', async () => {
  const group = await foyer.group(mine)
  const inGroup = await foyer.property(mine, { group_id: group.id })
  const [one, two, third] = [await foyer.property(mine), await foyer.property(mine), await foyer.property(mine)]
  const seen = async (reach: Caller['reach']) =>
    narrow.enter({ ...job(mine), reach }, 'read', async (scope) =>
      (
        await scope.run(
          sql<{ id: number }>`select id from properties as t where ${scope.inReach('properties', 't')} order by id`,
        )
      ).map(({ id }) => id),
    )
  expect(await seen({ of: 'Property', ids: [one.id, third.id] })).toEqual([one.id, third.id])
  expect(await seen({ of: 'Property', ids: [two.id] })).toEqual([two.id])
  expect(await seen({ of: 'Property', ids: [] })).toEqual([])
  expect(await seen({ of: 'Group', ids: [group.id, 2_000_000_000] })).toEqual([inGroup.id])
  expect(await seen({ of: 'Customer' })).toHaveLength(4)
})

test('statements that wait for nothing of one another leave in one write', async () => {
  const written = vi.spyOn(Socket.prototype, '_writev')
  const alone = vi.spyOn(Socket.prototype, '_write')
  await narrow.enter(job(mine), 'read', async (scope) => {
    await scope.run(names)
    written.mockClear()
    alone.mockClear()
    await Promise.all([scope.run(names), scope.run(names), scope.search('packages', 'late', 1)])
    expect([written.mock.calls.length, alone.mock.calls.length]).toEqual([1, 0])
  })
  written.mockRestore()
  alone.mockRestore()
})
