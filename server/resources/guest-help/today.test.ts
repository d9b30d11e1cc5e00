// Today: who arrives, leaves and stays on the property's local day, who was refused, and the state of the network.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from 'pg'
import * as company from '#contract/company.ts'
import * as guestHelp from '#contract/guest-help.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import * as today from '#contract/today.ts'
import { selectedIdsInvalid, selectedInvalid } from '#contract/errors.ts'
import { connect } from '#server/db/logins.ts'
import { invalid } from '#server/errors/refused.ts'
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
/** The day that many days after the property's today. */
const dayFrom = (base: string, days: number) =>
  new Date(Date.parse(`${base}T12:00:00Z`) + days * day_ms).toISOString().slice(0, 10)

/** A property whose local day differs from the UTC day, with a front desk of its own. */
async function openHouse() {
  const time_zone = new Date().getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati'
  const { id: property_id } = await foyer.property(editor, { time_zone })
  const desk = await foyer.invited(editor, { user_type_id: 3, owner_type: 'Property', owner_id: property_id })
  const look = async () => (await foyer.get(today.ofProperty, { property_id }, desk)).data
  const { day } = await look()
  let number = 100
  const stay = async (arrives: number | null, departs: number | null, last_name: string) => {
    const room = await foyer.room(editor, { property_id, number: String(++number) })
    return foyer.roomGuest(editor, {
      room_id: room.id,
      last_name,
      arrives_on: arrives === null ? null : dayFrom(day, arrives),
      departs_on: departs === null ? null : dayFrom(day, departs),
    })
  }
  return { property_id, desk, look, day, stay }
}
const namesIn = ({ rows }: { rows: { name: string }[] }) => rows.map(({ name }) => name)

test('everybody is in the list that their dates imply, by the property’s clock', async () => {
  const { property_id, desk, look, day, stay } = await openHouse()
  expect(day).not.toBe(new Date().toISOString().slice(0, 10))
  await stay(-3, 0, 'Leaving')
  await stay(-3, -1, 'Overdue')
  const house = await stay(-3, 4, 'House')
  await stay(null, null, 'Open')
  const expected = await stay(2, 5, 'Expected')
  expect(expected.checked_in_at).toBeNull()
  expect(house.checked_in_at).not.toBeNull()
  const lists = await look()
  expect({
    arriving: namesIn(lists.arriving),
    leaving: namesIn(lists.leaving),
    overdue: namesIn(lists.overdue),
    in_house: namesIn(lists.in_house),
  }).toEqual({ arriving: [], leaving: ['Leaving'], overdue: ['Overdue'], in_house: ['Leaving', 'House', 'Open'] })
  expect(lists.in_house).toMatchObject({
    total: 3,
    rows: [{ nights: 3 }, { nights: 7, online: false }, { nights: null }],
  })

  // The day of arrival is today, but they have not arrived.
  await admin.query('alter table room_guests disable trigger note_arrival')
  await admin.query('update room_guests set arrives_on = $2 where id = $1', [expected.id, day])
  await admin.query('alter table room_guests enable trigger note_arrival')
  expect(namesIn((await look()).arriving)).toEqual(['Expected'])
  await foyer.get(roomGuests.checkIn, { ids: [expected.id] }, desk)
  expect(await look()).toMatchObject({ arriving: { total: 0 }, in_house: { total: 4 } })

  // Lists are filtered by the same states, and sorted by date.
  const params = { property_id }
  const guests = async (ask: object) =>
    (await foyer.get(roomGuests.list, { params, ...ask }, desk)).data.map(({ name }) => name)
  expect(await guests({ filters: { stay: 'overdue' } })).toEqual(['Overdue'])
  expect(await guests({ filters: { stay: ['leaving', 'overdue'] }, sort: 'departs_on' })).toEqual([
    'Overdue',
    'Leaving',
  ])
  expect(await guests({ filters: { departs_on: day } })).toEqual(['Leaving'])
  expect(await guests({ filters: { departs_on: null } })).toEqual(['Open'])
  const inOrder = ['Overdue', 'Leaving', 'House', 'Expected', 'Open']
  expect(await guests({ sort: 'departs_on' })).toEqual(inOrder)
  const first = await foyer.get(roomGuests.list, { params, sort: 'departs_on', per_page: 4 }, desk)
  const cursor = first.meta.next_cursor
  expect(await guests({ sort: 'departs_on', per_page: 4, cursor })).toEqual(['Open'])
  const inRooms = await foyer.get(rooms.list, { params, filters: { stay: 'leaving' }, sort: '-departs_on' }, desk)
  expect(inRooms.data).toMatchObject([{ occupants_string: 'Leaving', departs_on: day, stay: 'leaving' }])
  const late = await foyer.get(rooms.list, { params, filters: { stay: 'overdue' } }, desk)
  expect(late.data).toMatchObject([{ stay: 'overdue' }])
})

