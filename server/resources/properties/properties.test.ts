// Properties, as callers use them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reply } from '#contract/endpoint.ts'
import * as activity from '#contract/activity.ts'
import * as collections from '#contract/collections.ts'
import * as properties from '#contract/properties.ts'
import { selectedIdsInvalid, selectedInvalid } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import { fieldUnknown } from '#contract/unknown-fields.ts'
import { connect } from '#server/db/logins.ts'
import { clash, invalid, notFound } from '#server/errors/refused.ts'
import { aProperty, openFoyer, unique, type TestFoyer } from '#test/foyer.ts'
import { inDatabase } from '#test/nights.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

test('a property is made with its defaults, found in its list, changed in part and removed', async () => {
  const editor = await foyer.customer()
  const group = await foyer.group(editor)
  const made = await foyer.ask(properties.create, { ...aProperty(), group_id: group.id }, editor)
  expect(made.status).toBe(201)
  const property = made.body.data
  expect(property).toMatchObject({
    status: 'active',
    total_units: 0,
    minimum_billable_percentage: 100,
    holiday_billable_percentage: 100,
    group: { id: group.id, name: group.name },
  })

  const page = await foyer.get(properties.list, { params: { group_id: group.id } }, editor)
  expect(page.data.map((row) => row.id)).toEqual([property.id])
  expect(page.meta).toMatchObject({ total: 1, from: 1, to: 1, next_cursor: null, newer: 0 })

  const changed = await foyer.get(
    properties.update,
    { id: property.id, total_units: 40, email: 'Desk@Hotel.example' },
    editor,
  )
  expect(changed.data).toEqual({ ...property, total_units: 40, email: 'desk@hotel.example' })
  expect((await foyer.get(properties.update, { id: property.id, group_id: null }, editor)).data.group).toBeNull()

  expect((await foyer.get(properties.remove, { id: property.id }, editor)).data).toEqual({ ids: [property.id] })
  expectRefused(await foyer.ask(properties.get, { id: property.id }, editor), notFound())
})

test('a draft needs only its name; activating it asks for the rest, field by field', async () => {
  const editor = await foyer.customer()
  const draft = await foyer.property(editor, { address: null, city: null, country_id: null, draft: true })
  expect(draft.status).toBe('draft')
  expectRefused(
    await foyer.ask(properties.activate, { id: draft.id }, editor),
    invalid({ country_id: [messages.fields.required] }),
  )
  await foyer.get(properties.update, { id: draft.id, country_id: 1 }, editor)
  expect((await foyer.get(properties.activate, { id: draft.id }, editor)).data.status).toBe('active')
})

test('a list is read to its end by cursor and by excluded ids, without gaps or duplicates', async () => {
  const editor = await foyer.customer()
  const ids: number[] = []
  for (let index = 0; index < 7; index++) ids.unshift((await foyer.property(editor)).id)

  const byCursor: number[] = []
  let cursor: string | null = null
  do {
    const page: Reply<typeof properties.list> = await foyer.get(properties.list, { per_page: 3, cursor }, editor)
    byCursor.push(...page.data.map((row) => row.id))
    cursor = page.meta.next_cursor
  } while (cursor !== null)
  expect(byCursor).toEqual(ids)

  const byExclusion: number[] = []
  for (;;) {
    const page = await foyer.get(properties.list, { per_page: 3, excludeIds: byExclusion }, editor)
    byExclusion.push(...page.data.map((row) => row.id))
    if (page.meta.total === page.meta.to) break
  }
  expect(byExclusion).toEqual(ids)

  const byName = await foyer.get(properties.list, { sort: 'name', per_page: 200 }, editor)
  expect(byName.data.map((row) => row.name)).toEqual(
    [...byName.data].map((row) => row.name).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: false })),
  )
})

test('rows made after the first page stay out of the next ones and are counted', async () => {
  const editor = await foyer.customer()
  await foyer.property(editor)
  const first = await foyer.get(properties.list, {}, editor)
  await foyer.property(editor)
  const again = await foyer.get(properties.list, { lastFetchedAt: first.meta.fetched_at }, editor)
  expect(again.data).toHaveLength(1)
  expect(again.meta.newer).toBe(1)
})

