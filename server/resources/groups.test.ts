// Groups, through the front door.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as groups from '#contract/groups.ts'
import * as properties from '#contract/properties.ts'
import { openHouse, type TestHouse } from '#test/foyer.ts'

let house: TestHouse
beforeAll(async () => void (house = await openHouse()))
afterAll(() => house.close())

test('naming a property in a group takes it out of its former one, and the log tells', async () => {
  const editor = await house.customer()
  const [one, two] = [await house.property(editor), await house.property(editor)]
  const former = await house.group(editor, { property_ids: [one.id, two.id] })
  expect(former).toMatchObject({ property_ids: [one.id, two.id], number_of_properties: 2 })

  const later = await house.group(editor)
  const moved = await house.get(groups.update, { id: later.id, property_ids: [two.id] }, editor)
  expect(moved.data.property_ids).toEqual([two.id])
  expect((await house.get(groups.get, { id: former.id }, editor)).data.property_ids).toEqual([one.id])
  expect((await house.get(properties.get, { id: two.id }, editor)).data.group_id).toBe(later.id)

  const log = await house.get(activity.list, { filters: { object_type: 'groups', action: 'update' } }, editor)
  expect(log.data[0]).toMatchObject({ object_id: later.id, before: { property_ids: [] }, after: { property_ids: [two.id] } }) // prettier-ignore
})

test('a group that still has properties says which, and stays', async () => {
  const editor = await house.customer()
  const property = await house.property(editor)
  const group = await house.group(editor, { property_ids: [property.id] })
  const refused = await house.ask(groups.remove, { id: group.id }, editor)
  expect(refused.status).toBe(409)
  expect(refused.text).toContain(property.name)
  await house.get(groups.update, { id: group.id, property_ids: [] }, editor)
  expect((await house.get(groups.remove, { id: group.id }, editor)).data).toEqual({ ids: [group.id] })
})
