// Upgrade of a whole installation: a database of the release before, filled by its own demo, with connections and with work of each kind
// under way, comes over whole. Every call that reads answers each kind of person as before, every row is there, what was begun arrives.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pendingBackfills } from '#server/db/backfills.ts'
import { connect } from '#server/db/logins.ts'
import type { RadiusPorts } from '#server/apps/radius.ts'
import { freePort } from '#server/start/free-port.ts'
import { readDemo, type Demo } from '#scripts/simulation/demo-file.ts'
import { emptyDatabase, type TestDatabase } from '#test/database.ts'
import { beginFoyer, inherited, killAll } from '#test/process.ts'
import { full, oneIn } from './proof.ts'
import { unpackReleaseBefore } from './release-before.ts'
import {
  answeredNobody,
  answersOf,
  asksOf,
  differencesOf,
  type Answers,
  type Ask,
  type Asker,
} from './upgrade-answers.ts'
import { answersExplained, nothing_left, rowsExplained, unexplained, type Found } from './upgrade-explained.ts'
import { changedRows, copyTables } from './upgrade-rows.ts'
import { openOthers, openUnderWay, type At, type UnderWay } from './upgrade-under-way.ts'

const demo_days = 14
const arrives = { timeout: 300_000, interval: 500 }

const root = path.join(import.meta.dirname, '../..')
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-upgrade-whole-'))
const demo_folder = path.join(scratch, 'demo')
const before = unpackReleaseBefore()
let database: TestDatabase
let admin: Client
let others: Awaited<ReturnType<typeof openOthers>>
let work: UnderWay
let guests: string[]
/** A node of the release before that leaves all work to others, and what it answered to whom. */
let old: At
let answered: { asks: Ask[]; askers: readonly Asker[]; answers: Answers }

