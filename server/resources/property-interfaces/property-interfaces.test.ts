// Property interfaces: four kinds of owner, credentials that are never shown, and removal of what they refer to.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from 'pg'
import * as activity from '#contract/activity.ts'
import * as gateways from '#contract/gateways.ts'
import * as groups from '#contract/groups.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import { propertyInterfaceTypes } from '#contract/reference.ts'
import { openSeal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import { connect } from '#server/db/logins.ts'
import { finishRemovals } from '#server/entities/removal.ts'
import { systems } from '#server/property-systems/kinds.ts'
import { forbidden, invalid, notFound } from '#server/errors/refused.ts'
import { fieldUnwritable } from '#contract/unknown-fields.ts'
import { selectedInvalid } from '#contract/errors.ts'
import { openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

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

async function storedCredentials(id: number) {
  const { rows } = await admin.query<{ sealed_username: Buffer | null; sealed_password: Buffer | null }>(
    'select sealed_username, sealed_password from property_interface_secrets where property_interface_id = $1',
    [id],
  )
  const seal = openSeal(foyer.database.secretKeys)
  const place = (name: 'sealed_username' | 'sealed_password') =>
    placeIn(`property_interface_secrets.${name}`, { customer_id: editor.user.customer.id }, id)
  return rows.map(({ sealed_username, sealed_password }) => ({
    username: sealed_username && seal.open(sealed_username, place('sealed_username')),
    password: sealed_password && seal.open(sealed_password, place('sealed_password')),
  }))
}

test('the types are seeded', async () => {
  const { data } = await foyer.get(propertyInterfaceTypes, {}, editor)
  expect(data.map(({ name }) => name)).toEqual([
    'Oracle FIAS (OPERA, Suite 8, protel)',
    'MRI',
    'Mews',
    'Apaleo',
    'Generic webhook',
    'File drop',
    'Cloudbeds',
    'OPERA Cloud',
  ])
})

describe('an owner', () => {
  test('is the customer, a group, a property or a package, and its properties with a reference are counted', async () => {
    const own = await foyer.customer()
    const group = await foyer.group(own)
    const pack = await foyer.package(own)
    const place = await foyer.property(own, { group_id: group.id, external_reference: 'HV-1' })
    await foyer.property(own, { group_id: group.id })
    await foyer.property(own, { package_id: pack.id, external_reference: 'HV-2' })
    const gone = await foyer.property(own, { group_id: group.id, external_reference: 'HV-3' })
    await foyer.get(properties.remove, { id: gone.id }, own)
    const made = async (owner_type?: string, owner_id?: number) => {
      const answer = await foyer.send(interfaces.create, { property_interface_type_id: 2, owner_type, owner_id }, own)
      expect(answer.status).toBe(201)
      return answer.body
    }
    const facts = (owner_type: string, owner_id: number, count: number) => ({
      data: { name: 'MRI', owner_type, owner_id, number_of_properties_with_external_references: count },
    })
    expect(await made()).toMatchObject(facts('Customer', own.user.customer.id, 2))
    expect(await made('groups', group.id)).toMatchObject(facts('Group', group.id, 1))
    expect(await made('PROPERTY', place.id)).toMatchObject(facts('Property', place.id, 1))
    expect(await made('Package', pack.id)).toMatchObject(facts('Package', pack.id, 1))

    const types = async (params: object) =>
      (await foyer.get(interfaces.list, { params }, own)).data.map((row) => row.owner_type).toSorted()
    expect(await types({})).toEqual(['Customer', 'Group', 'Package', 'Property'])
    expect(await types({ property_id: place.id })).toEqual(['Property'])
    expect(await types({ group_id: group.id })).toEqual(['Group', 'Property'])
    expect(await types({ owner_package_id: pack.id })).toEqual(['Package'])
    const { data: filtered } = await foyer.get(interfaces.list, { filters: { owner_type: ['groups', 'Package'] } }, own)
    expect(filtered).toHaveLength(2)
  })

  test('is in reach: nobody makes one for a neighbour, above themselves, or for a package of another', async () => {
    const group = await foyer.group(editor)
    const helen = await foyer.invited(editor, { owner_type: 'Group', owner_id: group.id })
    const pack = await foyer.package(editor)
    const neighbour = await foyer.customer()
    const type = { property_interface_type_id: 1 }
    const create = (who: Person, owner_type: string, owner_id: number) =>
      foyer.send(interfaces.create, { ...type, owner_type, owner_id }, who)
    expect((await create(helen, 'Group', group.id)).status).toBe(201)
    expectRefused(await create(helen, 'Customer', editor.user.customer.id), forbidden())
    expectRefused(await create(helen, 'Package', pack.id), forbidden())
    expectRefused(await create(neighbour, 'Package', pack.id), invalid({ owner_id: [selectedInvalid('owner_id')] }))
    expectRefused(await create(neighbour, 'Group', group.id), invalid({ owner_id: [selectedInvalid('owner_id')] }))
    const theirs = (await foyer.get(interfaces.list, {}, helen)).data
    expect(theirs.map((row) => [row.owner_type, row.owner_id])).toEqual([['Group', group.id]])
  })

  test('stays: an update that would move it is refused', async () => {
    const { id } = await foyer.propertyInterface(editor)
    const group = await foyer.group(editor)
    const moved = await foyer.send(interfaces.update, { id, owner_type: 'Group', owner_id: group.id }, editor)
    expect([moved.status, moved.body]).toMatchObject([
      422,
      { errors: { owner_type: [fieldUnwritable], owner_id: [fieldUnwritable] } },
    ])
    expect((await foyer.get(interfaces.get, { id }, editor)).data.owner_type).toBe('Customer')
  })
})

test('credentials are sealed, stay when an update leaves them out, and are never answered', async () => {
  const { id } = await foyer.propertyInterface(editor, { username: 'desk-user-4', password: 'desk-pass-4' })
  expect(await storedCredentials(id)).toEqual([{ username: 'desk-user-4', password: 'desk-pass-4' }])
  await foyer.get(interfaces.update, { id, host: 'PMS.Example.com', port: 5010 }, editor)
  await foyer.get(interfaces.update, { id, password: 'desk-pass-5' }, editor)
  expect(await storedCredentials(id)).toEqual([{ username: 'desk-user-4', password: 'desk-pass-5' }])
  expect((await foyer.get(interfaces.get, { id }, editor)).data).toMatchObject({
    host: 'pms.example.com',
    port: 5010,
    has_username: true,
    has_password: true,
  })
  const answers = [
    await foyer.ask(interfaces.get, { id }, editor),
    await foyer.ask(interfaces.list, { searchValue: 'desk-pass' }, editor),
    await foyer.ask(interfaces.update, { id, username: 'desk-user-6' }, editor),
    await foyer.ask(activity.list, {}, editor),
  ]
  for (const { text } of answers) expect(text).not.toMatch(/desk-(user|pass)-\d/)
  expect(answers[3]?.text).toMatch(/username_changed.*password_changed/s)
  await foyer.get(interfaces.update, { id, username: null, password: null }, editor)
  expect((await foyer.get(interfaces.get, { id }, editor)).data).toMatchObject({
    has_username: false,
    has_password: false,
  })
})

/** Of those whose form a secret must have; the others take any word. */
const secretsInTheirForm: Record<string, string> = {
  auth_key: Buffer.alloc(16, 'key-of-fias').toString('base64'),
  signing_secret: `whsec_${Buffer.alloc(32, 'key-of-webhooks').toString('base64')}`,
}
const withSecrets = systems.flatMap(({ definition: { id, name, parameters } }) => {
  const keys = parameters.filter(({ kind }) => kind === 'secret').map(({ key }) => key)
  return keys.length > 0 ? [[name, id, keys] as const] : []
})

test('the systems that are told a secret are found', () => expect(withSecrets.length).toBeGreaterThan(4))

test.each(withSecrets)('of %s no secret is ever answered, nor found by a search for it', async (_, type_id, keys) => {
  const { id: owner_id } = await foyer.property(editor)
  const values = Object.fromEntries(keys.map((key) => [key, secretsInTheirForm[key] ?? `a-secret-${unique(key)}`]))
  const made = await foyer.ask(
    interfaces.create,
    { property_interface_type_id: type_id, owner_type: 'Property', owner_id, settings: values },
    editor,
  )
  expect([made.status, made.text]).toEqual([201, expect.stringContaining('settings_set')])
  const { id, settings_set } = made.body.data
  expect(settings_set.toSorted()).toEqual(keys.toSorted())
  const answers = [
    made.text,
    (await foyer.ask(interfaces.get, { id }, editor)).text,
    (await foyer.ask(interfaces.list, {}, editor)).text,
    (await foyer.ask(interfaces.update, { id, name: unique('Renamed'), settings: values }, editor)).text,
    (await foyer.ask(interfaces.log, { id }, editor)).text,
    (await foyer.ask(activity.list, {}, editor)).text,
  ]
  // That they were changed is in the log.
  for (const key of keys) expect(answers.at(-1)).toContain(`"settings.${key}_changed"`)
  for (const value of Object.values(values)) {
    expect(answers.filter((text) => text.includes(value))).toEqual([])
    const { data } = await foyer.get(interfaces.list, { searchValue: value }, editor)
    expect(data).toEqual([])
  }
})

test.each(withSecrets)(
  'of %s no secret is sent to another address than the one it was given for',
  async (_, type_id, keys) => {
    const settings = Object.fromEntries(keys.map((key) => [key, secretsInTheirForm[key] ?? 'a secret']))
    const { id } = await foyer.propertyInterface(editor, {
      property_interface_type_id: type_id,
      host: 'pms.example.com',
      port: 5010,
      settings,
      username: 'desk',
      password: 'a password',
    })
    const change = async (more: Record<string, unknown>) => {
      const { status, text } = await foyer.ask(interfaces.update, { id, ...more }, editor)
      return status === 200 ? 200 : (JSON.parse(text) as { errors: object }).errors
    }
    const again = ['Please enter it again, as the address has changed']
    const refused = Object.fromEntries(
      ['username', 'password', ...keys.map((key) => `settings.${key}`)].map((key) => [key, again]),
    )
    expect(await change({ name: 'Desk', host: 'PMS.example.com', port: 5010 })).toBe(200)
    expect(await change({ host: 'elsewhere.example' })).toEqual(refused)
    expect(await change({ port: 5011 })).toEqual(refused)
    // Not by a detour either.
    expect(await change({ host: null })).toEqual(refused)
    expect(await change({ host: null, settings, username: null, password: null })).toBe(200)
    const ofSettings = Object.fromEntries(keys.map((key) => [`settings.${key}`, again]))
    expect(await change({ host: 'elsewhere.example', settings: {} })).toEqual(ofSettings)
    expect(await change({ host: 'elsewhere.example', settings, username: 'desk', password: 'another' })).toBe(200)
  },
)

test('the sales outlet is kept, changed and cleared like any other word', async () => {
  const { id } = await foyer.propertyInterface(editor, { sales_outlet: '10' })
  const kept = async () => (await foyer.get(interfaces.get, { id }, editor)).data.sales_outlet
  await foyer.get(interfaces.update, { id, host: 'pms.example.com', port: 5010 }, editor)
  expect(await kept()).toBe('10')
  await foyer.get(interfaces.update, { id, sales_outlet: '12' }, editor)
  expect(await kept()).toBe('12')
  await foyer.get(interfaces.update, { id, sales_outlet: null }, editor)
  expect(await kept()).toBeNull()
})

test('one is disabled by its id, activated, and toggled by the call in the singular', async () => {
  const { id } = await foyer.propertyInterface(editor)
  expect(interfaces.toggle.path).toBe('/property-interface-toggle-active')
  expect((await foyer.get(interfaces.deactivate, { id }, editor)).data.status).toBe('disabled')
  expect((await foyer.get(interfaces.activate, { id }, editor)).data.status).toBe('active')
  expect((await foyer.get(interfaces.toggle, { id }, editor)).data.status).toBe('disabled')
  expect((await foyer.get(interfaces.toggle, { id }, editor)).data.status).toBe('active')
  await foyer.get(interfaces.remove, { id }, editor)
  expectRefused(await foyer.ask(interfaces.get, { id }, editor), notFound())
})

describe('what an interface needs', () => {
  test('cannot be removed: a package by either field, and a group; the refusal names it', async () => {
    const given = await foyer.package(editor)
    const owning = await foyer.package(editor)
    const group = await foyer.group(editor)
    const name = unique('Front office')
    const ofGroup = { package_id: given.id, owner_type: 'Group', owner_id: group.id } as const
    const { id } = await foyer.propertyInterface(editor, { name, ...ofGroup })
    const ofPackage = { owner_type: 'Package', owner_id: owning.id } as const
    const other = await foyer.propertyInterface(editor, { name: `${name} too`, ...ofPackage })
    const refusal = { status: 409, text: expect.stringContaining(name) as string }
    expect(await foyer.ask(packages.remove, { id: given.id }, editor)).toMatchObject(refusal)
    expect(await foyer.ask(packages.remove, { id: owning.id }, editor)).toMatchObject(refusal)
    expect(await foyer.ask(groups.remove, { id: group.id }, editor)).toMatchObject(refusal)
    for (const one of [id, other.id]) await foyer.get(interfaces.remove, { id: one }, editor)
    expect((await foyer.ask(packages.remove, { id: given.id }, editor)).status).toBe(200)
    expect((await foyer.ask(packages.remove, { id: owning.id }, editor)).status).toBe(200)
    expect((await foyer.ask(groups.remove, { id: group.id }, editor)).status).toBe(200)
  })

  test('takes it along: removing a property removes its gateways and interfaces', async () => {
    const place = await foyer.property(editor)
    const { id } = await foyer.propertyInterface(editor, { owner_type: 'Property', owner_id: place.id })
    const gateway = await foyer.gateway(editor, { property_id: place.id })
    await foyer.get(properties.remove, { id: place.id }, editor)
    expectRefused(await foyer.ask(interfaces.get, { id }, editor), notFound())
    expectRefused(await foyer.ask(interfaces.update, { id, name: 'Still here' }, editor), notFound())
    const { data } = await foyer.get(interfaces.list, {}, editor)
    expect(data.map((row) => row.id)).not.toContain(id)
    expectRefused(await foyer.ask(gateways.get, { id: gateway.id }, editor), notFound())
    // The job marks them row by row.
    await finishRemovals(foyer.services.tenancy, () => true)
    const { rows } = await admin.query(
      'select deleted_at from property_interfaces where id = $1 union all select deleted_at from gateways where id = $2',
      [id, gateway.id],
    )
    expect(rows.map((row: { deleted_at: Date | null }) => row.deleted_at)).not.toContain(null)
    expect(rows).toHaveLength(2)
  })
})

test('an invalid host, port or owner is reported at its field', async () => {
  for (const [field, value] of [
    ['host', 'https://pms.example.com'],
    ['port', 70_000],
    ['owner_type', 'Room'],
    ['property_interface_type_id', 99],
  ] as const) {
    const answer = await foyer.send(interfaces.create, { property_interface_type_id: 1, [field]: value }, editor)
    expect([answer.status, Object.keys((JSON.parse(answer.text) as { errors: object }).errors)]).toEqual([422, [field]])
  }
})

test('a property’s users read its interfaces and change none', async () => {
  const place = await foyer.property(editor)
  const { id } = await foyer.propertyInterface(editor, { owner_type: 'Property', owner_id: place.id })
  const owner = { owner_type: 'Property', owner_id: place.id } as const
  const local = await foyer.invited(editor, owner)
  expect((await foyer.get(interfaces.list, {}, local)).data.map((row) => row.id)).toEqual([id])
  expectRefused(await foyer.ask(interfaces.toggle, { id }, local), forbidden())
  const desk = await foyer.invited(editor, { ...owner, user_type_id: 3 })
  expectRefused(await foyer.ask(interfaces.list, {}, desk), forbidden())
})