test('an early arrival is checked in on its day, and several are checked out at once or not at all', async () => {
  const { desk, look, day, stay } = await openHouse()
  const early = await stay(3, 5, 'Early')
  const other = await stay(-1, 0, 'Other')
  await foyer.get(roomGuests.checkIn, { ids: [early.id] }, desk)
  const { data } = await foyer.get(roomGuests.get, { id: early.id }, desk)
  expect(data).toMatchObject({ arrives_on: day, departs_on: dayFrom(day, 5) })
  expect(data.checked_in_at).not.toBeNull()

  const elsewhere = await (await openHouse()).stay(-1, 0, 'Elsewhere')
  expectRefused(
    await foyer.ask(roomGuests.checkOut, { ids: [other.id, elsewhere.id] }, desk),
    invalid({ ids: [selectedIdsInvalid] }),
  )
  expectRefused(
    await foyer.ask(roomGuests.checkIn, { ids: [other.id, elsewhere.id] }, desk),
    invalid({ ids: [selectedIdsInvalid] }),
  )
  expect((await look()).in_house.total).toBe(2)
  await foyer.get(roomGuests.checkOut, { ids: [other.id, early.id] }, desk)
  expect(await look()).toMatchObject({ leaving: { total: 0 }, in_house: { total: 0 } })
})

test('a guest who gave a wrong name is told of alike by the day and by the search', async () => {
  const { property_id, desk, look, stay } = await openHouse()
  const guest = await stay(-1, 2, 'Johnson')
  const room = guest.room.name
  for (const mac of ['02:00:00:00:aa:01', '02:00:00:00:aa:02'])
    await admin.query(
      `insert into radius_authorisations (customer_id, property_id, identifier, mac_address, accepted, reason)
       select customer_id, id, $2, $3, false, 'wrong_password' from properties where id = $1`,
      [property_id, `${room}, jonson`, mac],
    )
  const { refused } = await look()
  const { candidates } = (await foyer.get(guestHelp.search, { search: room, property_id }, desk)).data
  expect(candidates[0]).toMatchObject({ kind: 'stay', id: guest.id })
  const found = (await foyer.get(guestHelp.get, { kind: 'stay', id: guest.id }, desk)).data
  expect(found.against.map(({ reason }) => reason)).toContain('wrong_name')
  expect(refused).toMatchObject([{ kind: 'stay', id: guest.id, message: found.sentence }])
  expect(refused[0]?.fix).toEqual(found.fixes[0])
  // The attempt itself leads to the same.
  const attempt = candidates.find(({ kind }) => kind === 'attempt')
  const same = (await foyer.get(guestHelp.get, { kind: 'attempt', id: attempt?.id ?? 0 }, desk)).data
  expect(same).toMatchObject({ kind: 'stay', id: guest.id, sentence: found.sentence })
})

test('who got online since on the same device is no longer refused, whatever they were let in with', async () => {
  const { property_id, look, stay } = await openHouse()
  const { id: account_id } = await foyer.account(editor, { property_id })
  // Let in by an account, and refused as nobody: only the device says that it is the same guest.
  const tried = (identifier: string, mac: string, accepted: boolean, minutes_ago: number) =>
    admin.query(
      `insert into radius_authorisations (customer_id, property_id, identifier, mac_address, accepted, reason, created_at, account_id)
       select customer_id, id, $2, $3, $4, case when $4 then 'accepted' else 'wrong_password' end, now() - make_interval(mins => $5),
         case when $4 then $6::integer end
       from properties where id = $1`,
      [property_id, identifier, mac, accepted, minutes_ago, account_id],
    )
  const [since, before, still] = [await stay(-1, 2, 'Adams'), await stay(-1, 2, 'Baker'), await stay(-1, 2, 'Clark')]
  await tried(`${since.room.name}, adam`, '02:00:00:00:dd:01', false, 20)
  await tried('a code', '02:00:00:00:dd:01', true, 10)
  await tried('a code', '02:00:00:00:dd:02', true, 20)
  await tried(`${before.room.name}, bakker`, '02:00:00:00:dd:02', false, 10)
  await tried(`${still.room.name}, clerk`, '02:00:00:00:dd:03', false, 20)
  await tried('another code', '02:00:00:00:dd:04', true, 10)
  expect((await look()).refused.map(({ id }) => id)).toEqual([before.id, still.id])
})

