// Upgrade of a long history: the present program takes over a demo of the release before whose guests were online a million times.
// Its ports answer within seconds, it serves within a minute, and what it fills is filled while it serves.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pendingBackfills } from '#server/db/backfills.ts'
import { connect } from '#server/db/logins.ts'
import { freePort } from '#server/start/free-port.ts'
import { emptyDatabase, type TestDatabase } from '#test/database.ts'
import { beginFoyer, inherited, killAll } from '#test/process.ts'
import { full } from './proof.ts'
import { unpackReleaseBefore } from './release-before.ts'

const sessions_min = full ? 1_000_000 : 100_000
const answers_max_ms = 10_000
const serves_max_ms = 60_000

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-upgrade-history-'))
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

const rowsOf = async (table: string) =>
  (await admin.query<{ n: number }>(`select count(*)::float8 as n from ${table}`)).rows[0]?.n ?? 0

/**
 * Repeats the rows of a table further back in time. Without its indexes meanwhile, which are built anew in a tenth of the time.
 * @param moments the columns that go back
 * @param unique a column that is another one in each repetition
 */
async function repeat(table: string, times: number, moments: string[], unique?: string) {
  const columns = await admin.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
       and attgenerated = '' and attidentity = ''`,
    [table],
  )
  const names = columns.rows.map(({ name }) => name)
  const values = names.map((name) => {
    if (moments.includes(name)) return `${name} - n * interval '90 days'`
    return name === unique ? `${name} || '-' || n` : name
  })
  const { rows: indexes } = await admin.query<{ name: string; is: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as is from pg_index as i
     where i.indrelid = $1::regclass and not exists (select from pg_constraint as c where c.conindid = i.indexrelid)`,
    [table],
  )
  for (const { name } of indexes) await admin.query(`drop index ${name}`)
  await admin.query(
    `insert into ${table} (${names.join(', ')}) select ${values.join(', ')}
     from ${table}, generate_series(1, ${times}) as n`,
  )
  for (const { is } of indexes) await admin.query(is)
  await admin.query(`analyze ${table}`)
}

test('a long history is taken over', { timeout: 3_600_000 }, async ({ task, skip }) => {
  if (typeof before === 'string') return skip(before)
  const port = await freePort(4)
  const settings = {
    DATA_DIR: path.join(scratch, 'data'),
    DATABASE_URL: database.adminUrl,
    SECRET_KEY: database.secretKey,
    PORT: String(port),
    PORTAL_PORT: String(port + 1),
    RADIUS_AUTH_PORT: String(port + 2),
    RADIUS_ACCT_PORT: String(port + 3),
    LOG_LEVEL: 'info',
  }
  await promisify(execFile)(process.execPath, ['--import', './scripts/tsx.mjs', 'scripts/demo.ts'], {
    cwd: before.folder,
    env: { ...inherited(), NODE_NO_WARNINGS: '1', ...settings, DATABASE_OWNER_URL: database.adminUrl },
    maxBuffer: 100 * 1024 * 1024,
  })
  const times = Math.ceil(sessions_min / (await rowsOf('radius_sessions'))) - 1
  await repeat('radius_sessions', times, ['started_at', 'last_seen_at', 'stopped_at', 'created_at'], 'session_key')
  await repeat('radius_authorisations', times, ['created_at', 'ends_at'])
  // Of each guest as often as they came back.
  await admin.query(
    `insert into consent_records (customer_id, guest_id, purpose, wording, method, created_at)
     select customer_id, id, 'marketing_email', 'You may send me offers.', 'checkbox', now() - n * interval '30 days'
     from guests, generate_series(1, $1) as n`,
    [100 * times],
  )
  const history = { sessions: await rowsOf('radius_sessions'), consents: await rowsOf('consent_records') }

  const began = performance.now()
  const starting = beginFoyer(settings)
  const answer = async (url: string) => (await fetch(url).catch(() => null))?.status ?? 0
  const ports = { app: `http://127.0.0.1:${port}/healthz`, portal: `http://127.0.0.1:${port + 1}/` }
  const answered_ms = await Promise.all(
    Object.values(ports).map(async (url) => {
      while ((await answer(url)) === 0) await sleep(20)
      return performance.now() - began
    }),
  )
  const node = await starting.ready
  while ((await answer(`${node.url}/readyz`)) !== 200) await sleep(50)
  const served_ms = performance.now() - began
  await expect.poll(() => pendingBackfills(admin), { timeout: 1_800_000, interval: 200 }).toEqual([])
  const completed_ms = performance.now() - began

  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  task.meta.figures =
    `from ${before.name}, ${history.sessions} sessions and ${history.consents} consents: ports answer after ` +
    `${seconds(Math.max(...answered_ms))}, it serves after ${seconds(served_ms)}, and is complete after ${seconds(completed_ms)}`
  console.log(task.meta.figures)
  expect(await rowsOf('radius_sessions')).toBe(history.sessions)
  expect(Math.max(...answered_ms)).toBeLessThan(answers_max_ms)
  expect(served_ms).toBeLessThan(serves_max_ms)
})
