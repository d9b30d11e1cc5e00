// openNDS online: boxes that fetch their guests from the portal.
import { expect, test } from 'vitest'
import { authMethods } from '#contract/portals.ts'
import * as portals from '#contract/portals.ts'
import * as properties from '#contract/properties.ts'
import { said, withCalled } from '#test/called.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import * as devices from '#contract/devices.ts'
import * as macCategories from '#contract/mac-categories.ts'
import * as gateways from '#contract/gateways.ts'
import * as guestHelp from '#contract/guest-help.ts'
import { textsOf } from '#portal/languages.ts'
import * as packages from '#contract/packages.ts'
import * as sessions from '#contract/sessions.ts'
import { openPage, signIn, type Page } from '#scripts/simulation/browser.ts'
import { openBox } from './simulation.ts'

let foyer: TestFoyer
let editor: Person
const { siteOf, lampsOf, age } = withCalled((opened) => {
  ;({ foyer, editor } = opened)
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
    // At 4, nothing proves whose redirect the next one would be, so all is granted at once.
    expect(level === 3 ? [15] : [59, 60]).toContain(client?.limits?.minutes)
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

test('openNDS: where it does not ask for its guests, they are told soon, do not wait for ever, and the desk reads why', async () => {
  let box: ReturnType<typeof openBox> | null = null
  const { come, gateway } = await siteOf(
    { gateway_type_id: 3, name: 'Lobby', dns_name: 'status.client', settings: { level: '3' } },
    (its, mac) => (box ??= openBox(its, 3, fetch)).query(mac),
  )
  const { mac, page } = await come()
  const [guest] = await foyer.query<{ id: number }>(
    'select guest_id::int as id from access_passes where gateway_id = $1 and mac_address = $2',
    [gateway.id, mac],
  )
  const said_to_desk = async () => {
    const { against } = (await foyer.get(guestHelp.get, { kind: 'guest', id: guest?.id ?? 0 }, editor)).data
    return against.map(({ message }) => message)
  }
  expect(said(await page())).toBe('Connecting…')
  const after = (minutes: number) =>
    foyer.query(
      `update controller_grants set created_at = now() - make_interval(mins => $2) where gateway_id = $1 and state = 'waiting'`,
      [gateway.id, minutes],
    )
  await after(1)
  expect(said(await page())).toBe(textsOf.en.delayed_title)
  expect(await said_to_desk()).toContain('Lobby lets guests in when it asks for them, and it has not asked')
  await after(16)
  expect(said(await page())).toBe(textsOf.en.ended_title)
})

test('openNDS: a stranger who knows its name is told nothing, takes nobody and ends nobody', async () => {
  let box: ReturnType<typeof openBox> | null = null
  const { come, gateway, portal_url, online } = await siteOf(
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
  // Also with the very token that waits.
  const [waiting] = await foyer.query<{ token: string }>(
    "select sent ->> 'token' as token from controller_grants where gateway_id = $1",
    [gateway.id],
  )
  await expect(opennds.send(portal_url, 'view', `* ${waiting?.token}`)).rejects.toThrow('404')
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
  // A report from elsewhere ends nobody, and books no use.
  const [client] = opennds.clients
  if (!client) throw new Error('nobody is in')
  await foyer.query(is_elsewhere, [gateway.id, '198.51.100.9'])
  await expect(opennds.leave(portal_url, client, 'client_deauth', { down: 5_000_000, up: 1 })).rejects.toThrow('404')
  expect(await states()).toEqual(['granted'])
  expect(await online()).toMatchObject([{ online: true, bytes_down: 0 }])
})

/** A guest whom the box has fetched. */
async function guestAt(level: 3 | 4) {
  let box: ReturnType<typeof openBox> | null = null
  const registered = { gateway_type_id: 3, dns_name: 'status.client', settings: { level: String(level) } }
  const site = await siteOf(registered, (its, mac) => (box ??= openBox(its, level, fetch)).query(mac))
  const { mac, page } = await site.come()
  if (!box) throw new Error('nobody came')
  const opennds: ReturnType<typeof openBox> = box
  const { portal_url, gateway } = site
  const poll = () => opennds.poll(portal_url)
  await poll()
  const here = () => {
    const client = opennds.clients.findLast((one) => one.mac_address === mac)
    if (client?.state !== 'authenticated') throw new Error('nobody is in')
    return client
  }
  const runsOut = () => opennds.leave(portal_url, here(), 'timeout_deauth', { down: 1000, up: 100 })
  const comesBack = () => openPage(portal_url + opennds.query(mac))
  const grants = () =>
    foyer.query<{ state: string }>('select state from controller_grants where gateway_id = $1', [gateway.id])
  return { ...site, mac, page, opennds, poll, here, runsOut, comesBack, grants }
}
/** Of the guest who came last. */
const stateOf = ({ clients }: ReturnType<typeof openBox>) => clients.at(-1)?.state

test.each([3, 4] as const)(
  'openNDS at level %i: its guests are fetched at the former portal of its property, also once that is disabled',
  async (level) => {
    const { property_id, portal_url, come, opennds, poll } = await guestAt(level)
    const other = await foyer.portal(editor, { auth_method_ids: [authMethods.free] })
    await foyer.get(properties.update, { id: property_id, portal_id: other.id }, editor)
    const [former] = await foyer.query<{ id: number }>('select id from portals where public_id = $1', [
      portal_url.split('/').at(-1) ?? '',
    ])
    await foyer.get(portals.deactivate, { ids: [former?.id ?? 0] }, editor)
    await come()
    await poll()
    expect(stateOf(opennds)).toBe('authenticated')
  },
)

test('openNDS: a box that another gateway was registered for fetches the guests of the one that it is now', async () => {
  const { gateway, property_id, portal_url } = await guestAt(4)
  const { nas_identifier, mac_address } = gateway
  const registered = {
    property_id,
    mac_address,
    gateway_type_id: 3,
    dns_name: 'status.client',
    settings: { level: '4' },
  }
  await foyer.get(
    gateways.update,
    { id: gateway.id, mac_address: null, nas_identifier: `former-${gateway.id}` },
    editor,
  )
  const { radius_secret } = await foyer.gateway(editor, registered)
  const opennds = openBox({ ...gateway, nas_identifier, radius_secret }, 4, fetch)
  const page = await openPage(portal_url + opennds.query(aMacAddress()))
  await signIn(page, { method: authMethods.free, typed: {} }, true)
  await opennds.poll(portal_url)
  expect(stateOf(opennds)).toBe('authenticated')
})

const hasForm = ({ html }: Page) => html.querySelector('input[name=method]') !== null

test('openNDS at level 3: 15 minutes are granted again and again without a form, within the same session', async () => {
  const { mac, page, poll, here, runsOut, comesBack, online, gateway } = await guestAt(3)
  const [first] = await online()
  for (const n of [1, 2, 3]) {
    expect(here().limits?.minutes).toBe(15)
    await age(gateway.id, 15)
    expect(await runsOut()).toBe('ack')
    const back = await comesBack()
    expect([said(back), hasForm(back)]).toEqual(['Connecting…', false])
    await poll()
    expect(said(await openPage(back.address))).toBe('You are online')
    expect(said(await page())).toMatch(/You are online|Your connection/)
    expect(await online()).toMatchObject([
      { id: first?.id, online: true, mac_address: mac, bytes_up: n * 100, bytes_down: n * 1000 },
    ])
  }
  // Signed in once, and recorded once.
  const tries = () => foyer.query('select from radius_authorisations where gateway_id = $1', [gateway.id])
  expect((await tries()).length).toBe(1)
  // The last length is what is left, and nothing is granted after it.
  const ends = (minutes: number) =>
    foyer.query('update radius_authorisations set ends_at = now() + make_interval(mins => $2) where gateway_id = $1', [
      gateway.id,
      minutes,
    ])
  await ends(5)
  await runsOut()
  await comesBack()
  await poll()
  expect(here().limits?.minutes).toBe(5)
  await ends(0)
  await runsOut()
  expect(await online()).toMatchObject([{ online: false, bytes_up: 500, bytes_down: 5000 }])
  expect(hasForm(await comesBack())).toBe(true)
  expect((await tries()).length).toBe(1)
})

test('openNDS at level 3: a redirect before the report of the length before it loses no use, and one report counts once', async () => {
  const { opennds, poll, here, comesBack, online, portal_url } = await guestAt(3)
  const former = here()
  former.state = 'gone'
  await comesBack()
  // The same redirect, opened again, or another of the same device.
  await comesBack()
  const report = () => opennds.leave(portal_url, former, 'timeout_deauth', { down: 1000, up: 100 })
  await poll()
  await report()
  await report()
  expect(await online()).toMatchObject([{ online: true, bytes_up: 100, bytes_down: 1000 }])
  await opennds.leave(portal_url, here(), 'client_deauth', { down: 10, up: 1 })
  expect(await online()).toMatchObject([
    { online: false, bytes_up: 101, bytes_down: 1010, termination_reason: 'Logged out' },
  ])
  // Who has left by themselves signs in again.
  expect(hasForm(await comesBack())).toBe(true)
})

test('openNDS at level 3: who does not come back within two minutes has left, and is let in later without a form, too', async () => {
  const { poll, runsOut, comesBack, online, gateway, here } = await guestAt(3)
  await age(gateway.id, 15)
  await runsOut()
  await poll()
  expect(await online()).toMatchObject([{ online: true }])
  await foyer.query("update controller_grants set ends_at = now() - interval '3 minutes' where gateway_id = $1", [
    gateway.id,
  ])
  await poll()
  expect(await online()).toMatchObject([{ online: false, termination_reason: 'Session time ran out' }])
  const back = await comesBack()
  expect([said(back), hasForm(back)]).toEqual(['Connecting…', false])
  await poll()
  expect(here().limits?.minutes).toBe(15)
  expect(await online()).toMatchObject([
    { online: true, bytes_down: 0 },
    { online: false, bytes_down: 1000 },
  ])
})

test('openNDS at level 3: who left by themselves long ago signs in again, also when their session is packed', async () => {
  const { opennds, here, comesBack, gateway, portal_url } = await guestAt(3)
  const former = here()
  former.state = 'gone'
  await opennds.leave(portal_url, former, 'client_deauth', { down: 10, up: 1 })
  // Their stay is long, and passes are kept for as long.
  await foyer.query(`update radius_authorisations set ends_at = now() + interval '9 days' where gateway_id = $1`, [
    gateway.id,
  ])
  await foyer.query(`update controller_grants set created_at = now() - interval '70 days' where gateway_id = $1`, [
    gateway.id,
  ])
  await foyer.query('delete from radius_sessions where gateway_id = $1', [gateway.id])
  expect(hasForm(await comesBack())).toBe(true)
})

test.each(['the device is blocked', 'the desk disconnects', 'the guest signs out', 'the package is disabled'])(
  'openNDS at level 3: once %s, the guest is off at the end of the granted length, and is not let in again',
  async (what) => {
    const { property_id, package_id, mac, page, poll, runsOut, comesBack, online, gateway } = await guestAt(3)
    const [session] = await online()
    if (what === 'the device is blocked') {
      const { id } = await foyer
        .get(macCategories.create, { name: `Unwanted ${mac}`, blocks: true }, editor)
        .then(({ data }) => data)
      await foyer.get(devices.create, { property_id, name: 'A phone', mac_address: mac, mac_category_id: id }, editor)
    } else if (what === 'the desk disconnects')
      await foyer.get(sessions.disconnect, { ids: [session?.id ?? 0], reason: 'A test' }, editor)
    else if (what === 'the guest signs out') {
      const shown = await page()
      await fetch(shown.address, { method: 'POST', body: new URLSearchParams({ sign_out: '1' }), redirect: 'manual' })
    } else await foyer.get(packages.deactivate, { ids: [package_id] }, editor)
    await runsOut()
    expect(hasForm(await comesBack())).toBe(true)
    await foyer.query("update controller_grants set ends_at = ends_at - interval '3 minutes' where gateway_id = $1", [
      gateway.id,
    ])
    await poll()
    expect((await online()).map((one) => one.online)).toEqual([false])
  },
)

test('openNDS: nobody is let in again by a redirect that does not prove whose device it is', async () => {
  const open = await guestAt(4)
  await open.runsOut()
  expect(hasForm(await open.comesBack())).toBe(true)

  const sealed = await guestAt(3)
  await sealed.runsOut()
  // In the victim's name, without the gateway's key, or with another's.
  const { gateway, mac, portal_url } = sealed
  const plain = openBox(gateway, 4, fetch).query(mac)
  expect(hasForm(await openPage(portal_url + plain))).toBe(true)
  const forged = openBox({ ...gateway, radius_secret: 'a stranger’s' }, 3, fetch).query(mac)
  const page = await openPage(portal_url + forged)
  expect([hasForm(page), said(page)]).toEqual([false, 'This network is not set up yet'])
  expect((await sealed.grants()).map(({ state }) => state)).toEqual(['granted'])
})
