// Rooms: their numbers, their guests, and how both change.
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import { addDays } from '#contract/days.ts'
import * as activity from '#contract/activity.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import { selectedInvalid } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import { connect } from '#server/db/logins.ts'
import { forbidden, invalid, notFound } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
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

const read = async (id: number) => (await foyer.get(rooms.get, { id }, editor)).data
const refusal = async (answer: Promise<{ status: number; text: string }>) => {
  const { status, text } = await answer
  return { status, ...(JSON.parse(text) as { message: string; errors?: object }) }
}
const numbersOf = async (ask: Parameters<typeof foyer.get<typeof rooms.list>>[1]) =>
  (await foyer.get(rooms.list, ask, editor)).data.map(({ number }) => number)

test('a guest or an account makes a room occupied, whatever its status', async () => {
  const room = await foyer.room(editor)
  expect(room).toMatchObject({
    occupancy: 'vacant',
    occupants: 0,
    occupants_string: null,
    guests: [],
    status: 'active',
  })
  const guest = await foyer.roomGuest(editor, { room_id: room.id, first_name: 'Ada', last_name: 'Keller' })
  expect(await read(room.id)).toMatchObject({
    occupancy: 'occupied',
    occupants_string: 'Ada Keller',
    guests: [{ id: guest.id, name: 'Ada Keller', last_name: 'Keller' }],
  })
  const account = await foyer.account(editor, { property_id: room.property_id, room_id: room.id, name: 'Ben' })
  await foyer.roomGuest(editor, { room_id: room.id, last_name: 'Third' })
  expect(await read(room.id)).toMatchObject({ occupants: 3, occupants_string: 'Ada Keller, Ben, +1' })
  const disabled = (await foyer.get(rooms.toggle, { id: room.id }, editor)).data
  expect(disabled).toMatchObject({ status: 'disabled', occupancy: 'occupied' })

  for (const { id } of disabled.guests) await foyer.get(roomGuests.remove, { id, roomId: room.id }, editor)
  expect(await read(room.id)).toMatchObject({ occupancy: 'occupied', occupants: 1, guests: [] })
  await foyer.get(accounts.update, { id: account.id, room_id: null }, editor)
  expect(await read(room.id)).toMatchObject({ occupancy: 'vacant', occupants: 0, occupants_string: null })
  await foyer.get(accounts.update, { id: account.id, room_id: room.id }, editor)
  await foyer.get(accounts.remove, { ids: [account.id] }, editor)
  expect(await read(room.id)).toMatchObject({ occupancy: 'vacant', status: 'disabled' })
})

test('the list is filtered by occupancy and by status, each by itself', async () => {
  const { id: property_id } = await foyer.property(editor)
  const params = { property_id }
  const [first, second] = (await foyer.rooms(editor, property_id, ['1', '2', '3'])) as [number, number]
  await foyer.roomGuest(editor, { room_id: first })
  await foyer.account(editor, { property_id, room_id: second })
  await foyer.get(rooms.deactivate, { ids: [first] }, editor)
  const sort = 'number'
  expect(await numbersOf({ params, sort, filters: { occupancy: 'occupied' } })).toEqual(['1', '2'])
  expect(await numbersOf({ params, sort, filters: { occupancy: ['vacant'] } })).toEqual(['3'])
  expect(await numbersOf({ params, sort, filters: { occupancy: ['vacant', 'occupied'] } })).toEqual(['1', '2', '3'])
  expect(await numbersOf({ params, sort, filters: { occupancy: 'occupied', status: 'active' } })).toEqual(['2'])
  expectRefused(
    await foyer.ask(rooms.list, { filters: { occupancy: 'draft' as never } }, editor),
    invalid({ 'filters.occupancy': ['Please choose one of: occupied, vacant'] }),
  )
  expectRefused(
    await foyer.ask(rooms.list, { filters: { status: 'occupied' as never } }, editor),
    invalid({ 'filters.status': ['Please choose one of: active, disabled, draft'] }),
  )
})

test('numbers are sorted in natural order, across pages, too', async () => {
  const { id: property_id } = await foyer.property(editor)
  await foyer.rooms(editor, property_id, ['A-10', '100', '9', 'A-9', '10', '101'])
  const asked = { params: { property_id }, sort: 'number' as const }
  const ordered = ['9', '10', '100', '101', 'A-9', 'A-10']
  expect(await numbersOf(asked)).toEqual(ordered)
  const paged: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof foyer.get<typeof rooms.list>>> = await foyer.get(
      rooms.list,
      { ...asked, per_page: 2, cursor },
      editor,
    )
    paged.push(...page.data.map(({ number }) => number))
    cursor = page.meta.next_cursor
  } while (cursor)
  expect(paged).toEqual(ordered)
  const names = (await foyer.get(rooms.names, {}, editor)).data.filter((room) => room.property_id === property_id)
  expect(names.map(({ name }) => name)).toEqual(ordered)
  expect((await foyer.get(rooms.nameList, asked, editor)).data.map(({ name }) => name)).toEqual(ordered)
})

