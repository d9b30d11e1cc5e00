// Lossy reports: a fifth of the gateways' packets and a fifth of the answers are lost, and PostgreSQL restarts meanwhile. Everything
// acknowledged is stored, and nothing is counted twice.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded } from '#server/db/embedded.ts'
import type { RadiusPorts } from '#server/apps/radius.ts'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import { freePort } from '#server/start/free-port.ts'
import { freshDatabase } from '#test/database.ts'
import { aMacAddress } from '#test/foyer.ts'
import { killAll, startFoyer } from '#test/process.ts'
import { openGateway, textIn, type RadiusRequest, type TestGateway } from '#test/radius-client.ts'
import { letInEarlier } from '#test/radius.ts'
import { chance, full, share } from './proof.ts'
import { guest, register } from './radius-operator.ts'

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-lossy-'))
afterAll(() => {
  killAll()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

/** Start, three interim reports, stop: in so short a session the loss of any report is noticed. */
const reports_of_session = 5
const sessions = share(100_000) / reports_of_session
const gateways = full ? 10 : 2
/** Unanswered reports of one gateway; a RADIUS identifier has only 256 values. */
const at_once = 100
const lost_of_all = 0.2
/** Gateways repeat a packet after some seconds; in `npm test` sooner, to save time. */
const again_after_ms = full ? 3000 : 200
const restarts = full ? 3 : 1
const patience_ms = 600_000
const report_s = 60

const random = chance()

interface Database {
  url: string
  settings: Record<string, string>
  restart: () => Promise<unknown>
  stop: () => Promise<void>
}
/** In the full proof a separate PostgreSQL that restarts; in `npm test` the shared one, whose connections are ended. */
async function openDatabase(): Promise<Database> {
  if (!full) {
    const { adminUrl, appUrl, authUrl, guestUrl, ownerUrl, secretKey, drop } = await freshDatabase()
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    return {
      url: adminUrl,
      settings: {
        DATABASE_URL: appUrl,
        DATABASE_AUTH_URL: authUrl,
        DATABASE_GUEST_URL: guestUrl,
        DATABASE_OWNER_URL: ownerUrl,
        SECRET_KEY: secretKey,
      },
      restart: () => inDatabase(adminUrl, (admin) => admin.query(end)),
      stop: drop,
    }
  }
  const directory = path.join(scratch, 'database')
  const server = await startEmbedded({ directory })
  const url = new URL('/foyer', server.url).href
  return {
    url,
    settings: { DATABASE_URL: url, SECRET_KEY: 'the key of a test that loses packets' },
    async restart() {
      const pid = Number.parseInt(fs.readFileSync(path.join(directory, 'pg18/postmaster.pid'), 'utf8'))
      // The signal of `pg_ctl stop -m immediate`; the process that supervises the database starts it again.
      process.kill(pid, 'SIGQUIT')
    },
    stop: server.stop,
  }
}

async function inDatabase<R>(url: string, work: (admin: Client) => Promise<R>): Promise<R> {
  const admin = new Client({ connectionString: url })
  // The connection may be lost meanwhile; then the query fails.
  admin.on('error', () => {})
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

/** A proxy that forwards packets, each sender's from its own port, and returns the answers; loses some of both. */
async function openLossyProxy(to: number) {
  const counted = { passed: 0, lost: 0 }
  const isLost = () => {
    const lost = random() < lost_of_all
    counted[lost ? 'lost' : 'passed']++
    return lost
  }
  const front = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 })
  front.bind(0, '127.0.0.1')
  await once(front, 'listening')
  const behind = new Map<number, Socket>()
  const opened = (port: number, address: string) => {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 })
    socket.on('message', (answer) => isLost() || front.send(answer, port, address))
    behind.set(port, socket)
    return socket
  }
  front.on('message', (bytes, { port, address }) => {
    if (!isLost()) (behind.get(port) ?? opened(port, address)).send(bytes, to, '127.0.0.1')
  })
  return {
    counted,
    port: front.address().port,
    close() {
      front.close()
      for (const socket of behind.values()) socket.close()
    },
  }
}

interface Box {
  gateway: TestGateway
  /** Attributes of the sign-in that its reports repeat. */
  known: RadiusRequest
}
/** A gateway at which the guest has signed in. */
async function openBox(ports: RadiusPorts, made: Parameters<typeof openGateway>[1]): Promise<Box> {
  const gateway = await openGateway(ports, made, undefined, again_after_ms)
  const calling_station_id = aMacAddress()
  const answer = await gateway.access({ ...guest, calling_station_id })
  const known = { user_name: guest.user_name, calling_station_id, class: textIn(answer, attribute.class) ?? '' }
  return { gateway, known }
}

