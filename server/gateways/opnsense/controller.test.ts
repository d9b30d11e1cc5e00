// OPNsense called: guests whom its API lets in, by the address that its page said.
import { expect, test, vi } from 'vitest'
import * as packages from '#contract/packages.ts'
import * as sessions from '#contract/sessions.ts'
import { patiently, reads, withCalled } from '#test/called.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { openFirewall } from './simulation.ts'

let foyer: TestFoyer
let editor: Person
const { keep, siteOf, problemOf, lampsOf, hurry, age } = withCalled((opened) => {
  ;({ foyer, editor } = opened)
})

/** A firewall, and guests of it by their addresses. */
async function firewall(settings: Record<string, string> = {}, login = { username: 'k3y', password: 's3cret' }) {
  const box = await openFirewall()
  keep(box)
  let ip = '192.168.1.77'
  const at = await siteOf(
    { gateway_type_id: 12, ...login, settings: { controller_url: box.url, ...settings } },
    ({ nas_identifier }, mac) => {
      if (!box.devices.has(ip)) box.devices.set(ip, mac)
      return `?${new URLSearchParams({ opnsense: nas_identifier, mac, ip, url: 'http://x.example/' }).toString()}`
    },
  )
  const comeFrom = (address: string, mac?: string) => {
    ip = address
    return at.come(mac)
  }
  return { box, ...at, comeFrom }
}

test('OPNsense: let in by the address that the page said, counted, and ended by us when the hour is over', async () => {
  const { box, comeFrom, online, gateway } = await firewall()
  const { mac, page } = await comeFrom('192.168.1.77')
  await reads(page, 'You are online')
  expect(box.sessions).toMatchObject([{ zoneid: '0', ipAddress: '192.168.1.77', macAddress: mac }])
  const [session] = box.sessions
  if (session) Object.assign(session, { bytes_in: 1000, bytes_out: 9000 })
  await age(gateway.id, 5)
  await vi.waitFor(async () => {
    await hurry(gateway.id)
    expect(await online()).toMatchObject([{ online: true, mac_address: mac, bytes_up: 1000, bytes_down: 9000 }])
  }, patiently)
  expect(box.sessions).toHaveLength(1)
  await age(gateway.id, 56)
  await vi.waitFor(async () => {
    await hurry(gateway.id)
    expect(box.sessions).toEqual([])
  }, patiently)
  expect((await lampsOf(gateway.id)).usage).toBe('green')
  // Another who comes is ended at the desk.
  const second = await comeFrom('192.168.1.78')
  await reads(second.page, 'You are online')
  const open = (await online()).find(({ mac_address }) => mac_address === second.mac)
  await foyer.get(sessions.disconnect, { ids: [open?.id ?? 0], reason: 'A test' }, editor)
  await vi.waitFor(() => expect(box.sessions).toEqual([]), patiently)
})

test('OPNsense: nobody is let in at the address of another device, and nobody else’s session is ended by a claim', async () => {
  const { box, comeFrom, gateway } = await firewall()
  const victim = await comeFrom('192.168.1.77')
  await reads(victim.page, 'You are online')
  const problems = async () =>
    (
      await foyer.query<{ problem: string }>(
        'select problem from controller_grants where gateway_id = $1 order by id',
        [gateway.id],
      )
    ).map(({ problem }) => problem)
  await comeFrom('192.168.1.77')
  await vi.waitFor(async () => expect((await problems())[1]).toMatch(/Another device/), patiently)
  box.devices.set('192.168.1.79', aMacAddress())
  await comeFrom('192.168.1.79')
  await vi.waitFor(async () => expect((await problems())[2]).toMatch(/Another device/), patiently)
  await comeFrom('1;reboot')
  await vi.waitFor(async () => expect((await problems())[3]).toMatch(/did not send its address/), patiently)
  expect(box.sessions).toMatchObject([{ macAddress: victim.mac }])
  expect(box.asked.filter((path) => path.includes('disconnect'))).toHaveLength(1)
  // Who signs in anew counts from nothing.
  const again = await comeFrom('192.168.1.77', victim.mac)
  await reads(again.page, 'You are online')
  expect([box.granted.get(victim.mac), box.sessions.length]).toEqual([2, 1])
})

test('OPNsense: a zone that it does not have is named with those that it has; a wrong key is said', async () => {
  const { gateway } = await firewall({ zone: '7' })
  await vi.waitFor(async () => expect((await problemOf(gateway.id))?.problem).toContain('no zone 7'), patiently)
  const refused = await firewall({}, { username: 'k3y', password: 'another' })
  await vi.waitFor(
    async () => expect((await problemOf(refused.gateway.id))?.problem).toContain('refuses the API key'),
    patiently,
  )
})

test('a longer time is kept from here, in the same session', async () => {
  const { box, comeFrom, online, gateway, package_id } = await firewall()
  const { page } = await comeFrom('192.168.1.77')
  await reads(page, 'You are online')
  await foyer.get(packages.update, { id: package_id, session_time_hrs: 3, apply: 'now' }, editor)
  const left_h = async () => {
    const [row] = await foyer.query<{ left_h: number }>(
      'select extract(epoch from ends_at - now())::float8 / 3600 as left_h from controller_grants where gateway_id = $1',
      [gateway.id],
    )
    return row?.left_h ?? 0
  }
  await vi.waitFor(async () => expect(await left_h()).toBeGreaterThan(2.9), patiently)
  expect([await left_h(), box.sessions.length, (await online()).length]).toEqual([expect.closeTo(3, 1), 1, 1])
  expect(await online()).toMatchObject([{ online: true, disconnect_asked_at: null }])
})
