// Receive updates: what a property's system says becomes rooms, stays and guests, once and in its order.
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { addDays } from '#contract/days.ts'
import * as differences from '#contract/stay-differences.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as stays from '#contract/stays.ts'
import * as day from '#contract/today.ts'
import { fieldUnknown } from '#contract/unknown-fields.ts'
import { departureWork } from '#server/stays/sync.ts'
import { doDue } from '#test/due.ts'
import { unreported, type ReportedStay, type StayUpdate } from '#server/stays/stay-updates.ts'
import { clash, invalid } from '#server/errors/refused.ts'
import { unique, type Person } from '#test/foyer.ts'
import { named, secret, today, withToldHouse, type ToldHouse } from '#test/told-house.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: ToldHouse['foyer']
let editor: ToldHouse['editor']
let property_id: number
let id: number
const { open, link, at, stay, ended, hart, say, house, guestId, listed } = withToldHouse(
  (opened) => ({ foyer, editor, property_id, id } = opened),
)
/** Statements that Foyer may send by itself meanwhile. */
const background = 30

describe('a stay', () => {
  test('comes with its guests, days and package, and says where it comes from', async () => {
    const wifi = await foyer.package(editor)
    await foyer.get(interfaces.update, { id, package_id: wifi.id }, editor)
    await say(stay('4711', { room: '204', guests: [named('Hart', 'Ada'), named('Weber')], until_time: '14:00' }))
    const { data } = await foyer.get(stays.stayList, { params: { property_id } }, editor)
    expect(data).toMatchObject([
      {
        stay_key: '4711',
        room: { name: '204' },
        guests: [{ name: 'Ada Hart' }, { name: 'Weber' }],
        arrives_on: today,
        departs_on: addDays(today, 3),
        until_time: '14:00',
        package: { id: wifi.id },
        source: 'system',
      },
    ])
    const guests = (await foyer.get(roomGuests.list, { params: { property_id } }, editor)).data
    expect(guests.map(({ external_reference }) => external_reference)).toEqual(['4711', '4711'])
  })

  test('is moved with the same guests, so that their devices and what they have used go along', async () => {
    await say(hart())
    const before = await guestId('Hart')
    await say(stay('4711', { room: '205', guests: [named('Hart', 'Ada')] }))
    expect(await house()).toEqual(['205 Hart'])
    expect(await guestId('Hart')).toBe(before)
  })

  test('two who share a room are two stays, also when both are moved at once to another', async () => {
    await say(hart(), stay('4712', { room: '204', guests: [named('Quist')] }))
    await say(
      stay('4711', { room: '206', guests: [named('Hart', 'Ada')] }),
      stay('4712', { room: '206', guests: [named('Quist')] }),
    )
    const { data } = await foyer.get(stays.stayList, { params: { property_id } }, editor)
    expect(new Set(data.map(({ stay_key }) => stay_key))).toEqual(new Set(['4711', '4712']))
    await say(ended('4712'))
    expect(await house()).toEqual(['206 Hart'])
  })

  test('that left and comes again within two minutes is the same, though its grace is none', async () => {
    await say(hart())
    const before = await guestId('Hart')
    await say(ended('4711'))
    expect(await house()).toEqual([])
    await say(stay('4711', { room: '207', guests: [named('Hart', 'Ada')] }))
    expect(await house()).toEqual(['207 Hart'])
    expect(await guestId('Hart')).toBe(before)
  })

  test('whose number is missing, too long or cannot be kept is passed over, and the log says so', async () => {
    const without = { room: '204', guests: [named('Hart', 'Ada')] }
    const list: StayUpdate = { kind: 'all', at: at(), stays: [{ ...unreported, ...without, stay_key: '' }] }
    const heard = await say(
      stay('', without),
      stay('9'.repeat(201), without),
      stay('4\u00007', without),
      ended(''),
      list,
    )
    expect(heard?.records).toEqual([
      {
        sentence: 'A stay in room 204 without a number was skipped',
        personal: 'A stay in room 204 without a number was skipped: Ada Hart',
      },
      expect.objectContaining({ sentence: expect.stringMatching(/^A stay in room 204 whose number is more than 200/) }),
      expect.objectContaining({
        sentence: expect.stringMatching(/^A stay in room 204 whose number .* cannot be kept/),
      }),
      { sentence: 'A departure without a number was skipped', personal: null },
      expect.objectContaining({ sentence: 'A stay in room 204 without a number was skipped' }),
      { sentence: 'The whole list was processed: 0 stays.', personal: null },
    ])
    expect(await house()).toEqual([])
    const { data: log } = await foyer.get(interfaces.log, { id }, editor)
    expect(log.map(({ sentence }) => sentence)).toContain('A departure without a number was skipped')
  })

  test('that comes, is changed or ends within one moment is as if each update had come alone', async () => {
    const alone = { alone: true, arrived: true }
    await say(
      stay('1', { room: '204', guests: [named('One')] }, alone),
      stay('2', { room: '204', guests: [named('Two'), named('Too')] }, alone),
      stay('3', { room: '205', guests: [named('Three')] }),
      stay('3', { room: '206', guests: [named('Three')] }),
      stay('4', { room: '207', guests: [named('Four')] }),
      ended('4'),
      stay('5', { room: '208', guests: [named('Five')] }),
      { kind: 'vacated', room: '208', at: at() },
    )
    expect(await house()).toEqual(['204 Too', '204 Two', '206 Three'])
    const { data } = await foyer.get(stays.stayList, { params: { property_id } }, editor)
    expect(data.map(({ stay_key, guests }) => [stay_key, guests.length])).toEqual(
      expect.arrayContaining([
        ['2', 2],
        ['3', 1],
      ]),
    )
    const lines = await foyer.query<{ after: { last_name: string } }>(
      `select after from activity where property_id = $1 and action = 'create' and object_type = 'room_guests' order by id`,
      [property_id],
    )
    expect(lines.map(({ after }) => after.last_name)).toEqual(['One', 'Two', 'Too', 'Three', 'Four', 'Five'])
  })

  test('is one of many that take no more statements than a few, whatever is said of them', async () => {
    const asked = vi.spyOn(pg.Client.prototype, 'query')
    const statements = async (updates: StayUpdate[]) => {
      const before = asked.mock.calls.length
      await say(...updates)
      return asked.mock.calls.length - before
    }
    const rooms = ['204', '205', '206', '207', '208', '209']
    const roomOf = (at: number) => rooms[at % rooms.length] ?? ''
    const here = (at: number, says: Partial<ReportedStay> = {}) =>
      stay(`${at}`, { room: roomOf(at), guests: [named(`Guest${at}`)], ...says }, { arrived: true })
    const kinds: [string, (at: number) => StayUpdate][] = [
      ['arrivals', here],
      ['the same again', here],
      ['other names', (at) => here(at, { guests: [named(`Other${at}`)] })],
      ['other days', (at) => here(at, { guests: [named(`Other${at}`)], departs_on: addDays(today, 5) })],
      ['moves', (at) => here(at, { guests: [named(`Other${at}`)], room: roomOf(at + 1) })],
      ['departures', (at) => ended(`${at}`)],
      ['those who come back', (at) => here(at, { guests: [named(`Other${at}`)] })],
      ['those who did not come', (at) => here(at, { no_show: true })],
    ]
    try {
      for (const [kind, update] of kinds) {
        const few = await statements([0, 1, 2].map(update))
        const many = await statements(Array.from({ length: 60 }, (_, at) => update(at + 3)))
        expect([kind, Math.max(0, many - few - background)]).toEqual([kind, 0])
      }
    } finally {
      asked.mockRestore()
    }
  })

  test('takes effect after the grace, unless the guest comes again before', async () => {
    await open({ grace_minutes: 60 })
    await say(hart(), stay('9', { room: '205', guests: [named('Weber')] }))
    await say(ended('4711'), ended('9'))
    expect(await house()).toEqual(['204 Hart', '205 Weber'])
    await say(stay('9', { room: '206', guests: [named('Weber')] }))
    const isDue = async () => {
      await foyer.query("update due_work set next_at = now() where kind = 'departure' and customer_id = $1", [
        editor.user.customer.id,
      ])
      await doDue(departureWork, foyer.services, editor.user.customer.id)
    }
    // The clock of a node may be ahead of the database's, by which work is due.
    await isDue()
    expect(await house()).toEqual(['204 Hart', '206 Weber'])
    await foyer.query('update told_stays set leaves_at = now() where property_id = $1 and leaves_at is not null', [
      property_id,
    ])
    await isDue()
    expect(await house()).toEqual(['206 Weber'])
  })

  test('that did not come is no guest, and is one again when it comes after all', async () => {
    await say(hart())
    await say(stay('4711', { room: '204', guests: [named('Hart', 'Ada')], no_show: true }))
    expect(await house()).toEqual([])
    await say(hart())
    expect(await house()).toEqual(['204 Hart'])
  })

  test('of several who share a stay is no no-show while one of them is there', async () => {
    const [room] = await foyer.query<{ id: number }>(`select id from rooms where property_id = $1 and number = '204'`, [
      property_id,
    ])
    await foyer.query(
      `insert into room_guests (customer_id, room_id, last_name, arrives_on, departs_on)
       select $1, $2, name, $3, $4 from unnest(array['Lind', 'Moss']) as name`,
      [editor.user.customer.id, room?.id, today, addDays(today, 3)],
    )
    const lind = (more: object = {}) => stay('1', { room: '204', guests: [named('Lind')], ...more })
    const moss = (more: object = {}) => stay('2', { room: '204', guests: [named('Moss')], ...more })
    const missed = async () =>
      (await foyer.get(day.ofProperty, { property_id }, editor)).data.no_shows.rows.map(({ name }) => name)
    await say(lind(), moss())
    await say(lind({ no_show: true }))
    expect([await house(), await missed()]).toEqual([['204 Moss'], []])
    await say(moss({ no_show: true }))
    expect([await house(), await missed()]).toEqual([[], ['Lind', 'Moss']])
  })

  test('of a name that is corrected stays the same guest; of another name beside it is another guest', async () => {
    await say(hart())
    const before = await guestId('Hart')
    await say(stay('4711', { room: '204', guests: [named('Heart', 'Ada')] }))
    expect(await guestId('Heart')).toBe(before)
    await say(stay('4711', { room: '204', guests: [named('Heart', 'Ada'), named('Weber')] }))
    await say(stay('4711', { room: '204', guests: [named('Heart', 'Ada'), named('Lind')] }))
    expect(await house()).toEqual(['204 Heart', '204 Lind'])
    expect(await guestId('Heart')).toBe(before)
  })

  test('in a room that the property does not have is named to a person, who makes the room', async () => {
    await say(stay('4711', { room: '0901', guests: [named('Hart')] }))
    expect(await house()).toEqual([])
    const [row] = await listed()
    expect(row).toMatchObject({ field: 'room', system: '0901', ours: null })
    await foyer.get(differences.acceptDifferences, { ids: [row?.id ?? 0] }, editor)
    expect(await house()).toEqual(['0901 Hart'])
    expect(await listed()).toEqual([])
  })

  test('in such a room makes it where rooms are taken over', async () => {
    await foyer.query('update properties set sync_rooms_and_devices = true where id = $1', [property_id])
    await say(stay('4711', { room: '0901', guests: [named('Hart')] }))
    expect(await house()).toEqual(['0901 Hart'])
  })

  test('of a guest whom the desk has entered already takes that guest over', async () => {
    const { id: room_id } = await foyer.room(editor, { property_id, number: '300' })
    const { id: there } = await foyer.roomGuest(editor, { room_id, last_name: 'Hart' })
    await say(stay('4711', { room: '300', guests: [named('Hart', 'Ada')] }))
    expect(await house()).toEqual(['300 Hart'])
    expect(await guestId('Hart')).toBe(there)
  })

  test('with days, names and keys that nobody means is taken in as far as it can be', async () => {
    const long = 'Ö'.repeat(200)
    await say(
      stay('1', { room: '204', guests: [named(long)], departs_on: '9999-12-31', arrives_on: 'x', until_time: '99:99' }),
      stay('2', { room: '205', guests: [named('A\u0000B\uD800')], departs_on: addDays(today, -400) }),
      stay('', { room: '206', guests: [named('Nobody')] }),
      stay('k'.repeat(300), { room: '206', guests: [named('Nobody')] }),
    )
    const rows = await house()
    expect(rows).toHaveLength(2)
    expect(rows[0]).toBe(`204 ${'Ö'.repeat(100)}`)
  })
})