/** Runs sessions, one after the other on each lane; each report is repeated until it is answered. */
function reporting(all: Box[], port: number) {
  const began_at = Math.floor(Date.now() / 1000)
  /** The number of answered reports of each session. */
  const answered = new Uint8Array(sessions)
  let total = 0
  let next = 0
  async function session({ gateway, known }: Box, number: number) {
    for (let count = 0; count < reports_of_session; count++) {
      const isLast = count === reports_of_session - 1
      const packet = gateway.accountingPacket({
        acct_status_type: count === 0 ? status_type.start : isLast ? status_type.stop : status_type.interim,
        acct_session_id: `lossy-${number}`,
        ...known,
        acct_session_time: count * report_s,
        event_timestamp: began_at + count * report_s,
        acct_input_octets: count * 1000,
        acct_output_octets: count * 5000,
        acct_input_gigawords: 0,
        acct_output_gigawords: 0,
      })
      const answer = await gateway.send(packet, port, patience_ms)
      if (answer?.code !== code.accounting_response) throw new Error('a report was never answered')
      answered[number] = count + 1
      total++
    }
  }
  const lane = async (box: Box) => {
    while (next < sessions) await session(box, next++)
  }
  return {
    total: () => total,
    answered,
    done: Promise.all(all.flatMap((box) => Array.from({ length: at_once }, () => lane(box)))),
  }
}

interface Stored {
  number: number
  seconds: number
  bytes: number
  ended: boolean
}
const storedIn = (url: string) =>
  inDatabase(url, async (admin) => {
    const { rows } = await admin.query<Stored>(
      `select substr(acct_session_id, 7)::integer as number, seconds::float8, (bytes_up + bytes_down)::float8 as bytes,
         stopped_at is not null as ended from radius_sessions order by 1`,
    )
    const { rows: sums } = await admin.query<Record<string, number>>(
      `select (select sum(sessions)::integer from session_days) as sessions,
         (select sum(seconds)::float8 from session_days) as seconds,
         (select sum(bytes_up + bytes_down)::float8 from session_days) as bytes,
         (select sum(seconds_used)::float8 from usage_periods) as seconds_used,
         (select sum(bytes_used)::float8 from usage_periods) as bytes_used`,
    )
    return { rows, sums: sums[0] }
  })

test(
  'reports that are lost and sent again are counted once, also while PostgreSQL restarts',
  { timeout: 7_200_000 },
  async ({ task }) => {
    const database = await openDatabase()
    const { url } = database
    const first = await freePort(2)
    const foyer = await startFoyer({
      ...database.settings,
      DATA_DIR: path.join(scratch, 'node'),
      ROLES: 'api,radius',
      RADIUS_AUTH_PORT: String(first),
      RADIUS_ACCT_PORT: String(first + 1),
    })
    const proxy = await openLossyProxy(first + 1)
    const made = await register(foyer, gateways)
    const ports = { access: first, accounting: proxy.port }
    const boxes = await Promise.all(made.map((one) => openBox(ports, one)))
    await inDatabase(url, (admin) =>
      Promise.all(boxes.map(({ known }) => letInEarlier(admin, String(known.class), 24 * 3600))),
    )
    const began = performance.now()
    const reports = reporting(boxes, proxy.port)

    for (let restart = 1; restart <= restarts; restart++) {
      const part = (reports_of_session * sessions * restart) / (restarts + 1)
      await expect.poll(() => reports.total(), { timeout: 3_600_000 }).toBeGreaterThan(part)
      const acknowledged = reports.answered.slice()
      await database.restart()
      const stored = new Map<number, number>()
      await expect
        .poll(
          async () => {
            const after = await storedIn(url).catch(() => null)
            for (const { number, seconds } of after?.rows ?? []) stored.set(number, seconds)
            return after !== null
          },
          { timeout: patience_ms },
        )
        .toBe(true)
      const isMissing = (count: number, session: number) =>
        count > 0 && (stored.get(session) ?? -1) < (count - 1) * report_s
      expect(acknowledged.filter(isMissing)).toHaveLength(0)
    }
    await reports.done
    const seconds = (performance.now() - began) / 1000

    const { rows, sums } = await storedIn(url)
    const of_session = { seconds: (reports_of_session - 1) * report_s, bytes: (reports_of_session - 1) * 6000 }
    expect(rows).toEqual(Array.from({ length: sessions }, (_, number) => ({ number, ...of_session, ended: true })))
    expect(sums).toEqual({
      sessions,
      seconds: sessions * of_session.seconds,
      bytes: sessions * of_session.bytes,
      seconds_used: sessions * of_session.seconds,
      bytes_used: sessions * of_session.bytes,
    })
    const { passed, lost } = proxy.counted
    task.meta.figures =
      `${reports.total()} reports of ${gateways} gateways answered in ${Math.round(seconds)} s; ` +
      `${lost} of ${passed + lost} packets lost, ${restarts} ${full ? 'restarts of PostgreSQL' : 'times all connections ended'}`

    proxy.close()
    await Promise.all(boxes.map(({ gateway }) => gateway.close()))
    await foyer.kill()
    await database.stop()
  },
)
