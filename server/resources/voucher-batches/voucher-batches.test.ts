// Voucher batches, as callers use it.
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as batches from '#contract/voucher-batches.ts'
import { selectedIdsInvalid, selectedInvalid } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import { connect } from '#server/db/logins.ts'
import { clash, invalid, notFound } from '#server/errors/refused.ts'
import { openFoyer, unique, type TestFoyer } from '#test/foyer.ts'
import { codesOf } from '#test/voucher-codes.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let admin: Client
beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

test('a batch is made with its number, its codes and its place, found in its list, and removed', async () => {
  const editor = await foyer.customer()
  const group = await foyer.group(editor)
  const property = await foyer.property(editor, { group_id: group.id })
  const wifi = await foyer.package(editor)
  const made = await foyer.ask(
    batches.create,
    { quantity: 250, package_id: wifi.id, property_id: property.id, volume_gb: 2.5 },
    editor,
  )
  expect(made.status).toBe(201)
  const batch = made.body.data
  expect(batch).toMatchObject({
    batch_number: expect.stringMatching(/^B-\d{4}-000001$/) as string,
    quantity: 250,
    redeemed: 0,
    status: 'active',
    active: true,
    volume_gb: 2.5,
    speed_mbps: 0,
    package: { id: wifi.id, name: wifi.name },
    property: { id: property.id, name: property.name },
    property_id: property.id,
    group: { id: group.id, name: group.name },
    group_id: group.id,
    has_password: false,
    password: null,
  })
  expect(new Set(await codesOf(admin, batch.id)).size).toBe(250)

  const { password: _p, package_id: _k, property_id: _q, group_id: _g, ...row } = batch
  expect((await foyer.get(batches.list, {}, editor)).data).toEqual([row])
  expect((await foyer.get(batches.get, { id: batch.id }, editor)).data).toEqual(batch)

  expect((await foyer.get(batches.remove, { id: batch.id }, editor)).data).toEqual({ ids: [batch.id] })
  expectRefused(await foyer.ask(batches.get, { id: batch.id }, editor), notFound())
  expect(await codesOf(admin, batch.id)).toHaveLength(250)
})

test('batches made at once are numbered without gaps or duplicates', async () => {
  const editor = await foyer.customer()
  const { package_id, property_id } = await foyer.voucherBatch(editor)
  const made = await Promise.all(
    Array.from({ length: 12 }, () => foyer.voucherBatch(editor, { quantity: 1, package_id, property_id })),
  )
  const numberOf = ({ batch_number }: { batch_number: string }) => Number(/^B-\d{4}-(\d{6})$/.exec(batch_number)?.[1])
  expect(made.map(numberOf).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => index + 2))
  const refused = await foyer.ask(batches.create, { quantity: 1, package_id, property_id: 2_000_000_000 }, editor)
  expectRefused(refused, invalid({ property_id: [selectedInvalid('property_id')] }))
  expect(numberOf(await foyer.voucherBatch(editor, { quantity: 1, package_id, property_id }))).toBe(14)
})

const chooseOne = 'Please choose a property, or a group to make the codes good in all of its properties'

test('a batch needs a property, or a group; a property must be in the group given with it', async () => {
  const editor = await foyer.customer()
  const { id: package_id } = await foyer.package(editor)
  const group = await foyer.group(editor)
  const property = await foyer.property(editor)
  const ask = { quantity: 5, package_id }
  const neither = await foyer.ask(batches.create, ask, editor)
  expectRefused(neither, invalid({ property_id: [chooseOne], group_id: [chooseOne] }))
  const mismatched = await foyer.ask(batches.create, { ...ask, property_id: property.id, group_id: group.id }, editor)
  expect(mismatched.body).toMatchObject({ errors: { property_id: ['This property is not in the chosen group'] } })
  const wide = await foyer.get(batches.create, { ...ask, group_id: group.id }, editor)
  expect(wide.data).toMatchObject({ property: null, property_id: null, group: { id: group.id }, group_id: group.id })
})

