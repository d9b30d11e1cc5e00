// Scope: what each of its methods reads and writes, in whose rows, and which statements it sends.
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { callerOfGateway, callerOfJob, type Caller } from '#server/access/principal.ts'
import { openTenancy, type Scope, type Tenancy } from '#server/access/tenancy.ts'
import { connect } from '#server/db/logins.ts'
import { openTurns } from '#server/turns/shares.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
/** With one connection, so that its statements can be told apart from those of Foyer's own work. */
let tenancy: Tenancy
let mine: Person
let neighbour: Person
/** Of one property: it reaches what belongs to that, and its customer has another property. */
let desk: Person
let other_property_id: number
beforeAll(async () => {
  foyer = await openFoyer()
  tenancy = openTenancy(foyer.database, { connections_max: 1 })
  mine = await foyer.customer()
  neighbour = await foyer.customer()
  const property = await foyer.property(mine)
  other_property_id = (await foyer.property(mine)).id
  desk = await foyer.invited(mine, { owner_type: 'Property', owner_id: property.id })
})
afterAll(async () => {
  await tenancy.close()
  await foyer.close()
})

const callerOf = ({ user }: Person): Caller => {
  const { id, name, email, customer, owner_type, owner_id, can } = user
  if (owner_type === 'Package') throw new Error('a package signs nobody in')
  const reach = owner_type === 'Customer' ? { of: owner_type } : { of: owner_type, ids: [owner_id] }
  const principal = { kind: 'user' as const, id, name, email }
  return { customer_id: customer.id, principal, owner: { owner_type, owner_id }, reach, can, ip: null }
}
const writing = <R>(who: Person, work: (scope: Scope) => Promise<R>) => tenancy.enter(callerOf(who), 'write', work)
const reading = <R>(who: Person, work: (scope: Scope) => Promise<R>) => tenancy.enter(callerOf(who), 'read', work)

const aRoom = (scope: Scope, property_id: number, number: string) => scope.insert('rooms', { property_id, number })
const numbers = (scope: Scope, ids: number[]) =>
  scope.run(sql<{ id: number; number: string }>`select id, number from rooms where id = any(${ids}) order by id`)

describe('insert', () => {
  test('a row is stamped with the customer, and columns that are not given get their defaults', async () => {
    const row = await writing(mine, async (scope) => {
      const id = await scope.insert('packages', { name: 'Given', volume_gb: 3, speed_mbps: undefined })
      return scope.run(sql`select customer_id, name, volume_gb, speed_mbps, active from packages where id = ${id}`)
    })
    const customer_id = mine.user.customer.id
    expect(row).toEqual([{ customer_id, name: 'Given', volume_gb: 3, speed_mbps: 0, active: true }])
  })
  test('rows may give different columns, and no rows send no statement', async () => {
    const rows = await writing(mine, async (scope) => {
      await scope.insertMany('packages', [])
      await scope.insertMany('packages', [
        { name: 'Many 1', volume_gb: 7 },
        { name: 'Many 2', speed_mbps: 5 },
      ])
      return scope.run(
        sql`select customer_id, name, volume_gb, speed_mbps from packages where name like 'Many %' order by name`,
      )
    })
    const customer_id = mine.user.customer.id
    expect(rows).toEqual([
      { customer_id, name: 'Many 1', volume_gb: 7, speed_mbps: 0 },
      { customer_id, name: 'Many 2', volume_gb: 0, speed_mbps: 5 },
    ])
  })
  test('a row that the database swallows is an error', async () => {
    const admin = await connect(foyer.database.adminUrl)
    await admin.query(`
      create function swallow() returns trigger language plpgsql as 'begin return null; end';
      create trigger swallow before insert on packages for each row when (new.name = 'Swallowed') execute function swallow()`)
    await admin.end()
    await expect(writing(mine, (scope) => scope.insert('packages', { name: 'Swallowed' }))).rejects.toThrow(
      'inserting into packages gave no row',
    )
  })
})

