// Stay acts: of two receptionists who do the same at once, one does it and the other reads who did what and when; and what was just
// done is taken back, as long as nothing newer has been done.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from 'pg'
import * as activity from '#contract/activity.ts'
import type { Endpoint, Input } from '#contract/endpoint.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import { stayActs, stayVerb, type StayAct } from '#contract/stay-acts.ts'
import * as stays from '#contract/stays.ts'
import * as today from '#contract/today.ts'
import { refusals, selectedIdsInvalid } from '#contract/errors.ts'
import { connect } from '#server/db/logins.ts'
import { clash, invalid, notFound } from '#server/errors/refused.ts'
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

const day_ms = 86_400_000
const dayFrom = (base: string, days: number) =>
  new Date(Date.parse(`${base}T12:00:00Z`) + days * day_ms).toISOString().slice(0, 10)

/** A property with two receptionists, two vacant rooms, and a guest who is in one, and one who is to come. */
async function openHouse() {
  const { id: property_id } = await foyer.property(editor)
  const desk = (name: string) =>
    foyer.invited(editor, { name, user_type_id: 3, owner_type: 'Property', owner_id: property_id })
  const [dora, emil] = [await desk('Dora Desk'), await desk('Emil Night')]
  const { day } = (await foyer.get(today.ofProperty, { property_id }, dora)).data
  const room = async (number: string) => (await foyer.room(editor, { property_id, number })).id
  const [taken, to_come, left, right] = [await room('11'), await room('12'), await room('13'), await room('14')]
  const stay = (room_id: number, last_name: string, arrives: number) =>
    foyer.roomGuest(editor, { room_id, last_name, arrives_on: dayFrom(day, arrives), departs_on: dayFrom(day, 3) })
  const guest = await stay(taken, 'Hart', -1)
  const expected = await stay(to_come, 'Ness', 1)
  return { property_id, dora, emil, day, guest, expected, taken, to_come, left, right }
}
type House = Awaited<ReturnType<typeof openHouse>>
type Guest = House['guest']

type Ask = Record<string, unknown>
interface Doing {
  endpoint: Endpoint
  /** What each of the two sends; the guest whom it is done to, if there is one before. */
  asks: (at: House) => [ask: Ask, other: Ask]
  whom: (at: House) => Guest | null
  /** What the one reads of the other, and beside which field. */
  says: RegExp
  field?: 'room_id' | 'departs_on'
}

const acts: Record<StayAct | 'check_in of a walk-in' | 'check_out of one', Doing> = {
  check_in: {
    endpoint: roomGuests.checkIn,
    asks: ({ expected: { id } }) => [{ ids: [id] }, { ids: [id] }],
    whom: ({ expected }) => expected,
    says: /^(Dora Desk|Emil Night) checked in Ness at \d\d:\d\d\.$/,
  },
  check_out: {
    endpoint: roomGuests.checkOut,
    asks: ({ guest: { id } }) => [{ ids: [id] }, { ids: [id] }],
    whom: ({ guest }) => guest,
    says: /^(Dora Desk|Emil Night) checked out Hart at \d\d:\d\d\.$/,
  },
  'check_out of one': {
    endpoint: roomGuests.remove,
    asks: ({ guest: { id }, taken: roomId }) => [
      { id, roomId },
      { id, roomId },
    ],
    whom: ({ guest }) => guest,
    says: /^(Dora Desk|Emil Night) checked out Hart at \d\d:\d\d\.$/,
  },
  move: {
    endpoint: roomGuests.update,
    asks: ({ guest: { id }, taken, left, right }) => [
      { id, room_id: left, share: false, was: { room_id: taken } },
      { id, room_id: right, share: false, was: { room_id: taken } },
    ],
    whom: ({ guest }) => guest,
    says: /^(Dora Desk|Emil Night) moved Hart to room 1[34] at \d\d:\d\d\.$/,
    field: 'room_id',
  },
  extend: {
    endpoint: roomGuests.update,
    asks: ({ guest: { id, departs_on }, day }) => {
      const ask = { id, departs_on: dayFrom(day, 4), was: { departs_on } }
      return [ask, ask]
    },
    whom: ({ guest }) => guest,
    says: /^(Dora Desk|Emil Night) changed the departure of Hart to \d+ \w+ at \d\d:\d\d\.$/,
    field: 'departs_on',
  },
  no_show: {
    endpoint: roomGuests.noShow,
    asks: ({ expected: { id } }) => [{ ids: [id] }, { ids: [id] }],
    whom: ({ expected }) => expected,
    says: /^(Dora Desk|Emil Night) noted the no-show of Ness at \d\d:\d\d\.$/,
  },
  'check_in of a walk-in': {
    endpoint: roomGuests.create,
    asks: ({ left: room_id }) => [
      { room_id, last_name: 'Hart', share: false },
      { room_id, last_name: 'Hart', share: false },
    ],
    whom: () => null,
    says: /^Hart lives in this room\. (Dora Desk|Emil Night) checked in Hart to room 13 at \d\d:\d\d\.$/,
  },
}

