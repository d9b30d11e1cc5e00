// A change of term: a list of rooms adds guests, replaces those of the rooms that it names, or those of the whole property.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as apiKeys from '#contract/api-keys.ts'
import * as imports from '#contract/imports.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import { clash } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { aFile } from '#test/uploads.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

const student_home = 4
const day_ms = 86_400_000
/** The date that many days from today; the property is in the test's zone. */
const inDays = (days: number) => new Date(Date.now() + days * day_ms).toISOString().slice(0, 10)
const csv = (lines: string[]) => aFile('term.csv', lines.map((line) => `${line}\r\n`).join(''))
const send = (lines: string[], more: object, who = editor) =>
  foyer.ask(imports.rooms, { RoomImport: csv(lines), ...more }, who)
async function bring(lines: string[], more: object) {
  const answer = await send(lines, more)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.data
}
/** Ten rooms, of which the first are let. */
async function aHouse(lines: string[], house: object = {}) {
  const property_id = (await foyer.property(editor, { property_type_id: student_home, time_zone: 'UTC', ...house })).id
  const numbers = ['101', '102', '103', '104', '105', '106', '107', '108', '109', '110']
  await foyer.get(rooms.create, { property_id, numbers }, editor)
  if (lines.length > 0) await bring(lines, { property_id })
  return property_id
}
async function whole(property_id: number) {
  const asked = { params: { property_id }, sort: 'name', per_page: 200 } as const
  const guests = (await foyer.get(roomGuests.list, asked, editor)).data
  const listed = (await foyer.get(rooms.list, { ...asked, sort: 'number' }, editor)).data
  return { guests, rooms: listed }
}
const peopleOf = async (property_id: number) =>
  (await whole(property_id)).guests.map(({ room, name }) => `${room.name} ${name}`).toSorted()
const namesOf = ({ rows }: { rows: { room: string; name: string }[] }) =>
  rows.map(({ room, name }) => `${room} ${name}`)
const undo = (id: number | null) => foyer.ask(imports.undo, { id: id ?? 0 }, editor)

const former = ['Room,Name', '101,Ada Keller', '102,Ben Ode', '103,Cid Ray']

describe('what a list means for guests whom it does not name', () => {
  const next = ['Room,Name', '101,Ada Keller', '102,Dee Fox', '104,Eve Gray']
  test.each([
    [undefined, ['101 Ada Keller', '102 Ben Ode', '102 Dee Fox', '103 Cid Ray', '104 Eve Gray'], []],
    ['replace', ['101 Ada Keller', '102 Dee Fox', '103 Cid Ray', '104 Eve Gray'], ['102 Ben Ode']],
    ['whole', ['101 Ada Keller', '102 Dee Fox', '104 Eve Gray'], ['102 Ben Ode', '103 Cid Ray']],
  ])('%s', async (mode, people, out) => {
    const property_id = await aHouse(former)
    const before = await whole(property_id)
    const asked = { property_id, ...(mode && { mode }) }
    const result = await bring(next, { ...asked, dry_run: true })
    expect(await whole(property_id)).toEqual(before)
    expect([namesOf(result.moves_in), namesOf(result.stays), namesOf(result.moves_out)]).toEqual([
      ['102 Dee Fox', '104 Eve Gray'],
      ['101 Ada Keller'],
      out,
    ])
    expect(result.moves_in.rows[0]).toMatchObject({ row: 3 })
    const done = await bring(next, asked)
    expect([done.moves_in.count, done.stays.count, done.moves_out.count]).toEqual([2, 1, out.length])
    expect(await peopleOf(property_id)).toEqual(people)
    const { data } = await foyer.get(imports.list, { params: { property_id } }, editor)
    expect(data[0]).toMatchObject({ moved_out: out.length })

    expect((await undo(done.id)).status).toBe(200)
    expect(await whole(property_id)).toEqual(before)
  })

  test('guests who stay keep their dates, and their record', async () => {
    const property_id = await aHouse(['Room,Name,Departure', `101,Ada Keller,${inDays(30)}`])
    const [ada] = (await whole(property_id)).guests
    await bring(['Room,Name', '101,ada KELLER'], { property_id, mode: 'whole' })
    expect((await whole(property_id)).guests).toEqual([ada])
  })

  test('a list without people empties rooms, and an account keeps its room', async () => {
    const property_id = await aHouse(['Room,Name', '101,Ada Keller'])
    const room_id = (await whole(property_id)).rooms.find(({ number }) => number === '102')?.id ?? 0
    await foyer.account(editor, { property_id, room_id, name: 'Resident' })
    const result = await bring(['Room,Name', '101,VACANT', '102,VACANT'], {
      property_id,
      mode: 'replace',
      dry_run: true,
    })
    expect(result).toMatchObject({ rooms_emptied: 1, confirmation_needed: false, moves_out: { count: 1 } })
    expect((await foyer.get(accounts.list, { params: { property_id } }, editor)).data).toHaveLength(1)
  })
})