describe('change and lock', () => {
  let own: number
  let sibling: number
  let gone: number
  beforeEach(async () => {
    await writing(mine, async (scope) => {
      const at = desk.user.owner_id
      own = await aRoom(scope, at, `own ${performance.now()}`)
      gone = await aRoom(scope, at, `gone ${performance.now()}`)
      sibling = await aRoom(scope, other_property_id, `sibling ${performance.now()}`)
      await scope.change('rooms', [gone], { deleted_at: new Date() })
    })
  })

  test('ids out of reach and what is deleted are passed over', async () => {
    expect(
      await writing(desk, (scope) => scope.change('rooms', [sibling, gone, own], { external_reference: '7' })),
    ).toEqual([own])
    expect(await writing(neighbour, (scope) => scope.change('rooms', [own], { external_reference: '8' }))).toEqual([])
    const references = sql`select id, external_reference from rooms where id = any(${[own, gone, sibling]}) order by id`
    expect(await reading(mine, (scope) => scope.run(references))).toEqual([
      { id: own, external_reference: '7' },
      { id: gone, external_reference: null },
      { id: sibling, external_reference: null },
    ])
  })
  test('columns that are not given keep their values, and no ids send no statement', async () => {
    const [before] = await reading(mine, (scope) => numbers(scope, [own]))
    await writing(mine, (scope) => scope.change('rooms', [own], { external_reference: '3', number: undefined }))
    expect(await reading(mine, (scope) => numbers(scope, [own]))).toEqual([before])
    const { result, asked } = await statementsOf(() =>
      writing(mine, (scope) => scope.change('rooms', [], { external_reference: '4' })),
    )
    expect(result).toEqual([])
    expect(asked).toEqual([])
  })
  test('the rows of a condition are locked as far as they are in reach and not deleted', async () => {
    const named = sql<boolean>`t.id = any(${[sibling, gone, own]})`
    expect(await writing(desk, (scope) => scope.lock('rooms', named))).toEqual([own])
    expect(await writing(mine, (scope) => scope.lock('rooms', named))).toEqual([own, sibling])
    expect(await writing(neighbour, (scope) => scope.lock('rooms', named))).toEqual([])
  })
})

test('rows of a join table are removed by one value or several, as far as they are in reach', async () => {
  const group = await foyer.group(mine)
  const properties = [await foyer.property(mine), await foyer.property(mine), await foyer.property(mine)]
  const property_ids = properties.map(({ id }) => id)
  const [first = 0, second = 0] = property_ids
  const [collection_id, all] = await writing(mine, async (scope) => {
    const id = await scope.insert('collections', { name: 'Joined', group_id: group.id })
    const rows = property_ids.map((property_id) => ({ collection_id: id, property_id }))
    await scope.insertMany('collection_properties', rows)
    return [id, rows]
  })
  const left = () =>
    reading(mine, (scope) =>
      scope.run(
        sql<object>`select collection_id, property_id from collection_properties where collection_id = ${collection_id} order by 2`,
      ),
    )
  for (const who of [neighbour, desk])
    await writing(who, (scope) => scope.unlink('collection_properties', { collection_id, property_id: property_ids }))
  expect(await left()).toEqual(all)
  await writing(mine, (scope) => scope.unlink('collection_properties', { collection_id, property_id: first }))
  expect(await left()).toEqual(all.slice(1))
  await writing(mine, (scope) => scope.unlink('collection_properties', { collection_id, property_id: [first, second] }))
  expect(await left()).toEqual(all.slice(2))
  await writing(mine, (scope) => scope.unlink('collection_properties', { collection_id, property_id: undefined }))
  expect(await left()).toEqual([])
})

test('references that are absent, deleted or out of reach are returned', async () => {
  const absent = 2_000_000_000
  const ref = (target: 'rooms' | 'properties' | 'countries', id: number) => ({ target, id, field: `${target} ${id}` })
  const [own, gone] = await writing(mine, async (scope) => {
    const ids = [
      await aRoom(scope, desk.user.owner_id, 'to point at'),
      await aRoom(scope, desk.user.owner_id, 'to point at no more'),
    ] as const
    await scope.change('rooms', [ids[1]], { deleted_at: new Date() })
    return ids
  })
  const good = [ref('rooms', own), ref('properties', desk.user.owner_id), ref('countries', 1), ref('rooms', own)]
  const bad = [ref('rooms', gone), ref('rooms', absent), ref('properties', absent), ref('countries', absent)]
  const unreachable = (who: Person, refs: typeof good) => reading(who, (scope) => scope.unreachable(refs))
  expect(await unreachable(desk, [...good, ...bad])).toEqual(bad)
  expect(await unreachable(desk, [ref('properties', other_property_id), ...good])).toEqual([
    ref('properties', other_property_id),
  ])
  expect(await unreachable(neighbour, good)).toEqual([good[0], good[1], good[3]])
  // An id of one target is not an id of another.
  expect(await unreachable(mine, [ref('rooms', own), ref('properties', own + 1_000_000)])).toHaveLength(1)
  const { result, asked } = await statementsOf(() => unreachable(mine, []))
  expect(result).toEqual([])
  expect(asked).toEqual([])
})

