// Groups, as callers use them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as groups from '#contract/groups.ts'
import * as portals from '#contract/portals.ts'
import * as properties from '#contract/properties.ts'
import { clash } from '#server/errors/refused.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

test('naming a property in a group takes it out of its former one, and is logged', async () => {
  const editor = await foyer.customer()
  const [one, two] = [await foyer.property(editor), await foyer.property(editor)]
  const former = await foyer.group(editor, { property_ids: [one.id, two.id] })
  expect(former).toMatchObject({ property_ids: [one.id, two.id], number_of_properties: 2 })

  const later = await foyer.group(editor)
  const moved = await foyer.get(groups.update, { id: later.id, property_ids: [two.id] }, editor)
  expect(moved.data.property_ids).toEqual([two.id])
  expect((await foyer.get(groups.get, { id: former.id }, editor)).data.property_ids).toEqual([one.id])
  expect((await foyer.get(properties.get, { id: two.id }, editor)).data.group_id).toBe(later.id)

  const log = await foyer.get(activity.list, { filters: { object_type: 'groups', action: 'update' } }, editor)
  expect(log.data[0]).toMatchObject({
    object_id: later.id,
    before: { property_ids: [] },
    after: { property_ids: [two.id] },
  })
})

test('a property that another record’s form moves has a line of its own, and so has the group that it leaves', async () => {
  const editor = await foyer.customer()
  const [stays, moves] = [await foyer.property(editor), await foyer.property(editor)]
  const former = await foyer.group(editor, { property_ids: [stays.id, moves.id] })
  const local = await foyer.invited(editor, { owner_type: 'Group', owner_id: former.id })
  const later = await foyer.group(editor)
  const portal = await foyer.portal(editor)
  const named = ({ id, name }: { id: number; name: string }) => ({ id, name })
  const lines = async (object_type: string, object_id: number, who = editor) =>
    (await foyer.get(activity.list, { filters: { object_type, action: 'update' } }, who)).data
      .filter((line) => line.object_id === object_id)
      .map(({ before, after }) => [before, after])
  const known = await lines('properties', stays.id)

  await foyer.get(groups.update, { id: later.id, property_ids: [moves.id] }, editor)
  expect((await lines('properties', moves.id))[0]).toEqual([{ group: named(former) }, { group: named(later) }])
  const left = [{ property_ids: [stays.id, moves.id] }, { property_ids: [stays.id] }]
  expect(await lines('groups', former.id)).toEqual([left])
  expect(await lines('groups', former.id, local)).toEqual([left])
  await foyer.get(groups.update, { id: later.id, property_ids: [] }, editor)
  expect((await lines('properties', moves.id))[0]).toEqual([{ group: named(later) }, { group: null }])

  await foyer.get(portals.update, { id: portal.id, property_ids: [moves.id] }, editor)
  expect((await lines('properties', moves.id))[0]).toEqual([{ portal: null }, { portal: named(portal) }])
  // What has not moved has none.
  const count = (await lines('properties', moves.id)).length
  await foyer.get(portals.update, { id: portal.id, property_ids: [moves.id] }, editor)
  expect([await lines('properties', moves.id), await lines('properties', stays.id)]).toMatchObject([
    { length: count },
    known,
  ])
})

test('removing a group that still has properties is refused with their names', async () => {
  const editor = await foyer.customer()
  const property = await foyer.property(editor)
  const group = await foyer.group(editor, { property_ids: [property.id] })
  const refused = await foyer.ask(groups.remove, { id: group.id }, editor)
  expectRefused(refused, clash(`Still needed by the properties ${property.name}. Change or remove them first.`))
  await foyer.get(groups.update, { id: group.id, property_ids: [] }, editor)
  expect((await foyer.get(groups.remove, { id: group.id }, editor)).data).toEqual({ ids: [group.id] })
})

test('so is removing a group that still has portals, which would keep the name of a group that is gone', async () => {
  const editor = await foyer.customer()
  const { id } = await foyer.group(editor)
  const portal = await foyer.portal(editor, { group_id: id })
  const refused = await foyer.ask(groups.remove, { id }, editor)
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(portal.name)])
  await foyer.get(portals.update, { id: portal.id, group_id: null }, editor)
  expect((await foyer.get(groups.remove, { id }, editor)).data).toEqual({ ids: [id] })
})
