// Connections: a node opens no more of them than DATABASE_CONNECTIONS allows, with RADIUS in a process of its own, however much is asked.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { connect } from '#server/db/logins.ts'
import { freshDatabase, secretKey } from '#test/database.ts'
import { beginFoyer, killAll } from '#test/process.ts'

afterAll(killAll)

test('a node keeps to its connections under load', { timeout: 240_000 }, async () => {
  const database = await freshDatabase()
  const starting = beginFoyer({
    DATABASE_URL: database.adminUrl,
    SECRET_KEY: secretKey,
    DATABASE_CONNECTIONS: '40',
    REQUESTS_PER_MINUTE: '1000000',
    SIGNUP: 'open',
  })
  const foyer = await starting.ready
  const admin = await connect(database.adminUrl)
  const post = (call: string, body: object, token?: string) =>
    fetch(`${foyer.url}/api/v1${call}`, {
      method: 'POST',
      headers: {
        'app-context': 'customer',
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
  const tokens = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => {
      const person = { company_name: name, name, email: `${name}@hotel.example`, password: 'quite a long password' }
      const { data } = (await (await post('/auth/signup', person)).json()) as { data: { access_token: string } }
      return data.access_token
    }),
  )
  const seen = { most: 0, done: false }
  const counting = (async () => {
    while (!seen.done) {
      const { rows } = await admin.query<{ count: number }>(
        `select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      )
      seen.most = Math.max(seen.most, rows[0]?.count ?? 0)
      await sleep(20)
    }
  })()
  const answers = await Promise.all(
    Array.from({ length: 90 }, async (_, n) => {
      const token = tokens[n % 3] ?? ''
      const isWrite = n % 2 === 0
      const answer = isWrite
        ? await post('/properties-create', { name: `Property ${n}`, draft: true }, token)
        : await post('/properties', {}, token)
      return answer.status
    }),
  )
  seen.done = true
  await counting
  expect(new Set(answers)).toEqual(new Set([200, 201]))
  expect(seen.most).toBeGreaterThan(10)
  expect(seen.most).toBeLessThanOrEqual(40)
  await admin.end()
  await foyer.kill()
  await database.drop()
})

test('where the database allows fewer than a node may open, the start says so', { timeout: 120_000 }, async () => {
  const database = await freshDatabase()
  const admin = await connect(database.adminUrl)
  await admin.query(`alter database ${new URL(database.adminUrl).pathname.slice(1)} connection limit 30`)
  await admin.end()
  const starting = beginFoyer({ DATABASE_URL: database.adminUrl, SECRET_KEY: secretKey, DATABASE_CONNECTIONS: '60' })
  const foyer = await starting.ready
  expect(starting.output()).toMatch(
    /A node opens up to 60 connections to the database, which allows 30 and has \d+ left/,
  )
  await foyer.kill()
  await database.drop()
})
