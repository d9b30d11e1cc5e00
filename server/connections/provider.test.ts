// Provider failures: what a status of a provider means for whoever waits for it, and what people are told.
import { expect, test } from 'vitest'
import { failureOf, jobMessage } from './provider.ts'

const answer = (status: number, headers: Record<string, string> = {}) => ({ status, headers, body: Buffer.from('{}') })
const seen = (status: number, headers?: Record<string, string>) => {
  const { failing, fix, for_all, retry_after_s } = failureOf('Xero', answer(status, headers), null)
  return { failing, fix, for_all, retry_after_s }
}
const plain = { fix: null, for_all: false, retry_after_s: undefined }

test.each([
  [401, 'reconnect'],
  [403, 'reconnect'],
] as const)('%d: consent has ended, and a person renews it at the connection', (status, failing) => {
  expect(seen(status)).toEqual({ ...plain, failing, fix: 'connection' })
})

test.each([
  [404, 'gone'],
  [410, 'gone'],
  [408, 'later'],
  [500, 'later'],
  [503, 'later'],
  [400, 'refused'],
  [422, 'refused'],
] as const)('%d: %s, and nothing in Foyer corrects it', (status, failing) => {
  expect(seen(status)).toEqual({ ...plain, failing })
})

test('a provider that asks to wait asks it of all calls, for as long as it says', () => {
  expect(seen(429, { 'retry-after': '90' })).toEqual({ ...plain, failing: 'later', for_all: true, retry_after_s: 90 })
  expect(seen(503, { 'retry-after': '90' })).toEqual({ ...plain, failing: 'later', retry_after_s: 90 })
})

test('only what is tried again says so, and a refusal quotes the provider', () => {
  expect(jobMessage(failureOf('Xero', answer(500), null))).toBe(
    'Xero is not working at the moment. Foyer will try again.',
  )
  const refused = failureOf('Xero', answer(400), 'No such account')
  expect(jobMessage(refused)).toBe('Xero rejected the request. Xero says: “No such account”')
})
