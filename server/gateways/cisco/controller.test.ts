// Cisco called: central web authentication, from the device that joins to the end of its session, with a controller that honours only what
// such a controller does; and what strangers, other customers and altered addresses get.
import { expect, test, vi } from 'vitest'
import { authMethods } from '#contract/portals.ts'
import * as packages from '#contract/packages.ts'
import * as sessions from '#contract/sessions.ts'
import * as attempts from '#contract/sign-in-attempts.ts'
import { openPage, signIn } from '#scripts/simulation/browser.ts'
import type { RadiusPorts } from '#server/apps/radius.ts'
import { limited_class } from '#server/radius/access.ts'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import { requestOf, textAttribute } from '#server/radius-codec/packet.ts'
import { patiently, reads, said, withCalled } from '#test/called.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { numberIn, openGateway, packetOf, textIn, type Answered, type RadiusRequest } from '#test/radius-client.ts'
import { centralBox } from './simulation.ts'

let foyer: TestFoyer
let editor: Person
let ports: RadiusPorts
const { keep, siteOf, lampsOf, problemOf, hurry, age } = withCalled((opened) => {
  ;({ foyer, editor, ports } = opened)
})

const list = 'FOYER-REDIRECT'
const free = { method: authMethods.free, typed: {} }

interface Told {
  lists?: string[]
  settings?: Record<string, string>
}
/** A controller on a network, and the property that it is registered at. */
async function central({ lists = [list], settings = { redirect_acl: list } }: Told = {}) {
  const site = await siteOf({ gateway_type_id: 14, settings }, () => '')
  const { gateway } = site
  const box = centralBox({ lists })
  const radius = await openGateway(ports, gateway, undefined, 300)
  keep(radius)
  await foyer.query('update gateways set disconnect_port = $2 where id = $1', [gateway.id, radius.port])
  const named = { nas_identifier: gateway.nas_identifier }
  const answers = new Map<string, Answered>()
  async function ask(mac: string, request: RadiusRequest) {
    const made = { secret: gateway.radius_secret, kind: code.access_request }
    const answered = await radius.send(packetOf({ ...named, ...request }, made), ports.access)
    if (!answered) throw new Error('no answer')
    answers.set(mac, answered)
    box.takes(mac, answered.code === code.access_accept ? answered.attributes : null)
    return answered
  }
  radius.refuses = (request) => {
    if (request.code === code.disconnect_request) return box.ends(request.attributes)
    const does = box.told(request.attributes)
    if (typeof does === 'number') return does
    void ask(does.asksAgain, box.asksAgain(does.asksAgain))
    return null
  }
  const join = (mac: string) => ask(mac, box.joins(mac))
  const report = async (mac: string, type: number, more: RadiusRequest = {}) => {
    const { calling_station_id, user_name, vendor_specific } = box.asksAgain(mac)
    const its = {
      calling_station_id,
      user_name,
      vendor_specific,
      acct_session_id: `acct-${mac}`,
      acct_status_type: type,
    }
    const answered = answers.get(mac)
    const mark = { class: (answered && textIn(answered, attribute.class)) ?? '' }
    const packet = packetOf(
      { ...named, ...its, ...mark, ...more },
      { secret: gateway.radius_secret, kind: code.accounting_request },
    )
    expect(await radius.send(packet, ports.accounting)).not.toBeNull()
  }
  /** A guest with a phone of their own opens a page. */
  const open = (mac: string) => openPage(box.opens(mac, 'http://connectivity.example/') ?? '')
  const come = async (mac: string) => {
    const answer = await signIn(await open(mac), free, true)
    if ('page' in answer) throw new Error(answer.page.html.text)
    return () => openPage(answer.to.href)
  }
  const tried = async () =>
    (await foyer.get(attempts.list, { params: { property_id: site.property_id } }, editor)).data.map(
      ({ reason }) => reason,
    )
  return { ...site, box, radius, join, report, open, come, tried }
}