const linesOf = async (id: number) =>
  (await foyer.get(activity.list, { filters: { object_type: 'room_guests', object_id: id } }, editor)).data

const everything = Object.entries(acts)
test.each(everything)(
  '%s by two at once is done once, and both know',
  async (_name, { endpoint, asks, whom, says, field }) => {
    const at = await openHouse()
    const before = whom(at)
    const lines = before ? (await linesOf(before.id)).length : 0
    const [one, other] = asks(at)
    const answers = await Promise.all([foyer.send(endpoint, one, at.dora), foyer.send(endpoint, other, at.emil)])
    const isDone = answers.map(({ status }) => status === endpoint.status)
    const [done, refused] = isDone[0] ? answers : answers.toReversed()
    if (!done || !refused) throw new Error('both are answered')
    expect(isDone.filter(Boolean), answers.map(({ text }) => text).join('\n')).toHaveLength(1)
    const reason = { ...refusals.clash, message: says, ...(field && { errors: { [field]: [says] } }) }
    expectRefused(refused, reason)
    expect(refused.text).toContain(isDone[0] ? 'Dora Desk' : 'Emil Night')
    const id = before?.id ?? (done.body as { data: { id: number } }).data.id
    expect(await linesOf(id)).toHaveLength(lines + 1)
  },
)

/** All that a receptionist sees of the house, but for when it was. */
async function lookAt({ property_id, dora }: House) {
  const lists = (await foyer.get(today.ofProperty, { property_id }, dora)).data
  const { data } = await foyer.get(rooms.list, { params: { property_id }, sort: 'number' }, dora)
  return { lists, rooms: data }
}

const undone = Object.entries(acts).filter(([name]) => name !== 'check_out of one')
test.each(undone)('%s is taken back by whoever did it, once', async (name, { endpoint, asks, whom }) => {
  const at = await openHouse()
  const before = await lookAt(at)
  const answer = await foyer.send(endpoint, asks(at)[0], at.dora)
  const id = whom(at)?.id ?? (answer.body as { data: { id: number } }).data.id
  expect(await lookAt(at)).not.toEqual(before)
  const act = name.split(' ')[0] as StayAct
  const ask = { ids: [id], act }
  const another = await foyer.ask(roomGuests.undo, ask, at.emil)
  expect(another).toMatchObject({ status: 409, body: { message: expect.stringContaining('Dora Desk') as string } })
  await foyer.get(roomGuests.undo, ask, at.dora)
  expect(await lookAt(at)).toEqual(before)
  const again = await foyer.ask(roomGuests.undo, ask, at.dora)
  expectRefused(again, { ...refusals.clash, message: /^Dora Desk undid the .+ of (Ness|Hart)( .+)? at \d\d:\d\d\.$/ })
  const [last] = await linesOf(id)
  expect(last && stayVerb(last)).toMatch(/^undid the /)
})