test.each([
  ['no codes', { quantity: 0 }, 'quantity', messages.fields.minimum(1)],
  ['too many', { quantity: 100_001 }, 'quantity', messages.fields.maximum(100_000)],
  ['half a code', { quantity: 1.5 }, 'quantity', messages.fields.integer],
  ['less than no data', { volume_gb: -1 }, 'volume_gb', messages.fields.numeric],
  [
    'an end that has passed',
    { expires_at: '2020-01-01T00:00:00Z' },
    'expires_at',
    'Please choose a time in the future',
  ],
  [
    'an end before the beginning',
    { valid_from: '2999-01-02T00:00:00Z', expires_at: '2999-01-01T00:00:00Z' },
    'expires_at',
    'Please choose a time after the start',
  ],
])('%s is refused on its field', async (_name, values, field, sentence) => {
  const editor = await foyer.customer()
  const { package_id, property_id } = await foyer.voucherBatch(editor)
  const refused = await foyer.ask(batches.create, { quantity: 1, package_id, property_id, ...values }, editor)
  expectRefused(refused, invalid({ [field]: [sentence] }))
})

test("a group's editor makes them for the group or its properties, a property's for the property alone", async () => {
  const editor = await foyer.customer()
  const [group, sibling] = [await foyer.group(editor), await foyer.group(editor)]
  const [here, there] = [
    await foyer.property(editor, { group_id: group.id }),
    await foyer.property(editor, { group_id: sibling.id }),
  ]
  const { id: package_id } = await foyer.package(editor)
  const manager = await foyer.invited(editor, { owner_type: 'Group', owner_id: group.id })
  const desk = await foyer.invited(editor, { owner_type: 'Property', owner_id: here.id })
  const ask = { quantity: 1, package_id }

  const wide = await foyer.voucherBatch(manager, ask)
  expect(wide).toMatchObject({ group_id: group.id, property_id: null })
  const narrow = await foyer.voucherBatch(manager, { ...ask, property_id: here.id })
  expectRefused(
    await foyer.ask(batches.create, { ...ask, property_id: there.id }, manager),
    invalid({ property_id: [selectedInvalid('property_id')] }),
  )
  expectRefused(
    await foyer.ask(batches.create, { ...ask, group_id: sibling.id }, manager),
    invalid({ group_id: [selectedInvalid('group_id')] }),
  )
  const own = await foyer.voucherBatch(desk, ask)
  expect(own).toMatchObject({ group_id: group.id, property_id: here.id })
  expectRefused(
    await foyer.ask(batches.create, { ...ask, group_id: group.id }, desk),
    invalid({ group_id: [selectedInvalid('group_id')] }),
  )

  const seen = async (who: typeof desk) => (await foyer.get(batches.list, {}, who)).data.map((row) => row.id)
  expect(await seen(manager)).toEqual([own.id, narrow.id, wide.id])
  expect(await seen(desk)).toEqual([own.id, narrow.id])
  expectRefused(await foyer.ask(batches.deactivate, { ids: [wide.id] }, desk), invalid({ ids: [selectedIdsInvalid] }))

  // It follows its property to another group.
  await foyer.get(properties.update, { id: here.id, group_id: sibling.id }, editor)
  expect(await seen(manager)).toEqual([wide.id])
})

test('a key that is limited to less than its owner makes them for the properties it names alone', async () => {
  const editor = await foyer.customer()
  const group = await foyer.group(editor)
  const [here, other] = [await foyer.property(editor, { group_id: group.id }), await foyer.property(editor)]
  const ask = { quantity: 1, package_id: (await foyer.package(editor)).id }
  const ofGroup = await foyer.apiKey(editor, { group_id: group.id, property_ids: [here.id] })
  const colleague = await foyer.invited(editor)
  const ofColleague = await foyer.apiKey(colleague, { property_ids: [here.id] })
  // The colleague works elsewhere now, where the key does not lead.
  await foyer.query('update users set property_id = $2 where id = $1', [colleague.user.id, other.id])
  for (const { program } of [ofGroup, ofColleague]) {
    const { status, body } = await foyer.ask(batches.create, ask, program)
    expect([status, body]).toMatchObject([422, { errors: { property_id: [chooseOne], group_id: [chooseOne] } }])
  }
  const made = await foyer.get(batches.create, { ...ask, property_id: here.id }, ofGroup.program)
  expect(made.data).toMatchObject({ property_id: here.id })
})

