// Locks that are never released: a start and the operator's commands end with a clear sentence, and jobs continue.
import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openTenancy } from '#server/access/tenancy.ts'
import { connect } from '#server/db/logins.ts'
import { queues } from '#server/apps/jobs.ts'
import { migrate } from '#server/db/migrate.ts'
import { rotate } from '#server/db/rotation.ts'
import { jobKind, openQueue } from '#server/jobs/queue.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { newSecretKey } from '#server/start/secret-key.ts'
import { noLog } from '#server/watch/log.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
let holder: Client
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())
beforeEach(async () => {
  holder = await connect(foyer.database.adminUrl)
  await holder.query('begin')
})
afterEach(() => holder.end())

const refusalOf = async (work: Promise<unknown>) => {
  const error: unknown = await work.catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(CannotStart)
  return String(error)
}
const limits = { others_ms: 300, lock_ms: 100, tries_ms: 300 }

test('a start that waits for a node that never finishes migrating says so', async () => {
  await holder.query('select pg_advisory_xact_lock($1)', [0x666f7967])
  expect(await refusalOf(migrate(foyer.database.ownerUrl, queues, { limits }))).toMatch(
    /^CannotStart: Another node has been migrating/,
  )
  await holder.query('rollback')
  expect(await migrate(foyer.database.ownerUrl, queues, { limits: { ...limits, others_ms: 60_000 } })).toEqual([])
})

test('a rotation of the secret key whose rows are locked says that it continues when it is run again', async () => {
  const editor = await foyer.customer()
  await foyer.gateway(editor, { password: 'of the gateway' })
  await holder.query('lock table gateway_secrets in share mode')
  const keys = [newSecretKey(), foyer.database.secretKey] as const
  const rotation = { ...foyer.database, adminUrl: null, noticed_after_ms: 0, log: () => {}, lock_timeout_ms: 300 }
  expect(await refusalOf(rotate({ ...rotation, secretKeys: () => [...keys] }))).toMatch(/run this again to continue/)
})

test('jobs whose table is locked continue when it is free', async () => {
  const warn = vi.spyOn(noLog, 'warn')
  const tenancy = openTenancy(foyer.database)
  const queue = await openQueue(foyer.database.appUrl, tenancy, true, { log: noLog, ran: () => {} })
  const done: number[] = []
  const kind = jobKind<{ customer_id: number; number: number }>('change_sessions')
  await queue.send(kind, { customer_id: 1, number: 7 })
  await holder.query('lock table pgboss.job in access exclusive mode')
  await queue.work(kind, async ({ number }) => void done.push(number))
  const warnings = () => warn.mock.calls.map(([what]) => String((what as { err?: Error }).err?.message))
  await expect.poll(warnings, { timeout: 60_000 }).toContainEqual(expect.stringContaining('lock timeout'))
  await holder.query('rollback')
  await expect.poll(() => done, { timeout: 60_000 }).toContain(7)
  await queue.stop()
  await tenancy.close()
})
