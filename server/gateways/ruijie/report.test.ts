// Ruijie's boxes ask the portal: from the redirect to the end of the session, and whoever has no right, or another's token.
import { expect, test } from 'vitest'
import * as gateways from '#contract/gateways.ts'
import * as packages from '#contract/packages.ts'
import { authMethods } from '#contract/portals.ts'
import * as sessions from '#contract/sessions.ts'
import { openPage, signIn } from '#scripts/simulation/browser.ts'
import { withCalled } from '#test/called.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { openBox } from './simulation.ts'

let foyer: TestFoyer
let editor: Person
const { siteOf, lampsOf, age } = withCalled((opened) => {
  ;({ foyer, editor } = opened)
})
const host = 'box.hotel.example'

async function site() {
  const at = await siteOf({ gateway_type_id: 17, dns_name: host }, () => '')
  const { gateway, portal_url } = at
  const { origin } = new URL(portal_url)
  const box = openBox(origin, fetch)
  /** By the path that all boxes of the make send their guests to. */
  const bring = async (mac_address: string, more = '') => {
    const sent = box.query({ gateway, mac_address, portal_url, host: 'evil.example' })
    const answer = await signIn(
      await openPage(`${origin}/login/${sent}${more}`),
      { method: authMethods.free, typed: {} },
      true,
    )
    if ('page' in answer) throw new Error(answer.page.html.text)
    expect(answer.to.hostname).toBe(host)
    // Its query is what was brought.
    answer.to.search = `?${new URLSearchParams(answer.brought).toString()}`
    return answer.to
  }
  const come = async (mac_address = aMacAddress()) => {
    const to = await bring(mac_address)
    return { mac_address, to, isIn: await box.comes(to, mac_address) }
  }
  return { ...at, origin, box, bring, come }
}

test('from the redirect to the end: asked about at the start and every minute, counted, and ended at the desk', async () => {
  const { box, come, online, gateway, origin } = await site()
  const { mac_address, isIn } = await come()
  expect(isIn).toBe(true)
  const { html } = await openPage(`${origin}/portal/?gw_id=H1RU`)
  expect(html.querySelector('h1')?.text).toBe('You are online')
  expect(await (await fetch(`${origin}/ping/?gw_id=H1RU`)).text()).toBe('Pong')
  await age(gateway.id, 5)
  Object.assign(box.clients.get(mac_address) ?? {}, { incoming: 9000, outgoing: 1000 })
  await box.beat()
  expect(await online()).toMatchObject([{ online: true, mac_address, bytes_up: 1000, bytes_down: 9000 }])
  const [session] = await online()
  await foyer.get(sessions.disconnect, { ids: [session?.id ?? 0], reason: 'A test' }, editor)
  await box.beat()
  expect(box.clients.size).toBe(0)
  expect(await online()).toMatchObject([{ online: false, bytes_down: 9000 }])
  expect(await lampsOf(gateway.id)).toMatchObject({
    redirect: 'green',
    asked: 'green',
    let_in: 'green',
    usage: 'green',
    end: 'green',
  })
})

test('the time, the volume, and what is changed meanwhile end a session with the next question; who leaves has left', async () => {
  const { box, come, online, gateway, package_id } = await site()
  const timed = await come()
  await age(gateway.id, 59)
  await box.beat()
  expect(box.clients.size).toBe(1)
  await age(gateway.id, 2)
  await box.beat()
  expect([box.clients.size, timed.isIn]).toEqual([0, true])
  const used = await come()
  expect(used.isIn).toBe(true)
  Object.assign(box.clients.get(used.mac_address) ?? {}, { incoming: 4_000_000_000 })
  await age(gateway.id, 5)
  await box.beat()
  expect(box.clients.size).toBe(1)
  Object.assign(box.clients.get(used.mac_address) ?? {}, { incoming: 5_100_000_000 })
  await box.beat()
  expect(box.clients.size).toBe(0)
  const ended = (await online()).find((one) => one.mac_address === used.mac_address)
  expect(ended).toMatchObject({ online: false, termination_reason: 'Data allowance used up' })
  await foyer.get(packages.update, { id: package_id, session_time_hrs: 3, apply: 'now' }, editor)
  const left = await come()
  Object.assign(box.clients.get(left.mac_address) ?? {}, { incoming: 70 })
  await age(gateway.id, 5)
  await box.leaves(left.mac_address)
  expect((await online()).find((one) => one.mac_address === left.mac_address)).toMatchObject({
    online: false,
    bytes_down: 70,
  })
})

test('a token is taken once, for its device; another’s, an altered one and one of another customer let nobody in', async () => {
  const { box, bring, origin, gateway, come } = await site()
  const mine = aMacAddress()
  const to = await bring(mine)
  expect(await box.comes(to, aMacAddress())).toBe(false)
  const altered = new URL(to)
  altered.searchParams.set(
    'token',
    (to.searchParams.get('token') ?? '').replace(/.$/, (sign) => (sign === 'A' ? 'B' : 'A')),
  )
  expect(await box.comes(altered, mine)).toBe(false)
  expect(await box.comes(to, mine)).toBe(true)
  // Replayed by another device, and after the session has ended.
  expect(await box.comes(to, aMacAddress())).toBe(false)
  await box.leaves(mine)
  expect(await box.comes(to, mine)).toBe(false)
  for (const token of ['', 'x', "1';drop", 'a'.repeat(5000)]) {
    const answer = await fetch(
      `${origin}/auth/?${new URLSearchParams({ stage: 'login', mac: mine, token }).toString()}`,
    )
    expect([answer.status, await answer.text()]).toEqual([200, 'Auth:0'])
  }
  // An access point that nobody has accepted leads nowhere; once it is, to the portal of its gateway.
  const ap = aMacAddress()
  const query = box.query({ gateway: { ...gateway, mac_address: ap }, mac_address: mine, portal_url: '' })
  const open = async () => (await fetch(`${origin}/login/${query}`, { redirect: 'manual' })).status
  expect(await open()).toBe(200)
  await foyer.get(gateways.accessPoints, { id: gateway.id, accept: [ap] }, editor)
  expect(await open()).toBe(303)
  // The pass runs out where no box asks about it.
  const late = aMacAddress()
  const gone = await bring(late)
  await foyer.query('update access_passes set expires_at = now() where mac_address = $1::macaddr', [late])
  expect(await box.comes(gone, late)).toBe(false)
  expect((await come()).isIn).toBe(true)
})