test('its list is filtered by property (including batches of the property’s group), by group, package and status', async () => {
  const editor = await foyer.customer()
  const group = await foyer.group(editor)
  const [one, two] = [
    await foyer.property(editor, { group_id: group.id }),
    await foyer.property(editor, { group_id: group.id }),
  ]
  const { id: package_id } = await foyer.package(editor)
  const make = (place: object) => foyer.voucherBatch(editor, { quantity: 1, package_id, ...place })
  const [inOne, inTwo, inGroup] = [
    await make({ property_id: one.id }),
    await make({ property_id: two.id }),
    await make({ group_id: group.id }),
  ]
  const elsewhere = await foyer.voucherBatch(editor)
  await foyer.get(batches.deactivate, { ids: [inTwo.id] }, editor)
  const ids = async (ask: Parameters<typeof foyer.get<typeof batches.list>>[1]) =>
    (await foyer.get(batches.list, ask, editor)).data.map((row) => row.id)

  expect(await ids({ params: { property_id: one.id } })).toEqual([inGroup.id, inOne.id])
  expect(await ids({ params: { group_id: group.id } })).toEqual([inGroup.id, inTwo.id, inOne.id])
  expect(await ids({ filters: { property_id: [one.id, two.id] } })).toEqual([inGroup.id, inTwo.id, inOne.id])
  expect(await ids({ filters: { package_id: elsewhere.package_id } })).toEqual([elsewhere.id])
  expect(await ids({ filters: { status: ['disabled'] } })).toEqual([inTwo.id])
  expect(await ids({ searchValue: inOne.batch_number.slice(-6) })).toEqual([inOne.id])
})

test('the password is kept sealed, read by editors, and never by viewers nor in the log', async () => {
  const editor = await foyer.customer()
  const password = unique('welcome')
  const batch = await foyer.voucherBatch(editor, { password })
  expect(batch).toMatchObject({ password, has_password: true })
  const viewer = await foyer.viewer(editor)
  expect((await foyer.get(batches.get, { id: batch.id }, editor)).data.password).toBe(password)
  expect((await foyer.get(batches.get, { id: batch.id }, viewer)).data).toMatchObject({
    password: null,
    has_password: true,
  })
  const log = await foyer.ask(activity.list, { filters: { object_type: 'voucher_batches' } }, editor)
  expect(log.body.data[0]).toMatchObject({ action: 'create', object_name: batch.batch_number })
  expect(log.text).not.toContain(password)
  const { rows } = await admin.query<{ text: string }>(
    `select encode(sealed_password, 'escape') as text from voucher_batch_passwords where voucher_batch_id = $1`,
    [batch.id],
  )
  expect(rows[0]?.text).not.toContain(password)
})

test('a duplicate has the same settings and other codes; an ended batch cannot be duplicated', async () => {
  const editor = await foyer.customer()
  const batch = await foyer.voucherBatch(editor, {
    quantity: 30,
    volume_gb: 3,
    speed_mbps: 8,
    password: 'open',
    expires_at: '2999-01-01T00:00:00Z',
  })
  await foyer.get(batches.deactivate, { ids: [batch.id] }, editor)
  const copy = (await foyer.get(batches.duplicate, { id: batch.id }, editor)).data
  const { id: _i, batch_number: _n, created_at: _c, ...settings } = batch
  expect(copy).toMatchObject(settings)
  expect(new Set([...(await codesOf(admin, batch.id)), ...(await codesOf(admin, copy.id))]).size).toBe(60)

  await admin.query(`update voucher_batches set expires_at = now() - interval '1 minute' where id = $1`, [batch.id])
  const refused = await foyer.ask(batches.duplicate, { id: batch.id }, editor)
  expectRefused(refused, invalid({ id: ['This batch has expired. Create a new one with a later end.'] }))
})

