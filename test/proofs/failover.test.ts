// Failover: the server of the database that takes writes is killed, frozen and cut off under load, three times each. Its copy takes
// over, Foyer goes on by itself, and everything acknowledged is there: Patroni, etcd and HAProxy as deploy/ha has them.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RadiusPorts } from '#server/apps/radius.ts'
import { code } from '#server/radius-codec/dictionary.ts'
import { asOneHost } from '#server/start/database-address.ts'
import { connect } from '#server/db/logins.ts'
import { freePort } from '#server/start/free-port.ts'
import { aMacAddress, aProperty } from '#test/foyer.ts'
import { beginFoyer, killAll, type Foyer } from '#test/process.ts'
import { openGateway, type TestGateway } from '#test/radius-client.ts'
import { faults, missing, startCluster, type Cluster, type Fault } from './ha-cluster.ts'
import { neighbours, type Neighbours } from './neighbours.ts'
import { full } from './proof.ts'
import { guest } from './radius-operator.ts'

const customers = full ? 10 : 2
const calls_a_second = full ? 100 : 20
const packets_a_second = full ? 30 : 6
const times = full ? 3 : 1
const within = { back_s: 30, log_bytes: 100_000 }
const quiet_ms = 5000
/** After it is back, in which what is refused late would be seen. */
const watched_ms = 10_000
const patience_ms = 40_000

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-failovers-'))
let cluster: Cluster | undefined
beforeAll(async () => {
  if (!missing) cluster = await startCluster(scratch)
}, 240_000)
afterAll(() => {
  killAll()
  cluster?.stop()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

/** What came of calls or packets since a moment. */
interface Since {
  acknowledged: number
  refused: number
  /** Of the first that was sent after the moment and acknowledged, and of the last that was refused. */
  first_ms: number
  last_refused_ms: number
}
function counting() {
  let began = performance.now()
  let since: Since = { acknowledged: 0, refused: 0, first_ms: Infinity, last_refused_ms: 0 }
  return {
    begin() {
      began = performance.now()
      since = { acknowledged: 0, refused: 0, first_ms: Infinity, last_refused_ms: 0 }
    },
    since: () => since,
    note(sent_at: number, isAcknowledged: boolean) {
      const now = performance.now() - began
      if (!isAcknowledged) {
        since.refused++
        since.last_refused_ms = now
      } else {
        since.acknowledged++
        if (sent_at >= began) since.first_ms = Math.min(since.first_ms, now)
      }
    },
  }
}

/** Calls `work` so many times a second, whether the ones before have ended or not. */
function every(a_second: number, work: (nth: number) => Promise<void>) {
  const over = new AbortController()
  const open = new Set<Promise<void>>()
  const running = (async () => {
    const began = performance.now()
    for (let nth = 0; !over.signal.aborted; nth++) {
      const one = work(nth).finally(() => open.delete(one))
      open.add(one)
      await sleep(Math.max(0, began + ((nth + 1) * 1000) / a_second - performance.now()))
    }
  })()
  return async () => {
    over.abort()
    await running
    await Promise.all(open)
  }
}

const kinds = [
  ['/properties-create', 'properties', { draft: true }],
  ['/packages-create', 'packages', {}],
  ['/groups-create', 'groups', { draft: true }],
] as const

type Customer = Awaited<ReturnType<Neighbours['aCustomer']>>
async function openCustomers({ aCustomer }: Neighbours, run: string) {
  const all: Customer[] = []
  for (let nth = 0; nth < customers; nth++) all.push(await aCustomer(`${run}-${nth}`, `203.0.113.${nth + 1}`))
  return all
}

/** Half of them write, each under its own name. */
function openCalls(all: readonly Customer[], run: string) {
  const acknowledged = new Map<string, Set<string>>(kinds.map(([, table]) => [table, new Set()]))
  const [reads, writes] = [counting(), counting()]
  const statuses: Record<string, number> = {}
  async function call(nth: number) {
    const customer = all[Math.floor(nth / 2) % all.length]
    const sent_at = performance.now()
    const isWrite = nth % 2 === 0
    const [path, table, more] = kinds[Math.floor(nth / 2 / all.length) % kinds.length] ?? kinds[0]
    const name = `${run} ${nth}`
    const answer = isWrite ? customer?.ask(path, { name, ...more }) : customer?.ask('/properties')
    const status = await answer?.then(
      (answered) => answered.status,
      () => 0,
    )
    const isAcknowledged = status === (isWrite ? 201 : 200)
    if (isWrite && isAcknowledged) acknowledged.get(table)?.add(name)
    if (!isAcknowledged) statuses[String(status)] = (statuses[String(status)] ?? 0) + 1
    ;(isWrite ? writes : reads).note(sent_at, isAcknowledged)
  }
  return { reads, writes, acknowledged, statuses, end: every(calls_a_second, call) }
}

/** A third of them sign in, the others report sessions; one that gets no answer is repeated, as gateways do. */
function openPackets(gateway: TestGateway, ports: RadiusPorts, run: string) {
  const began_at = Math.floor(Date.now() / 1000)
  const answered = counting()
  const acknowledged = new Map<string, number>()
  const lanes = Array.from({ length: packets_a_second }, (_, lane) => {
    const mac = aMacAddress()
    const about = { user_name: guest.user_name, calling_station_id: mac }
    const session = `${run}-${lane}`
    let isWaiting = false
    let count = 0
    async function send() {
      if (lane % 3 === 0) {
        const packet = gateway.accessPacket({ ...about, password: guest.password })
        return (await gateway.send(packet, ports.access, patience_ms))?.code === code.access_accept
      }
      const report = gateway.accountingPacket({
        ...about,
        acct_status_type: count === 0 ? 1 : 3,
        acct_session_id: session,
        acct_session_time: count,
        event_timestamp: began_at + count,
        acct_input_octets: count * 1000,
        acct_output_octets: count * 5000,
      })
      const isAcknowledged =
        (await gateway.send(report, ports.accounting, patience_ms))?.code === code.accounting_response
      if (isAcknowledged) acknowledged.set(session, count++)
      return isAcknowledged
    }
    return every(1, async () => {
      if (isWaiting) return
      isWaiting = true
      const sent_at = performance.now()
      answered.note(sent_at, await send())
      isWaiting = false
    })
  })
  return { answered, acknowledged, end: async () => void (await Promise.all(lanes.map((end) => end()))) }
}

async function openGatewayOf(customer: Customer | undefined, ports: RadiusPorts) {
  if (!customer) throw new Error('no customer')
  const property_id = await customer.made('/properties-create', aProperty())
  await customer.made('/accounts-create', {
    name: 'Amelia',
    username: guest.user_name,
    password: guest.password,
    property_id,
  })
  const { data } = await customer.ask<{ nas_identifier: string; radius_secret: string }>('/gateways-create', {
    property_id,
    gateway_type_id: 13,
  })
  return openGateway(ports, data, undefined, 3000)
}
/** What of the acknowledged is not stored. */
async function missingIn(url: string, calls: Map<string, Set<string>>, sessions: Map<string, number>) {
  const client = await connect(asOneHost(url))
  try {
    const lost: string[] = []
    for (const [table, names] of calls) {
      const stored = await namesIn(client, table)
      lost.push(...[...names].filter((name) => !stored.has(name)))
    }
    const { rows } = await client.query<{ id: string; seconds: number }>(
      'select acct_session_id as id, seconds::float8 from radius_sessions',
    )
    const seconds = new Map(rows.map(({ id, seconds: counted }) => [id, counted]))
    lost.push(...[...sessions].filter(([id, count]) => (seconds.get(id) ?? -1) < count).map(([id]) => id))
    return lost
  } finally {
    await client.end()
  }
}
async function namesIn(client: Client, table: string) {
  const { rows } = await client.query<{ name: string }>(`select name from ${table}`)
  return new Set(rows.map(({ name }) => name))
}

const seconds = (ms: number) => (ms / 1000).toFixed(1)
const span = (all: number[]) => `${seconds(Math.min(...all))} to ${seconds(Math.max(...all))} s`
const without = missing && ` (not run: ${missing} is not here)`

for (const way of ['HAProxy', 'both hosts'] as const)
  test.skipIf(Boolean(missing) || (!full && way === 'HAProxy'))(
    `by ${way} Foyer outlives the server that takes writes, with all that it acknowledged${without}`,
    { timeout: 3_600_000 },
    async ({ task }) => {
      if (!cluster) throw new Error('no cluster')
      const first = await freePort(2)
      const ports = { access: first, accounting: first + 1 }
      const run = way.replace(' ', '-').toLowerCase()
      const node = beginFoyer({
        DATABASE_URL: cluster.urls[way],
        DATA_DIR: path.join(scratch, run),
        SECRET_KEY: 'the key of a proof that fails over',
        SIGNUP: 'open',
        ROLES: 'api,radius,jobs',
        TRUSTED_PROXIES: 'loopback',
        RADIUS_AUTH_PORT: String(ports.access),
        RADIUS_ACCT_PORT: String(ports.accounting),
        // Without a line for each request.
        LOG_FORMAT: 'json',
        LOG_LEVEL: 'warn',
      })
      const foyer: Foyer = await node.ready
      const operators = await openCustomers(neighbours(foyer), run)
      const gateway = await openGatewayOf(operators[0], ports)
      const calls = openCalls(operators, run)
      const packets = openPackets(gateway, ports, run)
      const all = [calls.reads, calls.writes, packets.answered]
      const seen: { how: Fault; back_ms: number[]; refused_ms: number; log_bytes: number }[] = []
      await sleep(quiet_ms)
      for (const how of Array.from({ length: times }, () => (full ? faults : faults.slice(1, 2))).flat()) {
        const writer = await cluster.writer()
        const log_before = node.output().length
        cluster.harm(writer, how)
        // From here on, since stopping many processes takes a moment, in which some are still answered.
        for (const one of all) one.begin()
        const harmed_at = performance.now()
        while (all.some((one) => one.since().first_ms === Infinity) && performance.now() - harmed_at < 120_000)
          await sleep(200)
        await sleep(watched_ms)
        const since = all.map((one) => one.since())
        seen.push({
          how,
          back_ms: since.map(({ first_ms }) => first_ms),
          refused_ms: Math.max(...since.map(({ last_refused_ms }) => last_refused_ms)),
          log_bytes: node.output().length - log_before,
        })
        await cluster.mend(writer, how)
        await sleep(quiet_ms)
      }
      await Promise.all([calls.end(), packets.end()])
      await gateway.close()
      await foyer.kill()

      const lost = await missingIn(cluster.urls[way], calls.acknowledged, packets.acknowledged)
      const written = [...calls.acknowledged.values()].reduce((sum, names) => sum + names.size, 0)
      const reported = [...packets.acknowledged.values()].reduce((sum, count) => sum + count + 1, 0)
      const back = (how: Fault) =>
        `${how} ${seen.filter((one) => one.how === how).length} times: all served again after ${span(
          seen.filter((one) => one.how === how).map(({ back_ms }) => Math.max(...back_ms)),
        )}`
      task.meta.figures =
        `${written} writes and ${reported} reports acknowledged, ${lost.length} missing; ` +
        `${[...new Set(seen.map(({ how }) => how))].map(back).join(', ')}; nothing refused later than ` +
        `${seconds(Math.max(...seen.map(({ refused_ms }) => refused_ms)))} s after; refusals ${JSON.stringify(calls.statuses)}; ` +
        `at most ${Math.ceil(Math.max(...seen.map(({ log_bytes }) => log_bytes)) / 1000)} kB of log each`
      expect(lost).toEqual([])
      for (const { how, back_ms, refused_ms, log_bytes } of seen) {
        expect(Math.max(...back_ms) / 1000, how).toBeLessThan(within.back_s)
        expect(refused_ms / 1000, how).toBeLessThan(within.back_s)
        expect(log_bytes, how).toBeLessThan(within.log_bytes)
      }
    },
  )
