// SonicWall called: guests whom its interface lets in.
import { expect, test, vi } from 'vitest'
import { patiently, reads, withCalled } from '#test/called.ts'
import { openSonicWallBox } from './simulation.ts'

const { keep, siteOf, hurry, age } = withCalled(() => {})

test('SonicWall: let in by its own session for the granted time, and open until that is over', async () => {
  const box = await openSonicWallBox()
  keep(box)
  const { come, online, gateway } = await siteOf(
    { gateway_type_id: 24, settings: { controller_url: box.url } },
    (its, mac_address, portal_url) => box.query({ gateway: its, mac_address, portal_url }),
  )
  const { mac, page } = await come()
  await reads(page, 'You are online')
  const [session] = box.sessions.values()
  expect(session?.mac_address).toBe(mac)
  expect((session?.seconds ?? 0) > 3500 && (session?.seconds ?? 0) <= 3600).toBe(true)
  await age(gateway.id, 5)
  await hurry(gateway.id)
  expect(await online()).toMatchObject([{ online: true, mac_address: mac }])
  await age(gateway.id, 56)
  await vi.waitFor(async () => {
    await hurry(gateway.id)
    expect((await online()).find(({ mac_address }) => mac_address === mac)?.online).toBe(false)
  }, patiently)
})
