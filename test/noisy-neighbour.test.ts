// A noisy neighbour: whatever one customer asks for at once, another is served in its turn, and is never refused for it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as imports from '#contract/imports.ts'
import * as properties from '#contract/properties.ts'
import * as sessions from '#contract/sessions.ts'
import * as voucherBatches from '#contract/voucher-batches.ts'
import { openFoyer, password, type Person, type TestFoyer } from '#test/foyer.ts'
import { aFile } from '#test/uploads.ts'

let foyer: TestFoyer
let noisy: Person
let quiet: Person
beforeAll(async () => {
  foyer = await openFoyer()
})
beforeEach(async () => {
  noisy = await foyer.customer()
  quiet = await foyer.customer()
})
afterAll(() => foyer.close())

/** Sends `times` requests at once, and counts how many are answered with what. */
function flood(times: number, send: (index: number) => Promise<{ status: number }>) {
  const statuses: number[] = []
  const requests = Array.from({ length: times }, async (_, index) => void statuses.push((await send(index)).status))
  return { statuses, over: Promise.all(requests) }
}
const some = { excludeIds: Array.from({ length: 5000 }, (_, index) => index + 1), searchValue: 'guest' }

test('20 reads of one customer at once are served in turn, and not refused', async () => {
  const { statuses, over } = flood(20, () => foyer.ask(properties.list, {}, quiet))
  await over
  expect(statuses).toEqual(Array(20).fill(200))
})

test('too much at once is refused with 429 and when to come back, for whoever asked it alone', async () => {
  const { statuses, over } = flood(400, () => foyer.ask(accounts.list, some, noisy))
  const answer = await foyer.ask(properties.list, {}, quiet)
  expect(answer.status).toBe(200)
  // Whoever waited in one long line would have been served last.
  expect(statuses.filter((status) => status === 200).length).toBeLessThan(100)
  await over
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  // The turns that were refused or served are given back.
  const { headers, status } = await foyer.ask(accounts.list, some, noisy)
  expect({ status, retry: headers['retry-after'] }).toEqual({ status: 200, retry: undefined })
})

test('a colleague is not refused because a program of the same customer asks for too much', async () => {
  const colleague = await foyer.invited(noisy)
  const { statuses, over } = flood(300, () => foyer.ask(accounts.list, some, noisy))
  expect((await foyer.ask(accounts.list, {}, colleague)).status).toBe(200)
  await over
  expect(statuses).toContain(429)
})

test('creates, searches, imports and exports of one customer leave another all it asks for', async () => {
  const place = await foyer.property(noisy)
  const batch = await foyer.voucherBatch(noisy, { quantity: 2000, property_id: place.id })
  const guests = aFile(
    'guests.csv',
    `name\n${Array.from({ length: 2000 }, (_, index) => `Guest ${index}`).join('\n')}\n`,
  )
  const floods = [
    flood(30, () =>
      foyer.ask(voucherBatches.create, { quantity: 5000, property_id: place.id, package_id: batch.package_id }, noisy),
    ),
    flood(60, () => foyer.ask(accounts.list, some, noisy)),
    flood(12, () => foyer.send(imports.accounts, { AccountImport: guests, property_id: place.id }, noisy)),
    flood(20, () => foyer.send(voucherBatches.exportCodes, { id: batch.id, format: 'xlsx' }, noisy)),
    flood(60, () => foyer.ask(sessions.login, { email: noisy.user.email, password: 'a wrong guess of it' }, null)),
  ]

  const own = await foyer.property(quiet)
  for (let round = 1; round <= 10; round++) {
    const asked = [
      foyer.ask(properties.list, {}, quiet),
      foyer.ask(accounts.create, { property_id: own.id, name: `Guest ${round}` }, quiet),
      foyer.app.inject({ url: '/readyz' }).then(({ statusCode: status }) => ({ status })),
    ]
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 201, 200])
  }
  const login = await foyer.ask(sessions.login, { email: quiet.user.email, password }, null)
  expect(login.status).toBe(200)

  await Promise.all(floods.map((each) => each.over))
  const [creates = [], searches = [], uploads = [], exports = [], logins = []] = floods.map(({ statuses }) => statuses)
  expect(new Set(creates)).toEqual(new Set([201]))
  expect(new Set(searches)).toEqual(new Set([200]))
  expect(new Set([...uploads, ...exports])).toEqual(new Set([200, 429]))
  expect(new Set(logins)).toEqual(new Set([422, 429]))
})
