// Batcher: what shares a transaction, and when another one begins beside it.
import { expect, test } from 'vitest'
import { Batcher } from './batcher.ts'
import type { Gateway } from './registered-gateways.ts'

const gateway = { id: 1, property_id: 1, gateway_type_id: 1 } as Gateway
const passed = () => new Promise((resolve) => setImmediate(resolve))

/** Transactions that end when told to. */
function opened() {
  const begun: { took: number[]; end: (error?: Error) => void }[] = []
  const batcher = new Batcher<number, number>(
    async (_, take) => {
      const took = take().map(({ item }) => item)
      await new Promise<void>((resolve, reject) =>
        begun.push({ took, end: (error) => (error ? reject(error) : resolve()) }),
      )
      return took.map((item) => item * 10)
    },
    { running_max: 2 },
  )
  return { begun, batcher }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)
const asked = (batcher: Batcher<number, number>, from: number, to: number) =>
  numbers(from, to).map((item) => batcher.ask(gateway, item))

test('while a transaction runs, a few requests wait for the next one', async () => {
  const { begun, batcher } = opened()
  const first = asked(batcher, 1, 1)
  await passed()
  const others = asked(batcher, 2, 8)
  await passed()
  expect(begun.map(({ took }) => took)).toEqual([[1]])
  begun[0]?.end()
  expect(await Promise.all(first)).toEqual([10])
  await expect.poll(() => begun.length).toBe(2)
  expect(begun[1]?.took).toEqual([2, 3, 4, 5, 6, 7, 8])
  begun[1]?.end()
  expect(await Promise.all(others)).toEqual([20, 30, 40, 50, 60, 70, 80])
})

test('who asks again as soon as it is answered shares the next transaction with those that waited', async () => {
  const { begun, batcher } = opened()
  const again = batcher.ask(gateway, 1).then(() => batcher.ask(gateway, 2))
  await passed()
  const waited = batcher.ask(gateway, 3)
  await passed()
  begun[0]?.end()
  await expect.poll(() => begun.length).toBe(2)
  expect(begun[1]?.took.toSorted()).toEqual([2, 3])
  begun[1]?.end()
  expect(await Promise.all([again, waited])).toEqual([20, 30])
})

test('many that wait get another transaction beside it, and never a third', async () => {
  const { begun, batcher } = opened()
  const all = asked(batcher, 1, 1)
  await passed()
  all.push(...asked(batcher, 2, 25))
  await passed()
  all.push(...asked(batcher, 26, 60))
  await passed()
  expect(begun.map(({ took }) => took)).toEqual([[1], numbers(2, 25)])
  begun[1]?.end()
  await expect.poll(() => begun.length).toBe(3)
  for (const { end } of begun) end()
  expect(await Promise.all(all)).toEqual(numbers(1, 60).map((item) => item * 10))
})

test('a transaction that gets no turn fails nobody whom one that runs will take', async () => {
  const running: (() => void)[] = []
  const batcher = new Batcher<number, number>(
    async (_, take) => {
      if (running.length === 1) throw new Error('too much at once')
      const took = take().map(({ item }) => item)
      await new Promise<void>((resolve) => running.push(resolve))
      return took
    },
    { running_max: 2 },
  )
  const all = asked(batcher, 1, 1)
  await passed()
  all.push(...asked(batcher, 2, 30))
  await passed()
  running.push(() => {})
  running[0]?.()
  await expect.poll(() => running.length).toBe(3)
  running[2]?.()
  expect(await Promise.all(all)).toEqual(numbers(1, 30))
})
