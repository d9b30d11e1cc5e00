// Queue: customers take turns, whoever was first and however many jobs they have, and urgent jobs come first.
import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { callerOfJob } from '#server/access/principal.ts'
import { openTenancy, type Tenancy } from '#server/access/tenancy.ts'
import { connect } from '#server/db/logins.ts'
import { schema } from '#server/db/queues.ts'
import { disconnectKind, queueDisconnects } from '#server/sessions/disconnects.ts'
import { placeStatement } from '#server/jobs/places.ts'
import { jobKind, openQueue, type Queue } from '#server/jobs/queue.ts'
import { noLog, openLog } from '#server/watch/log.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { patient } from '#test/foyer.ts'

let database: TestDatabase
let tenancy: Tenancy
let queue: Queue
beforeEach(async () => {
  database = await freshDatabase()
  tenancy = openTenancy(database, patient)
  queue = await openQueue(database.appUrl, tenancy, true, { log: noLog, ran: () => {} })
})
afterEach(async () => {
  await queue.stop()
  await tenancy.close()
  await database.drop()
})

/** The library itself, as a process that takes jobs and then falls silent. */
let killed: PgBoss
beforeEach(async () => {
  killed = new PgBoss({ connectionString: database.appUrl, schema, migrate: false, supervise: false, schedule: false })
  await killed.start()
})
afterEach(() => killed.stop({ graceful: false }))

/** Of any queue that customers' jobs wait in. */
const kind = jobKind<{ customer_id: number; number: number }>('change_sessions')
let number = 0
const one = (customer_id: number, urgent = false) => queue.send(kind, { customer_id, number: ++number }, { urgent })
const many = (customer_id: number, quantity: number, after_s = 0) =>
  queue.sendMany(
    kind,
    customer_id,
    Array.from({ length: quantity }, () => ({ carried: { number: ++number }, after_s })),
  )

/** Works until `quantity` jobs are done; returns their customers, in order. */
async function served(quantity: number, during: (done: number[]) => Promise<unknown> = async () => {}) {
  const done: number[] = []
  await queue.work(kind, async ({ customer_id }) => {
    done.push(customer_id)
    await during(done)
  })
  await expect.poll(() => done.length, { timeout: 120_000 }).toBeGreaterThanOrEqual(quantity)
  return done
}
const countOf = (done: number[], customer_id: number) => done.filter((id) => id === customer_id).length

test('a customer’s job is served together with the first of another’s two thousand, and an urgent one before both', async () => {
  await many(1, 2000)
  await one(2)
  await one(1)
  await one(3, true)
  const done = await served(4)
  expect(done.slice(0, 2)).toContain(3)
  expect(done.slice(0, 4)).toContain(2)
})

test('customers take turns, also within urgent jobs', async () => {
  await many(1, 40)
  await many(2, 20)
  for (let sent = 0; sent < 10; sent++) await one(3, true)
  for (let sent = 0; sent < 5; sent++) await one(4, true)
  const done = await served(75)
  // Two are taken at the same time, and begin in either order.
  expect([3, 4].map((customer_id) => countOf(done.slice(0, 16), customer_id))).toEqual([10, 5])
  expect(countOf(done.slice(0, 10), 4)).toBeGreaterThanOrEqual(4)
  const rest = done.slice(16)
  for (const length of [10, 20, 40]) {
    expect(countOf(rest.slice(0, length), 2)).toBeGreaterThanOrEqual(length / 2 - 2)
    expect(countOf(rest.slice(0, length), 2)).toBeLessThanOrEqual(length / 2 + 2)
  }
})

test('a customer who goes on sending takes turns with a long line, and neither stops', async () => {
  await many(1, 100)
  await one(2)
  // Two are served at the same time.
  const done = await served(60, async (so_far) => {
    if (so_far.at(-1) === 2) await Promise.all([one(2), one(2)])
  })
  const both = [countOf(done.slice(0, 60), 1), countOf(done.slice(0, 60), 2)]
  // Half and half, except that others are served while the next one is being sent. First come, first served would give one of them 1.
  expect(Math.min(...both)).toBeGreaterThanOrEqual(10)
})