describe('what was said', () => {
  test('twice, late or out of order changes nothing that a newer update has said', async () => {
    const first = hart()
    const second = stay('4711', { room: '205', guests: [named('Hart', 'Ada')] })
    const third = ended('4711')
    await say(first, second, second, first)
    expect(await house()).toEqual(['205 Hart'])
    await say(third, second, first, third)
    expect(await house()).toEqual([])
    const late = stay('7', { room: '204', guests: [named('Late')] })
    await say(ended('7'), late)
    expect(await house()).toEqual([])
  })

  test('as a whole list is a difference, and older than what was said meanwhile', async () => {
    await say(hart(), stay('4712', { room: '205', guests: [named('Quist')] }))
    const told = at()
    await say(stay('4713', { room: '206', guests: [named('Newly')] }))
    const all = (...list: [string, string, string][]): StayUpdate => ({
      kind: 'all',
      at: told,
      stays: list.map(([stay_key, room, last_name]) => ({
        arrives_on: today,
        departs_on: null,
        until_time: null,
        no_show: false,
        may_be_charged: true,
        stay_key,
        room,
        guests: [named(last_name)],
      })),
    })
    await say(all(['4711', '204', 'Hart'], ['4714', '207', 'Listed']))
    expect(await house()).toEqual(['204 Hart', '206 Newly', '207 Listed'])
  })

  test('as a whole list that would empty more than a fifth of the rooms waits for somebody who has seen how many', async () => {
    await say(
      hart(),
      stay('2', { room: '205', guests: [named('Quist')] }),
      stay('3', { room: '206', guests: [named('Weber')] }),
    )
    const heard = await say({ kind: 'all', at: at(), stays: [] })
    expect(heard?.awaits_confirmation).toEqual({ moves_out: 3 })
    expect(await house()).toHaveLength(3)
    const read = async () => (await foyer.get(interfaces.get, { id }, editor)).data.state
    expect(await read()).toMatchObject({ word: 'confirm', moves_out: 3 })
    const wrong = await foyer.ask(interfaces.confirm, { id, moves_out: 2 }, editor)
    expect([wrong.status, wrong.text]).toEqual([409, expect.stringContaining('moves 3 guests out')])
    await foyer.get(interfaces.confirm, { id, moves_out: 3 }, editor)
    expect(await house()).toEqual([])
    expect(await read()).toMatchObject({ word: 'up', moves_out: null })
    expectRefused(
      await foyer.ask(interfaces.confirm, { id, moves_out: 3 }, editor),
      clash('No list is waiting any more.'),
    )
  })

  test('as a whole list that waits, and is told again and again, is one sentence of the log until its number is another', async () => {
    await say(hart(), stay('2', { room: '205', guests: [named('Quist')] }), stay('3', { room: '206' }))
    const told = async (...keys: string[]) => {
      const list = keys.map((stay_key) => ({ ...unreported, stay_key, room: '204', guests: [named('Nu\u0000ll')] }))
      await say({ kind: 'all', at: at(), stays: list })
      const { data } = await foyer.get(interfaces.log, { id }, editor)
      return data.map(({ sentence }) => sentence).filter((sentence) => sentence.includes('is waiting for review'))
    }
    const waits = (guests: number) => `A whole list would move ${guests} guests out. It is waiting for review.`
    expect(await told()).toEqual([waits(3)])
    expect(await told()).toEqual([waits(3)])
    expect(await told('4711')).toEqual([waits(2), waits(3)])
    await foyer.get(interfaces.confirm, { id, moves_out: 2 }, editor)
    expect(await house()).toEqual(['204 Nu ll'])
  })

  test('of more stays than are taken is said, once a message, until a whole list is taken in', async () => {
    await foyer.query(
      `insert into told_stays (customer_id, property_interface_id, property_id, stay_key, told, told_at)
       select $1, $2, $3, 'full ' || n, $4, now() - interval '1 day' from generate_series(1, 20000) as n`,
      [editor.user.customer.id, id, property_id, JSON.stringify({ ...unreported, room: '209' })],
    )
    const more = () => stay('4711', { room: '204', guests: [named('Hart')] })
    await say(more(), stay('4712', { room: '205' }), stay('4713', { room: '206' }))
    expect(await house()).toEqual([])
    const state = async () => (await foyer.get(interfaces.get, { id }, editor)).data.state
    const sentence =
      'More than 20,000 stays are not taken: somebody has to end those that are over, and the whole list has to be sent again.'
    expect(await state()).toMatchObject({ word: 'up', sentence, last_error: sentence })
    const { data: log } = await foyer.get(interfaces.log, { id }, editor)
    expect(log.map((line) => line.sentence)).toEqual([sentence])
    // There is room again, and those who were not taken are still missing.
    await say(ended('full 1'), more())
    expect(await house()).toEqual(['204 Hart'])
    expect(await state()).toMatchObject({ word: 'up', last_error: sentence })
    const wantsAll = async () =>
      (
        await foyer.query<{ wants_all: boolean }>(
          'select wants_all from property_links where property_interface_id = $1',
          [id],
        )
      )[0]
    expect(await wantsAll()).toEqual({ wants_all: true })
    const list = (length: number): StayUpdate => ({
      kind: 'all',
      at: at(),
      stays: Array.from({ length }, (_, n) => ({
        ...unreported,
        stay_key: `${4711 + n}`,
        room: '204',
        guests: [named('Hart')],
      })),
    })
    // One that is too long is not taken in: whom it does not name would have left.
    await say(list(20_001))
    expect(await house()).toEqual(['204 Hart'])
    expect([await state(), await wantsAll()]).toMatchObject([{ word: 'up', last_error: sentence }, { wants_all: true }])
    await foyer.query("delete from told_stays where property_interface_id = $1 and stay_key like 'full %'", [id])
    await say(list(2))
    expect(await house()).toEqual(['204 Hart', '204 Hart'])
    expect([await state(), await wantsAll()]).toMatchObject([{ word: 'up', last_error: null }, { wants_all: false }])
  })

  test('is in the log, with names for those who may write', async () => {
    await say(hart())
    const viewer = await foyer.viewer(editor)
    const first = async (who: Person) => (await foyer.get(interfaces.log, { id }, who)).data[0]?.sentence
    expect(await first(viewer)).toBe(`Arrival in room 204, until ${addDays(today, 3)}`)
    expect(await first(editor)).toBe(`Arrival in room 204, until ${addDays(today, 3)}: Ada Hart`)
  })
})

