// RADIUS beside lists: 64 lists at once at the API, and gateways are answered as quickly as if there were none, since RADIUS has a process
// of its own.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { code } from '#server/radius-codec/dictionary.ts'
import { freePort } from '#server/start/free-port.ts'
import { aMacAddress, aProperty } from '#test/foyer.ts'
import { inherited, killAll, startFoyer, type Foyer } from '#test/process.ts'
import { openGateway, type TestGateway } from '#test/radius-client.ts'
import { neighbours } from '#test/proofs/neighbours.ts'
import { full } from '#test/proofs/proof.ts'
import { guest } from '#test/proofs/radius-operator.ts'
import type { CameBack, Offer } from './offered-load.ts'

const at_once = 64
const seconds = full ? 60 : 3
const packets_a_second = 30
/** Of 100 answers 99 come within this time; only a quiet machine shows it. */
const p99_max_ms = full ? 50 : 5000
const customers_count = 8
const properties = full ? 200 : 10

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-beside-'))
let foyer: Foyer
let gateway: TestGateway
let customers: Offer['customers']
beforeAll(async () => {
  const access = await freePort(2)
  foyer = await startFoyer({
    DATA_DIR: scratch,
    SIGNUP: 'open',
    TRUSTED_PROXIES: 'loopback',
    ROLES: 'api,radius',
    RADIUS_AUTH_PORT: String(access),
    RADIUS_ACCT_PORT: String(access + 1),
    DISK_RESERVE_MB: '0',
    REQUESTS_PER_MINUTE: '1000000',
    LOG_LEVEL: 'warn',
  })
  const { aCustomer } = neighbours(foyer)
  const house = await aCustomer('house', '203.0.113.9')
  const property_id = await house.made('/properties-create', aProperty())
  const { user_name: username, password } = guest
  await house.made('/accounts-create', { name: 'Amelia', username, password, property_id })
  const { data } = await house.ask<{ nas_identifier: string; radius_secret: string }>('/gateways-create', {
    property_id,
    gateway_type_id: 13,
  })
  gateway = await openGateway({ access, accounting: access + 1 }, data)
  customers = []
  for (let nth = 0; nth < customers_count; nth++) {
    const { made, headers } = await aCustomer(`customer-${nth}`, `203.0.113.${nth + 10}`)
    for (let one = 0; one < properties; one++) await made('/properties-create', { name: `House ${one}`, draft: true })
    customers.push({ headers, requests: [{ path: '/properties', body: {} }] })
  }
}, 600_000)
afterAll(async () => {
  await gateway?.close()
  await foyer?.kill()
  killAll()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

async function lists(): Promise<CameBack> {
  const offer: Offer = { url: foyer.url, customers, connections: at_once, seconds, rate: null }
  const program = path.join(import.meta.dirname, 'offered-load.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(offer)], { env: inherited() })
  return JSON.parse(stdout) as CameBack
}

/** By turns a guest signs in and a session is reported, until it is ended; how long each answer took. */
function packets() {
  const over = new AbortController()
  const took_ms: number[] = []
  const open = new Set<Promise<void>>()
  const mac = aMacAddress()
  async function one(nth: number) {
    const began = performance.now()
    const about = { user_name: guest.user_name, calling_station_id: mac }
    const answer =
      nth % 2 === 0
        ? await gateway.access({ ...about, password: guest.password })
        : await gateway.report({ ...about, acct_status_type: 3, acct_session_id: 'beside', acct_session_time: nth })
    expect([code.access_accept, code.accounting_response]).toContain(answer.code)
    took_ms.push(performance.now() - began)
  }
  const running = (async () => {
    for (let nth = 0; !over.signal.aborted; nth++) {
      const sent = one(nth).finally(() => open.delete(sent))
      open.add(sent)
      await sleep(1000 / packets_a_second)
    }
  })()
  return async () => {
    over.abort()
    await running
    await Promise.all(open)
    const inOrder = took_ms.toSorted((a, b) => a - b)
    const at = (part: number) => inOrder[Math.floor(inOrder.length * part)] ?? 0
    return { answers: took_ms.length, p50_ms: Math.round(at(0.5)), p99_ms: Math.round(at(0.99)) }
  }
}

test('64 lists at once at the API keep no gateway waiting', { timeout: 600_000 }, async ({ task }) => {
  // Warm-up.
  const first = packets()
  await sleep(2000)
  await first()
  const alone = packets()
  await sleep(full ? 20_000 : 1000)
  const quiet = await alone()
  const beside = packets()
  const served = await lists()
  const busy = await beside()
  task.meta.figures =
    `${served.accepted} lists in ${Math.round(served.seconds)} s, half of them within ${Math.round(served.p50_ms)} ms; ` +
    `of ${busy.answers} RADIUS packets 99 % within ${busy.p99_ms} ms, half within ${busy.p50_ms} ms; ` +
    `without lists ${quiet.p99_ms} and ${quiet.p50_ms} ms`
  expect(served.accepted).toBeGreaterThan(0)
  expect(busy.p99_ms).toBeLessThan(p99_max_ms)
})
