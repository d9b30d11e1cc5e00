// Limits kept: what is said of a property's gateways before a package is chosen, and before somebody is put off.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as properties from '#contract/properties.ts'
import { keepLookup } from '#server/db/keep-lookup.ts'
import { gatewayTypes } from '#server/gateways/find-kind.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  await keepLookup(foyer.database.ownerUrl, 'gateway_types', gatewayTypes())
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

const kept = async (where: { property_ids?: number[]; group_id?: number }, who = editor) =>
  (await foyer.get(properties.limits, where, who)).data
const boxAt = (property_id: number, gateway_type_id: number, settings = {}, active = true) =>
  foyer.gateway(editor, { property_id, gateway_type_id, settings, active, dns_name: 'box.example' })

test('each active gateway that does not keep everything is told, by its settings', async () => {
  const { id } = await foyer.property(editor, {})
  // CoovaChilli keeps everything.
  await boxAt(id, 2)
  expect(await kept({ property_ids: [id] })).toEqual([])
  await boxAt(id, 3, { level: '3' })
  await boxAt(id, 3, { level: '4' })
  await boxAt(id, 8, { splash: 'click_through' })
  await boxAt(id, 8, { splash: 'click_through' }, false)
  const told = await kept({ property_ids: [id] })
  expect(
    told.map(({ make, honours: { time, speed, data, end }, lasts_max_s }) => [
      make,
      time,
      speed,
      data,
      end,
      lasts_max_s,
    ]),
  ).toEqual([
    ['openNDS', 'yes', 'yes', 'yes', 'next_sign_in', 900],
    ['openNDS', 'yes', 'yes', 'yes', 'next_sign_in', null],
    ['Cisco Meraki', 'yes', 'no', 'no', 'no', null],
  ])
  expect(told[0]?.property.id).toBe(id)
})

test('of a group, of all in reach, and of nobody else', async () => {
  const { id: group_id } = await foyer.group(editor)
  const { id: inside } = await foyer.property(editor, { group_id })
  const { id: outside } = await foyer.property(editor, {})
  await boxAt(inside, 3, { level: '4' })
  await boxAt(outside, 3, { level: '4' })
  const at = async (where: Parameters<typeof kept>[0], who = editor) =>
    (await kept(where, who)).map(({ property }) => property.id)
  expect(await at({ group_id })).toEqual([inside])
  expect(await at({})).toEqual(expect.arrayContaining([inside, outside]))
  const stranger = await foyer.customer()
  expect(await at({}, stranger)).toEqual([])
})
