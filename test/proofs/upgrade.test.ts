// Upgrade: the present program migrates the database of the release before while a node of that release serves, is killed with
// SIGKILL at five moments, and then serves beside it. No request is refused for long, and nothing acknowledged is lost.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrationNames, migrations_folder } from '#server/db/apply-migrations.ts'
import { connect } from '#server/db/logins.ts'
import { freePort } from '#server/start/free-port.ts'
import { emptyDatabase, type TestDatabase } from '#test/database.ts'
import { beginFoyer, killAll } from '#test/process.ts'
import { full } from './proof.ts'
import { unpackReleaseBefore } from './release-before.ts'
import { openSite, packets_a_second, writes_a_second } from './upgrade-traffic.ts'

/** How long the two releases serve side by side. */
const pair_s = full ? 600 : 20
const kills = 5
/** From the first refusal of a request until it is served. */
const refused_max_ms = 2000
/** What is neither refused nor repeated too often by a gateway. Beside other tests it is only answered at all. */
const wait_max_ms = full ? 5000 : 30_000
/** For locks that the upgrade holds: what it waits for is given up sooner. */
const locked_max_ms = 1500

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-upgrade-proof-'))
const before = unpackReleaseBefore()
let database: TestDatabase
let admin: Client
beforeAll(async () => {
  database = await emptyDatabase()
  admin = await connect(database.adminUrl)
})
afterAll(async () => {
  killAll()
  await admin.end()
  await database.drop()
  if (typeof before !== 'string') before.remove()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

async function settingsOf(name: string) {
  const port = await freePort(4)
  const ports = { access: port + 2, accounting: port + 3 }
  const settings = {
    DATA_DIR: path.join(scratch, name),
    DATABASE_URL: database.adminUrl,
    SECRET_KEY: database.secretKey,
    PORT: String(port),
    PORTAL_PORT: String(port + 1),
    RADIUS_AUTH_PORT: String(ports.access),
    RADIUS_ACCT_PORT: String(ports.accounting),
    REQUESTS_PER_MINUTE: '1000000',
    LOG_LEVEL: 'warn',
  }
  return { settings, ports }
}

const executed = async () =>
  Number((await admin.query<{ n: number }>('select count(*)::int as n from kysely_migration')).rows[0]?.n)

/** How long statements of nodes have waited for locks that the upgrade holds. */
async function watchLocks() {
  const observer = await connect(database.adminUrl)
  let longest = 0
  const over = new AbortController()
  const waiting = `
    select coalesce(max(extract(epoch from clock_timestamp() - waiter.query_start) * 1000), 0)::float8 as ms
    from pg_stat_activity as waiter where waiter.wait_event_type = 'Lock' and exists (
      select from pg_stat_activity as holder where holder.pid = any (pg_blocking_pids(waiter.pid))
        and holder.application_name in ('foyer migrate', 'foyer grants'))`
  const watching = (async () => {
    while (!over.signal.aborted) {
      const { rows } = await observer.query<{ ms: number }>(waiting)
      longest = Math.max(longest, rows[0]?.ms ?? 0)
      await sleep(25)
    }
  })()
  return {
    async end() {
      over.abort()
      await watching
      await observer.end()
      return longest
    },
  }
}

test(
  'while the present program replaces the release before, both serve',
  { timeout: 3 * 3_600_000 },
  async ({ task, skip }) => {
    if (typeof before === 'string') return skip(before)
    const old = await settingsOf('old')
    const young = await settingsOf('young')
    const oldNode = await beginFoyer(old.settings, undefined, before.folder).ready
    const site = await openSite({ url: oldNode.url, ports: old.ports })
    const known = await executed()
    const pending = migrationNames(migrations_folder).length - known

    const onOld = await site.openTraffic({ url: oldNode.url, ports: old.ports })
    await sleep(full ? 30_000 : 5000)
    const usual = { requests: onOld.requests.longest(), packets: onOld.packets.longest() }

    const locks = await watchLocks()
    // Killed before it has begun, after some of the migrations, and after all of them, when it readies the rest.
    const killed_at: string[] = []
    for (let kill = 0; kill < kills; kill++) {
      const starting = beginFoyer(young.settings)
      const ended = starting.ready.then(
        () => 'ready',
        () => 'dead',
      )
      const target = known + Math.ceil((pending * kill) / (kills - 1))
      while ((await executed()) < target) if ((await Promise.race([ended, sleep(2, null)])) !== null) break
      if (kill === 0) await sleep(500)
      await starting.kill()
      await ended
      killed_at.push(`${(await executed()) - known} of ${pending}`)
    }
    const starting = beginFoyer(young.settings)
    const newNode = await starting.ready
    expect(await executed()).toBe(known + pending)

    const locked_ms = await locks.end()
    const onNew = await site.openTraffic({ url: newNode.url, ports: young.ports })
    await sleep(pair_s * 1000)
    expect((await fetch(`${oldNode.url}/readyz`)).status).toBe(200)
    expect((await fetch(`${newNode.url}/readyz`)).status).toBe(200)
    await Promise.all([onOld.end(), onNew.end()])

    task.meta.figures =
      `from ${before.name}: ${pending} migrations beside ${writes_a_second} writes and ${packets_a_second} packets a second, ` +
      `killed after ${killed_at.join(', ')}; then ${pair_s} s both. Nobody waited longer than ` +
      `${Math.round(locked_ms)} ms for a lock of the upgrade. Old node, writes: ${onOld.requests.summary()}; ` +
      `packets: ${onOld.packets.summary()} ` +
      `(before the upgrade at most ${Math.round(usual.requests)} and ${Math.round(usual.packets)} ms). ` +
      `New node, writes: ${onNew.requests.summary()}; packets: ${onNew.packets.summary()}`
    console.log(task.meta.figures)
    const { rows } = await admin.query<{ accounts: number; sessions: number }>(
      `select (select count(*)::int from accounts where id = any ($1)) as accounts,
         (select count(distinct acct_session_id)::int from radius_sessions where acct_session_id = any ($2)) as sessions`,
      [site.acknowledged.accounts, site.acknowledged.sessions],
    )
    expect(rows).toEqual([
      { accounts: site.acknowledged.accounts.length, sessions: new Set(site.acknowledged.sessions).size },
    ])
    expect(locked_ms).toBeLessThan(locked_max_ms)
    for (const [requests, packets] of [
      [onOld.requests, onOld.packets],
      [onNew.requests, onNew.packets],
    ] as const) {
      expect(requests.longestRefusal(), requests.summary()).toBeLessThan(refused_max_ms)
      expect(requests.longest(), requests.summary()).toBeLessThan(wait_max_ms)
      expect(packets.longest(), packets.summary()).toBeLessThan(wait_max_ms)
    }
  },
)
