// Links: how many connections a node keeps. How one comes up and is taken over is tried with a system's own (fias/link.test.ts).
import { expect, test, vi } from 'vitest'
import { links_max, openLinks } from './links.ts'

test('a node takes as many links as it may keep, and leaves the others to other nodes', async () => {
  const { promise: stopped, reject: stop } = Promise.withResolvers<never>()
  const enter = vi.fn<() => Promise<never>>(() => stopped)
  const callFunction = vi.fn<() => Promise<unknown>>(() =>
    Promise.resolve(Array.from({ length: links_max + 100 }, (_, at) => ({ customer_id: 1, id: at + 1 }))),
  )
  const log = { warn: vi.fn<() => void>() }
  const links = openLinks({ tenancy: { enter, callFunction }, log } as never)
  await vi.waitFor(() => expect(callFunction).toHaveBeenCalled(), 10_000)
  await vi.waitFor(() => expect(enter).toHaveBeenCalled())
  expect(enter).toHaveBeenCalledTimes(links_max)
  stop(new Error('the test is over'))
  await links.close()
})