describe('guests of whom an interface has told', () => {
  const all = (...list: [key: string, room: string, last_name: string][]): StayUpdate => ({
    kind: 'all',
    at: at(),
    stays: list.map(([stay_key, room, last_name]) => ({ ...unreported, stay_key, room, guests: [named(last_name)] })),
  })

  test.each<[how: string, change: () => Promise<unknown>]>([
    [
      'that was removed are told of by the one that is made instead',
      async () => {
        await foyer.get(interfaces.remove, { id }, editor)
        await link()
      },
    ],
    [
      'that was disabled are told of by the one that is made instead',
      async () => {
        await foyer.get(interfaces.deactivate, { id }, editor)
        await link()
      },
    ],
    [
      'that links to another system by now are told of by that',
      () => foyer.get(interfaces.update, { id, property_interface_type_id: 6, settings: { grace_minutes: 0 } }, editor),
    ],
  ])('%s', async (_, change) => {
    await say(hart(), stay('4712', { room: '205', guests: [named('Quist')] }))
    const before = [await guestId('Hart'), await guestId('Quist')]
    await foyer.get(roomGuests.update, { id: before[0] ?? 0, email: 'hart@example.com', first_name: 'Adela' }, editor)
    await say(hart())
    expect(await listed()).toHaveLength(1)
    await change()
    // By its own number, and by room and name.
    await say(all(['4711', '204', 'Hart'], ['B-7', '205', 'Quist']))
    expect(await house()).toEqual(['204 Hart', '205 Quist'])
    expect([await guestId('Hart'), await guestId('Quist')]).toEqual(before)
    await say(ended('B-7'))
    expect(await house()).toEqual(['204 Hart'])
  })

  test('are no more in rooms that are barred or not to be disturbed, once another system is linked', async () => {
    await foyer.get(interfaces.update, { id, check_account_in_dispute: true }, editor)
    await say(hart(), { kind: 'room', room: '204', fields: { barred: true, do_not_disturb: true } })
    const told = () =>
      foyer.query('select number from rooms where property_id = $1 and (barred or do_not_disturb)', [property_id])
    expect(await told()).toEqual([{ number: '204' }])
    await foyer.get(interfaces.update, { id, property_interface_type_id: 6, settings: {} }, editor)
    expect(await told()).toEqual([])
  })

  test('are still in barred rooms, whatever is done to another interface of the property, until it is done to their own', async () => {
    await foyer.get(interfaces.update, { id, check_account_in_dispute: true }, editor)
    await say(hart(), { kind: 'room', room: '204', fields: { barred: true, do_not_disturb: true } })
    const told = () =>
      foyer.query('select number, do_not_disturb from rooms where property_id = $1 and barred', [property_id])
    const is_barred = [{ number: '204', do_not_disturb: true }]
    const own = id
    await link()
    await say(stay('B-1', { room: '205', guests: [named('Quist')] }))
    const another = [
      () => foyer.get(interfaces.update, { id, check_account_in_dispute: false }, editor),
      () => foyer.get(interfaces.update, { id, check_account_in_dispute: true }, editor),
      () => foyer.get(interfaces.update, { id, check_account_in_dispute: false }, editor),
      () => foyer.get(interfaces.deactivate, { id }, editor),
      () => foyer.get(interfaces.update, { id, property_interface_type_id: 6, settings: {} }, editor),
      () => foyer.get(interfaces.remove, { id }, editor),
    ]
    for (const change of another) {
      await change()
      expect(await told()).toEqual(is_barred)
    }
    await foyer.get(interfaces.deactivate, { id: own }, editor)
    expect(await told()).toEqual([])
  })

  test('are barred by the one and left alone by the other, each of which takes back its own', async () => {
    await foyer.get(interfaces.update, { id, check_account_in_dispute: true }, editor)
    const rooms = () =>
      foyer.query('select barred, do_not_disturb from rooms where property_id = $1 and number = $2', [
        property_id,
        '204',
      ])
    await say(hart(), { kind: 'room', room: '204', fields: { barred: true } })
    const own = id
    await link()
    await say(stay('B-1', { room: '205' }), { kind: 'room', room: '204', fields: { do_not_disturb: true } })
    expect(await rooms()).toEqual([{ barred: true, do_not_disturb: true }])
    await foyer.get(interfaces.remove, { id }, editor)
    expect(await rooms()).toEqual([{ barred: true, do_not_disturb: false }])
    await foyer.get(interfaces.update, { id: own, check_account_in_dispute: false }, editor)
    expect(await rooms()).toEqual([{ barred: false, do_not_disturb: false }])
  })

  test('are in a room of which another interface takes back nothing, until the one that has said it is disabled', async () => {
    await foyer.get(interfaces.update, { id, check_account_in_dispute: true }, editor)
    const is = async () =>
      (
        await foyer.query('select barred, do_not_disturb from rooms where property_id = $1 and number = $2', [
          property_id,
          '204',
        ])
      )[0]
    const say204 = (said: boolean) => say({ kind: 'room', room: '204', fields: { barred: said, do_not_disturb: said } })
    await say204(true)
    const own = id
    await link()
    await foyer.get(interfaces.update, { id, check_account_in_dispute: true }, editor)
    for (const said of [false, true, false]) {
      await say204(said)
      expect(await is()).toEqual({ barred: true, do_not_disturb: true })
    }
    await foyer.get(interfaces.deactivate, { id: own }, editor)
    await say204(false)
    expect(await is()).toEqual({ barred: false, do_not_disturb: false })
  })

  test('are not told of by another while it tells of them', async () => {
    await say(stay('4711', { room: '204', guests: [named('Hart', 'Ada'), named('Hart', 'Ben')] }))
    const { id: room_id } = await foyer.room(editor, { property_id, number: '300' })
    // Who is moved has a stay of their own, and is told of all the same.
    await foyer.get(roomGuests.update, { id: await guestId('Hart'), room_id }, editor)
    await say(stay('4712', { room: '300', guests: [named('Hart', 'Cy')] }))
    expect(await house()).toEqual(['204 Hart', '300 Hart', '300 Hart'])
  })

  test('leave as it was told, though it is gone', async () => {
    await open({ grace_minutes: 60 })
    await say(hart(), ended('4711'))
    await foyer.get(interfaces.remove, { id }, editor)
    await foyer.query('update told_stays set leaves_at = now() where property_id = $1', [property_id])
    await foyer.query("update due_work set next_at = now() where kind = 'departure' and customer_id = $1", [
      editor.user.customer.id,
    ])
    await doDue(departureWork, foyer.services, editor.user.customer.id)
    expect(await house()).toEqual([])
  })

  test('differ from nothing once it is gone, also where a release before took it away', async () => {
    await say(hart())
    await foyer.get(roomGuests.update, { id: await guestId('Hart'), first_name: 'Adela' }, editor)
    await say(hart())
    expect(await listed()).toHaveLength(1)
    await foyer.query('update property_interfaces set deleted_at = now() where id = $1', [id])
    await foyer.services.tenancy.callFunction(sql`select door_sweep()`)
    expect(await listed()).toEqual([])
    expect(await house()).toEqual(['204 Hart'])
  })

  test('are each known from the others of their family, whom the desk has entered', async () => {
    const { id: room_id } = await foyer.room(editor, { property_id, number: '300' })
    const entered = async (first_name: string) =>
      (await foyer.roomGuest(editor, { room_id, last_name: 'Hart', first_name })).id
    const [ada, ben] = [await entered('Ada'), await entered('Ben')]
    await say(stay('2', { room: '300', guests: [named('Hart', 'Ben')] }))
    await say(stay('1', { room: '300', guests: [named('Hart', 'Ada')] }))
    const { data } = await foyer.get(roomGuests.list, { params: { property_id } }, editor)
    expect(new Map(data.map((one) => [one.id, one.external_reference]))).toEqual(
      new Map([
        [ada, '1'],
        [ben, '2'],
      ]),
    )
  })
})

