// Overtaken: two people who edit one record do not silently undo each other's work.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as groups from '#contract/groups.ts'
import * as properties from '#contract/properties.ts'
import { clash } from '#server/errors/refused.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'
import { changedMeanwhile } from '#contract/errors.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

test('a change of a field that somebody else has changed since it was read is refused, with that person’s name', async () => {
  const editor = await foyer.customer()
  const { id, name } = await foyer.group(editor)
  await foyer.get(groups.update, { id, name: 'Theirs', was: { name } }, editor)
  const refused = await foyer.ask(groups.update, { id, name: 'Mine', was: { name } }, editor)
  expectRefused(refused, clash(changedMeanwhile(editor.user.name), { name: [changedMeanwhile(editor.user.name)] }))
  expect((await foyer.get(groups.get, { id }, editor)).data.name).toBe('Theirs')
})

test('changes of other fields, the same change, and changes without `was` are accepted', async () => {
  const editor = await foyer.customer()
  const property = await foyer.property(editor)
  const { id } = property
  const change = (fields: object) => foyer.get(properties.update, { id, ...fields }, editor)
  await change({ city: 'Lisbon', was: { city: property.city } })
  await change({ address: '1 Quay Street', was: { address: property.address } })
  await change({ city: 'Lisbon', was: { city: property.city } })
  expect((await change({ city: 'Porto' })).data).toMatchObject({ city: 'Porto', address: '1 Quay Street' })
})

test('a list of ids is compared as a whole', async () => {
  const editor = await foyer.customer()
  const [one, two] = [await foyer.property(editor), await foyer.property(editor)]
  const { id } = await foyer.group(editor, { property_ids: [one.id] })
  await foyer.get(groups.update, { id, property_ids: [two.id], was: { property_ids: [one.id] } }, editor)
  const late = await foyer.ask(groups.update, { id, property_ids: [], was: { property_ids: [one.id] } }, editor)
  expectRefused(late, clash(changedMeanwhile(editor.user.name), { property_ids: [changedMeanwhile(editor.user.name)] }))
})
