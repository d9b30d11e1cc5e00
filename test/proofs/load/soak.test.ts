// Soak: guests, gateways and users keep a node at full rate for half an hour. Its memory, its handles, what it logs in a minute, and the
// dead and the passing rows of its tables stay as they are after ten minutes.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authMethods } from '#contract/portals.ts'
import { code } from '#server/radius-codec/dictionary.ts'
import { freePort } from '#server/start/free-port.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { aMacAddress, aProperty } from '#test/foyer.ts'
import { aPicture } from '#test/pictures.ts'
import { beginFoyer, killAll, type Foyer, type Starting } from '#test/process.ts'
import { openGateway, type TestGateway } from '#test/radius-client.ts'
import { bytesOf, formOf } from '#test/uploads.ts'
import { neighbours, type Neighbours } from '#test/proofs/neighbours.ts'
import { full } from '#test/proofs/proof.ts'
import { guest } from '#test/proofs/radius-operator.ts'

const minutes = full ? 30 : 1
const sample_every_ms = full ? 15_000 : 2000
const at_once = { gateways: 6, users: 6, guests: 2 }
/** How much more of anything the last ten minutes may have than the ten before. */
const more_max = 1.15
/** Rows that come and go. Those of sessions and of what users make stay, and those of done jobs until the queue removes them. */
const passing = ['due_work', 'pgboss.job_common where completed_on is null', 'rate_limits', 'used_quotas']

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-soak-'))
let database: TestDatabase
let admin: Client
let starting: Starting
let foyer: Foyer
let gateway: TestGateway
let house: Awaited<ReturnType<Neighbours['aCustomer']>>
let property_id = 0
let portal_url = ''
beforeAll(async () => {
  database = await freshDatabase()
  admin = new Client({ connectionString: database.adminUrl })
  await admin.connect()
  const port = await freePort(4)
  const ports = { access: port + 2, accounting: port + 3 }
  starting = beginFoyer({
    DATA_DIR: scratch,
    SIGNUP: 'open',
    TRUSTED_PROXIES: 'loopback',
    PORT: String(port),
    PORTAL_PORT: String(port + 1),
    PORTAL_URL: `http://127.0.0.1:${port + 1}`,
    RADIUS_AUTH_PORT: String(ports.access),
    RADIUS_ACCT_PORT: String(ports.accounting),
    DISK_RESERVE_MB: '0',
    REQUESTS_PER_MINUTE: '1000000',
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    SECRET_KEY: database.secretKey,
  })
  foyer = await starting.ready
  house = await neighbours(foyer).aCustomer('house', '203.0.113.9')
  const look = { name: 'Page', headline: 'Welcome', company_name: 'A house', portal_layout_id: 1, portal_font_id: 1 }
  const form = formOf({ ...look, logo: aPicture('logo.png'), auth_method_ids: [authMethods.free] })
  const { data: portal } = await house.ask<{ id: number; url: string }>('/portals-create', await bytesOf(form))
  portal_url = portal.url
  property_id = await house.made('/properties-create', { ...aProperty(), portal_id: portal.id })
  const { user_name: username, password } = guest
  await house.made('/accounts-create', { name: 'Amelia', username, password, property_id })
  const { data } = await house.ask<{ nas_identifier: string; radius_secret: string }>('/gateways-create', {
    property_id,
    gateway_type_id: 13,
  })
  gateway = await openGateway(ports, data)
}, 180_000)
afterAll(async () => {
  await gateway?.close()
  await foyer?.kill()
  killAll()
  await admin?.end()
  await database?.drop()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

/** A guest signs in, is reported and leaves, and so does the next one. */
async function signInAndOut(nth: number) {
  const about = { user_name: guest.user_name, calling_station_id: aMacAddress() }
  const session = { ...about, acct_session_id: `soak-${nth}` }
  expect((await gateway.access({ ...about, password: guest.password })).code).toBe(code.access_accept)
  for (const [at, acct_status_type] of [1, 3, 3, 2].entries()) {
    const report = { ...session, acct_status_type, acct_session_time: at * 60, acct_input_octets: at * 1000 }
    expect((await gateway.report(report)).code).toBe(code.accounting_response)
  }
}
async function work(nth: number) {
  const served = async (expected: number, request: Promise<{ status: number; data: unknown }>) => {
    const { status, data } = await request
    expect(status).toBe(expected)
    return data as { id: number }
  }
  await served(200, house.ask('/properties'))
  await served(200, house.ask('/sessions', { params: { property_id } }))
  const { id } = await served(201, house.ask('/accounts-create', { name: `Guest ${nth}`, property_id }))
  await served(200, house.ask('/accounts-update', { id, name: `Guest ${nth} again` }))
  await served(200, house.ask('/accounts-delete', { ids: [id] }))
}
async function look() {
  const answer = await fetch(portal_url)
  expect(answer.status).toBe(200)
  await answer.text()
}

/** The node, and what it has started, but for the database. */
function processes(): number[] {
  const root = foyer.child.pid ?? 0
  const parents = new Map<number, number>()
  for (const name of fs.readdirSync('/proc').filter((one) => /^\d+$/.test(one)))
    try {
      const stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // It has ended meanwhile.
    }
  const isOurs = (pid: number): boolean => pid === root || (pid > 1 && isOurs(parents.get(pid) ?? 0))
  return [...parents.keys()].filter(isOurs)
}
const residentKb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)

async function sample() {
  const pids = processes()
  const { rows } = await admin.query<{ dead: number; passing: number }>(
    `select (select sum(n_dead_tup) from pg_stat_user_tables)::float8 as dead,
      ${passing.map((table) => `(select count(*) from ${table})`).join(' + ')} as passing`,
  )
  return {
    memory_mb: pids.reduce((sum, pid) => sum + residentKb(pid), 0) / 1024,
    handles: pids.reduce((sum, pid) => sum + fs.readdirSync(`/proc/${pid}/fd`).length, 0),
    logged_bytes: starting.output().length,
    dead_rows: Number(rows[0]?.dead),
    passing_rows: Number(rows[0]?.passing),
  }
}

const median = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

test(
  'half an hour at full rate leaves memory, handles, log and tables level',
  { timeout: 3_600_000 },
  async ({ task }) => {
    const until = Date.now() + minutes * 60_000
    const done = { gateways: 0, users: 0, guests: 0 }
    let nth = 0
    const keepOn = (kind: keyof typeof done, one: (nth: number) => Promise<void>) =>
      Array.from({ length: at_once[kind] }, async () => {
        while (Date.now() < until) {
          await one(nth++)
          done[kind]++
        }
      })
    const samples: Awaited<ReturnType<typeof sample>>[] = []
    const sampling = async () => {
      while (Date.now() < until) {
        samples.push(await sample())
        await sleep(sample_every_ms)
      }
    }
    await Promise.all([
      ...keepOn('gateways', signInAndOut),
      ...keepOn('users', work),
      ...keepOn('guests', look),
      sampling(),
    ])
    const third = Math.floor(samples.length / 3)
    const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third, 3 * third)]
    const loggedIn = (part: typeof samples) => (part.at(-1)?.logged_bytes ?? 0) - (part[0]?.logged_bytes ?? 0)
    const levels = (['memory_mb', 'handles', 'dead_rows', 'passing_rows'] as const).map((name) => ({
      name,
      before: Math.round(median(middle.map((one) => one[name]))),
      after: Math.round(median(last.map((one) => one[name]))),
    }))
    const all = [...levels, { name: 'logged_bytes', before: loggedIn(middle), after: loggedIn(last) }]
    task.meta.figures =
      `${done.gateways} guests signed in, were reported and left, ${done.users} rounds of users, ${done.guests} pages in ${minutes} ` +
      `minutes; ${all.map(({ name, before, after }) => `${name.replaceAll('_', ' ')} ${before}, then ${after}`).join('; ')}`
    expect(Math.min(...Object.values(done))).toBeGreaterThan(0)
    if (full) expect(all.filter(({ before, after }) => after > before * more_max + 50)).toEqual([])
  },
)
