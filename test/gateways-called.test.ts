// Gateways called: guests whom a controller lets in at our call, from the redirect to the end of the session, with a simulated controller
// over TLS; and controllers that are down, foreign, slow or hostile.
import { generate } from 'selfsigned'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import * as gatewayKinds from '#contract/gateway-kinds.ts'
import * as gateways from '#contract/gateways.ts'
import { authMethods } from '#contract/portals.ts'
import * as sessions from '#contract/sessions.ts'
import { openPage, signIn, type Page } from '#scripts/simulation/browser.ts'
import { calledQuery, openController as openOmada } from '#server/gateways/omada/simulation.ts'
import { openController, simulation, type SimulatedController } from '#server/gateways/unifi/simulation.ts'
import { freePort } from '#server/start/free-port.ts'
import { aMacAddress, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
let editor: Person
let tls: { key: string; cert: string }
const opened: SimulatedController[] = []
const patiently = { timeout: 12_000, interval: 100 }

beforeAll(async () => {
  const port = await freePort(1)
  const env = {
    ROLES: 'api,guest,jobs',
    PORTAL_URL: `http://127.0.0.1:${port}`,
    ALLOWED_HOSTS: '127.0.0.1',
  }
  foyer = await openFoyer({ env })
  await foyer.guest?.listen({ host: '127.0.0.1', port })
  editor = await foyer.customer()
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'unifi.local' }])
  tls = { key, cert }
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((controller) => controller.close()))
})
afterAll(() => foyer.close())

async function aController(options: Parameters<typeof openController>[0] = {}) {
  const controller = await openController(options)
  opened.push(controller)
  return controller
}

async function site(controller: Pick<SimulatedController, 'url'>, settings: Record<string, string> = {}) {
  const { id: portal_id, url } = await foyer.portal(editor, { auth_method_ids: [authMethods.free] })
  const { id: package_id } = await foyer.package(editor, { speed_mbps: 20, volume_gb: 5, session_time_hrs: 1 })
  const { id: property_id } = await foyer.property(editor, { portal_id, package_id })
  const mac_address = aMacAddress()
  const made = await foyer.gateway(editor, {
    property_id,
    gateway_type_id: 4,
    mac_address,
    username: 'foyer',
    password: 'controller password',
    settings: { controller_url: controller.url, ...settings },
  })
  const gateway = { ...made, mac_address }
  const come = async () => {
    const mac = aMacAddress()
    const { query } = simulation.redirect({ gateway, mac_address: mac, portal_url: url })
    const answer = await signIn(await openPage(url + query), { method: authMethods.free, typed: {} }, true)
    if ('page' in answer) throw new Error(answer.page.html.text)
    return { mac, page: () => openPage(answer.to.href) }
  }
  const online = async () => (await foyer.get(sessions.list, { params: { property_id } }, editor)).data
  return { gateway, property_id, come, online }
}

const said = ({ html }: Page) => html.querySelector('h2')?.text
const refresh = ({ html }: Page) => html.querySelector('meta[http-equiv=refresh]')?.getAttribute('content')
const reads = (page: () => Promise<Page>, title: string) =>
  vi.waitFor(async () => expect(said(await page())).toBe(title), patiently)
