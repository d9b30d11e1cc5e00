// Ruckus called: guests whom a SmartZone lets in at our call, when it has asked RADIUS about them.
import { expect, test, vi } from 'vitest'
import * as sessions from '#contract/sessions.ts'
import type { SimulatedBox } from '#server/gateways/simulated.ts'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import { patiently, reads, said, withCalled } from '#test/called.ts'
import type { Person, TestFoyer } from '#test/foyer.ts'
import { openGateway, packetOf, textIn, type Answered, type RadiusRequest } from '#test/radius-client.ts'
import type { RadiusPorts } from '#server/apps/radius.ts'
import { calledQuery as smartZoneQuery, openSmartZone } from './simulation.ts'

let foyer: TestFoyer
let editor: Person
let ports: RadiusPorts
const { keep, siteOf, problemOf, lampsOf, hurry, age } = withCalled((opened) => {
  ;({ foyer, editor, ports } = opened)
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
  keep(controller)
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
  keep(controller)
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
  expect(grant?.problem).toContain('RADIUS refused the guest')
})
