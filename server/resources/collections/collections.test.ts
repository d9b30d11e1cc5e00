// Collections, as callers use them: their members, their owners, and that a group's collection stays within the group.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as collections from '#contract/collections.ts'
import * as groups from '#contract/groups.ts'
import * as properties from '#contract/properties.ts'
import * as users from '#contract/users.ts'
import { selectedInvalid } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import { forbidden, invalid, notFound } from '#server/errors/refused.ts'
import { aProperty, openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

const read = async (id: number, who: Person) => (await foyer.get(collections.get, { id }, who)).data
/** Made one after the other, so that their ids are in the order of the names. */
async function propertiesNamed(who: Person, names: string[]) {
  const ids: number[] = []
  for (const name of names) ids.push((await foyer.property(who, { name })).id)
  return ids
}

describe('a collection', () => {
  test('names its first two properties and team members, then how many more there are', async () => {
    const editor = await foyer.customer()
    const property_ids = await propertiesNamed(editor, ['Quay House', 'Albion', 'Zetland', 'Harbour Hotel'])
    const made = await foyer.collection(editor, { name: 'Seaside', property_ids, user_ids: [editor.user.id] })
    expect(made).toMatchObject({
      properties_string: 'Albion, Harbour Hotel, +2',
      teams_string: editor.user.name,
      number_of_properties: 4,
      number_of_users: 1,
      group: null,
      property_ids: property_ids.toSorted((a, b) => a - b),
      status: 'active',
    })
    expect(await foyer.collection(editor)).toMatchObject({ properties_string: '', teams_string: '' })
    const [row] = (await foyer.get(collections.list, { searchValue: 'seas' }, editor)).data
    expect(row).toMatchObject({ id: made.id, properties_string: 'Albion, Harbour Hotel, +2' })
  })

  test('no longer names a property or a colleague who was removed', async () => {
    const editor = await foyer.customer()
    const ann = await foyer.viewer(editor)
    const property_ids = await propertiesNamed(editor, ['Albion', 'Zetland'])
    const { id } = await foyer.collection(editor, { property_ids, user_ids: [ann.user.id, editor.user.id] })
    await foyer.get(properties.remove, { id: property_ids[0] ?? 0 }, editor)
    await foyer.get(users.remove, { id: ann.user.id }, editor)
    expect(await read(id, editor)).toMatchObject({
      properties_string: 'Zetland',
      teams_string: editor.user.name,
      property_ids: [property_ids[1]],
      user_ids: [editor.user.id],
    })
  })

  test('gets several properties at once and loses one, and each change is logged', async () => {
    const editor = await foyer.customer()
    const [one = 0, two = 0] = await propertiesNamed(editor, ['Albion', 'Zetland'])
    const { id } = await foyer.collection(editor)
    const added = await foyer.get(collections.addProperties, { id, property_ids: [one, two, two] }, editor)
    expect(added.data.property_ids).toEqual([one, two])
    // Repeating it changes nothing.
    await foyer.get(collections.addProperties, { id, property_ids: [two] }, editor)
    const left = await foyer.get(collections.removeProperty, { id, property_id: one }, editor)
    expect(left.data.property_ids).toEqual([two])
    const { data } = await foyer.get(activity.list, { filters: { object_type: 'collections' } }, editor)
    expect(data.map(({ action }) => action)).toEqual(['update', 'update', 'create'])
  })

  test('gets team members at /add-team-members/{id} and loses them again', async () => {
    const editor = await foyer.customer()
    const ann = await foyer.viewer(editor)
    const { id } = await foyer.collection(editor)
    const user_ids = [editor.user.id, ann.user.id]
    const added = await foyer.get(collections.addTeamMembers, { id, user_ids }, editor)
    expect(added.data.user_ids).toEqual(user_ids)
    const left = await foyer.get(collections.removeTeamMember, { id, user_id: editor.user.id }, editor)
    expect(left.data.user_ids).toEqual([ann.user.id])
    expectRefused(
      await foyer.ask(collections.addTeamMembers, { id, user_ids: [] }, editor),
      invalid({ user_ids: [messages.fields.required] }),
    )
  })

  test('lists its properties and its people, and with shouldExclude all others', async () => {
    const editor = await foyer.customer()
    const ann = await foyer.viewer(editor)
    const [one = 0, two = 0] = await propertiesNamed(editor, ['Albion', 'Zetland'])
    const { id } = await foyer.collection(editor, { property_ids: [one], user_ids: [ann.user.id] })
    const params = { collection_id: id }
    const ids = async (endpoint: typeof properties.list | typeof users.list, shouldExclude: boolean) =>
      (await foyer.get(endpoint, { params, shouldExclude }, editor)).data.map((row) => row.id)
    expect(await ids(properties.list, false)).toEqual([one])
    expect(await ids(properties.list, true)).toEqual([two])
    expect(await ids(users.list, false)).toEqual([ann.user.id])
    expect(await ids(users.list, true)).toEqual([editor.user.id])
  })

  test('is found by a property that it has, or that it does not have yet', async () => {
    const editor = await foyer.customer()
    const [property_id = 0] = await propertiesNamed(editor, ['Albion'])
    const holding = await foyer.collection(editor, { property_ids: [property_id] })
    const other = await foyer.collection(editor)
    const found = async (shouldExclude: boolean) =>
      (await foyer.get(collections.nameList, { params: { property_id }, shouldExclude }, editor)).data
    expect((await found(false)).map(({ id }) => id)).toEqual([holding.id])
    expect((await found(true)).map(({ id }) => id)).toEqual([other.id])
  })

  test('changes nobody’s reach', async () => {
    const editor = await foyer.customer()
    const own = await foyer.property(editor)
    const ann = await foyer.invited(editor, { owner_type: 'Property', owner_id: own.id })
    const elsewhere = await foyer.property(editor)
    await foyer.collection(editor, { property_ids: [own.id, elsewhere.id], user_ids: [ann.user.id] })
    expect((await foyer.get(properties.list, {}, ann)).data.map(({ id }) => id)).toEqual([own.id])
    expectRefused(await foyer.ask(properties.get, { id: elsewhere.id }, ann), notFound())
    expectRefused(await foyer.ask(collections.list, {}, ann), forbidden())
  })
})

describe("a group's collection", () => {
  async function place() {
    const editor = await foyer.customer()
    const group = await foyer.group(editor)
    const manager = await foyer.invited(editor, { owner_type: 'Group', owner_id: group.id })
    const property = await foyer.property(editor, { group_id: group.id })
    const outside = await foyer.property(editor)
    return { editor, group, manager, property, outside }
  }

  test('is created and updated by the group’s own users, who see no other', async () => {
    const { editor, group, manager, property } = await place()
    await foyer.collection(editor, { name: 'Of all' })
    const made = await foyer.collection(manager, { property_ids: [property.id], user_ids: [manager.user.id] })
    expect(made).toMatchObject({ group: { id: group.id, name: group.name }, property_ids: [property.id] })
    const name = unique('Renamed')
    const updated = await foyer.get(collections.update, { id: made.id, name, group_id: null }, manager)
    expect(updated.data).toMatchObject({ name, group_id: group.id })
    expect((await foyer.get(collections.list, {}, manager)).data.map(({ id }) => id)).toEqual([made.id])
    expect((await foyer.get(collections.names, {}, manager)).data.map(({ id }) => id)).toEqual([made.id])
    await foyer.get(collections.deactivate, { ids: [made.id] }, manager)
    expect((await foyer.get(collections.activate, { id: made.id }, manager)).data.status).toBe('active')
    await foyer.get(collections.remove, { id: made.id }, manager)
    expect((await foyer.get(collections.list, {}, editor)).data.map((one) => one.name)).toEqual(['Of all'])
  })

  const itsProperties = "A group's collection can only hold that group's properties."
  const itsPeople = "A group's collection can only hold people of that group and its properties."
  test('has only that group’s properties and users, no matter who adds them', async () => {
    const { editor, group, manager, property, outside } = await place()
    const colleague = await foyer.invited(editor, { owner_type: 'Property', owner_id: property.id })
    const own = { property_ids: [property.id], user_ids: [manager.user.id, colleague.user.id] }
    const { id } = await foyer.collection(editor, { group_id: group.id, ...own })
    const asked = [
      [collections.addProperties, { id, property_ids: [property.id, outside.id] }, 'property_ids'],
      [collections.addTeamMembers, { id, user_ids: [editor.user.id] }, 'user_ids'],
      [collections.update, { id, property_ids: [outside.id] }, 'property_ids'],
      [collections.create, { name: 'New', group_id: group.id, user_ids: [editor.user.id] }, 'user_ids'],
      [properties.update, { id: outside.id, collection_ids: [id] }, 'collection_ids'],
      [properties.create, { ...aProperty(), collection_ids: [id] }, 'collection_ids'],
    ] as const
    for (const [endpoint, input, field] of asked)
      expectRefused(
        await foyer.ask(endpoint, input, editor),
        invalid({ [field]: [field === 'user_ids' ? itsPeople : itsProperties] }),
      )
    expectRefused(
      await foyer.ask(collections.addProperties, { id, property_ids: [outside.id] }, manager),
      invalid({ property_ids: [selectedInvalid('property_ids')] }),
    )
    const both = await foyer.collection(editor, { property_ids: [property.id, outside.id] })
    expectRefused(
      await foyer.ask(collections.update, { id: both.id, group_id: group.id }, editor),
      invalid({ property_ids: [itsProperties] }),
    )
    expect(await read(id, editor)).toMatchObject(own)
  })

  test('is offered only members that it may have', async () => {
    const { editor, group, manager, property, outside } = await place()
    const colleague = await foyer.invited(editor, { owner_type: 'Property', owner_id: property.id })
    const { id } = await foyer.collection(editor, { group_id: group.id })
    const asked = { params: { collection_id: id }, shouldExclude: true }
    expect((await foyer.get(properties.list, asked, editor)).data.map((row) => row.id)).toEqual([property.id])
    const people = (await foyer.get(users.list, asked, editor)).data.map((row) => row.id)
    expect(people).toEqual([colleague.user.id, manager.user.id])
    const offered = async (property_id: number) =>
      (await foyer.get(collections.list, { params: { property_id }, shouldExclude: true }, editor)).data
    expect((await offered(property.id)).map((row) => row.id)).toEqual([id])
    expect(await offered(outside.id)).toEqual([])
  })

  test('loses a property that leaves the group, and that property’s users', async () => {
    const { editor, group, property } = await place()
    const colleague = await foyer.invited(editor, { owner_type: 'Property', owner_id: property.id })
    const holding = { property_ids: [property.id], user_ids: [colleague.user.id] }
    const { id } = await foyer.collection(editor, { group_id: group.id, ...holding })
    const across = await foyer.collection(editor, holding)
    await foyer.get(groups.update, { id: group.id, property_ids: [] }, editor)
    expect(await read(id, editor)).toMatchObject({ property_ids: [], user_ids: [], properties_string: '' })
    expect(await read(across.id, editor)).toMatchObject(holding)
  })

  test('keeps its group from being removed', async () => {
    const editor = await foyer.customer()
    const group = await foyer.group(editor)
    const { name } = await foyer.collection(editor, { group_id: group.id })
    const refused = await foyer.ask(groups.remove, { id: group.id }, editor)
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining(name) as string } })
  })
})
