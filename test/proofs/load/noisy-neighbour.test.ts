// A noisy neighbour: one customer keeps sending many requests of every kind. Another is never refused, and waits hardly longer than
// alone. Guessing a password, however often, does not lock its owner out.
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { aProperty, password } from '#test/foyer.ts'
import { neighbours, receptionist, type Answered, type Neighbours, type Payload } from '#test/proofs/neighbours.ts'
import { killAll, startFoyer, type Foyer } from '#test/process.ts'
import { aFile, bytesOf, formOf } from '#test/uploads.ts'
import { full, share } from '#test/proofs/proof.ts'

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-noisy-'))
/** A fifth in the sample: enough to see that nobody is refused. */
const part = (times: number) => (full ? times : Math.ceil(times / 5))
const rounds = full ? 150 : 5
const codes = part(5000)
const guests = part(2000)

let foyer: Foyer
let asking: Neighbours
let database: TestDatabase | undefined
beforeAll(async () => {
  // The full proof uses a separate database, which is durable and so slower than the one of tests.
  database = full ? undefined : await freshDatabase()
  foyer = await startFoyer({
    DATA_DIR: scratch,
    SIGNUP: 'open',
    TRUSTED_PROXIES: 'loopback',
    QUOTA_CODES: '1000000000',
    DISK_RESERVE_MB: '0',
    ...(database && {
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      SECRET_KEY: database.secretKey,
    }),
  })
  asking = neighbours(foyer)
}, 120_000)
afterAll(async () => {
  await foyer?.kill()
  killAll()
  await database?.drop()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

/** Sends requests on a number of lanes until `end` is called, and waits when asked to. Counts the statuses. */
function load(at_once: number, send: (index: number) => Promise<Answered>, times_max = Infinity) {
  const statuses = new Map<number, number>()
  const over = new AbortController()
  const { signal } = over
  let sent = 0
  const work = async () => {
    while (!signal.aborted && sent < times_max) {
      const { status, wait_s } = await send(sent++)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (wait_s > 0) await sleep(wait_s * 1000, undefined, { signal }).catch(() => {})
    }
  }
  const all = Promise.all(Array.from({ length: at_once }, work))
  const end = async () => {
    over.abort()
    await all
    return statuses
  }
  return { statuses, end }
}

/** Requests downloads without reading them. Returns a function that closes them. */
function unread(count: number, call: string, payload: object, authorization: string) {
  const { hostname, port } = new URL(foyer.url)
  const body = JSON.stringify(payload)
  const sockets = Array.from({ length: count }, () => {
    const socket = net.connect(Number(port), hostname).pause()
    socket.on('error', () => {})
    socket.write(
      `POST /api/v1${call} HTTP/1.1\r\nHost: foyer.test\r\nAuthorization: ${authorization}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
    return socket
  })
  return () => sockets.forEach((socket) => socket.destroy())
}

test(
  'one customer floods every kind of work; another is served as if it were alone',
  { timeout: 900_000 },
  async ({ task }) => {
    const { aCustomer, confirmAddress, post, from, logIn } = asking
    const noisy = await aCustomer('noisy', '203.0.113.1')
    await confirmAddress(noisy.email, scratch)
    const quiet = await aCustomer('quiet', '203.0.113.2')
    const place = { property_id: await noisy.made('/properties-create', aProperty()) }
    const wifi = { package_id: await noisy.made('/packages-create', { name: 'Wi-Fi' }) }
    const batch = await noisy.made('/voucher-batches-create', { quantity: codes, ...place, ...wifi })
    const guest = await noisy.made('/accounts-create', { name: 'Ada', username: 'ada', password: 'word', ...place })
    const key = await noisy.ask<{ token: string }>('/user-api-tokens-create', { name: 'All', permissions: ['full'] })
    const authorization = `Bearer ${key.data.token}`
    const program = (call: string, payload: Payload) => post(call, payload, { ...from(noisy.ip), authorization })

    const measure = await receptionist(foyer, quiet, rounds)
    const alone_ms = await measure()

    const list = { excludeIds: Array.from({ length: 5000 }, (_, index) => index + 1), searchValue: 'guest' }
    const rows = Array.from({ length: guests }, (_, index) => `Guest ${index}`).join('\n')
    const AccountImport = await bytesOf(formOf({ AccountImport: aFile('guests.csv', `name\n${rows}\n`), ...place }))
    const others = Array.from({ length: full ? 250 : 10 }, (_, index) => `198.51.100.${index + 1}`)
    const loads = {
      creates: load(part(30), () => program('/voucher-batches-create', { quantity: codes, ...place, ...wifi })),
      searches: load(part(60), () => program('/accounts', list)),
      imports: load(part(12), () => program('/import/accounts', AccountImport)),
      mails: load(
        20,
        (index) => program('/accounts-send-sign-in', { id: guest, email: `g${index}@example.com` }),
        part(1000),
      ),
      'log-ins from one address': load(20, () => logIn(noisy.email, 'a wrong guess of it', noisy.ip), part(1000)),
      'log-ins from others': load(
        others.length,
        (index) => logIn(noisy.email, 'a wrong guess of it', others[index % others.length] ?? ''),
        1000,
      ),
    }
    const close = unread(part(150), '/voucher-batches-export', { id: batch, format: 'csv' }, authorization)
    await expect
      .poll(() => Object.values(loads).every(({ statuses }) => statuses.size > 0), { timeout: 120_000 })
      .toBe(true)
    const during_ms = await measure()
    const began = performance.now()
    expect((await logIn(quiet.email, password, quiet.ip)).status).toBe(200)
    const log_in_ms = performance.now() - began
    close()
    const answers: [string, Map<number, number>][] = []
    for (const [name, { end }] of Object.entries(loads)) answers.push([name, await end()])

    // Too many requests are answered 429. Only requests before signing in may be answered 503 by a busy node.
    for (const [name, statuses] of answers) {
      const fine = [200, 201, 422, 429, ...(name.startsWith('log-ins') ? [503] : [])]
      expect(
        [...statuses.keys()].filter((status) => !fine.includes(status)),
        name,
      ).toEqual([])
    }
    const counts = answers.map(
      ([name, statuses]) => `${name} ${[...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')}`,
    )
    const waits = [alone_ms, during_ms, log_in_ms].map(Math.round)
    task.meta.figures =
      `of ${rounds * 4} requests 95 % within ${waits[0]} ms alone and ${waits[1]} ms during the load, a log-in took ${waits[2]} ms; ` +
      counts.join('; ')
    // After the figures, so that a failure reports them as well.
    if (full) expect(during_ms).toBeLessThanOrEqual(Math.max(4 * alone_ms, 150))
  },
)

test(
  'ten thousand wrong guesses from other addresses do not keep the owner out',
  { timeout: 900_000 },
  async ({ task }) => {
    const { aCustomer, logIn } = asking
    const victim = await aCustomer('victim', '203.0.113.3')
    const guesses = share(10_000)
    const from_each = 4
    const guess = load(
      20,
      (index) => {
        const other = Math.floor(index / from_each)
        return logIn(victim.email, `guess ${index}`, `10.${other >> 16}.${(other >> 8) & 255}.${other & 255}`)
      },
      guesses,
    )
    await expect
      .poll(() => [...guess.statuses.values()].reduce((sum, times) => sum + times, 0), {
        timeout: 800_000,
        interval: 200,
      })
      .toBe(guesses)
    const statuses = await guess.end()
    expect([...statuses.keys()]).toEqual([422])
    const began = performance.now()
    expect((await logIn(victim.email, password, victim.ip)).status).toBe(200)
    const took = Math.round(performance.now() - began)
    task.meta.figures = `${guesses} guesses from ${guesses / from_each} addresses; the owner was signed in after ${took} ms`
  },
)
