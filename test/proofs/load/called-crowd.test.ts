// Called crowd: many guests who arrive within a minute at one slow controller get online in time, each once, by few calls at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { full } from '#test/proofs/proof.ts'
import { openCalledSites, type CalledSites } from './called-sites.ts'

const crowd = full
  ? { guests: 1000, within_ms: 60_000, online_within_s: 90 }
  : { guests: 24, within_ms: 6000, online_within_s: 90 }

let sites: CalledSites
beforeAll(async () => {
  sites = await openCalledSites()
}, 120_000)
afterAll(() => sites?.close())

test('a crowd at one slow controller is online in time, four calls at once, one count of the site, and each let in once', async ({
  task,
}) => {
  const { aCustomer, site } = sites
  const { controller, come, states } = await site(await aCustomer('crowd', '203.0.113.1'), 1)
  controller.slow_ms = 200
  const { guests, within_ms, online_within_s } = crowd
  const began = Date.now()
  const seconds = () => (Date.now() - began) / 1000
  await Promise.all(
    Array.from({ length: guests }, async (_, n) => {
      await sleep((n * within_ms) / guests)
      await come()
    }),
  )
  const sent_s = seconds()
  await vi.waitFor(async () => expect((await states()).granted).toBe(guests), { timeout: 120_000, interval: 500 })
  const all_s = seconds()
  const { longest_s } = await states()
  const counts = controller.asked.filter((asked) => asked.endsWith('/stat/guest')).length
  task.meta.figures =
    `${guests} guests in ${within_ms / 1000} s; the last form was answered after ${Math.round(sent_s)} s, all were online after ` +
    `${Math.round(all_s)} s, nobody later than ${Math.ceil(longest_s)} s after the form; ${controller.at_once} calls at once, ` +
    `${counts} counts of the site`
  expect(all_s).toBeLessThan(online_within_s)
  expect(controller.at_once).toBeLessThanOrEqual(4)
  expect([...controller.granted.values()].every((times) => times === 1)).toBe(true)
  expect(controller.granted.size).toBe(guests)
  expect(controller.log_ins).toBe(1)
  // Once when it is registered, and once a minute.
  expect(counts).toBeLessThanOrEqual(2 + Math.ceil(all_s / 60))
}, 400_000)