test('nothing is taken back after a minute, nor what somebody has gone on from', async () => {
  const at = await openHouse()
  const { id } = at.guest
  const ask: Input<typeof roomGuests.undo> = { ids: [id], act: 'extend' }
  const extend = (days: number, by: Person) =>
    foyer.get(roomGuests.update, { id, departs_on: dayFrom(at.day, days) }, by)
  await extend(4, at.dora)
  await extend(5, at.emil)
  const newer = await foyer.ask(roomGuests.undo, ask, at.dora)
  expect(newer).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^Emil Night changed the departure of Hart/) as string },
  })
  await extend(6, at.dora)
  await admin.query(
    "update activity set created_at = created_at - interval '61 seconds' where object_type = 'room_guests' and object_id = $1",
    [id],
  )
  expect(await foyer.ask(roomGuests.undo, ask, at.dora)).toMatchObject({
    status: 409,
    body: { message: 'This can no longer be taken back.' },
  })
  // A list of who lives where writes no lines of its own.
  await extend(7, at.dora)
  await admin.query('update room_guests set departs_on = departs_on + 1 where id = $1', [id])
  expectRefused(await foyer.ask(roomGuests.undo, ask, at.dora), clash('This can no longer be taken back.'))
})

test('nobody comes back into a room that was given to others meanwhile', async () => {
  const at = await openHouse()
  const { id } = at.guest
  const says = {
    status: 409,
    body: {
      message: expect.stringMatching(/^Quist lives in this room\. Emil Night checked in Quist to room 11 at/) as string,
    },
  }
  await foyer.get(roomGuests.update, { id, room_id: at.left, share: false }, at.dora)
  const quist = (await foyer.get(roomGuests.create, { room_id: at.taken, last_name: 'Quist', share: false }, at.emil))
    .data
  expect(await foyer.ask(roomGuests.undo, { ids: [id], act: 'move' }, at.dora)).toMatchObject(says)
  await foyer.get(roomGuests.checkOut, { ids: [quist.id] }, at.emil)
  await foyer.get(roomGuests.undo, { ids: [id], act: 'move' }, at.dora)

  await foyer.get(roomGuests.checkOut, { ids: [id] }, at.dora)
  await foyer.get(roomGuests.create, { room_id: at.taken, last_name: 'Quist', share: false }, at.emil)
  expect(await foyer.ask(roomGuests.undo, { ids: [id], act: 'check_out' }, at.dora)).toMatchObject(says)
})

describe('of two who share a room', () => {
  async function openShared() {
    const at = await openHouse()
    const mate = await foyer.roomGuest(editor, {
      room_id: at.taken,
      last_name: 'Weber',
      arrives_on: dayFrom(at.day, -1),
      departs_on: dayFrom(at.day, 3),
    })
    return { ...at, mate }
  }
  type Shared = Awaited<ReturnType<typeof openShared>>
  const leave: Record<string, (at: Shared, guest: Guest) => Promise<unknown>> = {
    check_out: ({ dora }, { id }) => foyer.get(roomGuests.checkOut, { ids: [id] }, dora),
    move: ({ dora, left }, { id }) => foyer.get(roomGuests.update, { id, room_id: left }, dora),
  }
  const undo = ({ dora }: House, act: string, ...guests: Guest[]) =>
    foyer.get(roomGuests.undo, { ids: guests.map(({ id }) => id), act: act as StayAct }, dora)

  test.each(Object.keys(leave))('both come back, one after the other or at once: %s', async (act) => {
    const at = await openShared()
    const { guest, mate } = at
    const before = await lookAt(at)
    const bothLeave = async () => {
      await leave[act]?.(at, guest)
      await leave[act]?.(at, mate)
    }
    for (const backs of [[[guest], [mate]], [[mate], [guest]], [[guest, mate]]]) {
      await bothLeave()
      for (const some of backs) await undo(at, act, ...some)
      expect(await lookAt(at)).toEqual(before)
    }
  })

  test.each(Object.keys(leave))('one comes back, whatever was done to the other: %s', async (act) => {
    const at = await openShared()
    const { guest, mate, dora, emil, day } = at
    await foyer.get(roomGuests.update, { id: mate.id, arrives_on: dayFrom(day, 1) }, dora)
    await leave[act]?.(at, guest)
    await foyer.get(roomGuests.checkIn, { ids: [mate.id] }, emil)
    await foyer.get(roomGuests.update, { id: mate.id, departs_on: dayFrom(day, 4), last_name: 'Webern' }, emil)
    await undo(at, act, guest)
    expect((await foyer.get(roomGuests.get, { id: guest.id }, dora)).data).toMatchObject({ room_id: at.taken })
  })

  test('one whom the room was given while the other was out does not come back to whoever is back', async () => {
    const at = await openHouse()
    const { guest, dora, emil, taken } = at
    await foyer.get(roomGuests.update, { id: guest.id, room_id: at.left, share: false }, dora)
    const quist = (await foyer.get(roomGuests.create, { room_id: taken, last_name: 'Quist', share: false }, emil)).data
    await foyer.get(roomGuests.checkOut, { ids: [quist.id] }, emil)
    await undo(at, 'move', guest)
    expect(await foyer.ask(roomGuests.undo, { ids: [quist.id], act: 'check_out' }, emil)).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/^Hart lives in this room\. Dora Desk undid/) as string },
    })
  })

  test('two who have changed rooms change back at once', async () => {
    const at = await openHouse()
    const { guest, expected, dora } = at
    const before = await lookAt(at)
    await foyer.get(roomGuests.update, { id: guest.id, room_id: at.to_come, share: true }, dora)
    await foyer.get(roomGuests.update, { id: expected.id, room_id: at.taken, share: false }, dora)
    await undo(at, 'move', guest, expected)
    expect(await lookAt(at)).toEqual(before)
  })
})

