// Oracle FIAS: the cases of its specification and of sites in the field, told by a simulated property's side over TCP.
import { beforeEach, describe, expect, test, vi } from 'vitest'
import * as interfaces from '#contract/property-interfaces.ts'
import { addDays } from '#contract/days.ts'
import { setClock } from '#server/time/clock.ts'
import { hart, patient, weber, withFias, type LinkedHouse } from '#test/fias.ts'

let foyer: LinkedHouse['foyer']
let editor: LinkedHouse['editor']
let pms: LinkedHouse['pms']
let property_id: number
let id: number
const { expectHouse, isLinked, expectRead, ids } = withFias(
  (opened) => ({ foyer, editor, pms, property_id, id } = opened),
)

describe('a case of the field', () => {
  beforeEach(isLinked)

  test('a move of a room-based site is GO and GI of the same reservation, in pairs', async () => {
    pms.checkIn(hart)
    pms.checkIn(weber)
    await expectHouse('204 Ada Hart', '205 Weber')
    const before = await ids()
    pms.send('GO|RN204|G#4711|', 'GI|RN206|G#4711|GNHart|GFAda|', 'GO|RN205|G#4712|', 'GI|RN207|G#4712|GNWeber|')
    await expectHouse('206 Ada Hart', '207 Weber')
    expect(await ids()).toEqual(before)
  })

  test('moves that are interleaved (GO, GO, GI, GI) swap two rooms, with the same guests', async () => {
    pms.checkIn(hart)
    pms.checkIn(weber)
    await expectHouse('204 Ada Hart', '205 Weber')
    const before = await ids()
    pms.send(
      'GO|RN204|G#4711|',
      'GO|RN205|G#4712|',
      'GI|RN204|G#4712|GNWeber|GSN|',
      'GI|RN205|G#4711|GNHart|GFAda|GSN|',
    )
    await expectHouse('204 Weber', '205 Ada Hart')
    expect(await ids()).toEqual(before)
  })

  test('GC of a move carries two GS: others are in the new room, the old one is empty', async () => {
    pms.checkIn(hart)
    pms.checkIn({ key: '4713', room: '204', name: 'Stale' }, true)
    pms.checkIn(weber)
    await expectHouse('204 Ada Hart', '204 Stale', '205 Weber')
    pms.send('GC|RN205|G#4711|GNHart|GFAda|GSY|RO204|GSN|')
    await expectHouse('205 Ada Hart', '205 Weber')
  })

  test('GI without SF sets everything anew, GI with SF only what it lists', async () => {
    pms.send('GI|RN204|G#4711|GNHart|GFAda|GD301231|NPY|GSN|')
    const row = async () =>
      (
        await foyer.query<{ name: string; departs_on: string | null; may: boolean }>(
          `select g.name, g.departs_on::text as departs_on, s.may_be_charged as may from room_guests g join stays s on s.id = g.stay_id
           where g.property_id = $1 and g.deleted_at is null and g.external_reference = '4711'`,
          [property_id],
        )
      )[0]
    await vi.waitFor(async () => expect(await row()).toMatchObject({ name: 'Ada Hart', may: false }), patient)
    pms.send('GI|RN204|G#4711|GNHeart|SF|')
    await vi.waitFor(async () => expect(await row()).toMatchObject({ name: 'Ada Heart', may: false }), patient)
    pms.send('GI|RN204|G#4711|GNHeart|GSN|')
    await vi.waitFor(
      async () => expect(await row()).toMatchObject({ name: 'Heart', departs_on: null, may: true }),
      patient,
    )
  })

  test('GI with GS=N is a new guest in an empty room: whoever we still have there has left', async () => {
    pms.checkIn(hart)
    await expectHouse('204 Ada Hart')
    pms.send('GI|RN204|G#5000|GNNew|GSN|')
    await expectHouse('204 New')
  })

  test('in a swap a guest of ours who is not named by DE has left', async () => {
    pms.checkIn(hart)
    pms.checkIn(weber)
    await expectHouse('204 Ada Hart', '205 Weber')
    pms.send('DS|DA261128|', 'GI|RN204|G#4711|GNHart|GFAda|SF|', 'GO|RN205|SF|', 'DE|DA261128|')
    await expectHouse('204 Ada Hart')
  })

  test('GO without G# empties the room', async () => {
    pms.checkIn(hart)
    pms.checkIn({ key: '4713', room: '204', name: 'Sharer' }, true)
    await expectHouse('204 Ada Hart', '204 Sharer')
    pms.send('GO|RN204|')
    await expectHouse()
  })

  describe('without G#, by which the room is the key,', () => {
    const idOf = async (last_name: string) => {
      const found = Object.entries(await ids()).find(([name]) => name === last_name)
      return found?.[1]
    }

    test('who comes after another has left is another guest, also one of the same name', async () => {
      pms.send('GI|RN204|GNHart|')
      await expectHouse('204 Hart')
      const first = await idOf('Hart')
      pms.send('GO|RN204|')
      await expectHouse()
      pms.send('GI|RN204|GNBaker|')
      await expectHouse('204 Baker')
      expect(await foyer.query('select name from room_guests where id = $1', [first])).toEqual([{ name: 'Hart' }])
      const second = await idOf('Baker')
      pms.send('GO|RN204|')
      await expectHouse()
      // More than a move takes.
      await foyer.query(`update told_stays set told_at = told_at - interval '3 minutes' where property_id = $1`, [
        property_id,
      ])
      pms.send('GI|RN204|GNBaker|')
      await expectHouse('204 Baker')
      expect([first, second]).not.toContain(
        (
          await foyer.query<{ id: number }>(
            'select id from room_guests where property_id = $1 and deleted_at is null',
            [property_id],
          )
        )[0]?.id,
      )
    })

    test('who has the room to themselves is another guest where no GO was sent; a corrected name is the same one', async () => {
      pms.send('GI|RN204|GNHart|GFAda|GSN|')
      await expectHouse('204 Ada Hart')
      const before = await idOf('Ada Hart')
      pms.send('GC|RN204|GNHarte|', 'GI|RN204|GNHarte|GFAda|GSN|')
      await expectHouse('204 Ada Harte')
      expect(await idOf('Ada Harte')).toBe(before)
      pms.send('GI|RN204|GNBaker|GSN|')
      await expectHouse('204 Baker')
      expect(await idOf('Ada Harte')).toBe(before)
    })

    test('who comes again within a move is the same guest', async () => {
      pms.send('GI|RN204|GNHart|')
      await expectHouse('204 Hart')
      const before = await ids()
      pms.send('GO|RN204|', 'GI|RN204|GNHart|')
      await expectRead('204 Hart')
      expect(await idOf('Hart')).toBe(before['Hart'])
    })

    test('who comes to share the room is beside whoever is there, also as the one or the other is changed', async () => {
      pms.send('GI|RN204|GNHart|GSN|')
      await expectHouse('204 Hart')
      const before = await ids()
      pms.send('GI|RN204|GNWeber|GSY|', 'GC|RN204|GNHart|GD301231|', 'GC|RN204|GNWeber|GFCy|')
      await expectHouse('204 Cy Weber', '204 Hart')
      expect(await idOf('Hart')).toBe(before['Hart'])
      pms.send('GO|RN204|')
      await expectHouse()
    })

    test('all who share a room are in the list of a swap', async () => {
      pms.send('DS|DA261128|', 'GI|RN204|GNHart|SF|', 'GI|RN204|GNWeber|SF|', 'DE|DA261128|')
      await expectHouse('204 Hart', '204 Weber')
    })
  })

  test('a sharer leaves and the other stays', async () => {
    pms.checkIn(hart)
    pms.checkIn({ key: '4713', room: '204', name: 'Sharer' }, true)
    pms.checkOut('4713', true)
    await expectRead('204 Ada Hart')
  })

  test('a guest is reinstated, a day guest has the same day twice, and a corrected name keeps the guest', async () => {
    const day = new Date().toISOString().slice(2, 10).replaceAll('-', '')
    pms.send(`GI|RN204|G#4711|GNHart|GA${day}|GD${day}|`)
    await expectHouse('204 Hart')
    const before = await ids()
    pms.send('GO|RN204|G#4711|', 'GI|RN204|G#4711|GNHart|', 'GC|RN204|G#4711|GNHarte|')
    await expectHouse('204 Harte')
    expect(Object.values(await ids())).toEqual(Object.values(before))
  })

  test('who was told to have come, without a day, came then, whatever is told of them on later days', async () => {
    const arrivals = async () =>
      (
        await foyer.query<{ said: string }>(
          `select name || ' ' || (arrives_on - $2::date) || ' ' || coalesce(departs_on::text, '–') as said from room_guests
           where property_id = $1 and deleted_at is null order by 1`,
          [property_id, today],
        )
      ).map(({ said }) => said)
    const [{ today } = { today: '' }] = await foyer.query<{ today: string }>(
      `select local_day(now(), 'Atlantic/Reykjavik')::text as today`,
      [],
    )
    const departs = addDays(today, 5)
    const day = departs.slice(2).replaceAll('-', '')
    const [{ room_id } = { room_id: 0 }] = await foyer.query<{ room_id: number }>(
      `select id as room_id from rooms where property_id = $1 and number = '205'`,
      [property_id],
    )
    await foyer.roomGuest(editor, { room_id, last_name: 'Weber', arrives_on: addDays(today, -3) })
    await foyer.roomGuest(editor, { room_id, last_name: 'Early', arrives_on: addDays(today, 4) })
    pms.checkIn(hart)
    await vi.waitFor(async () => expect(await arrivals()).toContain('Ada Hart 0 –'), patient)
    try {
      setClock(Date.now() + 2 * 24 * 3_600_000)
      pms.send(`GC|RN204|G#4711|GNHart|GFAda|GD${day}|`, `GI|RN205|G#4712|GNWeber|GD${day}|GSN|`)
      pms.send(`GI|RN205|G#4713|GNEarly|GD${day}|GSY|`)
      // Who comes before their day has come today.
      const told = [`Ada Hart 0 ${departs}`, `Early 2 ${departs}`, `Weber -3 ${departs}`]
      await vi.waitFor(async () => expect(await arrivals()).toEqual(told), patient)
    } finally {
      setClock()
    }
  })

  test('titles before a name are none of it, however many they are', async () => {
    const told = ['Prof. Dr. Hart', 'Frau Prof. Dr. Ode', 'Mr Weber', 'Herr Dr', 'Drew Sig Lind']
    pms.send(...told.map((name, at) => `GI|RN${204 + at}|G#${at}|GN${name}|`))
    await expectHouse('204 Hart', '205 Ode', '206 Weber', '207 Dr', '208 Drew Sig Lind')
  })

  test('records that nobody knows, night audits and fields that nobody knows change nothing', async () => {
    pms.checkIn(hart)
    pms.send('NS|DA261128|', 'XX|RN204|', 'GI', '', 'no record', 'NE|DA261128|', 'RE|RN204|CS0|', 'GI|QQx|||')
    await expectRead('204 Ada Hart')
  })
})

