// A noisy neighbour: however much one customer requests at once, another gets its turns, and is never refused because of it.
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as imports from '#contract/imports.ts'
import * as properties from '#contract/properties.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { aFile, bytesOf, formOf } from '#test/uploads.ts'

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

/** Sends `times` requests at once, and collects their statuses. */
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

test('too much at once is refused with 429 and a Retry-After, only for the caller who sent it', async () => {
  const { statuses, over } = flood(400, () => foyer.ask(accounts.list, some, noisy))
  const answer = await foyer.ask(properties.list, {}, quiet)
  expect(answer.status).toBe(200)
  // In a single queue this request would have been served last.
  expect(statuses.filter((status) => status === 200).length).toBeLessThan(100)
  await over
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  // The turns of refused and served requests have been released.
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

/** An import of which half has been sent; `goOn` sends the rest. */
async function halfSent(who: Person) {
  const property_id = (await foyer.property(who)).id
  const { bytes, type } = await bytesOf(formOf({ AccountImport: aFile('guests.csv', 'name\nAda\n'), property_id }))
  const payload = new PassThrough()
  payload.write(bytes.subarray(0, bytes.length / 2))
  const headers = { authorization: `Bearer ${who.token}`, 'app-context': who.context, 'content-type': type }
  const url = `/api/v1${imports.accounts.path}`
  const answer = foyer.app.inject({ method: 'POST', url, headers, payload }).then(({ statusCode }) => statusCode)
  return { answer, goOn: () => payload.end(bytes.subarray(bytes.length / 2)) }
}

test('a customer that sends many files slowly delays only itself, not another customer', async () => {
  const { uploads } = foyer.services.turns
  const slow = await Promise.all(Array.from({ length: 12 }, () => halfSent(noisy)))
  await expect.poll(() => [uploads.running, uploads.waiting]).toEqual([4, 8])
  expect(await (await halfSent(noisy)).answer).toBe(429)
  const other = await halfSent(quiet)
  other.goOn()
  expect(await other.answer).toBe(200)
  for (const { goOn } of slow) goOn()
  expect(await Promise.all(slow.map(({ answer }) => answer))).toEqual(Array(12).fill(200))
  expect([uploads.running, uploads.waiting]).toEqual([0, 0])
})