test('from the device that joins to the end of the session', async () => {
  const { gateway, package_id, box, radius, join, report, come, online, tried } = await central()
  const mac = aMacAddress()
  const limited = await join(mac)
  expect(limited.code).toBe(code.access_accept)
  expect(box.accessOf(mac)).toMatchObject({ is: 'limited' })
  expect(numberIn(limited, attribute.session_timeout)).toBe(3600)

  // Nobody is online by it, was refused, or has tried; whatever the controller reports of it.
  expect(textIn(limited, attribute.class)).toBe(limited_class)
  await report(mac, status_type.start)
  await report(mac, status_type.interim, { acct_session_time: 30, acct_input_octets: 1000, acct_output_octets: 9000 })
  expect([await online(), await tried()]).toEqual([[], []])

  // The guest signs in, and the controller asks again: now it is told the limits of the package.
  const page = await come(mac)
  await reads(page, 'You are online')
  await vi.waitFor(() => expect(box.accessOf(mac).is).toBe('online'), patiently)
  const { kept } = box.accessOf(mac) as { kept: { seconds: number } }
  expect(kept).toMatchObject({ up_kbits: 20_000, down_kbits: 20_000 })
  expect(kept.seconds > 3400 && kept.seconds <= 3600).toBe(true)
  expect(box.opens(mac, 'http://connectivity.example/')).toBeNull()
  expect(await tried()).toEqual(['accepted', 'accepted'])

  // The session goes on under the names that it had before.
  await age(gateway.id, 1)
  await report(mac, status_type.interim, { acct_session_time: 40, acct_input_octets: 2000, acct_output_octets: 19_000 })
  expect(await online()).toMatchObject([{ online: true, mac_address: mac, bytes_up: 2000, bytes_down: 19_000 }])

  // A changed package reaches them while they are online: it asks again.
  const { data: before } = await foyer.get(packages.get, { id: package_id }, editor)
  const { name, volume_gb, session_time_hrs } = before
  const changed = { id: package_id, name, volume_gb, session_time_hrs, speed_mbps: 5, apply: 'now' as const }
  await foyer.get(packages.update, changed, editor)
  await vi.waitFor(() => expect(box.accessOf(mac)).toMatchObject({ kept: { down_kbits: 5000 } }), patiently)
  expect(radius.requests.map((one) => one.code)).not.toContain(code.disconnect_request)
  expect(await online()).toHaveLength(1)

  // The end names the session as the controller does.
  const [session] = await online()
  await foyer.get(sessions.disconnect, { ids: [session?.id ?? 0], reason: 'A test' }, editor)
  await vi.waitFor(() => expect(box.accessOf(mac).is).toBe('out'), patiently)
  const audit = { vendor_specific: [] }
  await report(mac, status_type.stop, { ...audit, acct_session_time: 60, acct_terminate_cause: 6 })
  expect(await online()).toMatchObject([{ online: false, seconds: 60 }])
  const states = await lampsOf(gateway.id)
  expect(states).toEqual({ redirect: 'green', asked: 'green', let_in: 'green', usage: 'green', end: 'green' })
})