describe('RE', () => {
  interface Told {
    number: string
    barred: boolean
    do_not_disturb: boolean
  }
  const toldRooms = () =>
    foyer.query<Told>(
      `select number, barred, do_not_disturb from rooms where property_id = $1 and (barred or do_not_disturb) order by number`,
      [property_id],
    )

  test('is asked for, and says who is not to be disturbed, and which room is barred where somebody wants to know', async () => {
    await foyer.get(interfaces.update, { id, check_account_in_dispute: true }, editor)
    await isLinked()
    expect(pms.received).toContain('LR|RIRE|FLRNCSDN|')
    pms.send('RE|RN204|CS0|DNN|', 'RE|RN205|DNY|', 'RE|RN206|CS3|', 'RE|RN999|CS0|DNY|', 'RE|RN207|CS9|DNX|')
    await expectRead()
    expect(await toldRooms()).toEqual([
      { number: '204', barred: true, do_not_disturb: false },
      { number: '205', barred: false, do_not_disturb: true },
    ])
    const { data: log } = await foyer.get(interfaces.log, { id }, editor)
    expect(log.map(({ sentence }) => sentence)).toEqual(
      expect.arrayContaining(['Room 204 is barred', 'Room 205 is not to be disturbed']),
    )
    pms.send('RE|RN204|CS1|', 'RE|RN205|DNN|')
    await vi.waitFor(async () => expect(await toldRooms()).toEqual([]), patient)
  })

  test('bars no room where nobody checks for that, and none any more once nobody does', async () => {
    await isLinked()
    pms.send('RE|RN204|CS0|')
    await expectRead()
    expect(await toldRooms()).toEqual([])
    await foyer.get(interfaces.update, { id, check_account_in_dispute: true }, editor)
    await vi.waitFor(() => expect(pms.connections()).toBe(0), patient).catch(() => {})
    await isLinked()
    await vi.waitFor(async () => {
      pms.send('RE|RN204|CS0|')
      expect((await toldRooms()).length).toBe(1)
    }, patient)
    await foyer.get(interfaces.update, { id, check_account_in_dispute: false }, editor)
    expect(await toldRooms()).toEqual([])
  })
})