test('the desk duplicates a batch with a password, which it does not see, and the copy has it', async () => {
  const editor = await foyer.customer()
  const desk = await foyer.invited(editor, { user_type_id: 3 })
  const batch = await foyer.voucherBatch(editor, { password: 'open sesame' })
  const copy = (await foyer.get(batches.duplicate, { id: batch.id }, desk)).data
  expect(copy).toMatchObject({ password: null, has_password: true })
  expect((await foyer.get(batches.get, { id: copy.id }, editor)).data.password).toBe('open sesame')
})

test('a batch is disabled and enabled again, and both are logged', async () => {
  const editor = await foyer.customer()
  const batch = await foyer.voucherBatch(editor)
  expect((await foyer.get(batches.deactivate, { ids: [batch.id] }, editor)).data).toEqual({ ids: [batch.id] })
  expect((await foyer.get(batches.get, { id: batch.id }, editor)).data.status).toBe('disabled')
  expect((await foyer.get(batches.activate, { id: batch.id }, editor)).data).toEqual(batch)
  await foyer.get(batches.remove, { id: batch.id }, editor)
  const log = await foyer.get(activity.list, { filters: { object_type: 'voucher_batches' } }, editor)
  expect(log.data.map((line) => line.action)).toEqual(['delete', 'activate', 'deactivate', 'create'])
})

test('a package and a group cannot be removed while batches need them; a property is removed with its batches', async () => {
  const editor = await foyer.customer()
  const group = await foyer.group(editor)
  const wide = await foyer.voucherBatch(editor, { group_id: group.id })
  const refused = await foyer.ask(packages.remove, { id: wide.package_id }, editor)
  expectRefused(
    refused,
    clash(`Still needed by the voucher batches ${wide.batch_number}. Change or remove them first.`),
  )
  const narrow = await foyer.voucherBatch(editor)
  await foyer.get(properties.remove, { id: narrow.property_id ?? 0 }, editor)
  expect((await foyer.get(batches.list, {}, editor)).data.map((row) => row.id)).toEqual([wide.id])
})

test('a create that is repeated with its idempotency key makes its codes once', async () => {
  const editor = await foyer.customer()
  const { package_id, property_id } = await foyer.voucherBatch(editor)
  const headers = { 'idempotency-key': unique('key') }
  const body = { quantity: 40, package_id, property_id }
  const [one, two] = await Promise.all([0, 1].map(() => foyer.ask(batches.create, body, editor, headers)))
  expect(two?.body).toEqual(one?.body)
  expect((await foyer.get(batches.list, {}, editor)).data).toHaveLength(2)
})

test('a batch is found by its name and note, and its name is printed on its slips', async () => {
  const editor = await foyer.customer()
  const { id: property_id } = await foyer.property(editor)
  const made = await foyer.voucherBatch(editor, { property_id, name: 'Spring meeting', note: 'Conference in May' })
  await foyer.voucherBatch(editor, { property_id })
  expect(made).toMatchObject({ name: 'Spring meeting', note: 'Conference in May' })
  for (const searchValue of ['spring', 'conference', 'may spring', 'confrence'])
    expect((await foyer.get(batches.list, { searchValue }, editor)).data.map(({ id }) => id)).toEqual([made.id])
  const file = await foyer.ask(batches.exportCodes, { id: made.id, format: 'csv' }, editor)
  expect(file.text).toContain('Spring meeting')
  expect((await foyer.get(batches.duplicate, { id: made.id }, editor)).data).toMatchObject({ name: 'Spring meeting' })
})
