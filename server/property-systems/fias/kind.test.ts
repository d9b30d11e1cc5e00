// Oracle FIAS: the cases of its specification and of sites in the field, told by a simulated property's side over TCP.
import { beforeEach, describe, expect, test, vi } from 'vitest'
import * as interfaces from '#contract/property-interfaces.ts'
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