test('search finds a part of a word in any case, and filters take the derived words', async () => {
  const editor = await foyer.customer()
  const name = unique('Grand Élysée')
  const found = await foyer.property(editor, { name })
  await foyer.property(editor, { draft: true })
  const ids = async (ask: Parameters<typeof foyer.get<typeof properties.list>>[1]) =>
    (await foyer.get(properties.list, ask, editor)).data.map((row) => row.id)
  expect(await ids({ searchValue: 'élysée' })).toEqual([found.id])
  expect(await ids({ searchValue: '100%' })).toEqual([])
  expect(await ids({ filters: { status: ['active'] } })).toEqual([found.id])
  expect(await ids({ filters: { status: ['active', 'draft'] } })).toHaveLength(2)
  expectRefused(
    await foyer.send(properties.list, { filters: { password: 'x' } }, editor),
    invalid({ 'filters.password': [fieldUnknown] }),
  )
  expectRefused(
    await foyer.send(properties.list, { sort: 'password' }, editor),
    invalid({ sort: ['Please choose one of: -created_at, created_at, name, -name, state, -state'] }),
  )
})

test('a bulk call is all or nothing', async () => {
  const [editor, neighbour] = [await foyer.customer(), await foyer.customer()]
  const [mine, theirs] = [await foyer.property(editor), await foyer.property(neighbour)]
  const refused = await foyer.ask(properties.deactivate, { ids: [mine.id, theirs.id] }, editor)
  expectRefused(refused, invalid({ ids: [selectedIdsInvalid] }))
  expect((await foyer.get(properties.get, { id: mine.id }, editor)).data.status).toBe('active')
  expect((await foyer.get(properties.deactivate, { ids: [mine.id] }, editor)).data).toEqual({ ids: [mine.id] })
  expect((await foyer.get(properties.get, { id: mine.id }, editor)).data.status).toBe('disabled')
})

test('a create that is repeated with its idempotency key is answered again and done once', async () => {
  const editor = await foyer.customer()
  const headers = { 'idempotency-key': unique('key') }
  const body = aProperty()
  const [one, two] = await Promise.all([
    foyer.ask(properties.create, body, editor, headers),
    foyer.ask(properties.create, body, editor, headers),
  ])
  expect([one.status, two.status]).toEqual([201, 201])
  expect(two.body).toEqual(one.body)
  expect((await foyer.get(properties.list, {}, editor)).data).toHaveLength(1)
  const other = await foyer.ask(properties.create, { ...body, name: 'Another' }, editor, headers)
  expectRefused(other, clash('This Idempotency-Key was used for a different request.'))
})

test('every change is logged, with the values before and after', async () => {
  const editor = await foyer.customer()
  const property = await foyer.property(editor)
  await foyer.get(properties.update, { id: property.id, city: 'York' }, editor)
  await foyer.get(properties.update, { id: property.id, city: 'York' }, editor)
  const log = await foyer.get(activity.list, { filters: { object_type: 'properties' } }, editor)
  expect(log.data.map((line) => line.action)).toEqual(['update', 'create'])
  expect(log.data[0]).toMatchObject({
    before: { city: 'Bath' },
    after: { city: 'York' },
    actor_email: editor.user.email,
  })
})

test("a group's editor makes properties in the group and sees no other", async () => {
  const editor = await foyer.customer()
  const [group, sibling] = [await foyer.group(editor), await foyer.group(editor)]
  const elsewhere = await foyer.property(editor, { group_id: sibling.id })
  const manager = await foyer.invited(editor, { owner_type: 'Group', owner_id: group.id })
  const made = await foyer.property(manager)
  expect(made.group?.id).toBe(group.id)
  expect((await foyer.get(properties.list, {}, manager)).data.map((row) => row.id)).toEqual([made.id])
  expectRefused(await foyer.ask(properties.get, { id: elsewhere.id }, manager), notFound())
  expectRefused(
    await foyer.ask(properties.update, { id: made.id, group_id: sibling.id }, manager),
    invalid({ group_id: [selectedInvalid('group_id')] }),
  )
})