test('a text is found in the rows of the customer, the newest first and no more than were asked for', async () => {
  const ids = await writing(mine, async (scope) => [
    await scope.insert('packages', { name: 'Wanted one' }),
    await scope.insert('packages', { name: 'Other' }),
    await scope.insert('packages', { name: 'The wanted two' }),
  ])
  const search = (who: Person, needle: string, max: number) =>
    reading(who, (scope) => scope.search('packages', needle, max))
  expect(await search(mine, 'wanted', 5)).toEqual([ids[2], ids[0]])
  expect(await search(mine, 'wanted', 1)).toEqual([ids[2]])
  expect(await search(neighbour, 'wanted', 5)).toEqual([])
})

describe('the statements that are sent', () => {
  const one = sql<{ one: number }>`select 1 as one`
  const opening = (mode: string) => `begin${mode && ` ${mode}`}; set local app.customer_id = '${mine.user.customer.id}'`
  test('a read by itself is one statement and no transaction', async () => {
    const { result, asked } = await statementsOf(() => reading(mine, (scope) => scope.read(one)))
    expect(result).toEqual([{ one: 1 }])
    expect(asked).toEqual([expect.stringContaining('select 1 as one')])
  })
  test('a read after another statement is sent as it is, in the same transaction', async () => {
    const { result, asked } = await statementsOf(() =>
      reading(mine, async (scope) => [await scope.run(one), await scope.read(one)]),
    )
    expect(result).toEqual([[{ one: 1 }], [{ one: 1 }]])
    expect(asked).toEqual([opening('read only'), 'select 1 as one', 'select 1 as one', 'commit'])
  })
  test('a writing transaction begins with its first statement', async () => {
    const { asked } = await statementsOf(() => writing(mine, (scope) => scope.run(one)))
    expect(asked).toEqual([opening(''), 'select 1 as one', 'commit'])
  })
  test('plans of what a gateway asks are kept', async () => {
    const { customer } = mine.user
    const gateway = callerOfGateway({ id: 1, property_id: 1, customer_id: customer.id, name: 'Gateway' })
    const mode = sql<{ mode: string }>`select current_setting('plan_cache_mode') as mode`
    expect(await tenancy.enter(gateway, 'write', (scope) => scope.run(mode))).toEqual([{ mode: 'force_generic_plan' }])
    expect(await writing(mine, (scope) => scope.run(mode))).toEqual([{ mode: 'auto' }])
  })
  test('without a statement no transaction is begun or ended', async () => {
    const { asked } = await statementsOf(async () => {
      await writing(mine, async () => 'nothing')
      const failed = writing(mine, async () => {
        throw new Error('before anything')
      })
      await expect(failed).rejects.toThrow('before anything')
    })
    expect(asked).toEqual([])
  })
  test('a failed transaction is rolled back', async () => {
    const { asked } = await statementsOf(async () => {
      const failed = writing(mine, async (scope) => {
        await scope.run(one)
        throw new Error('afterwards')
      })
      await expect(failed).rejects.toThrow('afterwards')
    })
    expect(asked).toEqual([opening(''), 'select 1 as one', 'rollback'])
  })
  test('SQL of a library runs inside the open transaction, else by itself', async () => {
    const { asked } = await statementsOf(async () => {
      const { rows } = await tenancy.execute('select 2 + $1::int as sum', [3])
      expect(rows).toEqual([{ sum: 5 }])
      await writing(mine, () => tenancy.execute('select 3'))
    })
    expect(asked).toEqual(['select 2 + $1::int as sum', opening(''), 'select 3', 'commit'])
  })
})

/** The statements that `work` sends, in order. */
async function statementsOf<R>(work: () => Promise<R>): Promise<{ result: R; asked: string[] }> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  const asked = () =>
    spy.mock.calls.map(([query]: unknown[], at) => ({
      text: typeof query === 'string' ? query : (query as { text: string }).text,
      client: spy.mock.contexts[at],
    }))
  try {
    const mark = `select 'whose connection'`
    await tenancy.execute(mark)
    const client = asked().find(({ text }) => text === mark)?.client
    spy.mockClear()
    const result = await work()
    return { result, asked: asked().flatMap((one) => (one.client === client ? one.text : [])) }
  } finally {
    spy.mockRestore()
  }
}

