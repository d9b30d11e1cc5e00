// Gateways called: guests whom a controller lets in at our call, from the redirect to the end of the session, with a simulated controller
// over TLS; and controllers that are down, foreign, slow or hostile.
import { generate } from 'selfsigned'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import * as gatewayKinds from '#contract/gateway-kinds.ts'
import type { Input } from '#contract/endpoint.ts'
import * as guestHelp from '#contract/guest-help.ts'
import * as gateways from '#contract/gateways.ts'
import { authMethods } from '#contract/portals.ts'
import * as sessions from '#contract/sessions.ts'
import { openPage, signIn, type Page } from '#scripts/simulation/browser.ts'
import { keepLookup } from '#server/db/keep-lookup.ts'
import { openExtremeController } from '#server/gateways/extreme/simulation.ts'
import { gatewayTypes } from '#server/gateways/find-kind.ts'
import { laneOf } from '#server/gateways/controller-state.ts'
import { calledQuery, openController as openOmada } from '#server/gateways/omada/simulation.ts'
import { openBox } from '#server/gateways/open-nds/simulation.ts'
import { openFirewall } from '#server/gateways/opnsense/simulation.ts'
import { calledQuery as smartZoneQuery, openSmartZone } from '#server/gateways/ruckus/simulation.ts'
import { openSonicWallBox } from '#server/gateways/sonicwall/simulation.ts'
import type { SentGuest, SimulatedBox } from '#server/gateways/simulated.ts'
import { openController, simulation, type SimulatedController } from '#server/gateways/unifi/simulation.ts'
import type { RadiusPorts } from '#server/apps/radius.ts'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import { freePort } from '#server/start/free-port.ts'
import { aMacAddress, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { openGateway, packetOf, textIn, type Answered, type RadiusRequest } from '#test/radius-client.ts'

let foyer: TestFoyer
let editor: Person
let ports: RadiusPorts
let tls: { key: string; cert: string }
const opened: { close(): Promise<void> }[] = []
const patiently = { timeout: 20_000, interval: 100 }

beforeAll(async () => {
  const port = await freePort(1)
  const env = {
    ROLES: 'api,guest,radius,jobs',
    PORTAL_URL: `http://127.0.0.1:${port}`,
    ALLOWED_HOSTS: '127.0.0.1',
  }
  foyer = await openFoyer({ env })
  await keepLookup(foyer.database.ownerUrl, 'gateway_types', gatewayTypes())
  await foyer.guest?.listen({ host: '127.0.0.1', port })
  if (!foyer.radius) throw new Error('no role')
  ports = await foyer.radius.listen('127.0.0.1', { access: 0, accounting: 0 })
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

/** A property whose guests come to the portal with what its box says. */
async function siteOf(
  registered: Partial<Input<typeof gateways.create>> & { gateway_type_id: number },
  queryOf: (gateway: SimulatedBox, mac_address: string, portal_url: string) => string,
) {
  const { id: portal_id, url } = await foyer.portal(editor, { auth_method_ids: [authMethods.free] })
  const { id: package_id } = await foyer.package(editor, { speed_mbps: 20, volume_gb: 5, session_time_hrs: 1 })
  const { id: property_id } = await foyer.property(editor, { portal_id, package_id })
  const mac_address = aMacAddress()
  const made = await foyer.gateway(editor, { property_id, mac_address, ...registered })
  const gateway = { ...made, mac_address }
  const come = async (mac = aMacAddress()) => {
    const page = await openPage(url + queryOf(gateway, mac, url))
    const answer = await signIn(page, { method: authMethods.free, typed: {} }, true)
    if ('page' in answer) throw new Error(answer.page.html.text)
    return { mac, page: () => openPage(answer.to.href) }
  }
  const online = async () => (await foyer.get(sessions.list, { params: { property_id } }, editor)).data
  return { gateway, property_id, portal_url: url, come, online }
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
/** Has what waits for its time at a gateway tried now. */
const hurry = async (gateway_id: number) => {
  await foyer.query("update due_work set next_at = now() where state = 'waiting' and lane = $1", [laneOf(gateway_id)])
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
      await hurry(gateway.id)
      expect(said(await open())).toBe('You are online')
    }, patiently)
    expect(controller.granted.get(mac)).toBe(1)
  },
)

test('Omada: let in for an hour in its own unit, also once its log-in has ended, and ended', async () => {
  const controller = await openOmada()
  opened.push(controller)
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

/** A firewall, and guests of it by their addresses. */
async function firewall(settings: Record<string, string> = {}, login = { username: 'k3y', password: 's3cret' }) {
  const box = await openFirewall()
  opened.push(box)
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
/** As if they had been let in earlier. */
async function age(gateway_id: number, minutes: number) {
  const by = `${minutes} minutes`
  await foyer.query(
    `update controller_grants set granted_at = granted_at - $2::interval, ends_at = ends_at - $2::interval where gateway_id = $1`,
    [gateway_id, by],
  )
  await foyer.query(`update radius_authorisations set created_at = created_at - $2::interval where gateway_id = $1`, [
    gateway_id,
    by,
  ])
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
  await vi.waitFor(async () => expect((await problems())[3]).toMatch(/did not say its address/), patiently)
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

test('SmartZone: it is told the pass, asks RADIUS about it, and reports; the session is ended by a Disconnect', async () => {
  let box: { nas_identifier: string; radius_secret: string } | null = null
  let radius: Awaited<ReturnType<typeof openGateway>> | null = null
  const names = (mac: string) => ({ nas_identifier: box?.nas_identifier ?? '', calling_station_id: mac.toUpperCase() })
  const asked: RadiusRequest[] = []
  const accepts: Answered[] = []
  const controller = await openSmartZone(async (mac, user_name, password) => {
    // As a controller that is slower than a gateway may be.
    await foyer.query("update access_passes set used_at = used_at - interval '30 seconds' where username = $1", [
      user_name,
    ])
    const request = { ...names(mac), user_name, password }
    asked.push(request)
    const made = { secret: box?.radius_secret ?? '', kind: code.access_request, signed: true }
    const answered = await radius?.send(packetOf(request, made), ports.access)
    if (answered) accepts.push(answered)
    return answered?.code === code.access_accept
  })
  opened.push(controller)
  const settings = { controller_url: controller.url }
  const { come, online, gateway } = await siteOf(
    { gateway_type_id: 6, password: 'northbound password', settings },
    ({ mac_address }, mac) => smartZoneQuery(mac_address, mac),
  )
  box = gateway
  radius = await openGateway(ports, gateway, undefined, 300)
  await foyer.query('update gateways set disconnect_port = $2 where id = $1', [gateway.id, radius.port])
  controller.loses = 1
  const { mac, page } = await come()
  await vi.waitFor(async () => {
    await hurry(gateway.id)
    expect(said(await page())).toBe('You are online')
  }, patiently)
  // Its first answer was lost: it is asked whether the guest is in, and not told again.
  expect(asked).toHaveLength(1)
  expect(controller.asked.filter((one) => one === `Login ${mac}`)).toHaveLength(1)
  // What was granted is in the Accept; the session is the one that it reports.
  expect(await online()).toEqual([])
  const report = async (type: number, more: RadiusRequest = {}) => {
    const sent = {
      ...names(mac),
      user_name: asked[0]?.['user_name'],
      acct_session_id: 'a1',
      acct_status_type: type,
      ...more,
    }
    const marked = { class: (accepts[0] && textIn(accepts[0], attribute.class)) ?? '', ...sent }
    const packet = packetOf(marked, { secret: gateway.radius_secret, kind: code.accounting_request })
    expect(await radius?.send(packet, ports.accounting)).not.toBeNull()
  }
  await age(gateway.id, 1)
  await report(status_type.start)
  await report(status_type.interim, { acct_session_time: 30, acct_input_octets: 1000, acct_output_octets: 9000 })
  await hurry(gateway.id)
  expect(await online()).toMatchObject([{ online: true, mac_address: mac, bytes_up: 1000, bytes_down: 9000 }])
  const request = radius.nextRequest()
  const [session] = await online()
  await foyer.get(sessions.disconnect, { ids: [session?.id ?? 0], reason: 'A test' }, editor)
  expect((await request).code).toBe(code.disconnect_request)
  await report(status_type.stop, { acct_session_time: 40, acct_terminate_cause: 6 })
  expect(await online()).toMatchObject([{ online: false, seconds: 40 }])
  await radius.close()
  const { asked: asked_lamp, let_in, usage } = await lampsOf(gateway.id)
  expect([asked_lamp, let_in, usage]).toEqual(['green', 'green', 'green'])
})

test('SmartZone: a wrong password of its interface is said, and a guest whom RADIUS refuses is not let in', async () => {
  const controller = await openSmartZone(() => Promise.resolve(false))
  opened.push(controller)
  const settings = { controller_url: controller.url }
  const query = ({ mac_address }: SimulatedBox, mac: string) => smartZoneQuery(mac_address, mac)
  const wrong = await siteOf({ gateway_type_id: 6, password: 'another', settings }, query)
  await vi.waitFor(
    async () => expect((await problemOf(wrong.gateway.id))?.problem).toContain('northbound portal interface'),
    patiently,
  )
  const { come, gateway } = await siteOf({ gateway_type_id: 6, password: 'northbound password', settings }, query)
  const { page } = await come()
  await reads(page, 'You are offline')
  const [grant] = await foyer.query<{ problem: string }>(
    'select problem from controller_grants where gateway_id = $1',
    [gateway.id],
  )
  expect(grant?.problem).toContain('told by RADIUS')
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

const extreme = { gateway_type_id: 15, dns_name: 'controller.hotel.example', settings: { identity: 'foyer' } }

test('ExtremeCloud IQ Controller: what it has signed is taken, and what we sign lets in; the right is judged at once', async () => {
  let controller: ReturnType<typeof openExtremeController> | null = null
  const host = extreme.dns_name
  const { gateway, portal_url } = await siteOf(extreme, () => '')
  const arrive = async (sent: Partial<SentGuest> = {}, now = new Date()) => {
    controller = openExtremeController({ gateway, mac_address: aMacAddress(), portal_url, host, ...sent }, 'foyer', now)
    return signIn(await openPage(portal_url + controller.query), { method: authMethods.free, typed: {} }, true)
  }
  const answer = await arrive()
  if ('page' in answer || !controller) throw new Error('not let in')
  const { username, dest } = (controller as ReturnType<typeof openExtremeController>).takes(answer.to)
  expect(username).toMatch(/^pass-/)
  expect(said(await openPage(dest ?? ''))).toBe('You are online')
  // Nothing is signed for a redirect that is altered, of another secret, or a replay.
  const isLetIn = async (query: string) => {
    const page = await signIn(await openPage(portal_url + query), { method: authMethods.free, typed: {} }, true)
    return 'to' in page
  }
  const { query } = openExtremeController({ gateway, mac_address: aMacAddress(), portal_url, host }, 'foyer')
  expect(await isLetIn(query)).toBe(true)
  expect(await isLetIn(query.replace('token=', 'token=x'))).toBe(false)
  expect(await isLetIn(query.replace('192.0.2.66', '198.51.100.1'))).toBe(false)
  expect(await isLetIn(query.replace(/&X-Amz-Signature=\w+/, '&X-Amz-Signature=%C3%A9'))).toBe(false)
  const others = { ...gateway, radius_secret: 'another' }
  for (const forged of [
    openExtremeController({ gateway: others, mac_address: aMacAddress(), portal_url, host }, 'foyer'),
    openExtremeController({ gateway, mac_address: aMacAddress(), portal_url, host }, 'somebody'),
    openExtremeController({ gateway, mac_address: aMacAddress(), portal_url: `${portal_url}x`, host }, 'foyer'),
    openExtremeController(
      { gateway, mac_address: aMacAddress(), portal_url, host },
      'foyer',
      new Date(Date.now() - 7_200_000),
    ),
  ])
    expect(await isLetIn(forged.query)).toBe(false)
})

test('SonicWall: let in by its own session for the granted time, and open until that is over', async () => {
  const box = await openSonicWallBox()
  opened.push(box)
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
