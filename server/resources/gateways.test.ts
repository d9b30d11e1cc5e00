// Gateways: a RADIUS secret that is told once, a password that is never told, and the property that they go with.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from 'pg'
import * as activity from '#contract/activity.ts'
import * as gateways from '#contract/gateways.ts'
import * as properties from '#contract/properties.ts'
import { openSeal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import { connect } from '#server/db/logins.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
let admin: Client
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
  editor = await foyer.customer()
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

async function storedSecrets(id: number) {
  const { rows } = await admin.query<{ sealed_radius_secret: Buffer; sealed_password: Buffer | null }>(
    'select sealed_radius_secret, sealed_password from gateway_secrets where gateway_id = $1',
    [id],
  )
  const seal = openSeal(foyer.database.secretKeys)
  const place = (name: 'sealed_password' | 'sealed_radius_secret') =>
    placeIn(`gateway_secrets.${name}`, { customer_id: editor.user.customer.id }, id)
  const [row] = rows
  return {
    count: rows.length,
    radius_secret: row && seal.open(row.sealed_radius_secret, place('sealed_radius_secret')),
    password: row?.sealed_password && seal.open(row.sealed_password, place('sealed_password')),
  }
}

test('the RADIUS secret is made by the server, told once, and made anew on demand', async () => {
  const made = await foyer.gateway(editor)
  expect(made.radius_secret).toMatch(/^[A-Za-z2-9]{24}$/)
  expect(made).toMatchObject({
    name: 'MikroTik RouterOS',
    gateway_type: { id: 1 },
    last_seen_at: null,
    status: 'active',
  })
  expect(made.nas_identifier).toMatch(/^foyer-/)
  expect(await storedSecrets(made.id)).toEqual({ count: 1, radius_secret: made.radius_secret, password: null })
  const { data: again } = await foyer.get(gateways.makeSecret, { id: made.id }, editor)
  expect(again.radius_secret).not.toBe(made.radius_secret)
  expect(await storedSecrets(made.id)).toEqual({ count: 1, radius_secret: again.radius_secret, password: null })
  const told = [
    await foyer.ask(gateways.get, { id: made.id }, editor),
    await foyer.ask(gateways.list, {}, editor),
    await foyer.ask(gateways.update, { id: made.id, name: 'Cellar' }, editor),
    await foyer.ask(activity.list, {}, editor),
  ]
  for (const { text } of told) for (const secret of [made, again]) expect(text).not.toContain(secret.radius_secret)
})

test('a password is written and never answered; an update without one leaves it', async () => {
  const { id } = await foyer.gateway(editor, { username: 'admin', password: 'router-password-7' })
  await foyer.get(gateways.update, { id, name: 'Roof' }, editor)
  expect(await storedSecrets(id)).toMatchObject({ count: 1, password: 'router-password-7' })
  expect((await foyer.get(gateways.get, { id }, editor)).data).toMatchObject({ has_password: true, username: 'admin' })
  const texts = [
    await foyer.ask(gateways.get, { id }, editor),
    await foyer.ask(gateways.update, { id, password: 'router-password-8' }, editor),
    await foyer.ask(gateways.list, { searchValue: 'router-password' }, editor),
    await foyer.ask(activity.list, {}, editor),
  ].map(({ text }) => text)
  for (const text of texts) expect(text).not.toContain('router-password-')
  expect(await storedSecrets(id)).toMatchObject({ count: 1, password: 'router-password-8' })
  await foyer.get(gateways.update, { id, password: null }, editor)
  expect((await foyer.get(gateways.get, { id }, editor)).data).toMatchObject({ has_password: false })
})

test('it is disabled and activated by one call, found by half its MAC or address, and deleted', async () => {
  const place = await foyer.property(editor)
  const { id } = await foyer.gateway(editor, {
    property_id: place.id,
    gateway_type_id: 4,
    mac_address: '78-8A-20-00-0B-01',
    ip_address: '10.11.12.13',
    dns_name: 'WiFi.Example.com',
  })
  for (const searchValue of ['788a.2000', '10.11.12.13', 'wifi.example'])
    expect((await foyer.get(gateways.list, { searchValue }, editor)).data.map((row) => row.id)).toEqual([id])
  expect((await foyer.get(gateways.toggle, { id }, editor)).data.status).toBe('disabled')
  expect((await foyer.get(gateways.toggle, { id }, editor)).data.status).toBe('active')
  await foyer.get(gateways.remove, { id }, editor)
  expect((await foyer.ask(gateways.get, { id }, editor)).status).toBe(404)
})

test('what is no address, host or identifier is told at its field', async () => {
  const place = await foyer.property(editor)
  const asked = { property_id: place.id, gateway_type_id: 1 }
  for (const [field, value] of [
    ['ip_address', '10.0.0.256'],
    ['dns_name', 'http://router'],
    ['nas_identifier', 'two words'],
    ['mac_address', 'ff:ff:ff:ff:ff:ff'],
  ] as const) {
    const answer = await foyer.ask(gateways.create, { ...asked, [field]: value }, editor)
    expect([answer.status, Object.keys((JSON.parse(answer.text) as { errors: object }).errors)]).toEqual([422, [field]])
  }
  const { nas_identifier } = await foyer.gateway(editor, { ...asked, nas_identifier: 'cellar-1' })
  expect((await foyer.ask(gateways.create, { ...asked, nas_identifier }, editor)).status).toBe(422)
})

test('a property takes its gateways along; its own people read them and do not change them', async () => {
  const place = await foyer.property(editor)
  const { id } = await foyer.gateway(editor, { property_id: place.id })
  const desk = await foyer.invited(editor, { owner_type: 'Property', owner_id: place.id })
  expect((await foyer.get(gateways.list, {}, desk)).data.map((row) => row.id)).toEqual([id])
  expect((await foyer.ask(gateways.makeSecret, { id }, desk)).status).toBe(403)
  await foyer.get(properties.remove, { id: place.id }, editor)
  expect((await foyer.ask(gateways.get, { id }, editor)).status).toBe(404)
})

test('several are disabled at once, all or none, and one is made active by its id', async () => {
  const one = await foyer.gateway(editor)
  const two = await foyer.gateway(editor)
  const refused = await foyer.ask(gateways.deactivate, { ids: [one.id, 2 ** 30] }, editor)
  expect(refused.status).toBe(422)
  await foyer.get(gateways.deactivate, { ids: [one.id, two.id] }, editor)
  const { data } = await foyer.get(gateways.list, { filters: { status: 'disabled' } }, editor)
  expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining([one.id, two.id]))
  expect((await foyer.get(gateways.activate, { id: one.id }, editor)).data).toMatchObject({ status: 'active' })
})

test('a gateway says where it sends guests: to the page of its property’s portal', async () => {
  const editor = await foyer.customer()
  const portal = await foyer.portal(editor)
  const shown = await foyer.property(editor, { portal_id: portal.id })
  expect((await foyer.gateway(editor, { property_id: shown.id })).portal_url).toBe(portal.url)
  expect((await foyer.gateway(editor)).portal_url).toBeNull()
})