test('each kind of work waits in its own queue, under its customer and principal', async () => {
  const taken: string[] = []
  const turns = openTurns()
  const recorded = Object.fromEntries(
    Object.entries(turns).map(([work, line]) => [
      work,
      {
        take(party: string, member: string) {
          taken.push(`${work} ${party} ${member}`)
          return line.take(party, member)
        },
      },
    ]),
  ) as unknown as typeof turns
  const counted = openTenancy(foyer.database, { connections_max: 2, turns: recorded })
  const customer_id = mine.user.customer.id
  const gateway = { customer_id, id: 9, property_id: other_property_id, name: 'gateway' }
  try {
    await counted.enter(callerOf(mine), 'read', async () => {})
    await counted.enter(callerOf(mine), 'write', async () => {})
    await counted.enter(callerOfJob(customer_id, 'test'), 'write', async () => {})
    await counted.enter(callerOfGateway(gateway), 'read', async () => {})
  } finally {
    await counted.close()
  }
  const user = `user:${mine.user.id}`
  expect(taken).toEqual([
    `reads ${customer_id} ${user}`,
    `writes ${customer_id} ${user}`,
    `jobs ${customer_id} job:0`,
    `radius ${customer_id} gateway:9`,
  ])
})

test('a turn lasts as long as the work that it was taken for', async () => {
  const turns = openTurns()
  const bounded = openTenancy(foyer.database, { connections_max: 2, turns })
  const running: number[] = []
  try {
    for (const mode of ['read', 'write', 'report'] as const)
      await bounded.enter(callerOf(mine), mode, async (scope) => {
        await scope.run(sql`select 1`)
        running.push(turns.reads.running + turns.writes.running)
      })
  } finally {
    await bounded.close()
  }
  expect(running).toEqual([1, 1, 1])
  expect(turns.reads.running + turns.writes.running).toBe(0)
})

test('a scope knows who it acts for and what its customer may do in a day', async () => {
  const { codes, invitations, mails, texts, uploaded_bytes, exports } = await reading(mine, async (scope) => {
    const { customer_id, principal, reach, owner } = scope
    expect({ customer_id, principal, reach, owner }).toEqual({
      customer_id: mine.user.customer.id,
      principal: { kind: 'user', id: mine.user.id, name: mine.user.name, email: mine.user.email },
      reach: { of: 'Customer' },
      owner: { owner_type: 'Customer', owner_id: mine.user.customer.id },
    })
    return scope.quotas
  })
  expect([codes, invitations, mails, texts, uploaded_bytes, exports]).toEqual(Array(6).fill(Infinity))
  const quotas = { codes: 1, invitations: 2, mails: 3, texts: 4, uploaded_bytes: 5, exports: 6 }
  const bounded = openTenancy(foyer.database, { connections_max: 1, quotas })
  try {
    expect(await bounded.enter(callerOf(mine), 'read', async (scope) => scope.quotas)).toEqual(quotas)
  } finally {
    await bounded.close()
  }
})

test('without the first wall a property sees its whole customer, and no other', async () => {
  const open = openTenancy(foyer.database, { connections_max: 1, firstWall: false })
  const properties = (of: Tenancy) =>
    of.enter(callerOf(desk), 'read', (scope) =>
      scope.run(
        sql<{ customer_id: number }>`select customer_id from properties as t where ${scope.inReach('properties', 't')}`,
      ),
    )
  try {
    expect(await properties(tenancy)).toHaveLength(1)
    const seen = await properties(open)
    expect(seen.length).toBeGreaterThan(1)
    expect(new Set(seen.map(({ customer_id }) => customer_id))).toEqual(new Set([mine.user.customer.id]))
  } finally {
    await open.close()
  }
})

test('no more connections are opened than allowed', async () => {
  const narrow = openTenancy(foyer.database, { connections_max: 1 })
  let most = 0
  try {
    const entering = Array.from({ length: 3 }, () =>
      narrow.enter(callerOf(mine), 'read', async (scope) => {
        await scope.run(sql`select pg_sleep(0.01)`)
        most = Math.max(most, narrow.connections().main.open)
      }),
    )
    await Promise.all([...entering, narrow.ping(), narrow.ping(), narrow.ping()])
    expect([most, narrow.connections().before.open]).toEqual([1, 1])
  } finally {
    await narrow.close()
  }
})

test('both pools are counted, answer, and are closed', async () => {
  const own = openTenancy(foyer.database, { connections_max: 3 })
  expect(own.connections()).toEqual({
    main: { open: 0, idle: 0, waiting: 0 },
    before: { open: 0, idle: 0, waiting: 0 },
  })
  await own.enter(callerOf(mine), 'read', async () => {
    expect(own.connections().main).toEqual({ open: 1, idle: 0, waiting: 0 })
  })
  await own.ping()
  expect(await own.callFunction(sql`select 4 as four`)).toEqual([{ four: 4 }])
  expect(own.connections()).toEqual({
    main: { open: 1, idle: 1, waiting: 0 },
    before: { open: 1, idle: 1, waiting: 0 },
  })
  await own.close()
  await expect(own.enter(callerOf(mine), 'read', async () => {})).rejects.toThrow('after calling end')
  await expect(own.ping()).rejects.toThrow('after calling end')
})
