// Access log: every request leaves one line about what happened, without personal data; what a customer's people need to
// know is in their activity log, at a limited rate.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import * as activity from '#contract/activity.ts'
import * as groups from '#contract/groups.ts'
import * as packages from '#contract/packages.ts'
import * as auth from '#contract/auth.ts'
import * as vouchers from '#contract/vouchers.ts'
import { refusals } from '#contract/errors.ts'
import { connect } from '#server/db/logins.ts'
import { openLog } from '#server/watch/log.ts'
import { openFoyer, password, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

type Line = Record<string, unknown>
const written: string[] = []
/** The lines so far; those of one request where its id is given. */
const lines = (request?: unknown) =>
  written.map((line) => JSON.parse(line) as Line).filter((line) => request === undefined || line['request'] === request)

let foyer: TestFoyer
beforeAll(async () => {
  const log = openLog({ format: 'json', level: 'info' }, { write: (line: string) => void written.push(line) })
  foyer = await openFoyer({ log })
})
afterAll(() => foyer.close())

async function asAdmin(query: string): Promise<Line[]> {
  const admin = await connect(foyer.database.adminUrl)
  try {
    return (await admin.query<Line>(query)).rows
  } finally {
    await admin.end()
  }
}

const lineOf = async ({ headers }: { headers: Line }) => {
  const id = headers['x-request-id']
  await expect.poll(() => lines(id).length).toBeGreaterThan(0)
  return lines(id).at(-1)
}

test('a request leaves one line, with its id, route and caller', async () => {
  const editor = await foyer.customer()
  const answer = await foyer.ask(groups.list, {}, editor)
  expect(await lineOf(answer)).toMatchObject({
    level: 'info',
    app: 'api',
    method: 'POST',
    route: '/api/v1/groups',
    status: 200,
    network: '127.0.0.0/24',
    customer: editor.user.customer.id,
    principal: `user:${editor.user.id}`,
  })
  expect(lines(answer.headers['x-request-id'])).toHaveLength(1)
})

test('health checks leave no line', async () => {
  const { headers } = await foyer.app.inject('/healthz')
  await lineOf(await foyer.ask(groups.list, {}, null))
  expect(lines(headers['x-request-id'])).toEqual([])
})

test('no line contains secrets or addresses of people', async () => {
  const editor = await foyer.customer()
  const { program } = await foyer.apiKey(editor)
  const wrong = 'a wrong but long password'
  const from = { 'x-forwarded-for': '198.51.100.77' }
  const { email } = editor.user
  await foyer.ask(auth.login, { email, password: wrong }, null, from)
  await foyer.ask(auth.login, { email, password }, null)
  await foyer.ask(groups.list, {}, program)
  const code = 'ABCD-EFGH-JKLM'
  await foyer.ask(vouchers.findByCode, { code }, editor)
  await lineOf(await foyer.ask(auth.forgotPassword, { email }, null))
  const all = written.join('')
  for (const secret of [email, wrong, password, editor.token, program.token, code, '198.51.100.77'])
    expect(all).not.toContain(secret)
})

test('an internal error is logged with its cause, and the answer names the line', async () => {
  const editor = await foyer.customer()
  await asAdmin('alter table groups rename column name to nome')
  try {
    const answer = await foyer.ask(groups.list, {}, editor)
    expectRefused(answer, refusals.broken)
    const request_id = answer.headers['x-request-id']
    expect(JSON.parse(answer.text)).toMatchObject({ request_id })
    await lineOf(answer)
    expect(lines(request_id)).toMatchObject([
      { level: 'error', msg: 'broken', err: { code: '42703', message: expect.stringContaining('name') } },
      { level: 'warn', msg: 'request', status: 500 },
    ])
    expect((await foyer.services.metrics.text()).body).toContain('foyer_requests_broken_total 1')
  } finally {
    await asAdmin('alter table groups rename column nome to name')
  }
})

test('a failed sign-in, a denied call and an unknown key are logged as security events', async () => {
  const editor = await foyer.customer()
  const { email } = editor.user
  const failed = await lineOf(await foyer.ask(auth.login, { email, password: 'not the right one' }, null))
  const again = await lineOf(await foyer.ask(auth.login, { email, password: 'not the right one' }, null))
  expect(failed).toMatchObject({ level: 'warn', event: 'sign_in_failed', account: expect.stringMatching(/^\w{10}$/) })
  expect(again?.['account']).toBe(failed?.['account'])
  const viewer = await foyer.viewer(editor)
  const denied = await foyer.ask(packages.create, { name: 'Mine' }, viewer)
  expect(await lineOf(denied)).toMatchObject({ event: 'denied', principal: `user:${viewer.user.id}` })
  const unknownKey = { token: `foyer_${'x'.repeat(43)}`, context: '' }
  expect(await lineOf(await foyer.ask(groups.list, {}, unknownKey))).toMatchObject({ event: 'key_refused' })
})

test("security events are noted in the customer's activity log, and cannot fill it", async () => {
  const editor = await foyer.customer()
  const viewer = await foyer.viewer(editor)
  const { program } = await foyer.apiKey(editor)
  for (let tried = 0; tried < 12; tried++) await foyer.ask(packages.create, { name: 'Mine' }, viewer)
  for (let tried = 0; tried < 3; tried++) await foyer.ask(groups.list, {}, program)
  await foyer.ask(auth.forgotPassword, { email: editor.user.email }, null)
  const noted = async () => {
    const { data } = await foyer.get(
      activity.list,
      { filters: { action: ['denied', 'key_use', 'reset_asked'] } },
      editor,
    )
    return data.map(({ action, object_name }) => `${action} ${object_name}`).toSorted()
  }
  await expect.poll(async () => (await noted()).length).toBe(7)
  const rows = await noted()
  expect(rows.filter((row) => row === 'denied /api/v1/packages-create')).toHaveLength(5)
  expect(rows.filter((row) => row.startsWith('key_use'))).toHaveLength(1)
  expect(rows.filter((row) => row.startsWith('reset_asked'))).toHaveLength(1)
})

test('failed sign-ins of one account stop filling its log at thirty an hour', async () => {
  const editor = await foyer.customer()
  const { customer } = editor.user
  const [login] = await asAdmin(`select login_id from users where id = ${editor.user.id}`)
  for (let tried = 0; tried < 40; tried++)
    await foyer.services.tenancy.callFunction(sql`select door_failed(${login?.['login_id']}, '203.0.113.9')`)
  expect(
    await asAdmin(
      `select count(*)::int as lines from activity where action = 'failed_login' and customer_id = ${customer.id}`,
    ),
  ).toEqual([{ lines: 30 }])
})