test('a list that empties more than a fifth of the rooms needs confirmation, with the count', async () => {
  const property_id = await aHouse(former)
  const before = await whole(property_id)
  const list = ['Room,Name', '110,Zoe New']
  const result = await bring(list, { property_id, mode: 'whole', dry_run: true })
  expect(result).toMatchObject({ rooms_emptied: 3, confirmation_needed: true, moves_out: { count: 3 } })
  for (const confirm_moves_out of [undefined, 2]) {
    const answer = await send(list, { property_id, mode: 'whole', confirm_moves_out })
    expectRefused(
      answer,
      clash(
        'This list moves 3 guests out and empties 3 of 10 rooms. To move them out, send it again with confirm_moves_out: 3.',
        { confirm_moves_out: ['3'] },
      ),
    )
  }
  expect(await whole(property_id)).toEqual(before)
  const done = await bring(list, { property_id, mode: 'whole', confirm_moves_out: 3 })
  expect(await peopleOf(property_id)).toEqual(['110 Zoe New'])
  expect((await undo(done.id)).status).toBe(200)
  expect(await whole(property_id)).toEqual(before)
})

test('one key imports once, whatever it moves', async () => {
  const property_id = await aHouse(former)
  const headers = { 'idempotency-key': `term ${property_id}` }
  const list = ['Room,Name', '101,Ada Keller', '102,Ben Ode']
  const once = () => foyer.ask(imports.rooms, { RoomImport: csv(list), property_id, mode: 'whole' }, editor, headers)
  const [first, second] = [await once(), await once()]
  expect([first.status, second.body]).toEqual([200, first.body])
  expect((await foyer.get(imports.list, { params: { property_id } }, editor)).data).toHaveLength(2)
})

describe('next term’s list, taken before the term begins', () => {
  const tomorrow = inDays(10)
  const list = (...lines: string[]) => ['Bedspace,Student,Lease Start,Lease End,Status', ...lines]
  test('guests who move in later are expected, and present guests leave the day before', async () => {
    const property_id = await aHouse(
      list(
        `101,Ada Keller,${inDays(-90)},${inDays(4)},Current`,
        `102,Ben Ode,${inDays(-90)},${inDays(200)},Current`,
        `103,Cid Ray,${inDays(-90)},,Current`,
        `104,Stay On,${inDays(-90)},${inDays(5)},Current`,
      ),
    )
    const before = await whole(property_id)
    const next = list(
      `101,Dee Fox,${tomorrow},${inDays(150)},Future`,
      `102,Eve Gray,${tomorrow},${inDays(150)},`,
      `104,Stay On,${tomorrow},${inDays(150)},Pre-leased`,
      `105,Gil Hope,,,Applicant`,
    )
    // Only present guests are added.
    const added = await bring(next, { property_id, dry_run: true })
    const later = 'Left out, because they move in later: 3 people. A list that replaces who lives there moves them in.'
    expect(added).toMatchObject({ moves_in: { count: 0 }, notes: [later] })

    const result = await bring(next, { property_id, mode: 'whole', confirm_moves_out: 2 })
    expect(result.begins_on).toBe(tomorrow)
    expect(result.notes).toEqual([])
    expect([namesOf(result.moves_in), namesOf(result.stays), namesOf(result.moves_out)]).toEqual([
      ['101 Dee Fox', '102 Eve Gray'],
      ['104 Stay On'],
      ['102 Ben Ode', '103 Cid Ray'],
    ])
    expect(result.leave_by_then.rows).toMatchObject([{ name: 'Ada Keller', departs_on: inDays(4) }])
    expect(
      Object.fromEntries((await whole(property_id)).guests.map(({ name, ...guest }) => [name, guest])),
    ).toMatchObject({
      'Ada Keller': { departs_on: inDays(4), checked_in_at: expect.any(String) },
      'Ben Ode': { departs_on: inDays(9), checked_in_at: expect.any(String) },
      'Cid Ray': { departs_on: inDays(9) },
      'Stay On': { arrives_on: inDays(-90), departs_on: inDays(150), checked_in_at: expect.any(String) },
      'Dee Fox': { arrives_on: tomorrow, departs_on: inDays(150), checked_in_at: null },
    })
    expect((await undo(result.id)).status).toBe(200)
    expect(await whole(property_id)).toEqual(before)
  })

  test('a list of present guests leaves expected ones alone', async () => {
    const property_id = await aHouse(list(`101,Ada Keller,${inDays(-90)},,Current`))
    const [room] = (await whole(property_id)).rooms.filter(({ number }) => number === '102')
    await foyer.roomGuest(editor, { room_id: room?.id ?? 0, last_name: 'Expected', arrives_on: tomorrow })
    const result = await bring(list(`101,Ada Keller,${inDays(-90)},,Current`), { property_id, mode: 'whole' })
    expect(result.moves_out.count).toBe(0)
    expect(await peopleOf(property_id)).toHaveLength(2)
  })

  test('two leases of one person in one room are one stay', async () => {
    const property_id = await aHouse([])
    const two = list(
      `101,Ada Keller,${inDays(-90)},${inDays(9)},Current`,
      `101,Ada Keller,${tomorrow},${inDays(150)},Future`,
    )
    await bring(two, { property_id, mode: 'whole' })
    expect((await whole(property_id)).guests).toMatchObject([{ arrives_on: inDays(-90), departs_on: inDays(150) }])
  })

  test('at other kinds of property a lease is no stay, and nobody moves in later by it', async () => {
    const property_id = await aHouse([], { property_type_id: 1 })
    await bring(list(`101,Ada Keller,${inDays(-90)},${inDays(9)},Current`), { property_id, mode: 'whole' })
    expect((await whole(property_id)).guests).toMatchObject([{ arrives_on: null, departs_on: null }])
  })
})

