// UniFi called: guests whom its controller lets in at our call, from the redirect to the end of the session, over TLS too.
import { generate } from 'selfsigned'
import { beforeAll, expect, test, vi } from 'vitest'
import * as gatewayKinds from '#contract/gateway-kinds.ts'
import * as guestHelp from '#contract/guest-help.ts'
import * as gateways from '#contract/gateways.ts'
import { authMethods } from '#contract/portals.ts'
import * as packages from '#contract/packages.ts'
import * as sessions from '#contract/sessions.ts'
import { patiently, reads, refresh, said, withCalled } from '#test/called.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { openController, simulation, type SimulatedController } from './simulation.ts'

let foyer: TestFoyer
let editor: Person
const { age, keep, siteOf, problemOf, lampsOf, hurry } = withCalled((opened) => {
  ;({ foyer, editor } = opened)
})

let tls: { key: string; cert: string }
beforeAll(async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'unifi.local' }])
  tls = { key, cert }
})

async function aController(options: Parameters<typeof openController>[0] = {}) {
  const controller = await openController(options)
  keep(controller)
  return controller
}

const site = (controller: Pick<SimulatedController, 'url'>, settings: Record<string, string> = {}) =>
  siteOf(
    {
      gateway_type_id: 4,
      username: 'foyer',
      password: 'controller password',
      settings: { controller_url: controller.url, ...settings },
    },
    (gateway, mac_address, portal_url) => simulation.redirect({ gateway, mac_address, portal_url }).query,
  )

test('from the redirect to the end: let in with the limits of the package, counted, and ended at the desk', async () => {
  const controller = await aController({ access_points: [{ mac: '02:00:00:00:aa:01', name: 'Lobby' }] })
  const { come, online, gateway } = await site(controller)
  const { mac, page } = await come()
  const first = await page()
  if (said(first) !== 'You are online') expect([said(first), refresh(first)]).toEqual(['Connecting…', '3'])
  await reads(page, 'You are online')
  expect(refresh(await page())).toBeUndefined()
  expect(controller.guests.get(mac)).toMatchObject({
    minutes: 60,
    up: 20_000,
    down: 20_000,
    bytes_max: 5000,
    ap_mac: gateway.mac_address,
  })
  const guest = controller.guests.get(mac)
  if (guest) Object.assign(guest, { rx_bytes: 1000, tx_bytes: 9000 })
  await foyer.query(
    "update controller_grants set granted_at = granted_at - interval '1 minute' where gateway_id = $1",
    [gateway.id],
  )
  await foyer.query(
    "update radius_authorisations set created_at = created_at - interval '2 minutes' where gateway_id = $1",
    [gateway.id],
  )
  await hurry(gateway.id)
  await vi.waitFor(async () => {
    await hurry(gateway.id)
    expect(await online()).toMatchObject([{ online: true, mac_address: mac, bytes_up: 1000, bytes_down: 9000 }])
  }, patiently)
  const { data: known } = await foyer.get(gateways.get, { id: gateway.id }, editor)
  expect(known.access_points).toMatchObject([{ mac_address: '02:00:00:00:aa:01', name: 'Lobby', state: 'claimed' }])
  const [session] = await online()
  await foyer.get(sessions.disconnect, { ids: [session?.id ?? 0], reason: 'A test' }, editor)
  await vi.waitFor(() => expect(controller.guests.get(mac)?.expired).toBe(true), patiently)
  await vi.waitFor(async () => {
    await foyer.query(
      "update radius_sessions set disconnect_agreed_at = now() - interval '2 minutes' where disconnect_agreed_at is not null",
      [],
    )
    expect(said(await page())).toBe('You are signed out')
  }, patiently)
  expect(await lampsOf(gateway.id)).toEqual({
    redirect: 'green',
    asked: 'green',
    let_in: 'green',
    usage: 'green',
    end: 'green',
  })
  expect(controller.log_ins).toBe(1)
})

test('a guest stays online at a controller whose clock is behind by more than they may stay', async () => {
  const controller = await aController()
  controller.behind_s = 2 * 3600
  const { come, online, gateway } = await site(controller)
  const { mac, page } = await come()
  await reads(page, 'You are online')
  await age(gateway.id, 1)
  const guest = controller.guests.get(mac)
  if (guest) Object.assign(guest, { rx_bytes: 1000, tx_bytes: 9000 })
  await vi.waitFor(async () => {
    await hurry(gateway.id)
    expect(await online()).toMatchObject([{ online: true, bytes_up: 1000, bytes_down: 9000 }])
  }, patiently)
})

