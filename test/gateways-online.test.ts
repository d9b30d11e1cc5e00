// Gateways online: each make whose guests sign in on the portal is tried with the simulation of its box, over HTTP and RADIUS, from the
// redirect to the end of the session. A new make is its folder and its line in kinds.ts.
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as gatewayKinds from '#contract/gateway-kinds.ts'
import { honoursOf } from '#contract/gateway-kinds.ts'
import * as devices from '#contract/devices.ts'
import * as macCategories from '#contract/mac-categories.ts'
import { authMethods } from '#contract/portals.ts'
import * as sessions from '#contract/sessions.ts'
import { openPage, signIn } from '#scripts/simulation/browser.ts'
import { simulationsOf } from '#scripts/simulation/gateway-kinds.ts'
import type { RadiusPorts } from '#server/apps/radius.ts'
import { keepLookup } from '#server/db/keep-lookup.ts'
import { connect } from '#server/db/logins.ts'
import { controllerLane } from '#server/gateways/controller-state.ts'
import { gatewayTypes, saysNothing } from '#server/gateways/find-kind.ts'
import type { GatewayKind } from '#server/gateways/kind.ts'
import { kinds } from '#server/gateways/kinds.ts'
import type { AccessRequest, SentGuest, Simulation } from '#server/gateways/simulated.ts'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import { endSessions, endSessionsJob } from '#server/sessions/end-sessions.ts'
import { freePort } from '#server/start/free-port.ts'
import { aMacAddress, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { openGateway, packetOf, textIn, type RadiusRequest } from '#test/radius-client.ts'

const host = 'hotspot.hotel.example'
const minutes = 60
/** In the units of a package. */
const granted = { speed_mbps: 20, volume_gb: 5 }

let foyer: TestFoyer
let admin: Client
let editor: Person
let stranger: Person
let ports: RadiusPorts
let portal_url = ''
beforeAll(async () => {
  const port = await freePort(1)
  portal_url = `http://127.0.0.1:${port}`
  foyer = await openFoyer({ env: { ROLES: 'api,guest,radius,jobs', PORTAL_URL: portal_url } })
  await keepLookup(foyer.database.ownerUrl, 'gateway_types', gatewayTypes())
  await foyer.guest?.listen({ host: '127.0.0.1', port })
  if (!foyer.radius) throw new Error('no role')
  ports = await foyer.radius.listen('127.0.0.1', { access: 0, accounting: 0 })
  admin = await connect(foyer.database.adminUrl)
  ;[editor, stranger] = [await foyer.customer(), await foyer.customer()]
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

const served = kinds
  .filter(({ portal }) => portal !== null)
  .flatMap((kind) =>
    simulationsOf(kind.definition.id).map((simulation) => ({
      name: [kind.definition.name, ...Object.values(simulation.settings ?? {})].join(', '),
      kind,
      simulation,
    })),
  )
  .filter(({ simulation }) => !simulation.is_called)

async function site({ definition }: GatewayKind, { is_unsigned = false, settings = {} }: Simulation, whose = editor) {
  const { id: portal_id, url } = await foyer.portal(whose, { auth_method_ids: [authMethods.free] })
  const { id: package_id } = await foyer.package(whose, { ...granted, session_time_hrs: minutes / 60 })
  const { id: property_id } = await foyer.property(whose, { portal_id, package_id })
  const mac_address = aMacAddress()
  const registered = { property_id, gateway_type_id: definition.id, mac_address, dns_name: host, settings }
  const made = await foyer.gateway(whose, { ...registered, takes_unsigned: is_unsigned })
  return { url, property_id, gateway: { ...made, mac_address } }
}

/** The attributes that name the box and the guest: those of its make, else the usual ones. */
function namesOf({ names }: Simulation, sent: SentGuest): RadiusRequest {
  const usual = { nas_identifier: sent.gateway.nas_identifier, calling_station_id: sent.mac_address }
  const own: AccessRequest = { ...usual, ...names?.(sent) }
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ''))
}

const guest = { method: authMethods.free, typed: {} }

test.each(served)('$name: from the redirect to the end of the session', async ({ kind, simulation }) => {
  const { url, property_id, gateway } = await site(kind, simulation)
  const sent = { gateway, mac_address: aMacAddress(), portal_url: url, host }
  const redirect = simulation.redirect(sent)

  // Arrival, and the way back to the box.
  const answer = await signIn(await openPage(url + redirect.query), guest, true)
  if ('page' in answer) throw new Error(answer.page.html.text)
  expect(answer.to.hostname).toBe(simulation.own_host ?? host)
  const asked = redirect.ask(answer.brought, answer.to)
  expect(asked === null).toBe(saysNothing(kind, simulation.settings ?? {}))
  const honours = honoursOf({ honours_when: [], ...kind.definition }, simulation.settings ?? {})
  const online = async () => (await foyer.get(sessions.list, { params: { property_id } }, editor)).data
  const isHour = (seconds = 0) => seconds > minutes * 60 - 60 && seconds <= minutes * 60
  if (!asked) {
    const kept = simulation.letsIn?.(answer.brought)
    if (!kept) return
    expect(isHour(kept.seconds)).toBe(honours.time === 'yes')
    expect([honours.speed, honours.data, honours.end, honours.usage]).toEqual(['no', 'no', 'no', 'no'])
    // The session is taken for open until the granted time is over.
    expect(await online()).toMatchObject([{ online: true, mac_address: sent.mac_address, bytes_up: 0, bytes_down: 0 }])
    const { html } = await openPage(answer.brought['continue_url'] ?? '')
    expect(html.querySelector('h2')?.text).toBe('You are online')
    const past = `update controller_grants set granted_at = granted_at - interval '61 minutes', ends_at = now() where gateway_id = $1`
    await admin.query(past, [gateway.id])
    await vi.waitFor(
      async () => {
        await admin.query("update due_work set next_at = now() where state = 'waiting' and lane = $1", [
          controllerLane(gateway.id),
        ])
        expect(await online()).toMatchObject([{ online: false }])
      },
      { timeout: 20_000, interval: 200 },
    )
    const { lamps } = (await foyer.get(gatewayKinds.check, { id: gateway.id }, editor)).data
    expect(lamps.map(({ state }) => state)).toEqual(['green', 'waiting', 'green', 'waiting', 'waiting'])
    return
  }

  // What the box asks, and what it makes of the answer.
  const names = namesOf(simulation, sent)
  const radius = await openGateway(ports, gateway, undefined, 300)
  await admin.query('update gateways set disconnect_port = $2 where id = $1', [gateway.id, radius.port])
  const made = { secret: gateway.radius_secret, signed: !simulation.is_unsigned }
  const packet = packetOf({ ...names, ...asked }, { ...made, kind: code.access_request })
  const accept = await radius.send(packet, ports.access)
  if (!accept) throw new Error('no answer')
  expect(accept.code).toBe(code.access_accept)
  const kept = simulation.reads?.(accept.attributes)
  if (kept) {
    expect(isHour(kept.seconds)).toBe(honours.time === 'yes')
    const kbits = honours.speed === 'yes' ? granted.speed_mbps * 1000 : undefined
    expect([kept.up_kbits, kept.down_kbits]).toEqual([kbits, kbits])
    // Where the box counts the volume itself, it is the package's; elsewhere our reports of use must be able to end the session.
    if (kept.bytes !== undefined) expect(kept.bytes).toBe(granted.volume_gb * 1e9)
    else if (honours.data === 'yes') expect([honours.end, honours.usage]).toEqual(['yes', 'yes'])
  }

  // What it reports.
  const session = {
    acct_session_id: 'a1',
    username: String(asked.user_name),
    calling_station: String(names.calling_station_id),
  }
  const report = async (type: number, more: RadiusRequest = {}) => {
    const said = {
      ...names,
      user_name: session.username,
      acct_session_id: session.acct_session_id,
      acct_status_type: type,
    }
    const mark = simulation.says_no_class ? {} : { class: textIn(accept, attribute.class) ?? '' }
    const marked = { ...mark, ...said, ...more }
    const sentReport = packetOf(marked, { secret: gateway.radius_secret, kind: code.accounting_request })
    expect(await radius.send(sentReport, ports.accounting)).not.toBeNull()
  }
  // Nobody can have been online for longer than since the Accept.
  await admin.query(
    "update radius_authorisations set created_at = created_at - interval '1 minute' where gateway_id = $1",
    [gateway.id],
  )
  await report(status_type.start)
  await report(status_type.interim, { acct_session_time: 30, acct_input_octets: 1000, acct_output_octets: 9000 })
  expect(await online()).toMatchObject([
    { online: true, mac_address: sent.mac_address, bytes_up: 1000, bytes_down: 9000, seconds: 30 },
  ])

  // How a right that has ended takes effect: it is looked for each minute.
  expect(endSessionsJob.cron).toBe('* * * * *')
  const disconnect = async () => {
    const category = { name: `Blocked at ${kind.definition.name} ${gateway.id}`, blocks: true }
    const { data } = await foyer.get(macCategories.create, category, editor)
    const device = { property_id, name: 'A phone', mac_address: sent.mac_address, mac_category_id: data.id }
    await foyer.get(devices.create, device, editor)
    await endSessions(foyer.services.tenancy, foyer.services.queue)
  }
  if (kind.radius?.end === null) {
    await admin.query("update access_passes set used_at = used_at - interval '1 minute' where gateway_id = $1", [
      gateway.id,
    ])
    const tries = async () =>
      (await admin.query('select from radius_authorisations where gateway_id = $1', [gateway.id])).rowCount
    const before = await tries()
    const again = async () => {
      const answered = await radius.send(
        packetOf({ ...names, ...asked }, { ...made, kind: code.access_request }),
        ports.access,
      )
      return [answered?.code, answered && textIn(answered, attribute.class)]
    }
    expect(await again()).toEqual([code.access_accept, textIn(accept, attribute.class)])
    expect(await tries()).toBe(before)
    await disconnect()
    expect((await again())[0]).toBe(code.access_reject)
  } else if (honours.end === 'yes') {
    const request = radius.nextRequest()
    await disconnect()
    const { code: kindOfRequest, attributes } = await request
    expect(kindOfRequest).toBe(code.disconnect_request)
    expect(simulation.obeys?.(attributes, session) ?? true).toBe(true)
    // It names the box as the box names itself.
    const [box] = [names.nas_identifier, names.nas_ip_address].filter((name) => name !== undefined)
    const own = attributes.filter(({ type }) => type === attribute.nas_identifier || type === attribute.nas_ip_address)
    expect(own.map(({ value }) => value.toString('latin1'))).toEqual([Buffer.from(box as string).toString('latin1')])
  }
  await report(status_type.stop, { acct_session_time: 40, acct_terminate_cause: 6 })
  expect(await online()).toMatchObject([{ online: false, seconds: 40 }])
  await radius.close()

  // The lamps of its page have followed.
  const { data } = await foyer.get(gatewayKinds.check, { id: gateway.id }, editor)
  const { lamps } = data
  const states = Object.fromEntries(lamps.map(({ key, state }) => [key, state]))
  const end = honours.end === 'yes' ? 'green' : 'waiting'
  expect(states).toEqual({ redirect: 'green', asked: 'green', let_in: 'green', usage: 'green', end })
  // Where it cannot be told to end a session, its page says so.
  const says = lamps.find(({ key }) => key === 'end')?.sentence
  if (honours.end === 'no') expect(says).toContain('cannot be told to end a session')
})

test.each(served)(
  '$name: no pass leaves for another host, and none for the box of another customer',
  async ({ kind, simulation }) => {
    const own = await site(kind, simulation)
    const foreign = await site(kind, simulation, stranger)
    const sent = { gateway: own.gateway, mac_address: aMacAddress(), portal_url: own.url, host }
    const isGenuine = simulation.redirect(sent).query
    const leave = async (query: string) => {
      const answer = await signIn(await openPage(own.url + query), guest, true)
      return 'to' in answer ? answer.to.hostname : null
    }
    // Each value that is an address or a host, replaced by a stranger's.
    const forged = new URLSearchParams(isGenuine)
    for (const [name, value] of forged)
      if (value !== sent.gateway.nas_identifier && (/^https?:/.test(value) || /^[\w-]+(\.[\w-]+)+$/.test(value)))
        forged.set(name, value.replace(/^(https?:\/\/)?[^/:?]+/, '$1evil.example'))
    expect([simulation.own_host, host, null]).toContain(await leave(`?${forged.toString()}`))
    const others = { ...sent, gateway: foreign.gateway, host: 'elsewhere.example' }
    expect(await leave(simulation.redirect(others).query)).toBeNull()
  },
)