describe('nobody is moved out because of what could not be read', () => {
  test('a room of which a row is wrong is left alone', async () => {
    const property_id = await aHouse([
      'Room,Name,Status',
      '101,Ada Keller,Current',
      '101,Ben Ode,Current',
      '102,Cid Ray,Current',
    ])
    const list = ['Room,Name,Status', '101,Ada Keller,Current', '101,Ben Ode,Perhaps', '103,Dee Fox,Current']
    const done = await bring(list, { property_id, mode: 'whole', skip_problems: true })
    expect(namesOf(done.moves_out)).toEqual(['102 Cid Ray'])
    expect(await peopleOf(property_id)).toEqual(['101 Ada Keller', '101 Ben Ode', '103 Dee Fox'])
  })
  test('with a row without its room, guests who are not named stay', async () => {
    const property_id = await aHouse(['Room,Name,Rent', '101,Ada Keller,900', '102,Ben Ode,900'])
    const list = ['Room,Name,Rent', '101,Ada Keller,900', ',Ben Ode,850', '103,Dee Fox,900']
    const done = await bring(list, { property_id, mode: 'whole', skip_problems: true })
    expect(done.moves_out.count).toBe(0)
    expect(done.notes.join()).toContain('1 row does not name a room')
    expect(await peopleOf(property_id)).toContain('102 Ben Ode')
  })
  test('nor by a number that lost its zeros', async () => {
    const property_id = (await foyer.property(editor, { time_zone: 'UTC' })).id
    await bring(['Room,Name', '007,Ada Keller', '101,Ben Ode'], { property_id })
    const list = ['Room,Name', '7,Ada Keller', '101,Ben Ode']
    await bring(list, { property_id, mode: 'whole', skip_problems: true })
    expect(await peopleOf(property_id)).toEqual(['007 Ada Keller', '101 Ben Ode'])
  })
})

describe('what prevents undoing it', () => {
  async function movedOut() {
    const property_id = await aHouse(former)
    const ben = (await whole(property_id)).guests.find(({ name }) => name === 'Ben Ode')
    const room_id = ben?.room.id ?? 0
    const { id } = await bring(['Room,Name', '101,Ada Keller', '103,Cid Ray'], { property_id, mode: 'whole' })
    return { property_id, room_id, id }
  }
  test('a guest whom the desk has checked in again', async () => {
    const { room_id, id } = await movedOut()
    await foyer.roomGuest(editor, { room_id, first_name: 'Ben', last_name: 'Ode' })
    const answer = await undo(id)
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { errors: { id: ['Ben Ode was checked in again since.'] } },
    ])
  })
  test('a room that is gone', async () => {
    const { room_id, id } = await movedOut()
    await foyer.get(rooms.remove, { id: room_id }, editor)
    expectRefused(
      await undo(id),
      clash('Nothing was undone: 1 of its guests changed or came into use since the import.', {
        id: ['Ben Ode was checked out of what was removed since.'],
      }),
    )
  })
  test('nothing, if somebody else lives there by now', async () => {
    const { property_id, room_id, id } = await movedOut()
    await foyer.roomGuest(editor, { room_id, last_name: 'Newcomer' })
    expect((await undo(id)).status).toBe(200)
    expect(await peopleOf(property_id)).toContain('102 Ben Ode')
  })
})

test('a key that may not delete moves nobody out by a list', async () => {
  const property_id = await aHouse(former)
  for (const [permission, mode, status] of [
    ['write', 'add', 200],
    ['write', 'whole', 403],
    ['full', 'whole', 200],
  ] as const) {
    const asked = { name: `${permission} ${mode}`, permissions: [permission] }
    const { data } = await foyer.get(apiKeys.createForUser, asked, editor)
    const key = { ...editor, token: data.token }
    const list = ['Room,Name', '101,Ada Keller', '102,Ben Ode']
    expect([permission, mode, (await send(list, { property_id, mode }, key)).status]).toEqual([
      permission,
      mode,
      status,
    ])
  }
})
