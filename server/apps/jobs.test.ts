// Jobs: each declared job is listed, has its queue, is run and has its schedule; nothing else has.
import fs from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as dashboard from '#contract/dashboard.ts'
import { jobs } from '#server/apps/jobs.ts'
import { keepNightsJob } from '#server/billing/keep-nights.ts'
import { connect } from '#server/db/logins.ts'
import { forgetImportsJob } from '#server/imports/forget-imports.ts'
import { removalKind } from '#server/entities/removal.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

let database: TestDatabase
let foyer: TestFoyer
beforeAll(async () => {
  database = await freshDatabase()
  // A schedule of a former version that this one does not declare.
  await inQueue(`insert into pgboss.schedule (name, cron) values ('${removalKind.name}', '* * * * *')`)
  foyer = await openFoyer({ database, env: { ROLES: 'api,jobs' } })
})
afterAll(() => foyer.close())

async function inQueue<R>(query: string): Promise<R[]> {
  const admin = await connect(database.adminUrl)
  try {
    return (await admin.query(query)).rows as R[]
  } finally {
    await admin.end()
  }
}
const byName = <T extends { name: string }>(rows: T[]) =>
  rows.toSorted((one, other) => one.name.localeCompare(other.name))
const sorted = (words: string[]) => words.toSorted((one, other) => one.localeCompare(other))
const names = sorted(jobs.map(({ kind }) => kind.name))

test('each kind of job that is declared anywhere is in the list once', () => {
  const sources = fs
    .readdirSync('server', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
  const declared = sources.flatMap((file) =>
    [...fs.readFileSync(`server/${file}`, 'utf8').matchAll(/\bjobKind(?:<[^(]*>)?\(\s*'(\w+)'/g)].map(
      ([, name = '']) => name,
    ),
  )
  expect(sorted(declared)).toEqual(names)
  expect(new Set(names).size).toBe(names.length)
})

test('each has its queue, with its retries, and nothing else has one', async () => {
  const queues = await inQueue<{ name: string }>(`
    select name, retry_limit, retry_delay, retry_backoff from pgboss.queue where name not like '\\_\\_%'`)
  const declared = jobs.map(({ kind: { name, retry } }) => ({
    name,
    retry_limit: retry?.limit ?? 0,
    retry_delay: retry?.after_s ?? 0,
    retry_backoff: retry?.doubles ?? false,
  }))
  expect(byName(queues)).toEqual(byName(declared))
})

test('jobs with a schedule are scheduled, and nothing else is any more', async () => {
  const schedules = await inQueue<{ name: string; cron: string }>(
    'select name, cron from pgboss.schedule order by name',
  )
  const timed = jobs.flatMap(({ kind: { name }, cron }) => (cron === undefined ? [] : [{ name, cron }]))
  expect(byName(schedules)).toEqual(byName(timed))
  expect(schedules).toContainEqual({ name: forgetImportsJob.kind.name, cron: '*/15 * * * *' })
})

test('one that fails is told to the first customer of the installation, and to nobody else, until it is done', async () => {
  const [first, second] = [await foyer.customer(), await foyer.customer()]
  const desk = await foyer.invited(first, { owner_type: 'Property', owner_id: (await foyer.property(first)).id })
  const told = async (who: Person) =>
    (await foyer.get(dashboard.get, {}, who)).data.attention.flatMap(({ kind, name }) =>
      kind === 'failed_job' ? [name] : [],
    )
  await inQueue('alter function door_due_nights() rename to away')
  try {
    await foyer.services.queue.send(keepNightsJob.kind, {})
    await expect.poll(() => told(first), { timeout: 120_000 }).toEqual(['Writing nights down'])
    expect([await told(second), await told(desk)]).toEqual([[], []])
  } finally {
    await inQueue('alter function away() rename to door_due_nights')
  }
  await foyer.services.queue.send(keepNightsJob.kind, {})
  await expect.poll(() => told(first), { timeout: 120_000 }).toEqual([])
})

test('each is run by a node with that role', async () => {
  const { queue, metrics } = foyer.services
  // Of no customer, so there is nothing to do.
  const ofNobody = { customer_id: 0, mail_id: 0, text_id: 0, run_id: 0, session_ids: [], own: false, lifted: false }
  for (const { kind } of jobs) await queue.send(kind, { ...ofNobody, kind: 'accounting', integration_id: 0 })
  // Whether each succeeded is for its own tests.
  const run = async () => {
    const { body } = await metrics.text()
    const counted = [...body.matchAll(/foyer_jobs_total\{queue="(\w+)"/g)].map(([, name = '']) => name)
    return sorted([...new Set(counted)])
  }
  await expect.poll(run, { timeout: 120_000 }).toEqual(names)
})