test('a certificate that no authority stands for is shown first, and used once it is accepted', async () => {
  const controller = await aController({ tls })
  const { come, gateway } = await site(controller)
  await vi.waitFor(
    async () => expect((await problemOf(gateway.id))?.shown_fingerprint).toMatch(/^([0-9A-F]{2}:){31}/),
    patiently,
  )
  const { mac, page } = await come()
  await reads(page, 'The network does not answer')
  expect(refresh(await page())).toBe('10')
  expect(await lampsOf(gateway.id)).toEqual({
    redirect: 'green',
    asked: 'red',
    let_in: 'red',
    usage: 'waiting',
    end: 'waiting',
  })
  expect(controller.asked).toEqual([])
  const { certificate, lamps } = (await foyer.get(gatewayKinds.check, { id: gateway.id }, editor)).data
  expect(lamps[1]?.sentence).toContain(certificate)
  const tls_fingerprint = certificate ?? ''
  await foyer.get(gateways.update, { id: gateway.id, settings: { tls_fingerprint } }, editor)
  await hurry(gateway.id)
  await reads(page, 'You are online')
  expect(controller.granted.get(mac)).toBe(1)
  await vi.waitFor(async () => expect((await problemOf(gateway.id))?.problem).toBeNull(), patiently)
  const another = { password: 'controller password', settings: { tls_fingerprint: 'AA:BB' } }
  await foyer.get(gateways.update, { id: gateway.id, ...another }, editor)
  await vi.waitFor(async () => expect((await problemOf(gateway.id))?.problem).toContain('certificate'), patiently)
})

test('the fixed path of the make leads to the portal of the access point that was accepted, and to no other', async () => {
  const controller = await aController()
  const { gateway, come } = await site(controller, { site: 'h2' })
  const portal = new URL((await foyer.get(gateways.get, { id: gateway.id }, editor)).data.portal_url ?? '')
  const open = async (where: string, ap: string) => {
    const query = `ap=${ap}&id=${aMacAddress()}&t=1&url=http://x.example/&ssid=g`
    const answer = await fetch(`${portal.origin}/guest/s/${where}/?${query}`, { redirect: 'manual' })
    return [answer.status, answer.headers.get('location') === `${portal.href}?${query}`]
  }
  const ap = aMacAddress()
  expect(await open('h2', ap)).toEqual([200, false])
  await foyer.get(gateways.accessPoints, { id: gateway.id, accept: [ap] }, editor)
  expect(await open('h2', ap)).toEqual([303, true])
  expect(await open('h2', gateway.mac_address)).toEqual([303, true])
  expect(await open('default', ap)).toEqual([200, false])
  // The same access point at another's is not theirs, however late they come.
  const other = await foyer.customer()
  const { id: portal_id } = await foyer.portal(other, { auth_method_ids: [authMethods.free] })
  const { id: property_id } = await foyer.property(other, { portal_id })
  const later = await foyer.gateway(other, {
    property_id,
    gateway_type_id: 4,
    settings: { controller_url: controller.url, site: 'h2' },
  })
  await foyer.get(gateways.accessPoints, { id: later.id, accept: [ap] }, other)
  expect(await open('h2', ap)).toEqual([303, true])
  await come()
})

test.each([
  ['the software on a server', { is_console: false }, {}],
  ['an API key', { api_key: 'k3y' }, { api_key: 'k3y' }],
])('%s lets guests in', async (_, options, settings) => {
  const controller = await aController(options)
  const { come } = await site(controller, settings)
  const { mac, page } = await come()
  await reads(page, 'You are online')
  expect(controller.granted.get(mac)).toBe(1)
  expect(controller.log_ins).toBe('api_key' in options ? 0 : 1)
})

test('a log-in that has ended is renewed, and nobody is let in twice', async () => {
  const controller = await aController()
  const { come } = await site(controller)
  await reads((await come()).page, 'You are online')
  controller.forget()
  const { mac, page } = await come()
  await reads(page, 'You are online')
  expect([controller.granted.get(mac), controller.log_ins]).toEqual([1, 2])
})

