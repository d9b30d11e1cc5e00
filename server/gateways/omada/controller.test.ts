// Omada called: guests whom its controller lets in at our call.
import { expect, test, vi } from 'vitest'
import * as sessions from '#contract/sessions.ts'
import type { Settings } from '#contract/parameters.ts'
import { patiently, reads, withCalled } from '#test/called.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { openLine } from '#server/gateways/controller.ts'
import { openOmada as open } from './controller.ts'
import { calledQuery, openController as openOmada } from './simulation.ts'

let foyer: TestFoyer
let editor: Person
const { keep, siteOf, problemOf, hurry, age } = withCalled((opened) => {
  ;({ foyer, editor } = opened)
})

const login = { username: 'foyer', password: 'operator password' }
const dashed = (mac: string) => mac.toUpperCase().replaceAll(':', '-')
const siteAt = ({ url }: { url: string }, settings: Settings = {}) =>
  siteOf({ gateway_type_id: 5, ...login, settings: { controller_url: url, ...settings } }, (gateway, mac) =>
    calledQuery(gateway.mac_address, mac),
  )

test('Omada: let in for an hour in its own unit, also once its log-in has ended, and ended', async () => {
  const controller = await openOmada()
  keep(controller)
  const { come, online } = await siteAt(controller)
  const arrive = async () => {
    const { mac, page } = await come()
    await reads(page, 'You are online')
    return dashed(mac)
  }
  const mac = await arrive()
  const [client] = controller.timesOf(mac)
  expect(client?.said).toMatchObject({
    downloadRateLimitKbps: 20_000,
    totalTrafficLimitBytes: 5e9,
    site: 'Default',
    radioId: '0',
  })
  const left_s = ((client?.ends_at ?? 0) - Date.now()) / 1000
  expect(left_s > 3500 && left_s <= 3600).toBe(true)
  controller.forget()
  const second = await arrive()
  expect(controller.rows.map((row) => row.mac)).toEqual([mac, second])
  expect(controller.log_ins).toBe(2)
  const session = (await online()).find((one) => one.mac_address === second.toLowerCase().replaceAll('-', ':'))
  await foyer.get(sessions.disconnect, { ids: [session?.id ?? 0], reason: 'A test' }, editor)
  await vi.waitFor(() => expect(controller.timesOf(second)[0]?.valid).toBe(false), patiently)
  expect(controller.timesOf(mac)[0]?.valid).toBe(true)
})

const ended = (mac: string, n: number) => ({
  id: `old${n}`,
  mac,
  valid: false,
  ends_at: Date.now() - 2 * 86_400_000,
  said: {},
})

test.each([{ is_sorted: true }, { is_sorted: false }])(
  'Omada: who comes back is online until told otherwise, however many were in before (sorted as asked: $is_sorted)',
  async ({ is_sorted }) => {
    const controller = Object.assign(await openOmada(), { is_sorted })
    keep(controller)
    const others = Array.from({ length: 2500 }, (_, n) => ended(dashed(aMacAddress()), n))
    controller.rows.push(...others)
    const { come, online, gateway } = await siteAt(controller)
    const { mac, page } = await come()
    await reads(page, 'You are online')
    // The times before are listed after this one, too.
    controller.rows.push(ended(dashed(mac), others.length))
    await age(gateway.id, 5)
    const before = controller.lists
    const pages = is_sorted ? 1 : 3
    await vi.waitFor(async () => {
      await hurry(gateway.id)
      expect(controller.lists - before).toBeGreaterThan(pages)
    }, patiently)
    const [session] = await online()
    expect(session).toMatchObject({ online: true, mac_address: mac })
    await foyer.get(sessions.disconnect, { ids: [session?.id ?? 0], reason: 'A test' }, editor)
    await vi.waitFor(() => expect(controller.timesOf(dashed(mac)).some((row) => row.valid)).toBe(false), patiently)
  },
)

test('Omada: a guest whom it does not list as let in is not taken for ended', async () => {
  const controller = await openOmada()
  keep(controller)
  const mac = aMacAddress()
  controller.rows.push(ended(dashed(mac), 0))
  const line = openLine(foyer.services.safeFetch, () => Promise.resolve('agreed'), null)
  const settings = { controller_url: controller.url }
  const { end } = open({ customer_id: 1, gateway_id: 1, ...login, settings }, line)
  await expect(end(mac)).rejects.toThrow('does not list the guest')
  controller.rows.push({ ...ended(dashed(mac), 1), valid: true, ends_at: Date.now() + 60_000 })
  await end(mac)
  expect(controller.rows.map((row) => row.valid)).toEqual([false, false])
})

test('Omada: a site is called by its name or its id, and one that is not there is told', async () => {
  const controller = await openOmada()
  keep(controller)
  const known: Settings[] = [{}, { site: 'Default' }, { site: '6aa3913c3ee1605f71ac35a1' }]
  for (const settings of known) {
    const { gateway } = await siteAt(controller, settings)
    await vi.waitFor(async () => expect(await problemOf(gateway.id)).toMatchObject({ problem: null }), patiently)
  }
  const { gateway } = await siteAt(controller, { site: 'Lobby' })
  await vi.waitFor(async () => expect((await problemOf(gateway.id))?.problem).toContain('no site “Lobby”'), patiently)
  const older = await openOmada({ lists_sites: false })
  keep(older)
  const { come } = await siteAt(older)
  await reads((await come()).page, 'You are online')
  await vi.waitFor(() => expect(older.lists).toBeGreaterThan(0), patiently)
})
