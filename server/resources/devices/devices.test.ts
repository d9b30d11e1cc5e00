// Devices: a MAC is stored in one spelling, is unique at a property and found by either half; and MAC categories.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as devices from '#contract/devices.ts'
import * as imports from '#contract/imports.ts'
import * as macCategories from '#contract/mac-categories.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as rooms from '#contract/rooms.ts'
import { clash, forbidden, invalid, notFound } from '#server/errors/refused.ts'
import { aMacAddress, openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { aFile } from '#test/uploads.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
let property_id: number
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
  property_id = (await foyer.property(editor)).id
})
afterAll(() => foyer.close())

const errorsOf = ({ text }: { text: string }) => (JSON.parse(text) as { errors: Record<string, string[]> }).errors

const roomAt = async (place: number, number: string) => (await foyer.room(editor, { property_id: place, number })).id

test('a MAC is taken in any usual notation, stored once, and answered in one', async () => {
  const device = await foyer.device(editor, { property_id, mac_address: 'A483.E70B.C1D2' })
  expect(device).toMatchObject({ mac_address: 'a4:83:e7:0b:c1:d2', randomised: false, status: 'active' })
  const again = await foyer.ask(
    devices.create,
    { property_id, name: 'Again', mac_address: 'a4-83-e7-0b-c1-d2' },
    editor,
  )
  expectRefused(again, invalid({ mac_address: ['Another device of the property has this MAC address.'] }))
  // Another property knows it as its own.
  expect(await foyer.device(editor, { mac_address: 'a483e70bc1d2' })).toMatchObject({
    mac_address: 'a4:83:e7:0b:c1:d2',
  })
  const changed = await foyer.get(devices.update, { id: device.id, mac_address: 'DA-A1-19-00-00-07' }, editor)
  expect(changed.data).toMatchObject({ mac_address: 'da:a1:19:00:00:07', randomised: true, name: device.name })
})

test('the list is called /macs, and finds a device by half its MAC, its name, its tag or its room', async () => {
  const hotel = (await foyer.property(editor, { name: unique('Hotel') })).id
  const room_id = await roomAt(hotel, 'B-204')
  const { id } = await foyer.device(editor, {
    property_id: hotel,
    name: 'Lobby television',
    mac_address: '3c:5a:b4:91:0e:77',
    external_reference: 'TAG-0042',
    room_id,
  })
  await foyer.device(editor, { property_id: hotel, name: 'Printer', mac_address: '3c:5a:b4:00:00:01' })
  const found = async (searchValue: string) =>
    (await foyer.get(devices.list, { searchValue, params: { property_id: hotel } }, editor)).data.map((row) => row.id)
  for (const typed of ['91:0e', '91-0E-77', '910e77', 'b491.0e', 'lobby', 'tag-0042', 'b-204'])
    expect([typed, await found(typed)]).toEqual([typed, [id]])
  expect(await found('3c:5a')).toHaveLength(2)
  expect(devices.list.path).toBe('/macs')
})

test('a list is narrowed by property, group, room, category, package and status', async () => {
  const group = await foyer.group(editor)
  const place = await foyer.property(editor, { group_id: group.id })
  const room_id = await roomAt(place.id, '7')
  const package_id = (await foyer.package(editor)).id
  const mac_category_id = (await foyer.get(macCategories.create, { name: unique('Kiosk') }, editor)).data.id
  const of = { property_id: place.id }
  const plain = await foyer.device(editor, of)
  const kept = await foyer.device(editor, { ...of, room_id, package_id, mac_category_id })
  const off = await foyer.device(editor, { ...of, active: false })
  const ids = async (params: object, filters: object = {}) =>
    (await foyer.get(devices.list, { params, filters }, editor)).data.map((row) => row.id)
  expect(await ids(of)).toEqual([off.id, kept.id, plain.id])
  expect(await ids({ group_id: group.id })).toEqual([off.id, kept.id, plain.id])
  expect(await ids({ room_id })).toEqual([kept.id])
  expect(await ids(of, { mac_category_id })).toEqual([kept.id])
  expect(await ids(of, { mac_category_id: [null] })).toEqual([off.id, plain.id])
  expect(await ids(of, { package_id: [package_id] })).toEqual([kept.id])
  expect(await ids(of, { status: ['disabled'] })).toEqual([off.id])
  expect(kept).toMatchObject({
    room: { name: '7' },
    mac_category: { id: mac_category_id },
    package: { id: package_id },
  })
})

test('its room is one of its property', async () => {
  const elsewhere = await roomAt((await foyer.property(editor)).id, '9')
  const asked = { property_id, name: 'Lamp', mac_address: aMacAddress(), room_id: elsewhere }
  const refused = await foyer.ask(devices.create, asked, editor)
  expect(errorsOf(refused)).toEqual({ room_id: ['The selected room id is invalid.'] })
  const { id } = await foyer.device(editor, { property_id, room_id: await roomAt(property_id, '10') })
  const moved = await foyer.ask(devices.update, { id, property_id: (await foyer.property(editor)).id }, editor)
  expect(errorsOf(moved)).toEqual({ room_id: ['The selected room id is invalid.'] })
})

