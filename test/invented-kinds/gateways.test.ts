// An invented make of gateway: its kind and a line in the list, and nothing else. It is offered, asked for its settings, set up,
// recognised, and spoken to in its own words.
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as gatewayKinds from '#contract/gateway-kinds.ts'
import * as contract from '#contract/gateways.ts'
import type { Parameter } from '#contract/parameters.ts'
import { authMethods } from '#contract/portals.ts'
import * as reference from '#contract/reference.ts'
import * as sessions from '#contract/sessions.ts'
import { keepLookup } from '#server/db/keep-lookup.ts'
import { gatewayTypes } from '#server/gateways/find-kind.ts'
import type { GatewayKind } from '#server/gateways/kind.ts'
import { kinds } from '#server/gateways/kinds.ts'
import { sessionNames } from '#server/gateways/session-names.ts'
import { wisprRadius } from '#server/gateways/wispr-radius.ts'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import { textAttribute } from '#server/radius-codec/packet.ts'
import { vendorText, type VendorAttribute } from '#server/radius-codec/vendor.ts'
import { aMacAddress, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { openGateway, textIn } from '#test/radius-client.ts'
import { errorsOf } from './asking.ts'

const parameter = (key: string, more: Partial<Parameter> = {}): Parameter => ({
  key,
  label: key,
  kind: 'text',
  choices: [],
  required: false,
  once: false,
  help: null,
  ...more,
})
const role: VendorAttribute = { vendor: 64_999, type: 1, holds: 'text', name: 'Acme-Role' }
const signed = (nonce: string, key: unknown) => createHmac('sha256', String(key)).update(nonce).digest('hex')

const acme: GatewayKind = {
  definition: {
    id: 900,
    name: 'Acme Hotspot',
    parameters: [
      parameter('controller_url', { kind: 'url', required: true }),
      parameter('api_key', { kind: 'secret', required: true }),
      parameter('role', { kind: 'choice', choices: [{ value: 'guest', label: 'Guest' }] }),
      parameter('site', { once: true }),
      parameter('vlan', { kind: 'number' }),
      parameter('tls', { kind: 'switch' }),
    ],
    fields: ['username'],
    honours: { time: 'yes', speed: 'no', data: 'no', end: 'yes', change: 'no', usage: 'yes' },
    walled_garden: ['acme.example'],
    note: null,
    setUp: ({ secret, settings }) => ({
      where: `Open ${String(settings['controller_url'])}.`,
      lines: `radius ${secret}`,
      values: [],
    }),
    captiveLine: (address) => `acme ${address}`,
  },
  arrival: ({ query }) =>
    query['acme'] === undefined
      ? null
      : {
          nas_identifier: query['acme'],
          gateway_mac: null,
          mac_address: query['device'] ?? null,
          wanted: null,
          outcome: null,
          isGenuine: ({ settings }) => query['proof'] === signed(query['device'] ?? '', settings['api_key']),
        },
  portal: {
    letIn: (_query, { settings }, { username }) => ({
      by: 'address',
      address: `${String(settings['controller_url'])}/in`,
      fields: { token: username },
    }),
    pagesOf: (host) => ({ sign_in: `http://${host}/`, sign_out: null }),
  },
  radius: {
    ...wisprRadius,
    dictionary: { role },
    accept: (limits, _request, settings) => [
      ...wisprRadius.accept(limits, { attributes: [] }, settings),
      vendorText(role, String(settings['role'])),
    ],
    report: (counted) => ({ ...counted, bytes_up: 7 }),
    end: (session) => [...sessionNames(session), textAttribute(attribute.reply_message, 'acme')],
  },
}

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  ;(kinds as GatewayKind[]).push(acme)
  foyer = await openFoyer({ env: { ROLES: 'api,guest,radius,jobs' } })
  await keepLookup(foyer.database.ownerUrl, 'gateway_types', gatewayTypes())
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

const told = { controller_url: 'http://acme.example:8080', api_key: 'a very secret key', role: 'guest', site: 'one' }
const made = async (more: object = {}) => {
  const { id: portal_id, url } = await foyer.portal(editor, { auth_method_ids: [authMethods.free] })
  const { id: property_id } = await foyer.property(editor, { portal_id })
  const asked = { property_id, gateway_type_id: 900, dns_name: 'acme.example', settings: told, ...more }
  return { url: new URL(url).pathname, property_id, asked }
}
test('it is offered, and says what it needs to be told', async () => {
  expect((await foyer.get(reference.gatewayTypes, {}, editor)).data.at(-1)).toEqual({ id: 900, name: 'Acme Hotspot' })
  const { data } = await foyer.get(gatewayKinds.kinds, {}, editor)
  expect(data.find(({ id }) => id === 900)).toMatchObject({
    served: true,
    parameters: [{ key: 'controller_url', kind: 'url', required: true }, { key: 'api_key' }, {}, {}, {}, {}],
    honours: { end: 'yes' },
  })
  expect(data.filter(({ served }) => !served).length).toBe(1)
})

test('what is missing, unknown or of the wrong kind is refused at its setting', async () => {
  const { asked } = await made()
  const refused = async (settings: object | undefined) =>
    errorsOf(await foyer.ask(contract.create, { ...asked, settings } as never, editor))
  const required = ['This field is required']
  expect(await refused(undefined)).toEqual({ 'settings.controller_url': required, 'settings.api_key': required })
  expect(await refused({ ...told, api_key: ' ', zone: 'x' })).toEqual({
    'settings.api_key': required,
    'settings.zone': ['This field is not known'],
  })
  expect(await refused({ ...told, controller_url: 'acme', role: 'admin', vlan: 'x', tls: 1 })).toEqual({
    'settings.controller_url': ['Please enter an address that begins with https:// or http://'],
    'settings.role': ['Please choose one of: guest'],
    'settings.vlan': ['Please enter a positive numeric value'],
    'settings.tls': ['This must be true or false'],
  })
})

test('secrets are kept and never answered; what is left out stays, and null takes away', async () => {
  const { asked } = await made({ name: 'Roof' })
  const { data: gateway } = await foyer.get(contract.create, asked, editor)
  const { api_key: _, ...open } = told
  expect(gateway).toMatchObject({ settings: open, settings_set: ['api_key'] })
  const change = async (settings: Record<string, string | number | boolean | null>) =>
    (await foyer.get(contract.update, { id: gateway.id, settings }, editor)).data
  expect((await change({ vlan: 7, role: null })).settings).toEqual({
    controller_url: told.controller_url,
    site: 'one',
    vlan: 7,
  })
  expect(await change({ api_key: 'another key' })).toMatchObject({ settings_set: ['api_key'] })
  const asks = (settings: object) => foyer.ask(contract.update, { id: gateway.id, settings } as never, editor)
  expect(errorsOf(await asks({ api_key: null }))).toEqual({ 'settings.api_key': ['This field is required'] })
  expect(errorsOf(await asks({ site: 'two' }))).toEqual({ 'settings.site': ['This cannot be changed any more'] })
  expect(errorsOf(await asks({ site: 'one' }))).toBeUndefined()
  // As it was read, it may be sent back.
  const { data: read } = await foyer.get(contract.get, { id: gateway.id }, editor)
  await foyer.get(
    contract.update,
    { id: gateway.id, settings: read.settings, settings_set: read.settings_set } as never,
    editor,
  )
  const log = await foyer.ask(activity.list, {}, editor)
  expect(log.text).toContain('settings.api_key_changed')
  for (const secret of [told.api_key, 'another key']) expect(log.text).not.toContain(secret)
  // Another kind has none of it.
  const { data: other } = await foyer.get(contract.update, { id: gateway.id, gateway_type_id: 13 }, editor)
  expect(other).toMatchObject({ settings: {}, settings_set: [] })
})

test('it is set up in its own words', async () => {
  const { asked } = await made()
  const { id } = (await foyer.get(contract.create, asked, editor)).data
  expect((await foyer.get(gatewayKinds.setUp, { id }, editor)).data).toMatchObject({
    where: 'Open http://acme.example:8080.',
    lines: 'radius THE-RADIUS-SECRET',
    values: [],
    captive_line: null,
  })
})

test('its redirect is proven by its own secret, and its guests are sent where its settings say', async () => {
  const { asked, url } = await made()
  const { nas_identifier } = (await foyer.get(contract.create, asked, editor)).data
  const device = aMacAddress()
  const address = (key: string) =>
    `${url}?${new URLSearchParams({ acme: nas_identifier, device, proof: signed(device, key) }).toString()}`
  const form = (to: string) =>
    foyer.guest?.inject({
      method: 'POST',
      url: to,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `method=${authMethods.free}`,
    })
  expect((await form(address('another key')))?.statusCode).toBe(200)
  const sent = await form(address(told.api_key))
  expect([sent?.statusCode, sent?.headers['location']]).toEqual([
    303,
    expect.stringMatching(/^http:\/\/acme\.example:8080\/in\?token=pass-/),
  ])
})

test('RADIUS speaks its words: what it grants, what it reports, and how a session is ended', async () => {
  if (!foyer.radius) throw new Error('no role')
  const ports = await foyer.radius.listen('127.0.0.1', { access: 0, accounting: 0 })
  const { asked, property_id } = await made()
  const registered = (await foyer.get(contract.create, asked, editor)).data
  const { id: package_id } = await foyer.package(editor, {})
  await foyer.account(editor, { property_id, package_id, username: 'ada', password: 'quiet lantern 7' })
  const gateway = await openGateway(ports, registered)
  await foyer.get(contract.update, { id: registered.id, disconnect_port: gateway.port }, editor)
  const known = { user_name: 'ada', calling_station_id: aMacAddress() }
  const answer = await gateway.access({ ...known, password: 'quiet lantern 7' })
  expect(answer.code).toBe(code.access_accept)
  const ofVendors = answer.attributes.filter(({ type }) => type === attribute.vendor_specific)
  expect(ofVendors.map(({ value }) => value.toString('latin1'))).toContainEqual(expect.stringMatching(/guest$/))

  const acct_session_id = 'one'
  await gateway.report({
    ...known,
    class: textIn(answer, attribute.class) ?? '',
    acct_session_id,
    acct_status_type: status_type.interim,
    acct_input_octets: 5,
  })
  const { data } = await foyer.get(sessions.list, { params: { property_id } }, editor)
  expect(data[0]).toMatchObject({ bytes_up: 7, online: true })
  const ended = gateway.nextRequest()
  await foyer.get(sessions.disconnect, { ids: [data[0]?.id ?? 0], reason: 'Test' }, editor)
  expect(textIn(await ended, attribute.reply_message)).toBe('acme')
  await gateway.close()
})