test('many rooms are made at once, all of them or none', async () => {
  const property_id = (await foyer.property(editor)).id
  const pack = await foyer.package(editor)
  const numbers = Array.from({ length: 40 }, (_, index) => String(101 + index))
  const made = (await foyer.get(rooms.create, { property_id, numbers, package_id: pack.id }, editor)).data
  expect('ids' in made && made.ids).toHaveLength(40)
  expect(await read('ids' in made ? (made.ids[1] ?? 0) : 0)).toMatchObject({
    number: '102',
    package: { id: pack.id },
    status: 'active',
  })
  expect(
    await refusal(foyer.ask(rooms.create, { property_id, numbers: ['150', ' 101 ', '140'] }, editor)),
  ).toMatchObject({
    status: 422,
    errors: { numbers: ['The property already has these rooms: 101, 140.'] },
  })
  expect(await refusal(foyer.ask(rooms.create, { property_id, numbers: ['a-1', 'B', 'A-1'] }, editor))).toMatchObject({
    errors: { numbers: ['Given twice: A-1.'] },
  })
  expectRefused(await foyer.ask(rooms.create, { property_id }, editor), invalid({ number: ['Give number or numbers'] }))
  expectRefused(
    await foyer.ask(rooms.create, { property_id, number: '7', numbers: ['8'] }, editor),
    invalid({ number: ['Give number or numbers'] }),
  )
  const thousands = Array.from({ length: 1001 }, (_, index) => `X${index}`)
  expectRefused(
    await foyer.ask(rooms.create, { property_id, numbers: thousands }, editor),
    invalid({ numbers: ['Please give at most 1000 entries'] }),
  )
  expect((await foyer.ask(rooms.create, { property_id, numbers: thousands.slice(1) }, editor)).status).toBe(201)
  const { meta } = await foyer.get(rooms.list, { params: { property_id }, count: true, per_page: 0 }, editor)
  expect(meta.total).toBe(1040)
  const log = await foyer.get(
    activity.list,
    { filters: { object_type: 'rooms', action: 'create' }, per_page: 1, count: false },
    editor,
  )
  expect(log.data[0]).toMatchObject({ object_name: expect.stringMatching(/^X\d/) as string })
})

test('a number is unique within its property, and free again once its room is deleted', async () => {
  const room = await foyer.room(editor, { number: 'B-7' })
  const again = { property_id: room.property_id, number: 'b-7 ' }
  expect(await refusal(foyer.ask(rooms.create, again, editor))).toMatchObject({
    errors: { number: ['The property already has a room with this number.'] },
  })
  await foyer.room(editor, { number: 'B-7' })
  await foyer.get(rooms.remove, { id: room.id }, editor)
  await foyer.get(rooms.create, again, editor)
})

test('a room is toggled, and a draft becomes active', async () => {
  const room = await foyer.room(editor, { draft: true })
  const toggled = async () => (await foyer.get(rooms.toggle, { id: room.id }, editor)).data.status
  expect([room.status, await toggled(), await toggled(), await toggled()]).toEqual([
    'draft',
    'active',
    'disabled',
    'active',
  ])
})

test('a room stays in its property', async () => {
  const room = await foyer.room(editor)
  const other = await foyer.property(editor)
  expect(
    await refusal(foyer.ask(rooms.update, { id: room.id, property_id: other.id, number: '5' }, editor)),
  ).toMatchObject({
    errors: { property_id: ['A room cannot be moved to another property.'] },
  })
  const same = { id: room.id, property_id: room.property_id, number: '5' }
  expect((await foyer.get(rooms.update, same, editor)).data).toMatchObject({ number: '5' })
})

test('a room that somebody is in, and a package that a room has, cannot be deleted', async () => {
  const pack = await foyer.package(editor)
  const room = await foyer.room(editor, { number: '12', package_id: pack.id })
  const guest = await foyer.roomGuest(editor, { room_id: room.id, last_name: 'Keller' })
  const needed = (what: string) => `Still needed by the ${what}. Change or remove them first.`
  expect(await refusal(foyer.ask(rooms.remove, { id: room.id }, editor))).toMatchObject({
    status: 409,
    message: needed('guests Keller'),
  })
  expect(await refusal(foyer.ask(packages.remove, { id: pack.id }, editor))).toMatchObject({
    status: 409,
    message: needed('rooms 12'),
  })
  await foyer.get(roomGuests.remove, { id: guest.id, roomId: room.id }, editor)
  const account = await foyer.account(editor, { property_id: room.property_id, room_id: room.id, name: 'Ben' })
  expect(await refusal(foyer.ask(rooms.remove, { id: room.id }, editor))).toMatchObject({
    message: needed('accounts Ben'),
  })
  await foyer.get(accounts.remove, { id: account.id }, editor)
  expect((await foyer.get(rooms.remove, { id: room.id }, editor)).data).toEqual({ ids: [room.id] })
  await foyer.get(packages.remove, { id: pack.id }, editor)
})