test('of a guest whom the hotel’s system has not told of the desk reads so, and since when the system is down', async () => {
  const { property_id, desk, look } = await openHouse()
  await foyer.room(editor, { property_id, number: '204' })
  const opera = await foyer.propertyInterface(editor, { name: 'OPERA', owner_type: 'Property', owner_id: property_id })
  const link = (state: string, heard: string) =>
    admin.query(
      `insert into property_links (customer_id, property_interface_id, state, since, heard_at)
       select customer_id, id, $2, app_now(), now() - $3::interval from property_interfaces where id = $1
       on conflict (customer_id, property_interface_id) do update set state = excluded.state, heard_at = excluded.heard_at`,
      [opera.id, state, heard],
    )
  const {
    rows: [attempt],
  } = await admin.query<{ id: string }>(
    `insert into radius_authorisations (customer_id, property_id, identifier, mac_address, accepted, reason)
     select customer_id, id, '204, Hart', '02:00:00:00:bb:01', false, 'wrong_password' from properties where id = $1 returning id`,
    [property_id],
  )
  const verdict = async () =>
    (await foyer.get(guestHelp.get, { kind: 'attempt', id: Number(attempt?.id) }, desk)).data.against.map(
      ({ message }) => message,
    )
  const note = async () => (await foyer.get(guestHelp.search, { search: '204', property_id }, desk)).data.note
  expect((await verdict())[0]).toBe('Nobody called “Hart” stays in 204.')
  await link('up', '1 minute')
  expect((await verdict())[0]).toBe('OPERA has no guest called “Hart” in 204.')
  expect(await note()).toBe('OPERA has nobody in 204.')
  await link('down', '1 minute')
  const since = expect.stringMatching(
    /^OPERA has been down since \d\d:\d\d: arrivals and departures since then are missing\.$/,
  )
  expect(await verdict()).toContainEqual(since)
  expect(await note()).toEqual(since)
  expect((await look()).network.warnings).toContainEqual({ reason: 'link_down', message: since })

  // Nothing against a guest who can sign in.
  const guest = await foyer.roomGuest(editor, {
    room_id: (await foyer.room(editor, { property_id })).id,
    last_name: 'Quist',
  })
  const { against } = (await foyer.get(guestHelp.get, { kind: 'stay', id: guest.id }, desk)).data
  expect(against.map(({ reason }) => reason)).not.toContain('link_down')
})

test('a room is occupied until the last of its guests leaves', async () => {
  const { property_id, day, stay } = await openHouse()
  const guest = await stay(-1, 2, 'One')
  const { room_id } = guest
  const days = async () => {
    const { arrives_on, departs_on } = (await foyer.get(rooms.get, { id: room_id }, editor)).data
    return [arrives_on, departs_on]
  }
  expect(await days()).toEqual([dayFrom(day, -1), dayFrom(day, 2)])
  const two = await foyer.roomGuest(editor, { room_id, arrives_on: dayFrom(day, -4), departs_on: null })
  expect(await days()).toEqual([dayFrom(day, -4), null])
  await foyer.get(roomGuests.update, { id: two.id, departs_on: dayFrom(day, 7) }, editor)
  expect(await days()).toEqual([dayFrom(day, -4), dayFrom(day, 7)])
  const other = await foyer.room(editor, { property_id, number: 'Attic' })
  await foyer.get(roomGuests.update, { id: two.id, room_id: other.id }, editor)
  expect(await days()).toEqual([dayFrom(day, -1), dayFrom(day, 2)])
  await foyer.get(roomGuests.remove, { id: guest.id, roomId: room_id }, editor)
  expect(await days()).toEqual([null, null])
})

test('the contact for the desk is the one that the company has entered', async () => {
  const { look, property_id } = await openHouse()
  expect((await look()).network).toMatchObject({
    sentence: expect.stringMatching(/^No gateway is registered/) as string,
    contact: null,
  })
  const desk_contact = 'Quay IT, 01947 555 010'
  await foyer.get(company.update, { desk_contact }, editor)
  expect((await look()).network.contact).toBe(desk_contact)
  expect((await foyer.get(today.ofProperty, { property_id }, editor)).data.property.id).toBe(property_id)
  // Nothing is revealed about another customer's property.
  const neighbour = await foyer.customer()
  expectRefused(
    await foyer.ask(today.ofProperty, { property_id }, neighbour),
    invalid({ property_id: [selectedInvalid('property_id')] }),
  )
})