test('a collection is added by collection_id, which is read back and changes nothing when it is sent back', async () => {
  const editor = await foyer.customer()
  const add = async (name: string) => (await foyer.get(collections.create, { name }, editor)).data.id
  const [one, other] = [await add('Sea'), await add('Hills')]
  const { id } = await foyer.property(editor, { collection_id: one })
  const read = async () => {
    const { data } = await foyer.get(properties.get, { id }, editor)
    return { collection_id: data.collection_id, collection_ids: data.collection_ids }
  }
  expect(await read()).toEqual({ collection_id: one, collection_ids: [one] })
  await foyer.get(properties.update, { id, collection_id: other }, editor)
  expect(await read()).toEqual({ collection_id: one, collection_ids: [one, other] })
  await foyer.get(properties.update, { id, ...(await read()), collection_ids: [other] }, editor)
  expect(await read()).toEqual({ collection_id: other, collection_ids: [other] })
  await foyer.get(properties.update, { id, collection_id: one, collection_ids: [other] }, editor)
  expect((await read()).collection_ids).toEqual([one, other])
  await foyer.get(properties.update, { id, ...(await read()), collection_ids: [] }, editor)
  expect(await read()).toEqual({ collection_id: null, collection_ids: [] })
})

test("a group's editor saves the form as it was loaded, and takes the property out of none of the customer's collections", async () => {
  const editor = await foyer.customer()
  const group = await foyer.group(editor)
  const manager = await foyer.invited(editor, { owner_type: 'Group', owner_id: group.id })
  const { id } = await foyer.property(editor, { group_id: group.id })
  const admin = await connect(foyer.database.adminUrl)
  const customer_id = editor.user.customer.id
  const { rows } = await admin.query<{ id: number }>(
    `insert into collections (customer_id, name, deleted_at) values ($1, 'Kept', null), ($1, 'Gone', now()) returning id`,
    [customer_id],
  )
  await admin.query(
    'insert into collection_properties (customer_id, property_id, collection_id) select $1, $2, unnest($3::integer[])',
    [customer_id, id, rows.map((row) => row.id)],
  )
  await admin.end()

  const loaded = (await foyer.get(properties.get, { id }, manager)).data
  expect(loaded.collection_ids).toEqual([])
  await foyer.get(properties.update, { id, collection_ids: loaded.collection_ids }, manager)
  expect((await foyer.get(properties.get, { id }, editor)).data.collection_ids).toEqual([rows[0]?.id])
})

test('a rate has no more places than its coin; one that was stored before stays until either changes', async () => {
  const editor = await foyer.customer()
  const { id } = await foyer.property(editor, { currency: 'GBP', rate_per_unit: '12.50' })
  const change = (changes: object) => foyer.ask(properties.update, { id, ...changes }, editor)
  expectRefused(
    await change({ rate_per_unit: 12.505 }),
    invalid({ rate_per_unit: ['Please enter at most 2 decimal places: GBP has no smaller coin'] }),
  )
  // 12.50 is no sum of yens.
  expectRefused(
    await change({ currency: 'JPY' }),
    invalid({ currency: ['Change the rate as well. Please enter a whole number: JPY has no decimal places'] }),
  )
  expect((await foyer.get(properties.get, { id }, editor)).data).toMatchObject({ rate_per_unit: 12.5, currency: 'GBP' })
  await inDatabase(foyer, 'update properties set rate_per_unit = 12.3456 where id = $1', [id])
  const { data } = await foyer.get(properties.get, { id }, editor)
  expect((await foyer.get(properties.update, { ...data, city: 'Leeds' }, editor)).data).toMatchObject({
    city: 'Leeds',
    rate_per_unit: 12.3456,
  })
  expectRefused(
    await change({ rate_per_unit: 12.3457 }),
    invalid({ rate_per_unit: ['Please enter at most 2 decimal places: GBP has no smaller coin'] }),
  )
  const { data: yens } = await foyer.get(properties.update, { id, rate_per_unit: '1015', currency: 'JPY' }, editor)
  expect(yens).toMatchObject({ rate_per_unit: 1015, currency: 'JPY' })
})
