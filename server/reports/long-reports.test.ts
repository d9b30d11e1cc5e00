// Long reports: one with more rows than are sent at once is queued, listed, cancelled or made, and downloaded by its owner's users.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { day_ms } from '#contract/days.ts'
import * as runs from '#contract/report-runs.ts'
import * as reports from '#contract/reports.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { connect } from '#server/db/logins.ts'
import { clash, invalid, notFound, Refused } from '#server/errors/refused.ts'
import { openNode } from '#server/node.ts'
import { startDueReports } from '#server/reports/due-reports.ts'
import { reportFileWork } from '#server/reports/make-run.ts'
import { takeRun } from '#server/reports/runs.ts'
import { readConfig } from '#server/start/config.ts'
import { setClock } from '#server/time/clock.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, patient, type Asker, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

const rows_at_once = 3
const online = 5
const asked = { date_range: 'today', format: 'csv' } as const

let foyer: TestFoyer
let editor: Person
/** Keys of the editor, limited to the property with the sessions and another, or to the other alone. */
let program: Asker
let narrowed: Asker
beforeAll(async () => {
  // This node runs no jobs, so runs stay queued until the test opens one that does.
  foyer = await openFoyer({ env: { REPORT_ROWS_AT_ONCE: String(rows_at_once) } })
  editor = await foyer.customer()
  const { id: property_id } = await foyer.property(editor)
  const gateway = await foyer.gateway(editor, { property_id })
  const admin = await connect(foyer.database.ownerUrl)
  await admin.query(
    `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, started_at, last_seen_at)
     select $1, $2, $3, n::text, n::text, now(), now() from generate_series(1, $4) as n`,
    [editor.user.customer.id, gateway.id, property_id, online],
  )
  await admin.end()
  const elsewhere = await foyer.property(editor)
  program = (await foyer.apiKey(editor, { property_ids: [property_id, elsewhere.id] })).program
  narrowed = (await foyer.apiKey(editor, { property_ids: [elsewhere.id] })).program
})
afterEach(() => setClock())
afterAll(() => foyer.close())

/** The run that is returned instead of the file. */
async function begun(ask: object = asked, who = editor): Promise<number> {
  const answer = await foyer.ask(reports.exportFile, ask, who)
  expect(answer).toMatchObject({ status: 202, body: { data: { outcome: 'queued', format: 'csv' } } })
  return (answer.body as { data: { id: number } }).data.id
}

const found = async (id: number, who = editor) =>
  (await foyer.get(runs.listRuns, {}, who)).data.find((run) => run.id === id)

/** A node that runs jobs makes them. */
async function made(...ids: number[]) {
  const config = readConfig({ ROLES: 'jobs', STORAGE_URL: `file://${foyer.storage}`, DATA_DIR: foyer.storage })
  const worker = await openNode({ config, ...foyer.database, webRoot: null, tenancy: patient })
  try {
    for (const id of ids)
      await expect.poll(async () => (await found(id))?.outcome, { timeout: 120_000, interval: 200 }).toBe('done')
  } finally {
    await worker.close()
  }
}

test('a long report is queued, listed and cancelled', async () => {
  const id = await begun()
  expect(await found(id)).toMatchObject({ outcome: 'queued', report_id: null, name: 'Sessions' })
  expectRefused(
    await foyer.ask(runs.downloadRun, { id }, editor),
    clash('There is no file yet: the run has not finished.'),
  )
  expect((await foyer.get(runs.cancelRun, { id }, editor)).data.outcome).toBe('cancelled')
  expect(await found(id)).toMatchObject({ outcome: 'cancelled' })
  // Pressed once more, it is cancelled still.
  expect((await foyer.get(runs.cancelRun, { id }, editor)).data.outcome).toBe('cancelled')
})

test.each([
  ['queued', 'There is no file yet: the run has not finished.'],
  ['running', 'There is no file yet: the run has not finished.'],
  ['failed', 'There is no file: the run failed. Run the report again.'],
  ['cancelled', 'There is no file: the run was cancelled. Run the report again.'],
])('a run that is %s has no file, and the answer says why', async (outcome, why) => {
  const id = await begun()
  await foyer.query('update report_runs set outcome = $2 where id = $1', [id, outcome])
  expectRefused(await foyer.ask(runs.downloadRun, { id }, editor), clash(why))
  await foyer.query('delete from report_runs where id = $1', [id])
})