test('-1 is the sentinel of a spreadsheet and no category of a device', async () => {
  const asked = { property_id, name: 'Lamp', mac_address: aMacAddress(), mac_category_id: -1 }
  expectRefused(
    await foyer.ask(devices.create, asked, editor),
    invalid({ mac_category_id: ['Please enter a number of at least 1'] }),
  )
  const category = (await foyer.get(macCategories.create, { name: unique('Lamps') }, editor)).data
  const place = (await foyer.property(editor)).id
  const DeviceImport = aFile('d.csv', `name,mac,mac_category_id\nOne,${aMacAddress()},-1\nTwo,${aMacAddress()},\n`)
  const { data } = await foyer.get(
    imports.devices,
    { DeviceImport, property_id: place, mac_category_id: category.id },
    editor,
  )
  expect(data).toMatchObject({ total: 2, duplicates: 0, created: 2, preview: [{ name: 'One' }, { name: 'Two' }] })
  const { data: rows } = await foyer.get(devices.list, { params: { property_id: place } }, editor)
  const chosen = { id: category.id, name: category.name, blocks: false }
  expect(rows.map((row) => row.mac_category)).toEqual([chosen, chosen])
})

test('devices are disabled together, activated one by one, and deleted by ids or by id', async () => {
  const place = (await foyer.property(editor)).id
  const [one, two, three] = [
    await foyer.device(editor, { property_id: place }),
    await foyer.device(editor, { property_id: place }),
    await foyer.device(editor, { property_id: place }),
  ]
  await foyer.get(devices.deactivate, { ids: [one.id, two.id] }, editor)
  expect((await foyer.get(devices.activate, { id: one.id }, editor)).data).toMatchObject({ status: 'active' })
  await foyer.get(devices.remove, { id: one.id }, editor)
  await foyer.get(devices.remove, { ids: [two.id] }, editor)
  const left = await foyer.get(devices.list, { params: { property_id: place } }, editor)
  expect(left.data.map(({ id }) => id)).toEqual([three.id])
  // Its address is free again.
  expect(await foyer.device(editor, { property_id: place, mac_address: one.mac_address })).toMatchObject({
    mac_address: one.mac_address,
  })
})

test('removing a property removes its devices, and what devices refer to cannot be removed', async () => {
  const place = (await foyer.property(editor)).id
  const package_id = (await foyer.package(editor)).id
  const { id, name } = await foyer.device(editor, { property_id: place, package_id })
  const kept = await foyer.ask(packages.remove, { id: package_id }, editor)
  expect([kept.status, kept.text]).toEqual([409, expect.stringContaining(name)])
  const room_id = await roomAt(place, '12')
  await foyer.get(devices.update, { id, room_id }, editor)
  expectRefused(
    await foyer.ask(rooms.remove, { id: room_id }, editor),
    clash(`Still needed by the devices ${name}. Change or remove them first.`),
  )
  await foyer.get(properties.remove, { id: place }, editor)
  expectRefused(await foyer.ask(devices.get, { id }, editor), notFound())
})

test('a customer begins with categories, one of which blocks, and its editors manage them', async () => {
  const newcomer = await foyer.customer()
  const { data } = await foyer.get(macCategories.list, { sort: 'created_at' }, newcomer)
  expect(data.map(({ name }) => name)).toContain('TV or streaming')
  expect(data.filter(({ blocks }) => blocks).map(({ name }) => name)).toEqual(['Blocked'])
  const made = await foyer.get(macCategories.create, { name: 'Door lock' }, newcomer)
  expect(made.data).toMatchObject({ name: 'Door lock', blocks: false, status: 'active' })
  const changed = await foyer.get(macCategories.update, { id: made.data.id, active: false }, newcomer)
  expect(changed.data).toMatchObject({ name: 'Door lock', status: 'disabled' })
  const twice = await foyer.ask(macCategories.create, { name: ' door LOCK ' }, newcomer)
  expect(errorsOf(twice)).toEqual({ name: ['There is already a category with this name.'] })
  const ofProperty = { owner_type: 'Property', owner_id: (await foyer.property(newcomer)).id } as const
  const desk = await foyer.invited(newcomer, ofProperty)
  expectRefused(await foyer.ask(macCategories.update, { id: made.data.id, name: 'Lock' }, desk), forbidden())
  expect((await foyer.get(macCategories.names, {}, desk)).data).toContainEqual(
    expect.objectContaining({ name: 'Door lock', status: 'disabled' }),
  )
})
