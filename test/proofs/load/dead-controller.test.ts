// Dead controller: while one does not answer nobody else waits, and its guests get on by themselves when it is back.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { full } from '#test/proofs/proof.ts'
import { openCalledSites, type CalledSites } from './called-sites.ts'

const dead_ms = full ? 120_000 : 9000
const at_the_dead = 12

let sites: CalledSites
beforeAll(async () => {
  sites = await openCalledSites()
}, 120_000)
afterAll(() => sites?.close())

test('while a controller is dead nobody else waits, and its guests get on by themselves when it is back', async ({
  task,
}) => {
  const { aCustomer, site } = sites
  const who = await aCustomer('dead', '203.0.113.2')
  const other = await aCustomer('other', '203.0.113.3')
  const [dead, alive, others] = [await site(who, 2), await site(who, 3), await site(other, 4)]
  // Each has been asked once whether it can be used.
  await vi.waitFor(() => expect(dead.controller.log_ins).toBe(1), { timeout: 20_000, interval: 100 })
  dead.controller.instead = () => true
  await Promise.all(Array.from({ length: at_the_dead }, dead.come))
  const until = Date.now() + dead_ms
  while (Date.now() < until) {
    await Promise.all([alive.come(), others.come()])
    await sleep(dead_ms / 12)
  }
  const waits: number[] = []
  for (const one of [alive, others]) {
    await vi.waitFor(async () => expect((await one.states()).waiting).toBe(0), { timeout: 20_000, interval: 250 })
    waits.push((await one.states()).longest_s)
  }
  expect((await dead.states()).granted).toBe(0)
  dead.controller.instead = null
  const back_at = Date.now()
  await vi.waitFor(async () => expect((await dead.states()).granted).toBe(at_the_dead), {
    timeout: 60_000,
    interval: 500,
  })
  const [same = 0, another = 0] = waits
  task.meta.figures =
    `dead for ${dead_ms / 1000} s: guests of the customer’s other controller waited ${same.toFixed(1)} s at most, another ` +
    `customer’s ${another.toFixed(1)} s; all ${at_the_dead} were online ${Math.round((Date.now() - back_at) / 1000)} s after it was back`
  // Less than the time that a call to the dead one takes.
  for (const wait of waits) expect(wait).toBeLessThan(6)
  expect([...dead.controller.granted.values()].every((times) => times === 1)).toBe(true)
}, 400_000)
