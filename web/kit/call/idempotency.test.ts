// Idempotency: when trying again uses the key of the last try.
import { expect, test } from 'vitest'
import { Refused } from './call.ts'
import { madeOnce } from './idempotency.ts'

test('what may have been made is tried again with the same key, and what was refused or made with another', async () => {
  const used: string[] = []
  const trying = async (what: string, status?: number) => {
    const made = madeOnce(what, async (key) => {
      used.push(key)
      await Promise.resolve()
      if (status !== undefined) throw new Refused(status, '')
    })
    await made.catch(() => undefined)
  }
  await trying('a voucher', 0)
  await trying('a voucher', 503)
  await trying('another')
  await trying('a voucher')
  await trying('a voucher', 422)
  await trying('a voucher')
  const [first, second, other, third, ...later] = used
  expect([second, third]).toEqual([first, first])
  expect(new Set([first, other, ...later]).size).toBe(4)
})
