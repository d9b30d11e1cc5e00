// Failover: the server that takes writes dies under load, its copy is promoted, and a node that was given both goes on by itself with
// all that it acknowledged. PostgreSQL, its copy and Foyer are real processes.
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusals } from '#contract/errors.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { openPool } from '#server/db/connect.ts'
import { openDatabase } from '#server/db/open.ts'
import { connect } from '#server/db/logins.ts'
import { isOfLostDatabase } from '#server/errors/lost-database.ts'
import { asOneHost } from '#server/start/database-address.ts'
import { readConfig } from '#server/start/config.ts'
import { beginFoyer, killAll, type Foyer, type Starting } from '#test/process.ts'
import { startReplica } from '#test/replica.ts'

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-failover-'))
const folder = (name: string) => fs.mkdtempSync(path.join(home, `${name}-`))
const SECRET_KEY = 'a key for the test of a database that fails over'

let primary: Awaited<ReturnType<typeof startReplica>>
let copy: Awaited<ReturnType<typeof startReplica>>
let both: string
let node: Starting | undefined

const followed = () => {
  const copies = `select from pg_stat_replication where sync_state = 'sync'`
  return expect.poll(async () => (await primary.run(copies)).length, { timeout: 60_000 }).toBe(1)
}

beforeAll(async () => {
  const embedded = await startEmbedded({ directory: path.join(home, 'first') })
  const at = new URL('/foyer', embedded.url).href
  primary = await startReplica(embedded.url, path.join(home, 'first', 'pg18'), folder('primary'))
  await primary.promote()
  await embedded.stop()
  copy = await startReplica(primary.url, primary.data, folder('copy'))
  await primary.run(`alter system set synchronous_standby_names = '*'`)
  // Started anew: after a reload, each of its processes notices the setting in its own time.
  await primary.stop()
  await primary.start()
  const url = new URL(at)
  url.host = new URL(copy.url).host
  // The copy first: the host of a URL says nothing about which one takes writes.
  both = url.href.replace(url.host, `${url.host},${new URL(primary.url).host}`)
})
afterAll(async () => {
  killAll()
  await copy?.kill()
  await primary?.kill()
  fs.rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

async function ask(foyer: Foyer, call: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${foyer.url}/api/v1${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'app-context': 'customer', ...headers },
    body: JSON.stringify(body),
  })
  return {
    status: response.status,
    retry: response.headers.get('retry-after'),
    body: (await response.json()) as { data: never; message?: string },
  }
}

test('a node that was given a copy alone says so, and does not start', async () => {
  const config = readConfig({ DATABASE_URL: copy.url, SECRET_KEY })
  await expect(openDatabase(config)).rejects.toThrow(
    /is a standby, .*Name the server that takes writes, or all of them/,
  )
})

test(
  'what no copy has confirmed is not acknowledged, though PostgreSQL says that it is stored',
  { timeout: 120_000 },
  async () => {
    await followed()
    const pool = openPool(primary.url)
    const cancelled = async () => {
      const waiting = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
      await expect.poll(async () => (await primary.run(waiting)).length, { timeout: 20_000 }).toBe(1)
    }
    await pool.query('create table written (number integer)')
    await copy.stop()
    // In a transaction, as calls are, and alone, as doors are.
    const client = await pool.connect()
    await client.query('begin')
    await client.query('insert into written values (1)')
    const [committed] = await Promise.all([client.query('commit').catch((error: unknown) => error), cancelled()])
    client.release(true)
    const written = pool.query('insert into written values (2)').catch((error: unknown) => error)
    const [alone] = await Promise.all([written, cancelled()])
    for (const error of [committed, alone]) {
      expect(error).toMatchObject({ message: 'No standby of the database has confirmed the write' })
      expect(isOfLostDatabase(error)).toBe(true)
    }
    await copy.start()
    await followed()
    await pool.query('insert into written values (3)')
    // PostgreSQL itself has taken them for stored.
    expect(await primary.run('table written')).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }])
    await primary.run('drop table written')
    await pool.end()
  },
)

test('the server that takes writes dies, and nothing acknowledged is lost', { timeout: 240_000 }, async ({ task }) => {
  node = beginFoyer({
    DATABASE_URL: `${both}?target_session_attrs=read-write`,
    DATA_DIR: folder('data'),
    SECRET_KEY,
    LOG_FORMAT: 'json',
    ROLES: 'api,jobs',
  })
  const foyer = await node.ready
  const person = { company_name: 'Operator', name: 'Ann', email: 'ann@example.com', password: 'a long enough password' }
  const { access_token } = (await ask(foyer, '/auth/signup', person)).body.data as { access_token: string }
  const acknowledged: string[] = []
  const refused: { status: number; message: string | undefined; retry: string | null }[] = []
  const over = new AbortController()
  const writers = Array.from({ length: 4 }, async () => {
    while (!over.signal.aborted) {
      const name = `Property ${randomUUID()}`
      const headers = { authorization: `Bearer ${access_token}`, 'idempotency-key': randomUUID() }
      const { status, retry, body } = await ask(foyer, '/properties-create', { name, draft: true }, headers)
      if (status === 201) acknowledged.push(name)
      else refused.push({ status, message: body.message, retry })
      await sleep(20)
    }
  })
  await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(20)
  const before = node.output().length
  const died_at = performance.now()
  await primary.kill()
  await expect.poll(() => refused.length, { timeout: 60_000 }).toBeGreaterThan(10)
  await copy.promote()
  const had = acknowledged.length
  await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(had + 20)
  const back_s = (performance.now() - died_at) / 1000
  over.abort()
  await Promise.all(writers)

  const promoted = await connect(asOneHost(both))
  const { rows } = await promoted.query<{ name: string }>('select name from properties')
  await promoted.end()
  const stored = new Set(rows.map(({ name }) => name))
  expect(acknowledged.filter((name) => !stored.has(name))).toEqual([])
  for (const answer of refused) expect(answer).toMatchObject(refusals.unavailable)
  expect(refused.every(({ retry }) => Number(retry) > 0)).toBe(true)

  const lines = () =>
    node
      ?.output()
      .slice(before)
      .split('\n')
      .filter((line) => /"level":"(warn|error)"/.test(line)) ?? []
  await expect.poll(() => lines().some((line) => line.includes('answers again')), { timeout: 60_000 }).toBe(true)
  expect(lines().map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'the database does not answer',
    'the database answers again; lines like the first were left out',
  ])
  const counted = `${refused.length} times 503`
  task.meta.figures = `${acknowledged.length} acknowledged, ${counted}, 20 more written ${back_s.toFixed(1)} s after the kill`
})