test('a room is shared only by those who say so', async () => {
  const at = await openHouse()
  const into = { room_id: at.taken, last_name: 'Quist' }
  const refused = await foyer.ask(roomGuests.create, { ...into, share: false }, at.dora)
  expect(refused).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^Hart lives in this room\. /) as string },
  })
  await foyer.get(roomGuests.create, { ...into, share: true }, at.dora)
  const move = { id: at.expected.id, room_id: at.taken }
  const both = await foyer.ask(roomGuests.update, { ...move, share: false }, at.dora)
  expect(both).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^Hart, Quist live in this room\. /) as string },
  })
  // A program that says nothing of it goes on as before.
  await foyer.get(roomGuests.update, move, at.dora)
})

test('what was done to a guest out of reach is not told', async () => {
  const [here, there] = [await openHouse(), await openHouse()]
  await foyer.get(roomGuests.checkOut, { ids: [there.guest.id] }, there.dora)
  const { id } = there.guest
  for (const [endpoint, ask, status] of [
    [roomGuests.checkOut, { ids: [id] }, 422],
    [roomGuests.checkIn, { ids: [id] }, 422],
    [roomGuests.undo, { ids: [id], act: 'check_out' }, 422],
    [roomGuests.update, { id, last_name: 'Mine' }, 404],
    [roomGuests.remove, { id, roomId: there.taken }, 404],
  ] as const) {
    const answer = await foyer.send(endpoint, ask, here.dora)
    expect(answer.status, `${endpoint.path}: ${answer.text}`).toBe(status)
    expect(answer.text).not.toContain('Dora')
  }
})

test('who did not come is in no list, gets nobody online, and comes after all', async () => {
  const at = await openHouse()
  const { id, stay_id } = at.expected
  const look = async () => (await foyer.get(today.ofProperty, { property_id: at.property_id }, at.dora)).data
  await foyer.get(stays.updateStay, { id: stay_id ?? 0, note: 'Comes by the late train' }, at.dora)
  await foyer.get(roomGuests.noShow, { ids: [id] }, at.dora)
  const { arriving, no_shows } = await look()
  expect([arriving.total, no_shows]).toMatchObject([
    0,
    { total: 1, rows: [{ id, name: 'Ness', note: 'Comes by the late train', online: false }] },
  ])
  expectRefused(await foyer.ask(roomGuests.get, { id }, at.dora), notFound())
  // Longer ago than an act can be taken back.
  await admin.query("update activity set created_at = created_at - interval '1 hour' where object_id = $1", [id])
  await foyer.get(roomGuests.reinstate, { ids: [id] }, at.emil)
  expect((await look()).no_shows.total).toBe(0)
  expect((await foyer.get(roomGuests.get, { id }, at.dora)).data).toMatchObject({ stay_id, checked_in_at: null })
  expect((await foyer.get(stays.getStay, { id: stay_id ?? 0 }, at.dora)).data).toMatchObject({ no_show: false })
  const again = await foyer.ask(roomGuests.reinstate, { ids: [id] }, at.dora)
  expect(again).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^Emil Night undid the no-show/) as string },
  })
})