describe('an interface', () => {
  test('for several properties takes nothing in, and says why', async () => {
    const { id: other } = await foyer.propertyInterface(editor, {
      property_interface_type_id: 5,
      name: unique('All'),
      settings: { signing_secret: secret },
    })
    const { data } = await foyer.get(interfaces.get, { id: other }, editor)
    expect(data.state).toMatchObject({ word: 'off', sentence: expect.stringContaining('several properties') as string })
  })

  test('never answers its secret, and refuses what is none', async () => {
    const { data } = await foyer.get(interfaces.get, { id }, editor)
    expect(data).toMatchObject({ settings: { grace_minutes: 0 }, settings_set: ['signing_secret'] })
    expect(JSON.stringify(data)).not.toContain(secret)
    const short = await foyer.ask(interfaces.update, { id, settings: { signing_secret: 'whsec_AAAA' } }, editor)
    expectRefused(
      short,
      invalid({
        'settings.signing_secret': [
          'This is not a secret of Standard Webhooks: “whsec_” and 24 bytes or more in Base64',
        ],
      }),
    )
    const unknown = await foyer.ask(interfaces.update, { id, settings: { colour: 'red' } }, editor)
    expectRefused(unknown, invalid({ 'settings.colour': [fieldUnknown] }))
    const { data: kinds } = await foyer.get(interfaces.log, { id }, editor)
    expect(kinds).toEqual([])
  })
})