const problemOf = async (id: number) => {
  const [row] = await foyer.query<{ problem: string | null; shown_fingerprint: string | null }>(
    'select problem, shown_fingerprint from gateway_controllers where gateway_id = $1',
    [id],
  )
  return row
}
async function lampsOf(id: number) {
  const { data } = await foyer.get(gatewayKinds.check, { id }, editor)
  const { lamps } = data
  return Object.fromEntries(lamps.map(({ key, state }) => [key, state]))
}
/** Has what waits for its time tried now. */
const hurry = async () => {
  await foyer.query("update due_work set next_at = now() where state = 'waiting'", [])
}

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
  await hurry()
  await vi.waitFor(async () => {
    await hurry()
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
  await hurry()
  await reads(page, 'You are online')
  expect(controller.granted.get(mac)).toBe(1)
  await vi.waitFor(async () => expect((await problemOf(gateway.id))?.problem).toBeNull(), patiently)
  await foyer.get(gateways.update, { id: gateway.id, settings: { tls_fingerprint: 'AA:BB' } }, editor)
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
  const { come } = await site(controller)
  controller.loses = 1
  const { mac, page } = await come()
  await vi.waitFor(() => expect(controller.granted.get(mac)).toBe(1), patiently)
  await vi.waitFor(async () => {
    await hurry()
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
  await hurry()
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
})

const page = '<html><title>Secret intranet</title></html>'
test.each<[string, NonNullable<SimulatedController['instead']>, RegExp]>([
  [
    'a page',
    (_, to) => (to.writeHead(200, { 'content-type': 'text/html' }).end(page), true),
    /answered 200 with text\/html, 43 bytes/,
  ],
  [
    '10 MB',
    (_, to) => (to.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(10_000_000)), true),
    /too large/,
  ],
  [
    'a redirect to another port',
    (_, to) => (to.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), true),
    /answered 302 with no kind, 0 bytes/,
  ],
  [
    'an error with 200',
    ({ url }, to) =>
      url?.includes('stamgr') === true && (to.end('{"meta":{"rc":"error","msg":"api.err.Invalid"},"data":[]}'), true),
    /api\.err\.Invalid/,
  ],
  ['never', () => true, /took too long/],
])(
  '%s in place of an answer: the guest waits, and the desk reads no more than what kind it is',
  async (_, instead, says) => {
    const controller = await aController()
    const { come, gateway } = await site(controller)
    controller.instead = instead
    const { mac, page: open } = await come()
    await vi.waitFor(async () => {
      const [row] = await foyer.query<{ problem: string }>(
        'select problem from controller_grants where gateway_id = $1',
        [gateway.id],
      )
      expect(row?.problem).toMatch(says)
      expect(row?.problem).not.toContain('Secret')
    }, patiently)
    expect(said(await open())).toBe('The network does not answer')
    controller.instead = null
    await vi.waitFor(async () => {
      await hurry()
      expect(said(await open())).toBe('You are online')
    }, patiently)
    expect(controller.granted.get(mac)).toBe(1)
  },
)

test('Omada: let in for an hour in its own unit, also once its log-in has ended, and ended', async () => {
  const controller = await openOmada()
  try {
    const { id: portal_id, url } = await foyer.portal(editor, { auth_method_ids: [authMethods.free] })
    const { id: package_id } = await foyer.package(editor, { speed_mbps: 20, volume_gb: 5, session_time_hrs: 1 })
    const { id: property_id } = await foyer.property(editor, { portal_id, package_id })
    const mac_address = aMacAddress()
    const settings = { controller_url: controller.url }
    const registered = {
      property_id,
      gateway_type_id: 5,
      mac_address,
      username: 'foyer',
      password: 'operator password',
    }
    await foyer.gateway(editor, { ...registered, settings })
    const come = async () => {
      const mac = aMacAddress()
      const answer = await signIn(
        await openPage(url + calledQuery(mac_address, mac)),
        { method: authMethods.free, typed: {} },
        true,
      )
      if ('page' in answer) throw new Error(answer.page.html.text)
      await reads(() => openPage(answer.to.href), 'You are online')
      return mac.toUpperCase().replaceAll(':', '-')
    }
    const mac = await come()
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
    const second = await come()
    expect([...controller.granted.values()]).toEqual([1, 1])
    expect(controller.log_ins).toBe(2)
    const { data } = await foyer.get(sessions.list, { params: { property_id } }, editor)
    const session = data.find((one) => one.mac_address === second.toLowerCase().replaceAll('-', ':'))
    await foyer.get(sessions.disconnect, { ids: [session?.id ?? 0], reason: 'A test' }, editor)
    await vi.waitFor(() => expect(controller.clients.get(second)?.valid).toBe(false), patiently)
    expect(controller.clients.get(mac)?.valid).toBe(true)
  } finally {
    await controller.close()
  }
})

test('who registers an address inside learns nothing of it, and nothing is sent there', async () => {
  const stranger = await foyer.customer()
  const { id: property_id } = await foyer.property(stranger)
  const problems = await Promise.all(
    ['https://10.0.0.1', 'https://169.254.169.254', 'https://[::1]:8443', 'http://192.168.1.1:8080'].map(
      async (controller_url) => {
        const its = { property_id, gateway_type_id: 4, username: 'a', password: 'b', settings: { controller_url } }
        const { id } = await foyer.gateway(stranger, its)
        return vi.waitFor(async () => {
          const known = await problemOf(id)
          expect(known?.problem).toBeTruthy()
          return known?.problem
        }, patiently)
      },
    ),
  )
  for (const problem of problems) expect(problem).toMatch(/ALLOWED_HOSTS/)
})