test('a report that is made is not cancelled, and the answer says so', async () => {
  const id = await begun()
  await foyer.query(`update report_runs set outcome = 'done', finished_at = now() where id = $1`, [id])
  const { status, body } = await foyer.ask(runs.cancelRun, { id }, editor)
  expect([status, body]).toEqual([409, { message: 'It has already finished, so there is nothing left to cancel.' }])
  expect(await found(id)).toMatchObject({ outcome: 'done' })
})

test('a run is taken from no node that works on it, and is once that was silent, or has lost the work', async () => {
  const id = await begun()
  const caller = callerOfJob(editor.user.customer.id, 'test')
  const taken = (tries: number) => foyer.services.tenancy.enter(caller, 'write', (scope) => takeRun(scope, id, tries))
  expect(await taken(1)).toMatchObject({ id, attempts: 1 })
  expect(await taken(1)).toBe('busy')
  await foyer.query(`update report_runs set touched_at = touched_at - interval '1 hour' where id = $1`, [id])
  expect(await taken(1)).toMatchObject({ attempts: 2 })
  expect(await taken(1)).toBe('busy')
  expect(await taken(2)).toMatchObject({ attempts: 3 })
  await foyer.query(`update report_runs set outcome = 'cancelled' where id = $1`, [id])
  expect(await taken(2)).toBeNull()
})

test('a run whose storage is away is given up after three days of tries, however often stalled runs are looked for', async () => {
  const id = await begun()
  const down = new Refused('unavailable', { retry_after_s: 5 })
  const away = { ...foyer.services, storage: { ...foyer.services.storage, putStream: () => Promise.reject(down) } }
  const needs = { ...away, config: { report_files_kept_ms: 86_400_000 } }
  const tried = (tries: number) =>
    tryDue(reportFileWork, needs, { customer_id: editor.user.customer.id, about_id: id, tried: tries })
  const dueOf = () => foyer.query(`select * from due_work where kind = 'report_file' and about_id = $1`, [id])
  const past = (time: string) =>
    Promise.all([
      foyer.query(`update report_runs set touched_at = touched_at - $2::interval where id = $1`, [id, time]),
      foyer.query(
        `update due_work set created_at = created_at - $2::interval where kind = 'report_file' and about_id = $1`,
        [id, time],
      ),
    ])
  expect(await tried(6)).toMatchObject({ as: 'again' })
  // As long as it waits at the most.
  await past('900 seconds')
  const before = await dueOf()
  await startDueReports(foyer.services)
  expect(await dueOf()).toEqual(before)
  expect(await found(id)).toMatchObject({ outcome: 'queued' })
  await past('3 days')
  await startDueReports(foyer.services)
  expect(await tried(300)).toMatchObject({ as: 'failed' })
  expect(await found(id)).toMatchObject({ outcome: 'failed' })
})

test('it covers the days of when it was asked, however much later it is made or a further page is read', async () => {
  const id = await begun()
  const page = { date_range: 'today', per_page: rows_at_once } as const
  const first = await foyer.get(reports.run, page, editor)
  setClock(Date.now() + 2 * day_ms)
  const needs = { ...foyer.services, config: { report_files_kept_ms: day_ms } }
  await tryDue(reportFileWork, needs, { customer_id: editor.user.customer.id, about_id: id })
  const { start_date: period_start, end_date: period_end } = first.meta.range
  expect(await found(id)).toMatchObject({ outcome: 'done', row_count: online, period_start, period_end })
  const rest = await foyer.get(reports.run, { ...page, cursor: first.meta.next_cursor ?? '' }, editor)
  expect(rest.meta).toMatchObject({ range: first.meta.range, from: rows_at_once + 1, to: online })
})

