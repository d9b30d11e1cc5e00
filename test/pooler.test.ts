// Pooler: a node behind a PgBouncer in transaction mode, by the files of deploy/pgbouncer: more connections than the database has for it,
// limits of logins instead of connections, and jobs past it.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limit_logins } from '#server/db/login-limits.ts'
import { connect } from '#server/db/logins.ts'
import { freePort } from '#server/start/free-port.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { aProperty, password } from '#test/foyer.ts'
import { killAll, startFoyer, type Foyer } from '#test/process.ts'

const deploy = path.join(import.meta.dirname, '../deploy/pgbouncer')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-pooler-'))
const isHere = spawnSync('pgbouncer', ['--version']).status === 0
const without = isHere ? '' : ' (not run: pgbouncer is not here, Debian has it in the package pgbouncer)'
/** Of each login, to the database. */
const pool_size = 2

let database: TestDatabase
let pooler: ChildProcess
let port: number
beforeAll(async () => {
  database = await freshDatabase()
  if (!isHere) return
  port = await freePort()
  const { hostname, port: itself, pathname } = new URL(database.adminUrl)
  const ini = fs
    .readFileSync(path.join(deploy, 'pgbouncer.ini'), 'utf8')
    .replace(/^foyer = .*$/m, `${pathname.slice(1)} = host=${hostname} port=${itself} dbname=${pathname.slice(1)}`)
    .replace(/^listen_addr = .*$/m, 'listen_addr = 127.0.0.1')
    .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
    .replace(/^auth_file = .*$/m, `auth_file = ${folder}/userlist.txt`)
    .replace(/^default_pool_size = .*$/m, `default_pool_size = ${pool_size}`)
    .concat('unix_socket_dir =\n')
  const readme = fs.readFileSync(path.join(deploy, 'README.md'), 'utf8')
  const secrets = /--command="(select format.*?)" >/.exec(readme)?.[1]?.replaceAll(String.raw`\"`, '"') ?? ''
  fs.writeFileSync(path.join(folder, 'pgbouncer.ini'), ini)
  const lines = await ask<{ format: string }>(database.adminUrl, secrets)
  expect(lines).toHaveLength(3)
  fs.writeFileSync(path.join(folder, 'userlist.txt'), lines.map(({ format }) => `${format}\n`).join(''))
  // It does not run as root.
  fs.chmodSync(folder, 0o755)
  const user = process.getuid?.() === 0 ? ['--user', 'nobody'] : []
  pooler = spawn('pgbouncer', [...user, path.join(folder, 'pgbouncer.ini')], { stdio: 'ignore' })
  const answers = () => ask(through(database.appUrl), 'select 1').then(Boolean, () => false)
  for (let waited = 0; !(await answers()); waited++) {
    if (waited > 100) throw new Error('PgBouncer does not answer')
    await sleep(100)
  }
})
afterAll(async () => {
  killAll()
  pooler?.kill()
  await database.drop()
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

const through = (url: string) => {
  const pooled = new URL(url)
  pooled.port = String(port)
  pooled.searchParams.set('pooled', 'true')
  return pooled.href
}
const asSet = (url: string) => through(url).replace(/[?&]pooled=true/, '')

async function ask<R>(url: string, statement: string) {
  const client = await connect(url)
  try {
    return (await client.query(statement)).rows as R[]
  } finally {
    await client.end()
  }
}

const settings = () => ({
  DATA_DIR: path.join(folder, 'data'),
  DATABASE_URL: asSet(database.appUrl),
  DATABASE_AUTH_URL: asSet(database.authUrl),
  DATABASE_GUEST_URL: asSet(database.guestUrl),
  DATABASE_DIRECT_URL: database.appUrl,
  DATABASE_OWNER_URL: database.ownerUrl,
  SECRET_KEY: database.secretKey,
  SIGNUP: 'open',
  ROLES: 'api,guest,jobs',
})
const withoutAll = { timeout: 240_000 }

test('the documentation has the limits that the program asks for', () => {
  expect(fs.readFileSync(path.join(deploy, 'README.md'), 'utf8')).toContain(`\`\`\`\n${limit_logins}\n\`\`\``)
})

test.runIf(isHere)(
  `logins without limits of their own are refused, with the lines that help${without}`,
  withoutAll,
  async () => {
    const refusal = await startFoyer(settings()).catch((error: Error) => error.message)
    expect(refusal).toContain(
      'the login foyer_app needs limits of its own, since a pooler passes on none (statement_timeout, lock_timeout',
    )
    expect(refusal).toContain(limit_logins)
  },
)

test.runIf(isHere)(`a node works through few connections, and jobs past them${without}`, withoutAll, async () => {
  await ask(database.adminUrl, limit_logins)
  // As an operator would by RECONNECT.
  await ask(
    database.adminUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and usename in ('foyer_app', 'foyer_auth', 'foyer_guest')`,
  )
  const foyer = await startFoyer(settings())
  const signedUp = await call<{ access_token: string }>(foyer, '/auth/signup', {
    company_name: 'Pooled',
    name: 'Ada',
    email: 'ada@pooled.example',
    password,
  })
  const token = signedUp.data.access_token
  const { data: property } = await call<{ id: number }>(foyer, '/properties-create', aProperty(), token)
  // Often enough for statements to have names where they may, on whichever connection comes.
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async (_, nth) =>
      nth % 3 === 0
        ? (await call(foyer, '/accounts-create', { name: `Guest ${nth}`, property_id: property.id }, token)).status
        : (await call(foyer, '/properties', {}, token)).status,
    ),
  )
  expect(statuses.filter((status) => status >= 300)).toEqual([])
  const { data: accounts } = await call<unknown[]>(foyer, '/accounts', {}, token)
  expect(accounts).toHaveLength(20)

  const through_it = await ask<{ count: number }>(
    database.adminUrl,
    `select count(*)::int from pg_stat_activity
     where datname = current_database() and usename = 'foyer_app' and application_name <> 'pgboss' and query !~* 'pgboss|listen'`,
  )
  expect(through_it[0]?.count).toBeLessThanOrEqual(pool_size)
  const [limit] = await ask<{ statement_timeout: string }>(through(database.appUrl), 'show statement_timeout')
  expect(limit).toEqual({ statement_timeout: '10s' })

  // A job was told of by the queue, and done: the mail that confirms the address.
  const outbox = path.join(folder, 'data', 'outbox')
  await expect
    .poll(() => fs.existsSync(outbox) && fs.readdirSync(outbox).length, { timeout: 60_000 })
    .toBeGreaterThan(0)
  const listening = await ask<{ count: number }>(
    database.adminUrl,
    `select count(*)::int from pg_stat_activity where datname = current_database() and query ~* '^listen'`,
  )
  expect(listening[0]?.count).toBeGreaterThan(0)
  await foyer.kill()
})

async function call<T>({ url }: Foyer, path: string, body: object, token?: string) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'app-context': 'customer',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, data: ((await response.json()) as { data: T }).data }
}
