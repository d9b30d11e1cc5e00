// Overload: several customers send ten times as many requests as can be answered. The excess is refused with 429 or 503, throughput is
// kept up, gateways are answered throughout, and afterwards response times are normal again.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { code } from '#server/radius-codec/dictionary.ts'
import { freePort } from '#server/start/free-port.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { aMacAddress, aProperty } from '#test/foyer.ts'
import { inherited, killAll, startFoyer, type Foyer } from '#test/process.ts'
import { openGateway, type TestGateway } from '#test/radius-client.ts'
import { neighbours } from '#test/proofs/neighbours.ts'
import type { CameBack, Offer } from './offered-load.ts'
import { full } from '#test/proofs/proof.ts'

const times_capacity = 10
const seconds = full ? 60 : 3
const measured_s = full ? 20 : 2
const customers_count = 4
/** Connections of each customer: more than may wait for a turn (server/turns/shares.ts), however fast the machine is. */
const connections = 350
/** The longest wait for a turn (server/turns/shares.ts), and nearly the longest for an answer. */
const wait_max_ms = 15_000
const guest = { user_name: 'amelia', password: 'a guest password' }
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-overload-'))

let foyer: Foyer
let database: TestDatabase | undefined
let gateway: TestGateway
let customers: Offer['customers']
beforeAll(async () => {
  // The full proof uses a separate database, which is durable and so slower than the one of tests.
  database = full ? undefined : await freshDatabase()
  const access = await freePort(2)
  foyer = await startFoyer({
    DATA_DIR: scratch,
    SIGNUP: 'open',
    TRUSTED_PROXIES: 'loopback',
    ROLES: 'api,radius',
    RADIUS_AUTH_PORT: String(access),
    RADIUS_ACCT_PORT: String(access + 1),
    DISK_RESERVE_MB: '0',
    // Measures the node's capacity, not the limit of a token, which would refuse most requests early.
    REQUESTS_PER_MINUTE: '1000000',
    ...(database && {
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      SECRET_KEY: database.secretKey,
    }),
  })
  const { aCustomer } = neighbours(foyer)
  const quiet = await aCustomer('quiet', '203.0.113.9')
  const property_id = await quiet.made('/properties-create', aProperty())
  const { user_name: username, password } = guest
  await quiet.made('/accounts-create', { name: 'Amelia', username, password, property_id })
  const { data } = await quiet.ask<{ nas_identifier: string; radius_secret: string }>('/gateways-create', {
    property_id,
    gateway_type_id: 13,
  })
  gateway = await openGateway({ access, accounting: access + 1 }, data)
  customers = await Promise.all(
    Array.from({ length: customers_count }, async (_, nth) => {
      const { made, headers } = await aCustomer(`customer-${nth}`, `203.0.113.${nth + 10}`)
      const own = await made('/properties-create', aProperty())
      const requests = [
        { path: '/properties', body: {} },
        { path: '/accounts', body: { searchValue: 'guest' } },
        { path: `/properties/${own}`, body: {} },
        { path: '/accounts-create', body: { name: 'Guest [<id>]', property_id: own } },
      ]
      return { headers, requests }
    }),
  )
}, 240_000)
afterAll(async () => {
  await gateway?.close()
  await foyer?.kill()
  killAll()
  await database?.drop()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

async function offer(given: Pick<Offer, 'connections' | 'seconds' | 'rate'>): Promise<CameBack> {
  const argument = JSON.stringify({ url: foyer.url, customers, ...given } satisfies Offer)
  const program = path.join(import.meta.dirname, 'offered-load.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program, argument], { env: inherited() })
  return JSON.parse(stdout) as CameBack
}

/** Resident memory of the process; 0 if the system does not report it. */
function memory_mb() {
  const account = `/proc/${foyer.child.pid}/status`
  const resident_kb = fs.existsSync(account) ? /VmRSS:\s+(\d+)/.exec(fs.readFileSync(account, 'utf8'))?.[1] : undefined
  return Math.round(Number(resident_kb ?? 0) / 1024)
}

/** Sends sign-ins of a gateway without a pause; returns a function that ends them and returns the figures. */
function signingIn() {
  const over = new AbortController()
  const times_ms: number[] = []
  let memory_max_mb = 0
  const done = (async () => {
    while (!over.signal.aborted) {
      const began = performance.now()
      const answer = await gateway.access({ ...guest, calling_station_id: mac })
      expect(answer.code).toBe(code.access_accept)
      times_ms.push(performance.now() - began)
      memory_max_mb = Math.max(memory_max_mb, memory_mb())
      await sleep(50)
    }
  })()
  return async () => {
    over.abort()
    await done
    const inOrder = times_ms.toSorted((one, other) => one - other)
    return { answers: times_ms.length, p99_ms: inOrder[Math.floor(inOrder.length * 0.99)] ?? 0, memory_max_mb }
  }
}
const mac = aMacAddress()

test(
  'at ten times the capacity the excess is refused, and nothing else suffers',
  { timeout: 900_000 },
  async ({ task }) => {
    const one = { connections: customers_count, seconds: measured_s, rate: null }
    // Warm-up.
    await offer(one)
    const unloaded = await offer({ ...one, connections: 1 })
    const alone = signingIn()
    const busy = await offer({ ...one, connections: customers_count * 4 })
    const gatewayBefore = await alone()
    const capacity = busy.accepted / busy.seconds
    const memory_before_mb = memory_mb()

    const meanwhile = signingIn()
    // At least one request a second for each connection: more than may wait, however slow the machine is.
    const rate = Math.max(Math.ceil(capacity * times_capacity), customers_count * connections)
    const flood = await offer({ connections: customers_count * connections, seconds, rate })
    const ended = performance.now()
    const gatewayDuring = await meanwhile()
    const goodput = flood.accepted / flood.seconds

    let after = await offer({ ...one, connections: 1, seconds: 1 })
    while (after.p99_ms > 4 * unloaded.p99_ms && performance.now() - ended < 120_000)
      after = await offer({ ...one, connections: 1, seconds: 1 })
    const normal_after_s = (performance.now() - ended) / 1000

    const statuses = Object.entries(flood.statuses).map(([status, times]) => `${times} × ${status}`)
    const ms = (time: number) => `${Math.round(time)} ms`
    task.meta.figures = [
      `capacity ${Math.round(capacity)} requests a second`,
      `offered ${rate} for ${Math.round(flood.seconds)} s: ${statuses.join(', ')}, ${flood.unanswered} without an answer`,
      `accepted ${Math.round(goodput)} a second, half of them within ${ms(flood.p50_ms)}, 99 % within ${ms(flood.p99_ms)}`,
      `unloaded 99 % within ${ms(unloaded.p99_ms)}, at capacity ${ms(busy.p99_ms)}`,
      `memory ${memory_before_mb} MB before, at most ${gatewayDuring.memory_max_mb} MB`,
      `normal ${normal_after_s.toFixed(1)} s after`,
      `RADIUS answered ${gatewayDuring.answers} times, 99 % within ${ms(gatewayDuring.p99_ms)}, at capacity ${ms(gatewayBefore.p99_ms)}`,
    ].join('; ')

    // After the figures, so that a failure reports them as well.
    expect(Object.keys(flood.statuses).filter((status) => !['200', '201', '429', '503'].includes(status))).toEqual([])
    expect(flood.unanswered).toBe(0)
    expect(flood.statuses['429']).toBeGreaterThan(0)
    expect(flood.accepted).toBeGreaterThan(0)
    expect(gatewayDuring.answers).toBeGreaterThan(0)
    if (!full) return
    expect(goodput).toBeGreaterThanOrEqual(capacity / 2)
    expect(flood.p99_ms).toBeLessThanOrEqual(wait_max_ms)
    expect(gatewayDuring.memory_max_mb).toBeLessThanOrEqual(1.5 * memory_before_mb)
    expect(normal_after_s).toBeLessThanOrEqual(10)
  },
)
