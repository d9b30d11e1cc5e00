// A noisy neighbour: however much one customer requests at once, another gets its turns, and is never refused because of it.
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as imports from '#contract/imports.ts'
import * as properties from '#contract/properties.ts'
import { tooMuch } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { aFile, bytesOf, formOf } from '#test/uploads.ts'
import { expectRefused, expectRefusedBut } from '#test/refused.ts'

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

/** Sends `times` requests at once, and collects their answers. */
function flood(times: number, send: () => Promise<{ status: number; text: string }>) {
  const answers: { status: number; text: string }[] = []
  const requests = Array.from({ length: times }, async () => void answers.push(await send()))
  const served = () => answers.filter(({ status }) => status === 200)
  return { answers, served, over: Promise.all(requests) }
}
const tooManyAtOnce = tooMuch(1)
const some = { excludeIds: Array.from({ length: 5000 }, (_, index) => index + 1), searchValue: 'guest' }

test('20 reads of one customer at once are served in turn, and not refused', async () => {
  const { served, over } = flood(20, () => foyer.ask(properties.list, {}, quiet))
  await over
  expect(served()).toHaveLength(20)
})

test('too much at once is refused with 429 and a Retry-After, only for the caller who sent it', async () => {
  const { answers, served, over } = flood(400, () => foyer.ask(accounts.list, some, noisy))
  const answer = await foyer.ask(properties.list, {}, quiet)
  expect(answer.status).toBe(200)
  // In a single queue this request would have been served last.
  expect(served().length).toBeLessThan(100)
  await over
  expect(served().length).toBeGreaterThan(0)
  expect(served().length).toBeLessThan(400)
  expectRefusedBut(served().length, answers, tooManyAtOnce)
  // The turns of refused and served requests have been released.
  const { headers, status } = await foyer.ask(accounts.list, some, noisy)
  expect({ status, retry: headers['retry-after'] }).toEqual({ status: 200, retry: undefined })
})

test('a colleague is not refused because a program of the same customer asks for too much', async () => {
  const colleague = await foyer.invited(noisy)
  const { answers, served, over } = flood(300, () => foyer.ask(accounts.list, some, noisy))
  expect((await foyer.ask(accounts.list, {}, colleague)).status).toBe(200)
  await over
  expect(served().length).toBeLessThan(300)
  expectRefusedBut(served().length, answers, tooManyAtOnce)
})

/** An import of which half has been sent; `goOn` sends the rest. */
async function halfSent(who: Person) {
  const property_id = (await foyer.property(who)).id
  const { bytes, type } = await bytesOf(formOf({ AccountImport: aFile('guests.csv', 'name\nAda\n'), property_id }))
  const payload = new PassThrough()
  payload.write(bytes.subarray(0, bytes.length / 2))
  const headers = { authorization: `Bearer ${who.token}`, 'app-context': who.context, 'content-type': type }
  const url = `/api/v1${imports.accounts.path}`
  const answer = foyer.app.inject({ method: 'POST', url, headers, payload })
  return { answer, goOn: () => payload.end(bytes.subarray(bytes.length / 2)) }
}

test('a customer that sends many files slowly delays only itself, not another customer', async () => {
  const { uploads } = foyer.services.turns
  const slow = await Promise.all(Array.from({ length: 12 }, () => halfSent(noisy)))
  await expect.poll(() => [uploads.running, uploads.waiting]).toEqual([4, 8])
  expectRefused(await (await halfSent(noisy)).answer, tooManyAtOnce)
  const other = await halfSent(quiet)
  other.goOn()
  expect((await other.answer).statusCode).toBe(200)
  for (const { goOn } of slow) goOn()
  for (const { answer } of slow) expect((await answer).statusCode).toBe(200)
  expect([uploads.running, uploads.waiting]).toEqual([0, 0])
})