test('nobody is checked in or moved to a room that is disabled, and whoever lives there stays', async () => {
  const property_id = (await foyer.property(editor)).id
  const [open, shut] = (await foyer.rooms(editor, property_id, ['1', '2'])) as [number, number]
  const [guest, lives] = [
    await foyer.roomGuest(editor, { room_id: open }),
    await foyer.roomGuest(editor, { room_id: shut }),
  ]
  const arrives_on = addDays(new Date().toISOString().slice(0, 10), 3)
  const expected = await foyer.roomGuest(editor, { room_id: shut, arrives_on })
  await foyer.get(rooms.deactivate, { ids: [shut] }, editor)
  const why = { errors: { room_id: ['Nobody can be checked in to room 2 until it is activated.'] } }
  const arrives = foyer.ask(roomGuests.create, { room_id: shut, last_name: 'Hart' }, editor)
  expect(await refusal(arrives)).toMatchObject(why)
  expect(await refusal(foyer.ask(roomGuests.update, { id: guest.id, room_id: shut }, editor))).toMatchObject(why)
  // Nor who was expected there before it was disabled.
  expect(await refusal(foyer.ask(roomGuests.checkIn, { ids: [expected.id] }, editor))).toMatchObject({
    status: 409,
    message: why.errors.room_id[0],
  })
  const renamed = { id: lives.id, room_id: shut, last_name: 'Weber' }
  expect((await foyer.get(roomGuests.update, renamed, editor)).data).toMatchObject({
    last_name: 'Weber',
    room_id: shut,
  })
})

test('a guest is moved to another room of the property, and both rooms count', async () => {
  const property_id = (await foyer.property(editor)).id
  const [from, to] = (await foyer.rooms(editor, property_id, ['1', '2'])) as [number, number]
  const elsewhere = await foyer.room(editor)
  const guest = await foyer.roomGuest(editor, { room_id: from })
  const moved = (await foyer.get(roomGuests.update, { id: guest.id, room_id: to }, editor)).data
  expect(moved).toMatchObject({ room_id: to, room: { id: to, name: '2' }, property_id })
  expect([(await read(from)).occupancy, (await read(to)).occupancy]).toEqual(['vacant', 'occupied'])
  expect(await refusal(foyer.ask(roomGuests.update, { id: guest.id, room_id: elsewhere.id }, editor))).toMatchObject({
    errors: { room_id: ['Choose a room of the same property.'] },
  })
  expect((await read(elsewhere.id)).occupancy).toBe('vacant')
  // Not from a room that the guest has left meanwhile.
  expect(await refusal(foyer.ask(roomGuests.remove, { id: guest.id, roomId: from }, editor))).toMatchObject({
    status: 409,
    message: expect.stringMatching(/ moved .* to room /) as string,
  })
  expectRefused(
    await foyer.ask(roomGuests.remove, { id: guest.id } as never, editor),
    invalid({ roomId: [messages.fields.required] }),
  )
  await foyer.get(roomGuests.remove, { id: guest.id, roomId: to }, editor)
  expect((await read(to)).occupancy).toBe('vacant')
  expectRefused(await foyer.ask(roomGuests.get, { id: guest.id }, editor), notFound())
})

test('guests are found by name and by room, in a property, a room or everywhere', async () => {
  const room = await foyer.room(editor, { number: 'Turret' })
  const guest = await foyer.roomGuest(editor, { room_id: room.id, first_name: 'Zoë', last_name: 'Nuñez' })
  await foyer.roomGuest(editor)
  for (const ask of [
    { searchValue: 'zoe nunez' },
    { searchValue: 'turret' },
    { params: { room_id: room.id } },
    { params: { property_id: room.property_id }, sort: 'name' as const },
  ])
    expect((await foyer.get(roomGuests.list, ask, editor)).data.map(({ id }) => id)).toEqual([guest.id])
})

