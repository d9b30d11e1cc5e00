// Call: what the user is shown when a call failed.
import { afterEach, expect, test, vi } from 'vitest'
import { refusals } from '#contract/errors.ts'
import { list } from '#contract/groups.ts'
import { call, Refused, sentenceOf } from './call.ts'

afterEach(() => vi.unstubAllGlobals())

async function failedWith(status: number, message: string) {
  const headers = { 'X-Request-Id': '3f2a9c81d0' }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ message }, { status, headers })))
  return call(list, {}).catch((error: unknown) => error)
}

test('a server error is shown with its reference, which is in the log, too', async () => {
  const error = await failedWith(500, refusals.broken.message)
  expect(error).toBeInstanceOf(Refused)
  expect(sentenceOf(error)).toBe(`${refusals.broken.message} (Reference 3f2a9c81d0)`)
})

test('an ordinary refusal is shown without a reference', async () => {
  expect(sentenceOf(await failedWith(409, 'This is in use.'))).toBe('This is in use.')
})
