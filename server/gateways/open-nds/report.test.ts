// openNDS online: boxes that fetch their guests from the portal.
import { expect, test } from 'vitest'
import { authMethods } from '#contract/portals.ts'
import { said, withCalled } from '#test/called.ts'
import type { TestFoyer } from '#test/foyer.ts'
import { openBox } from './simulation.ts'

let foyer: TestFoyer
const { siteOf, lampsOf, age } = withCalled((opened) => {
  ;({ foyer } = opened)
})

test.each([3, 4] as const)(
  'openNDS at level %i: it fetches its guests with their limits, and says what they used',
  async (level) => {
    let box: ReturnType<typeof openBox> | null = null
    const { come, online, gateway, portal_url } = await siteOf(
      { gateway_type_id: 3, dns_name: 'status.client', settings: { level: String(level) } },
      (its, mac) => (box ??= openBox(its, level, fetch)).query(mac),
    )
    const { mac, page } = await come()
    expect(said(await page())).toBe('Connecting…')
    if (!box) throw new Error('nobody came')
    const opennds: ReturnType<typeof openBox> = box
    await opennds.start(portal_url)
    // It has lost whom it had: they come anew.
    const second = await come(mac)
    await opennds.poll(portal_url)
    expect(said(await second.page())).toBe('You are online')
    const [, client] = opennds.clients
    expect(client).toMatchObject({
      state: 'authenticated',
      limits: { up_kbits: 20_000, down_kbits: 20_000, up_kb: 4_882_812, down_kb: 4_882_812 },
    })
    expect([59, 60]).toContain(client?.limits?.minutes)
    await opennds.poll(portal_url)
    expect(await online()).toMatchObject([{ online: true, mac_address: mac }])
    await age(gateway.id, 10)
    await foyer.query("update radius_sessions set last_seen_at = now() - interval '10 minutes' where gateway_id = $1", [
      gateway.id,
    ])
    await opennds.poll(portal_url)
    const [seen] = await online()
    expect(Date.parse(seen?.last_seen_at ?? '') > Date.now() - 60_000).toBe(true)
    if (!client) throw new Error('nobody is in')
    expect(await opennds.leave(portal_url, client, 'downquota_deauth', { down: 5_000_000, up: 1000 })).toBe('ack')
    expect(await online()).toMatchObject([
      { online: false, bytes_up: 1000, bytes_down: 5_000_000, termination_reason: 'Data allowance used up' },
    ])
    const { redirect, asked, usage } = await lampsOf(gateway.id)
    expect([redirect, asked, usage]).toEqual(['green', 'green', 'green'])
  },
)

test('openNDS: a stranger who knows its name is told nothing, takes nobody and ends nobody', async () => {
  let box: ReturnType<typeof openBox> | null = null
  const { come, gateway, portal_url } = await siteOf(
    { gateway_type_id: 3, dns_name: 'status.client', settings: { level: '4' } },
    (its, mac) => (box ??= openBox(its, 4, fetch)).query(mac),
  )
  await come()
  if (!box) throw new Error('nobody came')
  const opennds: ReturnType<typeof openBox> = box
  const is_elsewhere = 'update gateway_controllers set polled_from = $2, polled_at = now() where gateway_id = $1'
  await foyer.query(is_elsewhere, [gateway.id, '198.51.100.9'])
  await expect(opennds.send(portal_url, 'view', 'none')).rejects.toThrow('404')
  await expect(opennds.send(portal_url, 'clear', 'none')).rejects.toThrow('404')
  const states = async () =>
    (
      await foyer.query<{ state: string }>('select state from controller_grants where gateway_id = $1 order by id', [
        gateway.id,
      ])
    ).map(({ state }) => state)
  expect(await states()).toEqual(['waiting'])
  // An unknown name, or a portal of another customer.
  const other = await foyer.customer()
  const { url: foreign } = await foyer.portal(other, { auth_method_ids: [authMethods.free] })
  await expect(opennds.send(foreign, 'view', 'none')).rejects.toThrow('404')
  // A box that has moved is heard once the former address has been quiet.
  await foyer.query("update gateway_controllers set polled_at = now() - interval '3 minutes' where gateway_id = $1", [
    gateway.id,
  ])
  await opennds.poll(portal_url)
  expect(await states()).toEqual(['granted'])
})
