// Omada called: guests whom its controller lets in at our call.
import { expect, test, vi } from 'vitest'
import * as sessions from '#contract/sessions.ts'
import { patiently, reads, withCalled } from '#test/called.ts'
import type { Person, TestFoyer } from '#test/foyer.ts'
import { calledQuery, openController as openOmada } from './simulation.ts'

let foyer: TestFoyer
let editor: Person
const { keep, siteOf } = withCalled((opened) => {
  ;({ foyer, editor } = opened)
})

test('Omada: let in for an hour in its own unit, also once its log-in has ended, and ended', async () => {
  const controller = await openOmada()
  keep(controller)
  const login = { username: 'foyer', password: 'operator password' }
  const { come, online } = await siteOf(
    { gateway_type_id: 5, ...login, settings: { controller_url: controller.url } },
    (gateway, mac) => calledQuery(gateway.mac_address, mac),
  )
  const arrive = async () => {
    const { mac, page } = await come()
    await reads(page, 'You are online')
    return mac.toUpperCase().replaceAll(':', '-')
  }
  const mac = await arrive()
  const client = controller.clients.get(mac)
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
  expect([...controller.granted.values()]).toEqual([1, 1])
  expect(controller.log_ins).toBe(2)
  const session = (await online()).find((one) => one.mac_address === second.toLowerCase().replaceAll('-', ':'))
  await foyer.get(sessions.disconnect, { ids: [session?.id ?? 0], reason: 'A test' }, editor)
  await vi.waitFor(() => expect(controller.clients.get(second)?.valid).toBe(false), patiently)
  expect(controller.clients.get(mac)?.valid).toBe(true)
})