test('a further page is read by a node of the release before, and goes on from what that one wrote', async () => {
  const page = { date_range: 'today', per_page: rows_at_once } as const
  const { meta } = await foyer.get(reports.run, page, editor)
  const written = JSON.parse(Buffer.from(meta.next_cursor ?? '', 'base64url').toString()) as unknown
  const theirs = z.tuple([z.string(), z.int(), z.int().min(0), z.int().min(0), reports.ReportTotals]).parse(written)
  const cursor = Buffer.from(JSON.stringify(theirs)).toString('base64url')
  const rest = await foyer.get(reports.run, { ...page, cursor }, editor)
  expect(rest.meta).toMatchObject({ range: meta.range, totals: meta.totals, from: rows_at_once + 1, to: online })
})

test('a run that waits for those before it, or is being made, is no stalled one', async () => {
  const id = await begun()
  await foyer.query(
    `update report_runs set outcome = 'running', progress = 7, touched_at = now() - interval '1 hour' where id = $1`,
    [id],
  )
  const work = () => foyer.query(`select * from due_work where kind = 'report_file' and about_id = $1`, [id])
  const before = await work()
  await startDueReports(foyer.services)
  expect([await work(), await found(id)]).toMatchObject([before, { outcome: 'running', progress: 7 }])
  await foyer.get(runs.cancelRun, { id }, editor)
})

test('a short report is sent at once', async () => {
  const { bytes } = await foyer.file(reports.exportFile, { ...asked, date_range: 'yesterday' }, editor)
  expect(bytes.length).toBeGreaterThan(0)
})

test('a key limited to some properties gets its file at once, with these alone: a run would have its owner’s reach', async () => {
  const rows = async (who: Asker) =>
    (await foyer.file(reports.exportFile, asked, who)).bytes.toString().trim().split('\r\n')
  const all = await rows(program)
  expect(all.length).toBeGreaterThan(online)
  expect(await rows(narrowed)).toEqual(all.slice(0, 1))
  expect((await foyer.get(runs.listRuns, {}, editor)).data.filter(({ outcome }) => outcome === 'queued')).toEqual([])
})

test('it is made and downloaded by its owner’s users; if it names guests, by editors alone', async () => {
  const columns = ['start', 'usage_gb']
  const viewer = await foyer.viewer(editor)
  const stranger = await foyer.customer()
  expectRefused(
    await foyer.ask(reports.exportFile, asked, viewer),
    invalid({ columns: ['Only editors can export identifiers. Leave that column out.'] }),
  )
  const [naming, plain] = [await begun(), await begun({ ...asked, columns }, viewer)]
  await made(naming, plain)
  expect(await found(naming)).toMatchObject({ row_count: online, progress: 100 })
  const { bytes } = await foyer.file(runs.downloadRun, { id: naming }, editor)
  expect(bytes.toString().trim().split('\n').length).toBeGreaterThanOrEqual(online)
  expectRefused(
    await foyer.ask(runs.downloadRun, { id: naming }, viewer),
    invalid({ id: ['It names guests, so only editors can download it.'] }),
  )
  expect((await foyer.ask(runs.downloadRun, { id: plain }, viewer)).status).toBe(200)
  expectRefused(await foyer.ask(runs.downloadRun, { id: plain }, stranger), notFound())
})

test('its file is sealed where it lies, and where nodes of the release before may be at work it is as they send it', async () => {
  const before = stored().length
  const sealed = await begun()
  await made(sealed)
  const { bytes } = await foyer.file(runs.downloadRun, { id: sealed }, editor)
  const [head = ''] = bytes.toString().split('\r\n')
  expect(head).toContain('Identifier,Package')
  expect(stored().filter((content) => content.includes(head))).toEqual([])
  expect(await found(sealed)).toMatchObject({ bytes: bytes.length })

  await foyer.query(`update releases set serves_since = $1`, ['0.1.0'])
  const plain = await begun()
  await made(plain)
  expect(stored().filter((content) => content.includes(head))).toHaveLength(1)
  expect(stored()).toHaveLength(before + 2)
  for (const id of [sealed, plain])
    expect((await foyer.file(runs.downloadRun, { id }, editor)).bytes.toString().split('\r\n')[0]).toBe(head)
})

/** What lies in the storage. */
const stored = () =>
  fs
    .readdirSync(foyer.storage, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^\d+\/[0-9a-f]{64}$/.test(name))
    .map((name) => fs.readFileSync(path.join(foyer.storage, name)))