test('where the answer is lost, the controller is asked whether it has let the guest in, and not told again', async () => {
  const controller = await aController()
  const { come, gateway } = await site(controller)
  controller.loses = 1
  const { mac, page } = await come()
  await vi.waitFor(() => expect(controller.granted.get(mac)).toBe(1), patiently)
  await vi.waitFor(async () => {
    await hurry(gateway.id)
    expect(said(await page())).toBe('You are online')
  }, patiently)
  expect(controller.granted.get(mac)).toBe(1)
})

test('a site that the controller does not have is named with those that it has; a wrong password is said', async () => {
  const controller = await aController({ sites: ['default', 'h2'] })
  const lost = await site(controller, { site: 'lobby' })
  await vi.waitFor(
    async () => expect((await problemOf(lost.gateway.id))?.problem).toContain('no site “lobby”'),
    patiently,
  )
  expect((await problemOf(lost.gateway.id))?.problem).toContain('default, h2')
  const wrong = await aController({ password: 'another' })
  const refused = await site(wrong)
  const said_of = () => problemOf(refused.gateway.id)
  await vi.waitFor(
    async () => expect((await said_of())?.problem).toContain('refuses the username or the password'),
    patiently,
  )
  await refused.come()
  await hurry(refused.gateway.id)
  await vi.waitFor(
    async () =>
      expect(
        await foyer.query('select from controller_grants where problem is not null and gateway_id = $1', [
          refused.gateway.id,
        ]),
      ).toHaveLength(1),
    patiently,
  )
  // Controllers lock out who tries too often.
  expect(wrong.log_ins).toBe(1)
  // The desk reads the same of the guest.
  const [guest] = await foyer.query<{ guest_id: number }>('select guest_id from access_passes where gateway_id = $1', [
    refused.gateway.id,
  ])
  const help = await foyer.get(guestHelp.get, { kind: 'guest', id: Number(guest?.guest_id) }, editor)
  expect(help.data.sentence).toMatch(/has not let them in: The controller refuses the username or the password/)
  expect(help.data.against.map(({ reason }) => reason)).toEqual(['controller_refused', 'controller_down'])
})

test('a changed limit reaches a guest who is in: let in anew with what is left, and counted on', async () => {
  const controller = await aController()
  const { come, online, gateway, package_id } = await site(controller)
  const { mac, page } = await come()
  await reads(page, 'You are online')
  const first = controller.guests.get(mac)
  if (first) Object.assign(first, { start: first.start - 300, rx_bytes: 1000, tx_bytes: 1_000_000_000 })
  await age(gateway.id, 5)
  const counts = (bytes_up: number, bytes_down: number) =>
    vi.waitFor(async () => {
      await hurry(gateway.id)
      expect(await online()).toMatchObject([{ online: true, bytes_up, bytes_down }])
    }, patiently)
  await counts(1000, 1_000_000_000)
  await foyer.get(packages.update, { id: package_id, speed_mbps: 5, session_time_hrs: 2, apply: 'now' }, editor)
  await vi.waitFor(() => expect(controller.granted.get(mac)).toBe(2), patiently)
  const guest = controller.guests.get(mac)
  expect(guest).toMatchObject({ up: 5000, down: 5000, bytes_max: 3999 })
  expect((guest?.minutes ?? 0) > 110 && (guest?.minutes ?? 0) <= 120).toBe(true)
  if (guest) Object.assign(guest, { rx_bytes: 10, tx_bytes: 20 })
  await counts(1010, 1_000_000_020)
  if (guest) Object.assign(guest, { rx_bytes: 30, tx_bytes: 40 })
  await counts(1030, 1_000_000_040)
  // A limit is lifted in the same way, and nobody has had to sign in again.
  await foyer.get(packages.update, { id: package_id, speed_mbps: 0, apply: 'now' }, editor)
  await vi.waitFor(() => expect(controller.guests.get(mac)?.up).toBeUndefined(), patiently)
  expect(await online()).toMatchObject([{ online: true, disconnect_asked_at: null }])
  // Where it does not agree, the session is ended: no guest keeps limits that are no longer theirs.
  controller.instead = ({ url }, to) => url?.includes('stamgr') === true && (to.writeHead(400).end('{"meta":{}}'), true)
  await foyer.get(packages.update, { id: package_id, speed_mbps: 3, apply: 'now' }, editor)
  await vi.waitFor(async () => expect((await online())[0]?.disconnect_asked_at).not.toBeNull(), patiently)
  controller.instead = null
})
