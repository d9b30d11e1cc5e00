// Replica: reports, exports and dashboards are read from a replica, with the same answers as from the database itself.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import * as dashboard from '#contract/dashboard.ts'
import * as properties from '#contract/properties.ts'
import * as reports from '#contract/reports.ts'
import { queues } from '#server/apps/jobs.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { checkReplica } from '#server/db/check-logins.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { connect, prepareDatabase } from '#server/db/logins.ts'
import { migrate } from '#server/db/migrate.ts'
import { openLog } from '#server/watch/log.ts'
import { secretKey, type TestDatabase } from '#test/database.ts'
import { openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { startReplica } from '#test/replica.ts'

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-replica-'))
let primary: Awaited<ReturnType<typeof startEmbedded>>
let database: TestDatabase & { readUrl: string }
let replica: Awaited<ReturnType<typeof startReplica>>
let foyer: TestFoyer
let owner: Person
const lines: string[] = []

beforeAll(async () => {
  primary = await startEmbedded({ directory: path.join(home, 'primary') })
  const adminUrl = new URL('/foyer', primary.url).href
  const secretKeys = () => [secretKey] as [string]
  // Written before the copy is made, and therefore included in it: logins, tables.
  const first = await prepareDatabase({ url: adminUrl, secretKeys })
  await migrate(first.ownerUrl, queues)
  replica = await startReplica(adminUrl, path.join(home, 'primary', 'pg18'), home)
  const made = await prepareDatabase({ url: adminUrl, readUrl: replica.url, secretKeys })
  database = {
    ...made,
    readUrl: made.readUrl ?? '',
    adminUrl,
    secretKey,
    secretKeys,
    changeKeys: () => {},
    drop: async () => {},
  }
  const log = openLog({ format: 'json', level: 'warn' }, { write: (line) => void lines.push(line) })
  foyer = await openFoyer({ database, log })
  owner = await foyer.customer()
})
afterAll(async () => {
  await foyer?.close()
  await replica?.stop()
  await primary?.stop()
  fs.rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})
beforeEach(() => void lines.splice(0))

const messages = () => lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
const job = () => callerOfJob(owner.user.customer.id, 'reports')
const isCopy = sql<{ copy: boolean }>`select pg_is_in_recovery() as copy`
/** Where a report would be read from. */
async function whereReports(): Promise<'copy' | 'database'> {
  const [read] = await foyer.services.tenancy.enter(job(), 'report', (scope) => scope.run(isCopy))
  return read?.copy ? 'copy' : 'database'
}
/** Whether a call sent the replica more than the query for its lag. */
async function readThere(call: () => Promise<unknown>): Promise<boolean> {
  const [before] = await replica.run('select clock_timestamp()::text as at')
  await call()
  const used = await replica.run(
    `select from pg_stat_activity where usename = 'foyer_app' and query not like '%pg_is_in_recovery%'
       and state_change > '${String(before?.['at'])}'`,
  )
  return used.length > 0
}
const properties_count = async () => (await foyer.get(dashboard.get, {}, owner)).data.properties
const month = { kind: 'session', date_range: 'this_month' } as const

test('reports, exports and dashboards are read from the replica, and nothing else is', async () => {
  expect(await whereReports()).toBe('copy')
  const calls = {
    dashboard: () => foyer.get(dashboard.get, {}, owner),
    report: () => foyer.get(reports.run, month, owner),
    'a report as a file': () => foyer.file(reports.exportFile, { ...month, format: 'csv' }, owner),
    'a list as a file': () => foyer.file(properties.exportList, { format: 'csv' }, owner),
    list: () => foyer.get(properties.list, {}, owner),
    'the list of reports': () => foyer.get(reports.list, {}, owner),
  }
  const there: Record<string, boolean> = {}
  for (const [name, call] of Object.entries(calls)) there[name] = await readThere(call)
  expect(there).toEqual({
    dashboard: true,
    report: true,
    'a report as a file': true,
    'a list as a file': true,
    list: false,
    'the list of reports': false,
  })
  expect(messages()).toEqual([])
})

test('recent writes are always visible at once', async () => {
  const before = await properties_count()
  for (let more = 1; more <= 30; more++) {
    const { name } = await foyer.property(owner)
    expect(await properties_count()).toBe(before + more)
    const file = await foyer.file(properties.exportList, { format: 'csv', searchValue: name }, owner)
    expect(file.text).toContain(name)
  }
  expect(messages()).toEqual([])
})

test('what one transaction reads is of one moment, whatever is replayed meanwhile', async () => {
  const count = sql<{ properties: number }>`select count(*)::integer as properties from properties`
  const counted = await foyer.services.tenancy.enter(job(), 'report', async (scope) => {
    const [copy, before] = [await scope.run(isCopy), await scope.run(count)]
    const admin = await connect(database.adminUrl)
    await admin.query('insert into properties (customer_id, name) values ($1, $2)', [
      owner.user.customer.id,
      unique('Later'),
    ])
    const { rows: made } = await admin.query('select count(*)::integer as properties from properties')
    await admin.end()
    await expect.poll(() => replica.run('select count(*)::integer as properties from properties')).toEqual(made)
    return { copy, before, after: await scope.run(count) }
  })
  expect(counted.copy).toEqual([{ copy: true }])
  expect(counted.after).toEqual(counted.before)
})

test('a replica that lags is waited for, and then not read: the answer is right, and the log says why', async () => {
  await replica.pause()
  const before = await properties_count()
  await foyer.property(owner)
  expect(await properties_count()).toBe(before + 1)
  expect(await whereReports()).toBe('database')
  expect(messages()).toEqual([expect.stringContaining('The replica of DATABASE_READ_URL is more than 1 s behind.')])
  await replica.resume()
  await expect.poll(whereReports, { timeout: 30_000 }).toBe('copy')
  expect(messages().at(-1)).toContain('The replica is back')
})

test('a replica that is down changes no answer, and is read again when it is back', async () => {
  await replica.stop()
  const before = await properties_count()
  await foyer.property(owner)
  expect(await properties_count()).toBe(before + 1)
  expect(await whereReports()).toBe('database')
  expect(messages()).toEqual([expect.stringMatching(/^The replica of DATABASE_READ_URL (does not answer|broke off)/)])
  const started: string[] = []
  await checkReplica(database, (line) => started.push(line))
  expect(started).toEqual([expect.stringMatching(/cannot connect .* DATABASE_READ_URL is tried again later/)])
  await replica.start()
  await expect.poll(whereReports, { timeout: 60_000 }).toBe('copy')
  expect(messages().at(-1)).toContain('The replica is back')
})

test('that it is away, and back, is found out while nobody reads', async () => {
  const ready = async () => {
    const { checks } = (await foyer.app.inject('/readyz')).json<{ checks: Record<string, string> }>()
    return checks['replica']
  }
  await expect.poll(ready, { timeout: 60_000 }).toBe('ok')
  await replica.stop()
  await expect.poll(ready, { timeout: 60_000 }).toBe('degraded')
  await replica.start()
  await expect.poll(ready, { timeout: 60_000 }).toBe('ok')
  expect(messages().at(-1)).toContain('The replica is back')
})

test('a read that is interrupted is repeated, from the database', async () => {
  const seen: boolean[] = []
  const [read] = await foyer.services.tenancy.enter(job(), 'report', async (scope) => {
    const [first] = await scope.run(isCopy)
    seen.push(first?.copy ?? false)
    if (first?.copy)
      await replica.run(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'foyer_app'`)
    return scope.run(isCopy)
  })
  expect(seen).toEqual([true, false])
  expect(read).toEqual({ copy: false })
  await expect.poll(whereReports, { timeout: 60_000 }).toBe('copy')
})

test('a faulty query is not repeated', async () => {
  let tries = 0
  const reading = foyer.services.tenancy.enter(job(), 'report', async (scope) => {
    tries++
    await scope.run(sql`select 1 / (select count(*) from properties where id < 0)`)
  })
  await expect(reading).rejects.toThrow('division by zero')
  expect(tries).toBe(1)
})

test('nothing is written to the replica', async () => {
  const writing = foyer.services.tenancy.enter(job(), 'report', (scope) =>
    scope.insert('groups', { name: unique('Group') }),
  )
  await expect(writing).rejects.toThrow('read-only transaction')
})

test.each<[string, () => Promise<string> | string, RegExp]>([
  ['an administrator’s login', () => replica.url, /superuser or bypasses row security.*DATABASE_READ_URL/],
  ['another database of the same server', () => at('postgres'), /must name the same database/],
  ['another server', () => another(), /must name the same database/],
])('%s is refused at the start', async (_what, readUrl, reason) => {
  await expect(checkReplica({ ...database, readUrl: await readUrl() }, () => {})).rejects.toThrow(reason)
})

test('the database itself is accepted as its replica', async () => {
  await expect(checkReplica({ ...database, readUrl: database.appUrl }, () => {})).resolves.toBeUndefined()
})

function at(name: string): string {
  const url = new URL(database.appUrl)
  url.pathname = `/${name}`
  return url.href
}
/** With a database of the same name, and the same logins. */
async function another(): Promise<string> {
  const server = await startEmbedded({ directory: path.join(home, 'another'), fast: true })
  onTestFinished(() => server.stop())
  const url = new URL('/foyer', server.url).href
  return (await prepareDatabase({ url, secretKeys: () => [secretKey] })).appUrl
}
