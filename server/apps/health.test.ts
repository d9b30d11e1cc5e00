// Health: a node is ready only while it can do the work of its roles.
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { refusals } from '#contract/errors.ts'
import { connect } from '#server/db/logins.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let admin: Client
beforeAll(async () => {
  foyer = await openFoyer({ env: { ROLES: 'api,guest,radius,jobs' } })
  await foyer.radius?.listen('127.0.0.1', { access: 0, accounting: 0 })
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

const ask = async (query = '') => {
  const answer = await foyer.app.inject(`/readyz${query}`)
  return { status: answer.statusCode, checks: answer.json<{ checks?: Record<string, string> }>().checks }
}
/** An answer is given again for two seconds. */
const soon = (found: () => Promise<void>) => vi.waitFor(found, { timeout: 60_000, interval: 100 })

test('all roles are looked at, or one alone', async () => {
  expect(await ask()).toEqual({
    status: 200,
    checks: { database: 'ok', functions: 'ok', radius: 'ok', jobs: 'ok', disk: 'ok', replica: 'ok' },
  })
  expect(Object.keys((await ask('?role=guest')).checks ?? {})).toEqual(['database', 'functions', 'disk', 'replica'])
  expectRefused(await foyer.app.inject('/readyz?role=cook'), {
    ...refusals.invalid,
    message: 'role is one of api, guest, radius and jobs.',
  })
})

test('a function of the database that is gone makes the node not ready, until it is back', async () => {
  await admin.query('alter function door_radius_gateways rename to door_radius_gateways_gone')
  await soon(async () => expect(await ask()).toMatchObject({ status: 503, checks: { functions: 'failed' } }))
  await admin.query('alter function door_radius_gateways_gone rename to door_radius_gateways')
  await soon(async () => expect(await ask()).toMatchObject({ status: 200, checks: { functions: 'ok' } }))
})

test('a function that a login may not call any more is as good as gone', async () => {
  const guest = new URL(foyer.database.guestUrl).username
  await admin.query(`revoke execute on function door_radius_gateways from "${guest}"`)
  await soon(async () => expect(await ask()).toMatchObject({ status: 503, checks: { functions: 'failed' } }))
  await admin.query(`grant execute on function door_radius_gateways to "${guest}"`)
  await soon(async () => expect((await ask()).status).toBe(200))
})

test('without its RADIUS ports a node is not ready for gateways, and is for others', async () => {
  await foyer.radius?.close()
  await soon(async () => expect(await ask('?role=radius')).toMatchObject({ status: 503, checks: { radius: 'failed' } }))
  expect((await ask('?role=api')).status).toBe(200)
  expect(await ask()).toMatchObject({ status: 503, checks: { radius: 'failed' } })
})