test('whoever is known is let in when they join, and is sent to the portal again once they have signed out', async () => {
  const { gateway, box, join, come, report, tried, online } = await central()
  const mac = aMacAddress()
  await join(mac)
  await come(mac)
  await vi.waitFor(() => expect(box.accessOf(mac).is).toBe('online'), patiently)
  await join(mac)
  expect(box.accessOf(mac).is).toBe('online')
  await age(gateway.id, 1)
  await report(mac, status_type.start)
  await report(mac, status_type.interim, { acct_session_time: 30, acct_output_octets: 9000 })
  expect(await online()).toMatchObject([{ online: true, bytes_down: 9000 }])
  const had = (await tried()).length
  await foyer.query('update guest_devices set signed_out_at = now() where mac_address = $1::macaddr', [mac])
  await join(mac)
  expect(box.accessOf(mac).is).toBe('limited')
  expect(await tried()).toHaveLength(had)
  // What it uses of the portal is not theirs; but the session that was theirs has ended when the controller says so.
  const limited = { acct_session_time: 45, acct_output_octets: 20_000 }
  await report(mac, status_type.interim, limited)
  expect(await online()).toMatchObject([{ online: true, bytes_down: 9000 }])
  await report(mac, status_type.stop, { ...limited, acct_terminate_cause: 1 })
  expect(await online()).toMatchObject([{ online: false }])
  // A device that the desk has blocked may not open the portal either, and that is a refusal.
  await foyer.query(
    `insert into devices (customer_id, property_id, name, mac_address, mac_category_id)
     select g.customer_id, g.property_id, 'A phone', $2::macaddr, k.id from gateways g
     join mac_categories k on k.customer_id = g.customer_id and k.blocks where g.id = $1 limit 1`,
    [gateway.id, mac],
  )
  expect((await join(mac)).code).toBe(code.access_reject)
  expect((await tried())[0]).toBe('device_blocked')
})

test('an address that was altered, is another device’s or another customer’s lets nobody in', async () => {
  const own = await central()
  const [mac, other] = [aMacAddress(), aMacAddress()]
  await own.join(mac)
  await own.join(other)
  const genuine = new URL(own.box.opens(mac, 'http://connectivity.example/') ?? '')
  const others = new URL(own.box.opens(other, 'http://connectivity.example/') ?? '')
  const title = async (url: URL) => said(await openPage(url.href))
  expect(await title(genuine)).not.toBe('This network is not set up yet')
  const altered = (key: string, value: string) => {
    const url = new URL(genuine)
    url.searchParams.set(key, value)
    return url
  }
  const token = genuine.searchParams.get('cwa') ?? ''
  for (const forged of [
    altered('mac', other.replaceAll(':', '-')),
    altered('sid', own.box.sessionOf(other)),
    altered('cwa', others.searchParams.get('cwa') ?? ''),
    altered('cwa', `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`),
    altered('cwa', token.slice(0, -1)),
    altered('cwa', ''),
    altered('nas', 'another'),
  ])
    expect([forged.href, await title(forged)]).toEqual([forged.href, 'This network is not set up yet'])
  // Of another customer's controller, here and there, also under the same name.
  const stranger = await foyer.customer()
  const { id: property_id } = await foyer.property(stranger)
  const { nas_identifier } = own.gateway
  await foyer.gateway(stranger, { property_id, gateway_type_id: 14, nas_identifier, settings: { redirect_acl: list } })
  const { url } = await foyer.portal(stranger, { auth_method_ids: [authMethods.free] })
  expect(await title(new URL(`${url}${genuine.search}`))).toBe('This network is not set up yet')

  // What a controller adds is a claim: no pass and no guest leaves for it.
  const target = new URL(genuine)
  for (const [key, value] of Object.entries({
    switch_url: 'https://evil.example/login.html',
    redirect: 'https://evil.example/',
  }))
    target.searchParams.append(key, value)
  const answer = await signIn(await openPage(target.href), free, true)
  expect('to' in answer && answer.to.origin).toBe(genuine.origin)
  await vi.waitFor(() => expect(own.box.accessOf(mac).is).toBe('online'), patiently)
  expect(own.box.accessOf(other).is).toBe('limited')
})

