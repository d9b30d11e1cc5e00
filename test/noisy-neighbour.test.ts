// A noisy neighbour: whatever one customer asks for at once, another is served in its turn, and is never refused for it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as properties from '#contract/properties.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

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
