// Called crowd: many guests who arrive at one slow controller get online, each once; a controller that is dead holds nobody else up, and
// its guests get on by themselves when it is back.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { authMethods } from '#contract/portals.ts'
import { openPage, signIn } from '#scripts/simulation/browser.ts'
import { openController, simulation, type SimulatedController } from '#server/gateways/unifi/simulation.ts'
import { freePort } from '#server/start/free-port.ts'
import { aMacAddress, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { full } from './proof.ts'

const crowd = full
  ? { guests: 1000, within_ms: 60_000, online_within_s: 90 }
  : { guests: 60, within_ms: 3000, online_within_s: 30 }
const dead_ms = full ? 120_000 : 9000

let foyer: TestFoyer
const opened: SimulatedController[] = []
beforeAll(async () => {
  const port = await freePort(1)
  foyer = await openFoyer({
    env: { ROLES: 'api,guest,jobs', PORTAL_URL: `http://127.0.0.1:${port}`, ALLOWED_HOSTS: '127.0.0.1' },
  })
  await foyer.guest?.listen({ host: '127.0.0.1', port })
})
afterAll(async () => {
  await Promise.all(opened.map((controller) => controller.close()))
  await foyer.close()
})

async function site(who: Person) {
  const controller = await openController()
  opened.push(controller)
  const { id: portal_id, url } = await foyer.portal(who, { auth_method_ids: [authMethods.free] })
  const { id: package_id } = await foyer.package(who, { session_time_hrs: 1 })
  const { id: property_id } = await foyer.property(who, { portal_id, package_id })
  const mac_address = aMacAddress()
  const registered = {
    property_id,
    gateway_type_id: 4,
    mac_address,
    username: 'foyer',
    password: 'controller password',
  }
  const made = await foyer.gateway(who, { ...registered, settings: { controller_url: controller.url } })
  const come = async () => {
    const sent = { gateway: { ...made, mac_address }, mac_address: aMacAddress(), portal_url: url }
    const answer = await signIn(
      await openPage(url + simulation.redirect(sent).query),
      { method: authMethods.free, typed: {} },
      true,
    )
    if ('page' in answer) throw new Error(answer.page.html.text)
  }
  /** Of its guests, by state, and the longest wait of one. */
  const states = async () => {
    const [row] = await foyer.query<{ granted: number; waiting: number; longest_s: number }>(
      `select count(*) filter (where state = 'granted')::integer as granted, count(*) filter (where state = 'waiting')::integer as waiting,
        coalesce(extract(epoch from max(granted_at - created_at)), 0)::float8 as longest_s
       from controller_grants where gateway_id = $1`,
      [made.id],
    )
    return row ?? { granted: 0, waiting: 0, longest_s: 0 }
  }
  return { controller, come, states }
}

test('a crowd at one slow controller is online in time, four calls at once, one count of the site, and each let in once', async ({
  task,
}) => {
  const { controller, come, states } = await site(await foyer.customer())
  controller.slow_ms = 200
  const began = Date.now()
  const { guests, within_ms, online_within_s } = crowd
  await Promise.all(
    Array.from({ length: guests }, async (_, n) => {
      await sleep((n * within_ms) / guests)
      await come()
    }),
  )
  await vi.waitFor(async () => expect((await states()).granted).toBe(guests), { timeout: 120_000, interval: 500 })
  const all_s = (Date.now() - began) / 1000
  const { longest_s } = await states()
  const counts = controller.asked.filter((path) => path.endsWith('/stat/guest')).length
  task.meta.figures =
    `${guests} guests in ${within_ms / 1000} s, all online after ${Math.round(all_s)} s, none later than ${Math.ceil(longest_s)} s after ` +
    `the form; ${controller.at_once} calls at once, ${counts} counts of the site`
  expect(all_s).toBeLessThan(online_within_s)
  expect(controller.at_once).toBeLessThanOrEqual(4)
  expect([...controller.granted.values()].every((times) => times === 1)).toBe(true)
  expect(controller.granted.size).toBe(guests)
  expect(controller.log_ins).toBe(1)
  // Once when it is registered, and once a minute.
  expect(counts).toBeLessThanOrEqual(2 + Math.ceil((within_ms + 120_000) / 60_000))
}, 400_000)

test('while a controller is dead nobody else waits, and its guests get on by themselves when it is back', async () => {
  const who = await foyer.customer()
  const [dead, alive, others] = [await site(who), await site(who), await site(await foyer.customer())]
  await sleep(1500)
  dead.controller.instead = () => true
  await Promise.all(Array.from({ length: 12 }, dead.come))
  const until = Date.now() + dead_ms
  while (Date.now() < until) {
    await Promise.all([alive.come(), others.come()])
    await sleep(dead_ms / 6)
  }
  for (const one of [alive, others]) {
    await vi.waitFor(async () => expect((await one.states()).waiting).toBe(0), { timeout: 20_000, interval: 250 })
    expect((await one.states()).longest_s).toBeLessThan(6)
  }
  expect((await dead.states()).granted).toBe(0)
  dead.controller.instead = null
  await vi.waitFor(async () => expect((await dead.states()).granted).toBe(12), { timeout: 60_000, interval: 500 })
  expect([...dead.controller.granted.values()].every((times) => times === 1)).toBe(true)
}, 400_000)
