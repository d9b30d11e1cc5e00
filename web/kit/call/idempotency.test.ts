// Idempotency: when trying again uses the key of the last try.
import { expect, test, vi } from 'vitest'
import { Refused } from './call.ts'
import { madeOnce } from './idempotency.ts'

function tries() {
  const used: string[] = []
  const trying = async (what: string, status?: number) => {
    const made = madeOnce(what, async (key) => {
      used.push(key)
      await Promise.resolve()
      if (status !== undefined) throw new Refused(status, '')
    })
    await made.catch(() => undefined)
  }
  return { used, trying }
}

test('what may have been made is tried again with the same key, and what was refused or made with another', async () => {
  const { used, trying } = tries()
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

test('what is asked for long after a try of which no answer came is another one', async () => {
  const { used, trying } = tries()
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    for (const minutes of [0, 2, 60]) {
      vi.setSystemTime(Date.now() + minutes * 60_000)
      await trying('a slip', 0)
    }
  } finally {
    vi.useRealTimers()
  }
  expect(used[1]).toBe(used[0])
  expect(used[2]).not.toBe(used[0])
})
