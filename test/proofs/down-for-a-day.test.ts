// Down for a day: the mail server, the bucket, the books and a receiver of webhooks are away, while the clocks of Foyer and of its
// database go on by a day, hour by hour. What was acknowledged before and meanwhile waits, and all of it arrives when they are back.
import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect, prepareDatabase } from '#server/db/logins.ts'
import { startEmbedded, type Embedded } from '#server/db/embedded.ts'
import { aProperty, password } from '#test/foyer.ts'
import { openHookReceiver, type HookReceiver } from '#test/hook-receiver.ts'
import { openMailServer, type TakenMail } from '#test/mail-server.ts'
import { inherited, killAll, startFoyer, type Foyer } from '#test/process.ts'
import { openXero, type Xero } from '#test/providers/xero.ts'
import { aContact, terms, writeNights } from './billed-nights.ts'
import { neighbours } from './neighbours.ts'
import { full } from './proof.ts'

const hours = full ? Array.from({ length: 24 }, (_, hour) => hour + 1) : [1, 12, 24]
const invited = 20
const accounts = 20
const secret_key = 'the secret key of a Foyer whose clock is moved'

/** A way to another program, which may be closed for a while. */
async function openGate(to: number) {
  const open = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    const on = net.connect(to, '127.0.0.1')
    for (const one of [socket, on]) {
      open.add(one)
      one
        .on('error', () => {})
        .once('close', () => {
          open.delete(one)
          socket.destroy()
          on.destroy()
        })
    }
    socket.pipe(on).pipe(socket)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  return {
    port,
    open: () => listen(port),
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
type Gate = Awaited<ReturnType<typeof openGate>>

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-down-'))
const clock_file = path.join(scratch, 'clock')
const setClock = (hours_on: number) => fs.writeFileSync(clock_file, `+${hours_on}h\n`)
/** Debian: faketime. */
const library = ['x86_64-linux-gnu', 'aarch64-linux-gnu', '.']
  .map((folder) => `/usr/lib/${folder}/faketime/libfaketimeMT.so.1`)
  .find((file) => fs.existsSync(file))

const mails: TakenMail[] = []
let gates: Gate[] = []
let smtp: Awaited<ReturnType<typeof openMailServer>>
let bucket: ChildProcess
let xero: Xero
let hooks: HookReceiver
let database: Embedded
let admin: Client
let foyer: Foyer
beforeAll(async () => {
  if (!library) return
  setClock(0)
  const clock = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clock_file,
    FAKETIME_CACHE_DURATION: '1',
    // Durations are measured by the monotonic clock, which stays true.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  ;[smtp, xero, hooks] = await Promise.all([
    openMailServer((mail) => void mails.push(mail)),
    openXero(),
    openHookReceiver(),
  ])
  // A bucket refuses requests of another time than its own.
  bucket = spawn(process.execPath, ['--import', './scripts/tsx.mjs', 'test/proofs/bucket-program.ts'], {
    env: { ...inherited(), ...clock },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(bucket.stdout ?? bucket, 'data')) as [Buffer]
  const there = JSON.parse(line.toString()) as { endpoint: string; bucket: string }
  const portOf = (url: string) => Number(new URL(url).port)
  const [toSmtp, toBucket, toXero, toHooks] = await Promise.all(
    [portOf(smtp.url), portOf(there.endpoint), portOf(xero.url), Number(hooks.host.split(':')[1])].map(openGate),
  )
  if (!toSmtp || !toBucket || !toXero || !toHooks) throw new Error('a gate is missing')
  gates = [toSmtp, toBucket, toXero, toHooks]
  Object.assign(process.env, clock)
  database = await startEmbedded({ directory: path.join(scratch, 'database'), fast: true })
  for (const name of Object.keys(clock)) Reflect.deleteProperty(process.env, name)
  const logins = await prepareDatabase({ url: database.url, secretKeys: () => [secret_key] })
  const throughXero = Object.fromEntries(
    Object.entries(xero.env).map(([name, value]) => [name, value.replace(/:\d+$/, `:${toXero.port}`)]),
  )
  foyer = await startFoyer({
    ...clock,
    ...throughXero,
    DATA_DIR: path.join(scratch, 'data'),
    DATABASE_URL: logins.appUrl,
    DATABASE_OWNER_URL: logins.ownerUrl,
    SECRET_KEY: secret_key,
    SIGNUP: 'open',
    TRUSTED_PROXIES: 'loopback',
    DISK_RESERVE_MB: '0',
    REPORT_ROWS_AT_ONCE: '0',
    SMTP_URL: `smtp://127.0.0.1:${toSmtp.port}`,
    MAIL_FROM: 'wifi@foyer.example',
    STORAGE_URL: there.bucket.replace(String(portOf(there.endpoint)), String(toBucket.port)),
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
    ALLOWED_HOSTS: `127.0.0.1,127.0.0.1:${toHooks.port}`,
  })
  hooksAt = `http://127.0.0.1:${toHooks.port}/`
  admin = await connect(database.url)
}, 180_000)
let hooksAt = ''
afterAll(async () => {
  await foyer?.kill()
  bucket?.kill()
  killAll()
  await admin?.end()
  await database?.stop()
  await Promise.all([smtp?.close(), xero?.close(), hooks?.close(), ...gates.map((gate) => gate.close())])
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

const rows = async <R extends object>(text: string) => (await admin.query<R>(text)).rows
const patience = { timeout: 120_000, interval: 250 }
const mailsTo = (address: RegExp) => mails.filter(({ to }) => to.some((one) => address.test(one)))
/** What has come to its time has been tried. */
const isTried = async () => {
  const [due] = await rows<{ count: number }>(
    `select count(*)::integer as count from due_work where state = 'trying' or state = 'waiting' and next_at <= now()`,
  )
  return due?.count === 0
}

/** An approved run of three nights at a property that is billed to a contact in the books. */
async function aRun(ask: <T>(call: string, payload: object) => Promise<{ status: number; data: T }>, made: Made) {
  const id = await made('/properties-create', { ...aProperty(), ...terms })
  const period = await writeNights(admin, id)
  const run = await made('/billing-runs-create', { property_ids: [id], ...period })
  expect((await ask('/billing-runs-approve', { id: run })).status).toBe(200)
  return run
}
type Made = (call: string, payload: object) => Promise<number>

test.skipIf(!library)(
  'what is acknowledged while the mail server, the bucket, the books and a receiver are down for a day arrives afterwards, each once',
  { timeout: 3_600_000 },
  async ({ task }) => {
    const { aCustomer, post } = neighbours(foyer)
    const { email, ask, made } = await aCustomer('operator', '203.0.113.1')
    await vi.waitUntil(() => mailsTo(/operator/).some(({ text }) => text.includes('confirm-address')), patience)
    const token = /confirm-address\?token=3?D?([\w-]+)/.exec(
      mailsTo(/operator/)
        .map(({ text }) => text.replaceAll('=\r\n', '').replaceAll('=3D', '='))
        .join('\n'),
    )?.[1]
    expect((await post('/auth/confirm-address', { token, password })).status).toBe(200)

    // What is needed from the others is set up while they are there.
    const { data: consent } = await ask<{ url: string }>('/accounting-integrations-authorize')
    expect((await ask('/accounting-integrations-create', await xero.consent(consent.url))).status).toBe(201)
    await aContact(admin, xero)
    await made('/webhooks-create', { url: hooksAt, events: ['account.created'] })
    const property_id = await made('/properties-create', aProperty())
    const report = await made('/scheduled-reports-create', {
      name: 'Sessions of the day',
      property_ids: [property_id],
      recipients: [email],
      frequency: 2,
      start_date: '2030-01-01',
      format: 'csv',
    })
    const run = await aRun(ask, made)
    await vi.waitUntil(isTried, patience)
    const drafts = xero.books.drafts.length
    const before = mails.length

    await Promise.all(gates.map((gate) => gate.close()))
    const began = Date.now()
    for (let n = 0; n < invited; n++)
      await made('/users-invite', { email: `guest${n}@example.com`, name: `Colleague ${n}`, user_type_id: 1 })
    for (let n = 0; n < accounts; n++) await made('/accounts-create', { name: `Guest ${n}`, property_id })
    expect((await ask('/scheduled-reports-run', { id: report })).status).toBe(200)
    expect((await ask('/billing-runs-push', { id: run })).status).toBe(200)
    /** Moves the clocks on, and waits until what has come to its time by then has been tried. */
    const goOnTo = async (hour: number) => {
      setClock(hour)
      const moved = `select extract(epoch from now()) > ${began / 1000 + hour * 3600} as is_there`
      await vi.waitUntil(async () => (await rows<{ is_there: boolean }>(moved))[0]?.is_there, patience)
      await vi.waitUntil(isTried, patience)
    }
    for (const hour of hours) await goOnTo(hour)
    expect(mails.length).toBe(before)
    expect(hooks.received).toEqual([])
    expect(xero.books.drafts.length).toBe(drafts)
    const waiting = await rows<{ kind: string; state: string; count: number; tries: number }>(
      `select kind, state, count(*)::integer as count, max(tries) as tries from due_work
       where kind in ('mail', 'webhook', 'draft', 'report_file') group by kind, state order by kind`,
    )
    expect(waiting.map(({ kind, state, count }) => ({ kind, state, count }))).toEqual([
      { kind: 'draft', state: 'waiting', count: 1 },
      { kind: 'mail', state: 'waiting', count: invited },
      { kind: 'report_file', state: 'waiting', count: 1 },
      { kind: 'webhook', state: 'waiting', count: accounts },
    ])

    await Promise.all(gates.map((gate) => gate.open()))
    // Each waits an hour at most, and webhooks to one that was away for a day up to twenty.
    for (let hour = 25; hour <= 46; hour++) {
      await goOnTo(hour)
      const [left] = await rows<{ count: number }>(
        `select count(*)::integer as count from due_work where kind in ('mail', 'webhook', 'draft', 'report_file')`,
      )
      if (left?.count === 0) break
    }
    const [left] = await rows<{ kinds: string | null }>(
      `select string_agg(kind || ' ' || state || ' ' || coalesce(last_error, ''), '; ') as kinds from due_work
       where kind in ('mail', 'webhook', 'draft', 'report_file')`,
    )
    expect(left?.kinds).toBeNull()
    for (let n = 0; n < invited; n++) expect(mailsTo(new RegExp(`^guest${n}@`))).toHaveLength(1)
    expect(mailsTo(/operator/).filter(({ text }) => text.includes('Content-Disposition: attachment'))).toHaveLength(1)
    expect(new Set(hooks.received.map(({ id }) => id)).size).toBe(accounts)
    expect(hooks.received).toHaveLength(accounts)
    expect(xero.books.drafts.length).toBe(drafts + 1)
    const tries = waiting.map((one) => `${one.tries} tries of a ${one.kind.replace('_', ' ')}`).join(', ')
    task.meta.figures =
      `${invited} invitations, ${accounts} webhooks, a report with its mail, and a draft, asked for while nothing was there; ` +
      `after 24 hours all waited, after ${tries}; all arrived, each once`
  },
)