beforeAll(async () => {
  if (typeof before === 'string') return
  database = await emptyDatabase()
  admin = await connect(database.adminUrl)
  others = await openOthers()
  await command('scripts/demo.ts', before.folder, { DEMO_DAYS: String(demo_days) })
  await beginAndAsk(before.folder)
  await copyTables(admin)
}, 1_800_000)
afterAll(async () => {
  killAll()
  await work?.close()
  await others?.close()
  await admin?.end()
  await database?.drop()
  if (typeof before !== 'string') before.remove()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

const settingsOfAll = () => ({
  ...others.env,
  STORAGE_URL: pathToFileURL(path.join(demo_folder, 'files')).href,
  DATABASE_URL: database.adminUrl,
  SECRET_KEY: database.secretKey,
  // What answers name is the same at every node.
  PUBLIC_URL: 'http://foyer.test',
  PORTAL_URL: 'http://portal.test',
  REQUESTS_PER_MINUTE: '1000000',
  // Each file of a report is made by a job.
  REPORT_ROWS_AT_ONCE: '0',
  DISK_RESERVE_MB: '0',
  LOG_LEVEL: 'warn',
})
async function portsOf(name: string, radius?: RadiusPorts) {
  const port = await freePort(4)
  const ports = radius ?? { access: port + 2, accounting: port + 3 }
  const settings = {
    DATA_DIR: path.join(scratch, name),
    PORT: String(port),
    PORTAL_PORT: String(port + 1),
    RADIUS_AUTH_PORT: String(ports.access),
    RADIUS_ACCT_PORT: String(ports.accounting),
  }
  return { settings, ports }
}
type Ports = Awaited<ReturnType<typeof portsOf>>

/** A node of the present program, or of that in a folder. */
async function openNode(ROLES: string, { settings, ports }: Ports, folder?: string) {
  const { kill } = await beginFoyer({ ...settingsOfAll(), ...settings, ROLES }, undefined, folder).ready
  return { url: `http://127.0.0.1:${settings.PORT}`, ports, kill }
}
async function command(program: string, folder: string, more: Record<string, string> = {}) {
  const settings = { ...settingsOfAll(), DATA_DIR: demo_folder, DATABASE_OWNER_URL: database.adminUrl, ...more }
  await promisify(execFile)(process.execPath, ['--import', './scripts/tsx.mjs', program], {
    cwd: folder,
    env: { ...inherited(), NODE_NO_WARNINGS: '1', ...settings },
    maxBuffer: 100 * 1024 * 1024,
  })
}

/** Everybody of the demo, its programs with keys of each kind, and somebody who has signed out. */
async function askersAt({ url }: Pick<At, 'url'>, { logins, keys }: Demo): Promise<Asker[]> {
  const post = (call: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${url}/api/v1${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  async function signedIn({ name, email, password, context }: Demo['logins'][number]): Promise<Asker> {
    const answer = await post('/auth/login', { email, password })
    const { data } = (await answer.json()) as { data: { access_token: string } }
    return { name, token: data.access_token, context }
  }
  const programs = keys.map(({ name, token }, at) => ({
    name,
    token,
    context: ['customer', 'group'][at] ?? 'property',
  }))
  const [out] = await Promise.all(logins.slice(0, 1).map(signedIn))
  if (!out) throw new Error('the demo has nobody')
  const gone = await post('/auth/logout', {}, { authorization: `Bearer ${out.token}`, 'app-context': out.context })
  expect(gone.status).toBe(200)
  const people = await Promise.all(logins.map(signedIn))
  return [...people, ...programs, { ...out, name: 'Somebody who has signed out' }]
}

/** What a program of a folder serves, and what it answers everybody once work of each kind is under way. */
async function beginAndAsk(folder: string) {
  const ports = await portsOf('before')
  const busy = await openNode('all', ports, folder)
  const demo = readDemo(demo_folder)
  if (!demo?.customer_id) throw new Error('there is no demo')
  const askers = await askersAt(busy, demo)
  work = await openUnderWay({ admin, others, token: askers[0]?.token ?? '' })
  const property_id = await work.first('properties')
  await work.boxesOfEachType(busy, property_id)
  guests = await work.membersOfEachState(busy, await work.connect(busy))
  await work.goOnline(busy)
  await work.messages(busy)
  await work.messagesAreTried()
  const held = await work.draftsOfEachState(busy)
  await busy.kill()
  held.answers()

  old = await openNode('api,guest,radius', ports, folder)
  await work.messages(old)
  await work.pushed(old)
  await work.approved(old)
  await work.endOnline(old)
  const asks = await asksOf(admin, old, { customer_id: demo.customer_id, property_id })
  const asking = oneIn(3, askers)
  answered = { asks, askers: asking, answers: await answersOf(old, asks, asking) }
}

describe.skipIf(typeof before === 'string')('a database of the release before', () => {
  test(
    'answers each kind of person as before once it is migrated, and once all is filled',
    { timeout: 1_800_000 },
    async ({ task }) => {
      const { asks, askers, answers } = answered
      // Beside the other, which has the ports that both name.
      const young = await openNode('api,guest', await portsOf('asked', old.ports))
      const differ: Found[] = []
      const compare = async () => differ.push(...differencesOf(answers, await answersOf(young, asks, askers)))
      if (full) await compare()
      await command('server/upgrade.ts', root)
      expect(await pendingBackfills(admin)).toEqual([])
      await compare()
      await young.kill()
      const calls = new Set(asks.map(({ name }) => name)).size
      task.meta.figures = `${calls} calls, asked in ${asks.length} ways by ${askers.length} people and programs`
      expect(answeredNobody(answers)).toEqual([])
      expect(unexplained(differ, answersExplained, full)).toEqual(nothing_left)
    },
  )

  test('has every row as it was', { timeout: 600_000 }, async ({ task }) => {
    const { changed, tables, rows } = await changedRows(admin)
    task.meta.figures = `${rows} rows in ${tables} tables`
    expect(unexplained(changed, rowsExplained, true)).toEqual(nothing_left)
  })

  test(
    'has its work done, with what a node of before begins meanwhile, once each',
    { timeout: 1_800_000 },
    async ({ task }) => {
      await work.letTimePass()
      const young = await openNode('all', await portsOf('present'))
      await work.goOnline(old)
      // Strangers are asked first by the present program.
      await work.messages(old, readDemo(demo_folder)?.logins[0]?.email)
      await work.pushed(old)
      await work.endOnline(old)
      others.areBack()
      await expect.poll(() => work.arrived(guests), arrives).toEqual(work.once())
      await expect.poll(() => work.open(), arrives).toEqual([])
      expect(await work.arrived(guests)).toEqual(work.once())
      await work.pushRefused(young)
      await expect.poll(() => work.arrived(guests), arrives).toEqual(work.once())
      // What the dashboard says of each property is found out by the work of each minute.
      const standings = async (at: At) => (await work.post<{ standings: object[] }>(at, '/dashboard')).standings.length
      await expect.poll(() => standings(young), arrives).toBe(await standings(old))
      const { drafts, mails, files, texts, ended, members } = work.once()
      task.meta.figures =
        `from ${typeof before === 'string' ? '' : before.name}: ${drafts.length} drafts, ${mails.length} mails, ${files.length} files of ` +
        `reports, ${texts.length} texts, ${ended.length} guests at their gateways, ${members.length} members of an audience`
    },
  )
})
