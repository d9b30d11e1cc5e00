// RADIUS: everything acknowledged to gateways is stored, whatever happens meanwhile: the process is killed while they report, and
// PostgreSQL becomes unreachable. Random and changed packets do no harm.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { code } from '#server/radius-codec/dictionary.ts'
import { freePort } from '#server/start/free-port.ts'
import { freshDatabase } from '#test/database.ts'
import { aMacAddress } from '#test/foyer.ts'
import { killAll, startFoyer } from '#test/process.ts'
import { openGateway, type TestGateway } from '#test/radius-client.ts'
import { chance, full, share } from './proof.ts'
import { guest, register } from './radius-operator.ts'

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-radius-proof-'))
afterAll(() => {
  killAll()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

const random = chance()
const sessions = 20
const patience_ms = 600_000

let site: Awaited<ReturnType<typeof openSite>>
beforeEach(async () => {
  site = await openSite()
  return () => site.close()
})

/** A Foyer that reaches PostgreSQL through a proxy that can be closed, and a gateway that sends it requests. */
async function openSite() {
  const database = await freshDatabase()
  const proxy = await openProxy(Number(new URL(database.appUrl).port))
  const through = (url: string) => Object.assign(new URL(url), { port: String(proxy.port) }).href
  const first = await freePort(2)
  const ports = { access: first, accounting: first + 1 }
  const settings = {
    DATA_DIR: path.join(scratch, 'data'),
    DATABASE_URL: through(database.appUrl),
    DATABASE_AUTH_URL: through(database.authUrl),
    DATABASE_GUEST_URL: through(database.guestUrl),
    DATABASE_OWNER_URL: through(database.ownerUrl),
    SECRET_KEY: database.secretKey,
    SIGNUP: 'open',
    ROLES: 'api,radius',
    RADIUS_AUTH_PORT: String(ports.access),
    RADIUS_ACCT_PORT: String(ports.accounting),
  }
  const foyer = await startFoyer(settings)
  const [made] = await register(foyer, 1)
  if (!made) throw new Error('no gateway')
  const gateway = await openGateway(ports, made)
  const admin = new Client({ connectionString: database.adminUrl })
  await admin.connect()
  return {
    foyer,
    proxy,
    gateway,
    ports,
    admin,
    restart: () => startFoyer(settings),
    async close() {
      killAll()
      await gateway.close()
      await admin.end()
      proxy.shut()
      await database.drop()
    },
  }
}

/** A proxy that forwards connections to a port of this machine; while it is shut there are none. */
async function openProxy(to: number) {
  const passing = new Set<net.Socket>()
  const server = net.createServer((client) => {
    const behind = net.connect(to, '127.0.0.1')
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      passing.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        passing.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  const open = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await open(0)
  const { port } = server.address() as net.AddressInfo
  return {
    port,
    shut() {
      server.close()
      for (const socket of passing) socket.destroy()
    },
    reopen: () => open(port),
  }
}

/**
 * Sessions that send one report after the other, without a pause, until `end` is called. Each report is repeated until it is
 * answered.
 */
function reporting(gateway: TestGateway, port: number) {
  const began_at = Math.floor(Date.now() / 1000)
  const over = new AbortController()
  let answered = 0
  const report = (mac: string, session: number, count: number, status: number) => ({
    acct_status_type: status,
    acct_session_id: `proof-${session}`,
    user_name: guest.user_name,
    calling_station_id: mac,
    acct_session_time: count,
    event_timestamp: began_at + count,
    acct_input_octets: count * 1000,
    acct_output_octets: count * 5000,
    acct_input_gigawords: 0,
    acct_output_gigawords: 0,
  })
  const running = Array.from({ length: sessions }, async (_, session) => {
    const mac = aMacAddress()
    let count = 0
    for (; !over.signal.aborted || count === 0; count++) {
      const packet = gateway.accountingPacket(report(mac, session, count, count === 0 ? 1 : 3))
      const answer = await gateway.send(packet, port, patience_ms)
      if (answer?.code !== code.accounting_response) throw new Error('a report was never answered')
      answered++
    }
    // The last report that was answered.
    return count - 1
  })
  return {
    answered: () => answered,
    /** Returns the seconds of each session that were acknowledged as stored. */
    async end() {
      over.abort()
      return Promise.all(running)
    },
  }
}

/** Checks that each session, and the sums, have exactly what was reported last. */
async function expectStored(admin: Client, counts: number[]) {
  const { rows } = await admin.query<{ session: string; seconds: number; bytes: number }>(
    `select acct_session_id as session, seconds::float8 as seconds, (bytes_up + bytes_down)::float8 as bytes
     from radius_sessions order by substr(acct_session_id, 7)::integer`,
  )
  expect(rows).toEqual(
    counts.map((seconds, session) => ({ session: `proof-${session}`, seconds, bytes: seconds * 6000 })),
  )
  const seconds = counts.reduce((sum, each) => sum + each, 0)
  const { rows: sums } = await admin.query<{ sessions: number; seconds: number; bytes: number }>(
    `select sum(sessions)::integer as sessions, sum(seconds)::float8 as seconds,
       sum(bytes_up + bytes_down)::float8 as bytes
     from session_days`,
  )
  expect(sums).toEqual([{ sessions, seconds, bytes: seconds * 6000 }])
}

const kills = full ? 100 : 2

test(
  'no acknowledged report is lost when the process is killed while gateways report',
  { timeout: 3_600_000 },
  async ({ task }) => {
    let { foyer } = site
    const { gateway, ports, admin } = site
    const reports = reporting(gateway, ports.accounting)
    for (let kill = 0; kill < kills; kill++) {
      const before = reports.answered()
      // At any moment while they report.
      await expect.poll(() => reports.answered(), { timeout: patience_ms }).toBeGreaterThan(before + sessions)
      await sleep(random() * 300)
      await foyer.kill()
      foyer = await site.restart()
    }
    await expectStored(admin, await reports.end())
    task.meta.figures = `${kills} kills, ${reports.answered()} reports answered`
  },
)

const away_ms = full ? 60_000 : 3000

test(
  'while PostgreSQL is unreachable gateways get no answer, and nothing is missing afterwards',
  { timeout: patience_ms * 2 },
  async ({ task }) => {
    const { gateway, ports, admin, proxy } = site
    const asked = () => gateway.accessPacket({ ...guest, calling_station_id: aMacAddress() })
    expect((await gateway.send(asked(), ports.access))?.code).toBe(code.access_accept)
    const reports = reporting(gateway, ports.accounting)
    await expect.poll(() => reports.answered(), { timeout: patience_ms }).toBeGreaterThan(sessions * 2)
    proxy.shut()
    expect(await gateway.send(asked(), ports.access, away_ms)).toBeNull()
    const meanwhile = reports.answered()
    expect(await gateway.send(asked(), ports.access, 1000)).toBeNull()
    expect(reports.answered()).toBe(meanwhile)
    await proxy.reopen()
    expect((await gateway.send(asked(), ports.access, patience_ms))?.code).toBe(code.access_accept)
    await expect.poll(() => reports.answered(), { timeout: patience_ms }).toBeGreaterThan(meanwhile + sessions * 2)
    await expectStored(admin, await reports.end())
    task.meta.figures = `away for ${away_ms / 1000} s, ${reports.answered()} reports answered`
  },
)

/** Pseudo-random bytes, the same in each run. */
function* noise(seed: number) {
  for (let round = 0; ; round++) yield* createHash('sha256').update(`${seed} ${round}`).digest()
}
const packets = share(100_000)

test(
  'random packets, and real ones with a flipped bit, get no answer and do no harm',
  { timeout: 3_600_000 },
  async ({ task }) => {
    const { gateway, ports } = site
    let answered = 0
    const count = () => answered++
    gateway.socket.on('message', count)
    for (let serial = 0; serial < packets; serial++) {
      const bytes = noise(serial)
      const next = () => bytes.next().value ?? 0
      const isAccess = serial % 2 === 0
      const packet = isAccess
        ? gateway.accessPacket({ ...guest, calling_station_id: aMacAddress() })
        : gateway.accountingPacket({ acct_status_type: 1, acct_session_id: 'x' })
      const isNoise = serial % 3 === 0
      const hostile = isNoise ? Buffer.from(Array.from({ length: next() * 4 }, next)) : packet
      if (!isNoise) {
        const at = next() % hostile.length
        hostile.writeUInt8(hostile.readUInt8(at) ^ (1 << (next() % 8)), at)
      }
      const port = isAccess ? ports.access : ports.accounting
      await new Promise((resolve) => gateway.socket.send(hostile, port, '127.0.0.1', resolve))
    }
    const answer = await gateway.access({ ...guest, calling_station_id: aMacAddress() })
    gateway.socket.off('message', count)
    expect(answer.code).toBe(code.access_accept)
    expect(answered).toBe(1)
    task.meta.figures = `${packets} packets`
  },
)