test('an address of a session that is gone lets nobody in, and one that is too old shows the way to a new one', async () => {
  const { gateway, box, join, open, radius } = await central()
  const mac = aMacAddress()
  await join(mac)
  const page = await open(mac)
  const replayed = box.opens(mac, 'http://connectivity.example/') ?? ''
  // It joins anew, under another name: the controller has no such session.
  await join(mac)
  const answer = await signIn(page, free, true)
  if (!('to' in answer)) throw new Error(answer.page.html.text)
  await reads(() => openPage(answer.to.href), 'You are offline')
  const [grant] = await foyer.query<{ problem: string }>(
    'select problem from controller_grants where gateway_id = $1',
    [gateway.id],
  )
  expect(grant?.problem).toContain('has left or rejoined')
  expect(radius.requests.at(-1)?.code).toBe(code.coa_request)
  expect(box.accessOf(mac).is).toBe('limited')
  // It is known by then, and let in when it joins.
  await join(mac)
  expect(box.accessOf(mac).is).toBe('online')

  vi.setSystemTime(Date.now() + 3_700_000)
  try {
    const late = await openPage(replayed)
    expect(said(late)).toBe('You are signed out')
    const pressed = await fetch(replayed, {
      method: 'POST',
      body: new URLSearchParams({ method: String(free.method) }),
    })
    expect(await pressed.text()).toContain('You are signed out')
  } finally {
    vi.useRealTimers()
  }
})

test('the controller ignores a list that it does not have, and whoever tells it something with another secret', async () => {
  const wrong = await central({ lists: ['ANOTHER'] })
  const mac = aMacAddress()
  await wrong.join(mac)
  expect([wrong.box.accessOf(mac).is, wrong.box.opens(mac, 'http://connectivity.example/')]).toEqual(['out', null])

  const { box, join, radius } = await central()
  await join(mac)
  const again = [
    textAttribute(attribute.calling_station_id, mac.replaceAll(':', '-')),
    ...box.asksAgain(mac).vendor_specific.map((value) => ({ type: attribute.vendor_specific, value })),
  ]
  const forged = requestOf(code.coa_request, 1, again, 'another secret')
  if (!forged) throw new Error('no packet')
  const stranger = await openGateway(ports, { nas_identifier: 'x', radius_secret: 'another secret' })
  keep(stranger)
  await new Promise<void>((sent) => stranger.socket.send(forged, radius.port, '127.0.0.1', () => sent()))
  await new Promise((later) => setTimeout(later, 300))
  const told = radius.requests.map((request) => textIn(request, attribute.calling_station_id))
  expect([told.includes(mac.replaceAll(':', '-')), box.accessOf(mac).is]).toEqual([false, 'limited'])
})

test('without the list’s name nothing is sent on, and a device without a session of its own is refused', async () => {
  const { box, join, tried } = await central({ settings: {} })
  const mac = aMacAddress()
  expect((await join(mac)).code).toBe(code.access_reject)
  expect([box.accessOf(mac).is, await tried()]).toEqual(['out', ['unknown_device']])
  const other = await central()
  const request = { ...other.box.joins(mac), vendor_specific: [] }
  const made = { secret: other.gateway.radius_secret, kind: code.access_request }
  const { nas_identifier } = other.gateway
  const refused = await other.radius.send(packetOf({ nas_identifier, ...request }, made), ports.access)
  expect(refused?.code).toBe(code.access_reject)
})

test('a controller that does not answer is told to the desk and the guest, who is let in when it is back', async () => {
  const { gateway, radius, box, join, come } = await central()
  const obeys = radius.refuses
  radius.loses_answers = 1000
  radius.refuses = () => 503
  const mac = aMacAddress()
  await join(mac)
  const page = await come(mac)
  await vi.waitFor(async () => {
    await hurry(gateway.id)
    expect((await problemOf(gateway.id))?.problem).toContain('does not answer a request')
  }, patiently)
  await vi.waitFor(async () => expect(said(await page())).toBe('The network does not answer'), patiently)
  expect((await lampsOf(gateway.id))['asked']).toBe('red')
  radius.loses_answers = 0
  radius.refuses = obeys
  await vi.waitFor(async () => {
    await hurry(gateway.id)
    expect(box.accessOf(mac).is).toBe('online')
  }, patiently)
  await reads(page, 'You are online')
  expect((await lampsOf(gateway.id))['asked']).toBe('green')
}, 60_000)
