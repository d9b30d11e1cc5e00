// Waiting: a start answers on every port from its first second, until what it waits for is over. Tests the real process.
import { spawn, type ChildProcess } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { directionOf, languageCodes, textsOf } from '#portal/languages.ts'
import { openWaiting } from '#server/apps/waiting.ts'
import { connect } from '#server/db/logins.ts'
import { readConfig } from '#server/start/config.ts'
import { freePort } from '#server/start/free-port.ts'
import { version } from '#server/start/version.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { killAll, startFoyer } from '#test/process.ts'
import { answerOf, expectRefused } from '#test/refused.ts'

/** Held by a node that migrates (server/db/migrate.ts). */
const advisory_lock = 0x666f7967

let database: TestDatabase
let holder: Client
beforeAll(async () => {
  database = await freshDatabase()
  holder = await connect(database.adminUrl)
})
afterAll(async () => {
  killAll()
  await holder.end()
  await database.drop()
})

async function settings() {
  const port = await freePort(6)
  return {
    PORT: String(port),
    PORTAL_PORT: String(port + 1),
    METRICS_PORT: String(port + 2),
    RADIUS_AUTH_PORT: String(port + 3),
    RADIUS_ACCT_PORT: String(port + 4),
    RADIUS_HTTP_PORT: String(port + 5),
    RADIUS_HTTP_TOKEN: 'a-token-for-the-tests-of-FreeRADIUS-here',
    ROLES: 'all',
  }
}

const healthCheck = async (env: Record<string, string>) => {
  const program = ['--import', './scripts/tsx.mjs', 'server/health-check.ts']
  const child: ChildProcess = spawn(process.execPath, program, {
    cwd: path.join(import.meta.dirname, '../..'),
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = child.stdout?.setEncoding('utf8').toArray()
  const [code] = (await once(child, 'exit')) as [number]
  return { code, said: (await output)?.join('').trim() }
}

test('a node that waits to migrate answers on each port, and serves as soon as it can', async () => {
  await holder.query('select pg_advisory_lock($1)', [advisory_lock])
  const ports = await settings()
  const env = { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl, SECRET_KEY: database.secretKey }
  const started = startFoyer({ ...env, ...ports })
  const at = (port: string, address: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${address}`, init)

  await vi.waitFor(() => at(ports.PORT, '/healthz'), { timeout: 60_000, interval: 50 })
  const health = await at(ports.PORT, '/healthz')
  expect([health.status, await health.json()]).toEqual([200, { status: 'starting', version }])
  const ready = await at(ports.PORT, '/readyz')
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'starting', version, message: 'Foyer is starting.' },
  ])
  expect(await healthCheck({ ...env, ...ports })).toEqual({ code: 0, said: 'starting' })

  const call = await at(ports.PORT, '/api/v1/auth/login', { method: 'POST', body: '{"broken' })
  expect([call.status, call.headers.get('retry-after'), await call.json()]).toEqual([
    503,
    '5',
    { message: 'Foyer is starting.' },
  ])
  const page = await at(ports.PORT, '/customer/dashboard', { headers: { accept: 'text/html' } })
  expect(page.headers.get('retry-after')).toBe('5')
  expectRefused(await answerOf(page), { status: 503, message: 'Foyer is starting' })
  for (const language of languageCodes) {
    const guest = await at(ports.PORTAL_PORT, '/p/8f2c1a', { headers: { 'accept-language': language } })
    const { status, text } = await answerOf(guest)
    expect(guest.headers.get('retry-after')).toBe('5')
    expect(text).toContain(`<html lang="${language}" dir="${directionOf(language)}">`)
    expect([status, text]).toEqual([503, expect.stringContaining(textsOf[language].upgrading)])
    expect(text).toContain('http-equiv="refresh"')
  }
  const form = await at(ports.PORTAL_PORT, '/p/8f2c1a', { method: 'POST', body: new URLSearchParams({ way: 'free' }) })
  const sent = await answerOf(form)
  expect([sent.status, sent.text]).toEqual([503, expect.stringContaining(textsOf.en.upgrading)])
  expect(sent.text).not.toContain('http-equiv="refresh"')
  for (const port of [ports.METRICS_PORT, ports.RADIUS_HTTP_PORT])
    expectRefused(await answerOf(await at(port, '/metrics')), { status: 503, message: 'Foyer is starting.' })
  expect(await answerTo(ports.RADIUS_AUTH_PORT)).toBe('silence')

  await holder.query('select pg_advisory_unlock($1)', [advisory_lock])
  await started
  const served = await at(ports.PORT, '/readyz')
  expect([served.status, await served.json()]).toMatchObject([200, { status: 'ready', version }])
  expect(await healthCheck({ ...env, ...ports })).toEqual({ code: 0, said: 'ready' })
  expect((await at(ports.PORTAL_PORT, '/')).status).toBe(200)
  expect((await at(ports.METRICS_PORT, '/metrics')).status).toBe(200)
  killAll()
  await vi.waitFor(() => expect(at(ports.PORT, '/healthz')).rejects.toThrow(), { timeout: 60_000 })
  expect(await healthCheck({ ...env, ...ports })).toEqual({ code: 1, said: 'no answer' })
})

/** A socket that is connected learns of a port that is closed, as a gateway does. */
async function answerTo(port: string): Promise<string> {
  const socket = createSocket('udp4')
  const connected = once(socket, 'connect')
  socket.connect(Number(port), '127.0.0.1')
  await connected
  const told = Promise.race([
    once(socket, 'message').then(() => 'an answer'),
    once(socket, 'error').then(() => 'nobody listens'),
  ])
  // The second packet cannot be sent once the first has been refused.
  for (let sent = 0; sent < 2; sent++) await new Promise<void>((resolve) => socket.send('?', () => resolve()))
  const result = await Promise.race([told, silence()])
  socket.close()
  return result
}
/** Longer than the system takes to tell of a closed port on the same machine. */
const silence = () => new Promise<string>((resolve) => setTimeout(() => resolve('silence'), 300))

test('an upgrade says how much of it is done', async () => {
  const ports = await settings()
  const waiting = await openWaiting(readConfig(ports))
  const ask = (accept: string, address = '/') =>
    fetch(`http://127.0.0.1:${ports.PORT}${address}`, { headers: { accept } })
  // Nothing is to be done.
  waiting.upgrading({ done: 0, total: 0 })
  expect(await (await ask('*/*', '/readyz')).json()).toMatchObject({ status: 'starting' })
  waiting.upgrading({ done: 2, total: 5 })
  const page = await (await ask('text/html')).text()
  expect(page).toContain('40 % of it is done.')
  expect(page).toContain('<progress max="100" value="40"')
  expect(await (await ask('*/*', '/api/v1/openapi.json')).json()).toEqual({
    message: 'Foyer is being upgraded: 40 % of it is done.',
  })
  expect(await (await ask('*/*', '/readyz')).json()).toMatchObject({ status: 'upgrading', percent: 40 })
  await waiting.close()
})

test('a port that is taken is named with its setting, and those opened before it are free again', async () => {
  const ports = await settings()
  const taken = net.createServer().listen(Number(ports.PORTAL_PORT), '127.0.0.1')
  await once(taken, 'listening')
  try {
    await expect(openWaiting(readConfig(ports))).rejects.toThrow(
      `Port ${ports.PORTAL_PORT} is taken. Stop what listens there, or set PORTAL_PORT to another one.`,
    )
    await expect(fetch(`http://127.0.0.1:${ports.PORT}/healthz`)).rejects.toThrow()
  } finally {
    taken.close()
  }
})