/** Two of one stay, who come tomorrow. */
async function twoToCome({ left, day }: House) {
  const rows = await foyer.query<{ id: number; stay_id: number }>(
    `insert into room_guests (customer_id, room_id, last_name, arrives_on)
     select $1, $2, name, $3::date from unnest(array['Lind', 'Moss']) as name returning id, stay_id`,
    [editor.user.customer.id, left, dayFrom(day, 1)],
  )
  const [lind, moss] = rows
  if (!lind || !moss) throw new Error('two were put there')
  expect(lind.stay_id).toBe(moss.stay_id)
  return { lind, moss }
}
const noShowsAt = async ({ property_id, dora }: House) =>
  (await foyer.get(today.ofProperty, { property_id }, dora)).data.no_shows

test('a stay is no no-show while another guest of it comes', async () => {
  const at = await openHouse()
  const { lind, moss } = await twoToCome(at)
  await foyer.get(roomGuests.noShow, { ids: [lind.id] }, at.dora)
  const { data } = await foyer.get(stays.getStay, { id: lind.stay_id }, at.dora)
  expect(data).toMatchObject({ no_show: false, guests: [{ id: moss.id }] })
  await foyer.get(roomGuests.noShow, { ids: [moss.id] }, at.dora)
  expect((await noShowsAt(at)).total).toBe(2)
})

test('a stay is no no-show where another guest of it was there and has left', async () => {
  const at = await openHouse()
  const { lind, moss } = await twoToCome(at)
  // Their day has come.
  await foyer.query('update room_guests set arrives_on = $2 where stay_id = $1', [lind.stay_id, at.day])
  await foyer.get(roomGuests.checkIn, { ids: [lind.id] }, at.dora)
  await foyer.get(roomGuests.checkOut, { ids: [lind.id] }, at.dora)
  await foyer.get(roomGuests.noShow, { ids: [moss.id] }, at.dora)
  expect(await noShowsAt(at)).toMatchObject({ total: 0 })
  expect(await foyer.ask(roomGuests.reinstate, { ids: [lind.id] }, at.emil)).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^Dora Desk checked out Lind/) as string },
  })
})

test('a guest who is in is no no-show, nor is one who was checked out reinstated', async () => {
  const [at, elsewhere] = [await openHouse(), await openHouse()]
  const { id } = at.guest
  const refused = await foyer.ask(roomGuests.noShow, { ids: [at.expected.id, id] }, at.dora)
  expect(refused).toMatchObject({ status: 409, body: { message: expect.stringMatching(/checked in/) as string } })
  await foyer.get(roomGuests.checkOut, { ids: [id] }, at.emil)
  const left = await foyer.ask(roomGuests.reinstate, { ids: [id] }, at.dora)
  expect(left).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^Emil Night checked out Hart/) as string },
  })
  await foyer.get(roomGuests.noShow, { ids: [elsewhere.expected.id] }, elsewhere.dora)
  for (const endpoint of [roomGuests.noShow, roomGuests.reinstate])
    expectRefused(
      await foyer.ask(endpoint, { ids: [elsewhere.expected.id] }, at.dora),
      invalid({ ids: [selectedIdsInvalid] }),
    )
})

test('every act has words of its own', () => {
  expect(new Set(Object.values(stayActs)).size).toBe(Object.keys(stayActs).length)
})