test('a guest departs on the day of arrival or later', async () => {
  const { id: room_id } = await foyer.room(editor)
  const stay = { room_id, last_name: 'Keller', arrives_on: '2026-03-02', departs_on: '2026-03-01' }
  const early = { errors: { departs_on: ['A guest leaves on the day of arrival or later.'] } }
  expect(await refusal(foyer.ask(roomGuests.create, stay, editor))).toMatchObject(early)
  expect((await read(room_id)).occupancy).toBe('vacant')
  const guest = await foyer.roomGuest(editor, { ...stay, departs_on: stay.arrives_on })
  expect(guest).toMatchObject({ arrives_on: '2026-03-02', departs_on: '2026-03-02' })
  expect(await refusal(foyer.ask(roomGuests.update, { id: guest.id, departs_on: '2026-02-01' }, editor))).toMatchObject(
    early,
  )
})

test('two guests who change places at the same moment leave both rooms occupied', async () => {
  const property_id = (await foyer.property(editor)).id
  const [one, two] = (await foyer.rooms(editor, property_id, ['1', '2'])) as [number, number]
  const ann = await foyer.roomGuest(editor, { room_id: one })
  const ben = await foyer.roomGuest(editor, { room_id: two })
  for (let turn = 0; turn < 6; turn++) {
    const [annTo, benTo] = turn % 2 === 0 ? [two, one] : [one, two]
    const answers = await Promise.all([
      foyer.ask(roomGuests.update, { id: ann.id, room_id: annTo }, editor),
      foyer.ask(roomGuests.update, { id: ben.id, room_id: benTo }, editor),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  }
  await Promise.all(Array.from({ length: 8 }, () => foyer.roomGuest(editor, { room_id: one })))
  expect([(await read(one)).occupants, (await read(two)).occupants]).toEqual([9, 1])
})

test('accounts that change in one statement are counted in each of their rooms', async () => {
  const property_id = (await foyer.property(editor)).id
  const [one, two] = (await foyer.rooms(editor, property_id, ['1', '2'])) as [number, number]
  await admin.query(
    `insert into accounts (customer_id, property_id, room_id, name)
     select customer_id, property_id, id, 'Guest ' || n || ' of ' || number from rooms, generate_series(1, 3) n where property_id = $1`,
    [property_id],
  )
  expect([(await read(one)).occupants, (await read(two)).occupants]).toEqual([3, 3])
  await admin.query(
    `update accounts set room_id = case when name like 'Guest 1%' then $2 when name like 'Guest 2%' then null else room_id end
     where property_id = $1`,
    [property_id, one],
  )
  expect([(await read(one)).occupants, (await read(two)).occupants]).toEqual([3, 1])
  await admin.query('delete from accounts where property_id = $1', [property_id])
  expect([(await read(one)).occupants, (await read(two)).occupants]).toEqual([0, 0])
})

test('rooms and guests of a removed property are gone at once', async () => {
  const room = await foyer.room(editor, { number: 'Gone 1' })
  await foyer.roomGuest(editor, { room_id: room.id, last_name: 'Vanished' })
  await foyer.get(properties.remove, { id: room.property_id }, editor)
  expect((await foyer.get(rooms.list, { searchValue: 'gone 1' }, editor)).data).toEqual([])
  expect((await foyer.get(roomGuests.list, { searchValue: 'vanished' }, editor)).data).toEqual([])
  expectRefused(
    await foyer.ask(roomGuests.create, { room_id: room.id, last_name: 'Late' }, editor),
    invalid({ room_id: [selectedInvalid('room_id')] }),
  )
})

test("a property's own users manage its rooms and guests, and see no others", async () => {
  const room = await foyer.room(editor)
  const other = await foyer.room(editor)
  const place = { owner_type: 'Property', owner_id: room.property_id } as const
  const desk = await foyer.invited(editor, place)
  const viewer = await foyer.viewer(editor, place)
  await foyer.get(rooms.create, { property_id: room.property_id, numbers: ['7', '8'] }, desk)
  await foyer.get(roomGuests.create, { room_id: room.id, last_name: 'Keller' }, desk)
  expect((await foyer.get(rooms.list, {}, desk)).data).toHaveLength(3)
  expect((await foyer.get(roomGuests.list, {}, viewer)).data).toHaveLength(1)
  expectRefused(await foyer.ask(roomGuests.create, { room_id: room.id, last_name: 'Keller' }, viewer), forbidden())
  expectRefused(
    await foyer.ask(rooms.create, { property_id: other.property_id, number: '7' }, desk),
    invalid({ property_id: [selectedInvalid('property_id')] }),
  )
  expectRefused(await foyer.ask(rooms.remove, { id: other.id }, desk), notFound())
  expect((await foyer.get(activity.list, { filters: { object_type: 'room_guests' } }, desk)).data).toMatchObject([
    { action: 'create', object_name: 'Keller' },
  ])
})
