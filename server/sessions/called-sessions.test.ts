// Called sessions: those of guests who are let in by a call, fetched or asked about, at a gateway that is called otherwise meanwhile.
import { expect, test, vi } from 'vitest'
import * as gateways from '#contract/gateways.ts'
import { authMethods } from '#contract/portals.ts'
import { openPage, signIn } from '#scripts/simulation/browser.ts'
import { openBox as openNds } from '#server/gateways/open-nds/simulation.ts'
import { openBox as openRuijie } from '#server/gateways/ruijie/simulation.ts'
import { openController, simulation as unifi } from '#server/gateways/unifi/simulation.ts'
import { patiently, reads, withCalled } from '#test/called.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
let editor: Person
const { keep, siteOf, hurry, age } = withCalled((opened) => {
  ;({ foyer, editor } = opened)
})
const rename = ({ id }: { id: number }) => foyer.get(gateways.update, { id, nas_identifier: `renamed-${id}` }, editor)

test('one whose controller is asked: what was used is counted once', async () => {
  const controller = await openController()
  keep(controller)
  const { come, online, gateway } = await siteOf(
    {
      gateway_type_id: 4,
      username: 'foyer',
      password: 'controller password',
      settings: { controller_url: controller.url },
    },
    (its, mac_address, portal_url) => unifi.redirect({ gateway: its, mac_address, portal_url }).query,
  )
  const { mac, page } = await come()
  await reads(page, 'You are online')
  await age(gateway.id, 5)
  const countedAs = async (rx_bytes: number, tx_bytes: number) => {
    Object.assign(controller.guests.get(mac) ?? {}, { rx_bytes, tx_bytes })
    await vi.waitFor(async () => {
      await hurry(gateway.id)
      expect(await online()).toMatchObject([{ online: true, bytes_up: rx_bytes, bytes_down: tx_bytes }])
    }, patiently)
  }
  await countedAs(1000, 9000)
  await rename(gateway)
  await countedAs(2000, 18_000)
  expect(await online()).toHaveLength(1)
})

test('one that fetches its guests: granted anew and ended as the same session', async () => {
  let box: ReturnType<typeof openNds> | undefined
  const { come, gateway, portal_url, online } = await siteOf(
    { gateway_type_id: 3, dns_name: 'status.client', settings: { level: '3' } },
    (its, mac) => (box ??= openNds(its, 3, fetch)).query(mac),
  )
  const { mac } = await come()
  if (!box) throw new Error('nobody came')
  await box.poll(portal_url)
  await rename(gateway)
  const leave = async (method: string) => {
    const client = box?.clients.findLast((one) => one.mac_address === mac)
    if (client) await box?.leave(portal_url, client, method, { down: 1000, up: 100 })
  }
  await age(gateway.id, 15)
  await leave('timeout_deauth')
  await openPage(portal_url + box.query(mac))
  await box.poll(portal_url)
  expect(await online()).toMatchObject([{ online: true, bytes_up: 100, bytes_down: 1000 }])
  await leave('client_deauth')
  const seen = await online()
  expect(seen).toMatchObject([{ online: false, bytes_up: 200, bytes_down: 2000 }])
  expect(seen).toHaveLength(1)
})

test('one that asks about its guests: what it says of them is of the same session', async () => {
  const dns_name = 'box.hotel.example'
  const { gateway, portal_url, online } = await siteOf({ gateway_type_id: 17, dns_name }, () => '')
  const { origin } = new URL(portal_url)
  const box = openRuijie(origin, fetch)
  const mac_address = aMacAddress()
  const sent = box.query({ gateway, mac_address, portal_url, host: dns_name })
  const answer = await signIn(await openPage(`${origin}/login/${sent}`), { method: authMethods.free, typed: {} }, true)
  if ('page' in answer) throw new Error(answer.page.html.text)
  answer.to.search = `?${new URLSearchParams(answer.brought).toString()}`
  expect(await box.comes(answer.to, mac_address)).toBe(true)
  await rename(gateway)
  await age(gateway.id, 5)
  Object.assign(box.clients.get(mac_address) ?? {}, { incoming: 9000, outgoing: 1000 })
  await box.beat()
  const seen = await online()
  expect(seen).toMatchObject([{ online: true, mac_address, bytes_up: 1000, bytes_down: 9000 }])
  expect(seen).toHaveLength(1)
})
