// The desk's day: a group that arrives, stays longer and leaves in one act each; what was used, on a slip; and what a shift hands over.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from 'pg'
import * as auth from '#contract/auth.ts'
import { addDays } from '#contract/days.ts'
import * as guestHelp from '#contract/guest-help.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import * as shift from '#contract/shift.ts'
import * as stays from '#contract/stays.ts'
import * as today from '#contract/today.ts'
import { selectedIdsInvalid, selectedInvalid } from '#contract/errors.ts'
import { connect } from '#server/db/logins.ts'
import { forbidden, invalid, notFound } from '#server/errors/refused.ts'
import { openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { opened, waiting, type Waiting } from '#test/waiting-messages.ts'
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

async function openHouse() {
  const { id: property_id } = await foyer.property(editor)
  const desk = (name: string) =>
    foyer.invited(editor, { name, user_type_id: 3, owner_type: 'Property', owner_id: property_id })
  const [dora, emil] = [await desk('Dora Desk'), await desk('Emil Night')]
  const { day } = (await foyer.get(today.ofProperty, { property_id }, dora)).data
  return { property_id, dora, emil, day }
}
type House = Awaited<ReturnType<typeof openHouse>>

/** Expected today, in a room each. */
async function aGroup({ property_id, day }: House, size: number, group_name: string) {
  const { rows } = await admin.query<{ id: number; stay_id: number }>(
    `with made as (insert into rooms (customer_id, property_id, number)
       select $1, $2, $5 || n from generate_series(100, 99 + $3::integer) as n returning id)
     insert into room_guests (customer_id, room_id, last_name, arrives_on, departs_on)
     select $1, id, 'Guest ' || id, $4::date + 1, $4::date + 3 from made returning id, stay_id`,
    [editor.user.customer.id, property_id, size, day, unique('G').replaceAll(/\W/g, '')],
  )
  const ids = rows.map(({ id }) => id)
  await admin.query('alter table room_guests disable trigger note_arrival')
  await admin.query('update room_guests set arrives_on = $2 where id = any($1)', [ids, day])
  await admin.query('alter table room_guests enable trigger note_arrival')
  await admin.query(
    'update stays set group_name = $2 where id in (select stay_id from room_guests where id = any($1))',
    [ids, group_name],
  )
  return ids
}

test('sixty of a group are found, checked in, given a night more and checked out, in one call each', async () => {
  const house = await openHouse()
  const { property_id, dora, day } = house
  const group_name = unique('Wedding Hart')
  const ids = await aGroup(house, 60, group_name)
  const { arriving } = (await foyer.get(today.ofProperty, { property_id }, dora)).data
  expect(arriving.rows.filter((one) => one.group_name === group_name)).toHaveLength(60)
  const search = async () =>
    (await foyer.get(guestHelp.search, { search: 'wedding hart', property_id }, dora)).data.groups
  expect(await search()).toEqual([{ name: group_name, guests: 60, expected: 60 }])
  const look = async () => (await foyer.get(today.ofGroup, { property_id, group_name }, dora)).data

  await foyer.get(roomGuests.checkIn, { ids }, dora)
  expect((await look()).rows.every(({ is_in }) => is_in)).toBe(true)
  const { data: cards } = await foyer.get(roomGuests.cards, { ids }, dora)
  expect(cards).toHaveLength(60)
  expect(cards[0]?.rows.map(({ label }) => label)).toEqual(['Room', 'Last name'])
  await foyer.get(roomGuests.undo, { ids, act: 'check_in' }, dora)
  expect((await look()).rows.some(({ is_in }) => is_in)).toBe(false)
  await foyer.get(roomGuests.checkIn, { ids }, dora)

  const departs_on = addDays(day, 4)
  await foyer.get(roomGuests.extend, { ids, departs_on }, dora)
  expect(new Set((await look()).rows.map((row) => row.departs_on))).toEqual(new Set([departs_on]))
  await foyer.get(roomGuests.undo, { ids, act: 'extend' }, dora)
  expect(new Set((await look()).rows.map((row) => row.departs_on))).toEqual(new Set([addDays(day, 3)]))

  await foyer.get(roomGuests.checkOut, { ids }, dora)
  expect([await look(), await search()]).toMatchObject([{ total: 0, rows: [] }, []])
})

test('one of a group out of reach, gone, or with an impossible day: nothing is done to any of them', async () => {
  const [house, elsewhere] = [await openHouse(), await openHouse()]
  const { dora, day } = house
  const ids = await aGroup(house, 3, unique('Group'))
  const [other = 0] = await aGroup(elsewhere, 1, unique('Group'))
  const tried = (asked: number[], departs_on = addDays(day, 5)) =>
    foyer.ask(roomGuests.extend, { ids: asked, departs_on }, dora)
  expectRefused(await tried([...ids, other]), invalid({ ids: [selectedIdsInvalid] }))
  expectRefused(
    await tried(ids, addDays(day, -1)),
    invalid({ departs_on: ['A guest leaves on the day of arrival or later.'] }),
  )
  expectRefused(
    await tried(ids, addDays(day, 5000)),
    invalid({ departs_on: ['This is more than 3 years ahead. Please check the year'] }),
  )
  expectRefused(
    await foyer.ask(roomGuests.cards, { ids: [...ids, other] }, dora),
    invalid({ ids: [selectedIdsInvalid] }),
  )
  for (const id of ids) expect((await foyer.get(roomGuests.get, { id }, dora)).data.departs_on).toBe(addDays(day, 3))
})

test('the answer of the search has the first match as the desk shows it', async () => {
  const { property_id, dora, day } = await openHouse()
  const room = await foyer.room(editor, { property_id })
  const guest = await foyer.roomGuest(editor, {
    room_id: room.id,
    last_name: 'Quillfeather',
    departs_on: addDays(day, 2),
  })
  const ask = { search: 'quillfeather', property_id }
  const { opened } = (await foyer.get(guestHelp.search, { ...ask, opens: true }, dora)).data
  const shown = (await foyer.get(guestHelp.get, { kind: 'stay', id: guest.id, property_id }, dora)).data
  expect(opened).toEqual(shown)
  expect((await foyer.get(guestHelp.search, ask, dora)).data.opened).toBeNull()
})

test('what was used and what is left is said on a slip, and sent to the guest', async () => {
  const { property_id, dora, day } = await openHouse()
  const room = await foyer.room(editor, { property_id })
  const guest = await foyer.roomGuest(editor, {
    room_id: room.id,
    last_name: 'Marlowe',
    departs_on: addDays(day, 2),
    mobile_number: '+447700900123',
  })
  const id = guest.stay_id ?? 0
  const linesOf = async () => {
    const { data } = await foyer.get(stays.slip, { id, by: 'print' }, dora)
    return new Map(data.lines.map(({ label, value }) => [label, value]))
  }
  expect((await linesOf()).get('Used')).toBe('Nothing so far')
  const gateway = await foyer.gateway(editor, { property_id })
  await admin.query(
    `with guest as (insert into guests (customer_id, property_id, auth_method_id, room_guest_id) values ($1, $2, 4, $3) returning id)
     insert into radius_sessions (customer_id, property_id, gateway_id, guest_id, session_key, acct_session_id, mac_address, started_at,
       last_seen_at, seconds, bytes_up, bytes_down)
     select $1, $2, $4, guest.id, 'slip-' || n, 'slip-' || n, '02:00:00:00:cc:01',
       now() - interval '2 hours', now(), 3600, 200000000, 1500000000
     from guest, generate_series(1, 2) as n`,
    [editor.user.customer.id, property_id, guest.id, gateway.id],
  )
  const { used } = (await foyer.get(guestHelp.get, { kind: 'stay', id: guest.id }, dora)).data
  expect(used).toEqual({ sessions: 2, devices: 1, seconds: 7200, bytes_up: 400_000_000, bytes_down: 3_000_000_000 })
  const lines = await linesOf()
  expect(lines.get('Used')).toBe('2 h online, 3.0 GB down, 0.4 GB up, 1 device')
  expect(lines.get('Left')).toMatch(/^until /)

  const refused = await foyer.ask(stays.slip, { id, by: 'email' }, dora)
  expectRefused(refused, invalid({ email: ['None of its guests has an address. Please enter one.'] }))
  const email = `${unique('marlowe').toLowerCase().replaceAll(/\W/g, '')}@guests.example`
  expect((await foyer.get(stays.slip, { id, by: 'email', email }, dora)).data.sent_to).toBe(email)
  expect((await foyer.get(stays.slip, { id, by: 'sms' }, dora)).data.sent_to).toBe('+447700900123')
  const { rows: texts } = await admin.query<Waiting>(
    `select ${waiting.outbox_texts} from outbox_texts where mobile_number = '+447700900123' and customer_id = $1`,
    [editor.user.customer.id],
  )
  const sent = [await foyer.mailTo(email), ...opened('outbox_texts', texts).map(({ text }) => text)]
  expect(sent).toHaveLength(2)
  for (const text of sent) expect(text).toContain('Used: 2 h online, 3.0 GB down, 0.4 GB up, 1 device')
})

test('the next shift reads what was done by whom, and what was left for it', async () => {
  const [{ property_id, dora, emil }, elsewhere] = [await openHouse(), await openHouse()]
  const room = await foyer.room(editor, { property_id, number: '7' })
  const guest = await foyer.get(roomGuests.create, { room_id: room.id, last_name: 'Hart' }, dora)
  await foyer.get(roomGuests.checkOut, { ids: [guest.data.id] }, emil)
  const note = (await foyer.get(shift.writeNote, { property_id, text: 'Taxi for 7 at six' }, dora)).data
  expect(note).toMatchObject({ text: 'Taxi for 7 at six', written_by: 'Dora Desk', done_at: null })
  const look = async (who = emil) => (await foyer.get(shift.ofShift, { params: { property_id } }, who)).data
  const { acts, notes } = await look()
  expect(acts.map(({ by, sentence }) => `${by} ${sentence}`)).toEqual([
    'Dora Desk wrote a note',
    'Emil Night checked out Hart',
    'Dora Desk checked in Hart to room 7',
  ])
  expect(notes.map(({ id }) => id)).toEqual([note.id])
  await foyer.get(shift.settleNote, { id: note.id, done: true }, emil)
  expect((await look()).notes).toMatchObject([{ id: note.id, done_by: 'Emil Night' }])
  await foyer.get(shift.settleNote, { id: note.id, done: false }, dora)
  expect((await look()).notes).toMatchObject([{ id: note.id, done_at: null, done_by: null }])

  expectRefused(
    await foyer.ask(shift.ofShift, { params: { property_id } }, elsewhere.dora),
    invalid({ 'params.property_id': [selectedInvalid('property_id')] }),
  )
  expectRefused(await foyer.ask(shift.settleNote, { id: note.id, done: true }, elsewhere.dora), notFound())
  expectRefused(
    await foyer.ask(shift.writeNote, { property_id, text: 'Mine' }, elsewhere.dora),
    invalid({ property_id: [selectedInvalid('property_id')] }),
  )
  const viewer = await foyer.invited(editor, { user_type_id: 1, owner_type: 'Property', owner_id: property_id })
  expect((await look(viewer)).notes).toHaveLength(1)
  expectRefused(await foyer.ask(shift.writeNote, { property_id, text: 'Mine' }, viewer), forbidden())
})

const inLanguage = (language: string) => ({ 'accept-language': language })

test('people read the desk in the language that they ask for, and programs in English', async () => {
  const { property_id, dora, emil } = await openHouse()
  const room = await foyer.room(editor, { property_id, number: '8' })
  const { id } = await foyer.roomGuest(editor, { room_id: room.id, last_name: 'Marlowe' })
  const { program } = await foyer.apiKey(editor, { property_id })
  const sentence = async (who: Parameters<typeof foyer.ask>[2], language: string) =>
    (await foyer.ask(guestHelp.get, { kind: 'stay', id }, who, inLanguage(language))).body.data.sentence
  const english = 'No gateway is registered at this property, so nobody can sign in there.'
  expect(await sentence(dora, 'de-AT, en;q=0.5')).toBe(
    'In diesem Haus ist kein Gateway eingetragen, deshalb kann sich dort niemand anmelden.',
  )
  expect([await sentence(dora, 'nl'), await sentence(dora, '*'), await sentence(program, 'de')]).toEqual(
    Array(3).fill(english),
  )
  await foyer.get(roomGuests.checkOut, { ids: [id] }, dora)
  const late = await foyer.ask(roomGuests.checkOut, { ids: [id] }, emil, inLanguage('fr'))
  expect(late).toMatchObject({
    status: 409,
    body: {
      message: expect.stringMatching(/^Dora Desk a enregistré le départ de Marlowe \(à \d\d:\d\d\)\.$/) as string,
    },
  })
})

test('what is handed to a guest is in the language in which they saw the portal, else in that of the desk', async () => {
  const { property_id, dora } = await openHouse()
  const room = await foyer.room(editor, { property_id })
  const { id, stay_id } = await foyer.roomGuest(editor, { room_id: room.id, last_name: 'Marlowe' })
  const labels = async () => {
    const { body } = await foyer.ask(stays.slip, { id: stay_id ?? 0, by: 'print' }, dora, inLanguage('de'))
    return body.data.lines.map(({ label }) => label)
  }
  expect(await labels()).toEqual(['Zimmer', 'Aufenthalt', 'Genutzt', 'Noch übrig'])
  await admin.query(
    `insert into guests (customer_id, property_id, auth_method_id, room_guest_id, language) values ($1, $2, 4, $3, 'es')`,
    [editor.user.customer.id, property_id, id],
  )
  expect(await labels()).toEqual(['Habitación', 'Estancia', 'Usado', 'Queda'])
  const email = `${unique('marlowe').toLowerCase().replaceAll(/\W/g, '')}@guests.example`
  await foyer.ask(guestHelp.send, { kind: 'stay', id, email }, dora, inLanguage('de'))
  expect(await foyer.mailTo(email)).toContain('Apellido: Marlowe')
  // The portal speaks more languages than the desk.
  await admin.query(`update guests set language = 'it' where room_guest_id = $1`, [id])
  expect(await labels()).toEqual(['Room', 'Stay', 'Used', 'Left'])
})

test('a person chooses a language once, for whichever user they act as', async () => {
  const { dora } = await openHouse()
  const chosen = async () => (await foyer.get(auth.me, {}, dora)).data.language
  expect(await chosen()).toBeNull()
  await foyer.get(auth.chooseLanguage, { language: 'fr' }, dora)
  expect(await chosen()).toBe('fr')
  expectRefused(
    await foyer.send(auth.chooseLanguage, { language: 'tlh' }, dora),
    invalid({ language: ['Please choose one of: en, de, fr, es'] }),
  )
  await foyer.get(auth.chooseLanguage, { language: null }, dora)
  expect(await chosen()).toBeNull()
})

test('the room whose number was given is told with whoever is in it; one that is disabled, or of another house, is not', async () => {
  const { property_id, dora } = await openHouse()
  const other = await openHouse()
  const [free, taken, shut] = await foyer.rooms(editor, property_id, ['12', '13', '14'])
  await foyer.get(rooms.deactivate, { ids: [shut ?? 0] }, editor)
  await foyer.roomGuest(editor, { room_id: taken ?? 0, last_name: 'Hart' })
  const told = async (search: string, at = property_id, caller = dora) =>
    (await foyer.get(guestHelp.search, { search, property_id: at }, caller)).data.room
  expect(await told(' 12 ')).toEqual({ id: free, name: '12', vacant: true })
  expect(await told('13')).toEqual({ id: taken, name: '13', vacant: false })
  expect([await told('14'), await told('1'), await told('12', other.property_id, other.dora)]).toEqual([
    null,
    null,
    null,
  ])
})
