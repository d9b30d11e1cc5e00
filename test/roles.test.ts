// Roles: a node serves its roles and nothing else, each application on its own port. Tests the real process over the network.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { messages } from '#contract/messages.ts'
import { connect, createDatabase } from '#server/db/logins.ts'
import { checkMigrated } from '#server/db/migrate.ts'
import { freePort } from '#server/start/free-port.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import { databaseUrl, dropDatabase, freshDatabase, type TestDatabase } from '#test/database.ts'
import { killAll, startFoyer } from '#test/process.ts'
import { answerOf, expectRefused, nothingHere } from '#test/refused.ts'

let database: TestDatabase
beforeAll(async () => void (database = await freshDatabase()))
afterEach(killAll)
afterAll(() => database.drop())

const logins = () => ({
  DATABASE_URL: database.appUrl,
  DATABASE_AUTH_URL: database.authUrl,
  DATABASE_GUEST_URL: database.guestUrl,
})
/** Like a node that may not change tables: without the owner's login. */
async function start(roles: string) {
  const port = await freePort(2)
  const { child } = await startFoyer({
    ...logins(),
    SECRET_KEY: database.secretKey,
    PORT: String(port),
    ROLES: roles,
  })
  const ask = async (of: 'app' | 'guest', url: string, init?: RequestInit) =>
    answerOf(await fetch(`http://127.0.0.1:${of === 'app' ? port : port + 1}${url}`, init))
  const status = (of: 'app' | 'guest', url: string) =>
    ask(of, url).then(
      (answer) => answer.status,
      () => 'nobody listens',
    )
  const stop = async () => {
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    return gone
  }
  return { ask, status, stop }
}

const login = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
const nothingGiven = invalid({ email: [messages.fields.required], password: [messages.fields.required] })

test("guest: guests' pages and health, and no API", async () => {
  const { ask, status, stop } = await start('guest')
  expect(await status('guest', '/')).toBe(200)
  expect(await status('app', '/healthz')).toBe(200)
  expect(await status('app', '/readyz')).toBe(200)
  for (const url of ['/', '/api/v1/openapi.json', '/api/docs', '/files/accounts.csv', '/customer/login'])
    expectRefused(await ask('app', url), notFound(), url)
  expectRefused(await ask('app', '/api/v1/auth/login', login), notFound())
  expect(await stop()).toEqual([0, null])
})

test("api: the API and health, and no guests' pages", async () => {
  const { ask, status, stop } = await start('api')
  expect(await status('app', '/api/v1/openapi.json')).toBe(200)
  expectRefused(await ask('app', '/api/v1/auth/login', login), nothingGiven)
  expect(await status('app', '/readyz')).toBe(200)
  expectRefused(await ask('app', '/p/8f2c1a'), notFound())
  expect(await status('guest', '/')).toBe('nobody listens')
  expect(await stop()).toEqual([0, null])
})

test('jobs: health alone', async () => {
  const { ask, status, stop } = await start('jobs')
  expect(await status('app', '/readyz')).toBe(200)
  expectRefused(await ask('app', '/api/v1/openapi.json'), notFound())
  expect(await status('guest', '/')).toBe('nobody listens')
  expect(await stop()).toEqual([0, null])
})

test('all: each application on its own port, and neither serves the other’s pages', async () => {
  const { ask, status, stop } = await start('all')
  expectRefused(await ask('app', '/api/v1/auth/login', login), nothingGiven)
  expectRefused(await ask('app', '/p/8f2c1a'), notFound())
  expect(await status('guest', '/')).toBe(200)
  for (const url of ['/api/v1/openapi.json', '/api/docs', '/healthz', '/customer/login'])
    expectRefused(await ask('guest', url), nothingHere, url)
  expectRefused(await ask('guest', '/api/v1/auth/login', login), nothingHere)
  expect(await stop()).toEqual([0, null])
})

test('the error about a port in use names its setting', async () => {
  const port = await freePort(2)
  const taken = createServer().listen(port + 1, '127.0.0.1')
  await once(taken, 'listening')
  try {
    await expect(startFoyer({ ...logins(), SECRET_KEY: database.secretKey, PORT: String(port) })).rejects.toThrow(
      `Port ${port + 1} is taken. Stop what listens there, or set PORTAL_PORT to another one.`,
    )
  } finally {
    taken.close()
  }
})

test('a node that may not migrate refuses a database that is not migrated', async () => {
  const url = databaseUrl(database.adminUrl, `foyer_test_bare_${process.pid}`)
  const admin = await connect(database.adminUrl)
  await createDatabase(admin, new URL(url).pathname.slice(1))
  await admin.end()
  const appUrl = new URL(database.appUrl)
  appUrl.pathname = new URL(url).pathname
  try {
    await expect(checkMigrated(appUrl.href)).rejects.toThrow('The database has no tables of this program yet.')
    await expect(checkMigrated(database.appUrl)).resolves.toBeUndefined()
  } finally {
    await dropDatabase(url)
  }
})