test('jobs whose time has not come do not delay others of their customer', async () => {
  await many(1, 50, 3600)
  await many(2, 10)
  await one(1)
  expect((await served(11)).slice(0, 4)).toContain(1)
})

test('a killed process’s job is tried again after half a minute of silence, but a long-running job is not', async () => {
  await one(1)
  const [taken] = await killed.fetch('change_sessions')
  const admin = await connect(database.adminUrl)
  const stateOfIt = async () =>
    (await admin.query<{ state: string }>(`select state from pgboss.job where id = $1`, [taken?.id])).rows[0]?.state
  const lookAfter = async () => {
    await admin.query('update pgboss.queue set monitor_on = null, monitor_claim_on = null')
    await killed.supervise('change_sessions')
  }
  try {
    await admin.query(`update pgboss.job set started_on = started_on - interval '5 hours' where id = $1`, [taken?.id])
    await lookAfter()
    expect(await stateOfIt()).toBe('active')
    await admin.query(`update pgboss.job set heartbeat_on = heartbeat_on - interval '31 s' where id = $1`, [taken?.id])
    await lookAfter()
    expect(await stateOfIt()).toBe('retry')
  } finally {
    await admin.end()
  }
  expect(await served(1)).toEqual([1])
})

test('a job that a schedule sent fails like any other: it is logged and counted, and the next one is run', async () => {
  const [lines, ended]: [string[], string[]] = [[], []]
  const log = openLog({ format: 'json', level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const ran = (_: string, result: string) => void ended.push(result)
  await queue.stop()
  queue = await openQueue(database.appUrl, tenancy, true, { log, ran })
  // One that is not tried again.
  const scheduled = jobKind('find_due')
  await queue.work(scheduled, async () => {
    if (ended.length === 0) throw Object.create(null)
  })
  // As the library sends what is on its schedule.
  await killed.send(scheduled.name, null)
  await expect.poll(() => ended, { timeout: 120_000 }).toEqual(['failed'])
  await killed.send(scheduled.name, null)
  await expect.poll(() => ended, { timeout: 120_000 }).toEqual(['failed', 'done'])
  expect(lines).toEqual([expect.stringContaining('a job failed')])
})

test('requests to end many sessions are split, so that the next customer’s turn comes soon', async () => {
  const ids = (quantity: number) => Array.from({ length: quantity }, (_, id) => id)
  for (const [customer_id, quantity] of [
    [1, 90],
    [2, 1],
  ] as const)
    await tenancy.enter(callerOfJob(customer_id, 'test'), 'write', (scope) =>
      queueDisconnects(scope, queue, ids(quantity)),
    )
  const asked: [customer_id: number, sessions: number][] = []
  await queue.work(disconnectKind, async ({ customer_id, session_ids }) => {
    asked.push([customer_id, session_ids.length])
    await sleep(10)
  })
  await expect.poll(() => asked.length, { timeout: 120_000 }).toBe(6)
  expect(asked.slice(0, 2).map(([customer_id]) => customer_id)).toContain(2)
  const pieces = asked.filter(([customer_id]) => customer_id === 1).map(([, sessions]) => sessions)
  expect(pieces.toSorted((one, other) => one - other)).toEqual([10, 20, 20, 20, 20])
})

test('a place in a long queue is found by indexes, without reading the whole queue', async () => {
  await many(1, 5000)
  const admin = await connect(database.adminUrl)
  try {
    const { rows } = await admin
      .query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `set enable_seqscan = off; analyze pgboss.job_common`,
      )
      .then(() =>
        admin.query(`explain (analyze, buffers, format json) ${placeStatement}`, ['change_sessions', '1', -1e9, 0]),
      )
    const [{ Plan: plan }] = rows[0]?.['QUERY PLAN'] ?? [{ Plan: {} }]
    expect(plan['Shared Hit Blocks']).toBeGreaterThan(0)
    expect((plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)).toBeLessThan(50)
  } finally {
    await admin.end()
  }
})
