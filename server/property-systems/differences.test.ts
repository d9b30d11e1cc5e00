// Differences: what the desk changed by hand stays, until somebody accepts what the property's system says.
import { describe, expect, test } from 'vitest'
import { addDays } from '#contract/days.ts'
import { get as dashboard } from '#contract/dashboard.ts'
import { get as subjectOf } from '#contract/guest-help.ts'
import { ofProperty } from '#contract/today.ts'
import * as differences from '#contract/stay-differences.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as stays from '#contract/stays.ts'
import { refusals } from '#contract/errors.ts'
import { named, today, withToldHouse, type ToldHouse } from '#test/told-house.ts'
import { expectRefusedBut } from '#test/refused.ts'

let foyer: ToldHouse['foyer']
let editor: ToldHouse['editor']
let property_id: number
let id: number
const { stay, ended, hart, say, house, guestId, listed } = withToldHouse(
  (opened) => ({ foyer, editor, property_id, id } = opened),
)

describe('what the desk changed by hand', () => {
  const update = (values: object) => async () =>
    foyer.get(roomGuests.update, { id: await guestId('Hart'), ...values }, editor)

  test('stays until somebody accepts what the system says', async () => {
    await say(hart())
    await update({ departs_on: addDays(today, 5) })()
    await say(hart())
    expect(await listed()).toMatchObject([
      {
        field: 'departs_on',
        system: addDays(today, 3),
        ours: addDays(today, 5),
        guest: { name: 'Ada Hart' },
        room: { name: '204' },
      },
    ])
    const [row] = await listed()
    await foyer.get(differences.acceptDifferences, { ids: [row?.id ?? 0] }, editor)
    expect((await foyer.get(roomGuests.get, { id: await guestId('Hart') }, editor)).data.departs_on).toBe(
      addDays(today, 3),
    )
    expect(await listed()).toEqual([])
  })

  test('is kept when somebody says so, until the system says something else', async () => {
    await say(hart())
    await foyer.get(roomGuests.update, { id: await guestId('Hart'), first_name: 'Adela' }, editor)
    await say(hart())
    const ids = (await listed()).map((row) => row.id)
    await foyer.get(differences.keepDifferences, { ids }, editor)
    await say(hart())
    expect(await listed()).toEqual([])
    await say(stay('4711', { room: '204', guests: [named('Hart', 'Adi')] }))
    expect(await listed()).toMatchObject([{ field: 'first_name', system: 'Adi', ours: 'Adela' }])
  })

  test('is settled by one of two who do it at once, and the slower reads who did what', async () => {
    await say(hart())
    await update({ departs_on: addDays(today, 5) })()
    await say(hart())
    const ids = (await listed()).map((row) => row.id)
    const desk = await foyer.invited(editor, { name: 'Dora Desk' })
    const answers = await Promise.all([
      foyer.ask(differences.acceptDifferences, { ids }, editor),
      foyer.ask(differences.keepDifferences, { ids }, desk),
    ])
    expectRefusedBut(1, answers, {
      ...refusals.clash,
      message: /^.+ (accepted the system's word|kept ours) for Ada Hart at \d\d:\d\d\.$/,
    })
  })

  test('and was kept is found again, and waits again when somebody asks for it', async () => {
    await say(hart())
    await update({ first_name: 'Adela' })()
    await say(hart())
    const ids = (await listed()).map((row) => row.id)
    await foyer.get(differences.keepDifferences, { ids }, editor)
    const kept = { params: { property_id }, filters: { kept: [true] } }
    expect((await foyer.get(differences.differenceList, kept, editor)).data).toMatchObject([{ id: ids[0], kept: true }])
    await foyer.get(differences.askAgain, { ids }, editor)
    expect(await listed()).toMatchObject([{ id: ids[0], kept: false, ours: 'Adela' }])
  })

  test('is counted where the desk begins its day, which says where each stay comes from', async () => {
    await foyer.get(interfaces.update, { id, name: 'OPERA' }, editor)
    const [room_id = 0] = await foyer.rooms(editor, property_id, ['301'])
    await foyer.get(roomGuests.create, { room_id, last_name: 'Weber' }, editor)
    await say(hart())
    await update({ departs_on: addDays(today, 5) })()
    await say(hart())
    const { data: day } = await foyer.get(ofProperty, { property_id }, editor)
    expect(day.differences).toBe(1)
    expect(day.in_house.rows.map(({ name, source, told_by }) => ({ name, source, told_by }))).toEqual([
      { name: 'Ada Hart', source: 'system', told_by: 'OPERA' },
      { name: 'Weber', source: 'desk', told_by: null },
    ])
    const { data: person } = await foyer.get(subjectOf, { kind: 'stay', id: await guestId('Hart') }, editor)
    expect(person.stay).toMatchObject({ source: 'system', told_by: 'OPERA' })
    const { data: figures } = await foyer.get(dashboard, {}, editor)
    expect(figures.attention).toContainEqual(
      expect.objectContaining({ kind: 'stay_differences', property_id, left: 1 }),
    )
  })

  test('a guest whom the desk has checked out comes back only when somebody accepts', async () => {
    await say(hart())
    await foyer.get(roomGuests.checkOut, { ids: [await guestId('Hart')] }, editor)
    await say(stay('4711', { room: '204', guests: [named('Hart', 'Ada')], departs_on: addDays(today, 9) }))
    expect(await house()).toEqual([])
    const [row] = await listed()
    expect(row).toMatchObject({ field: 'presence', system: 'In house', ours: 'Checked out' })
    await foyer.get(differences.acceptDifferences, { ids: [row?.id ?? 0] }, editor)
    expect(await house()).toEqual(['204 Hart'])
  })

  test('a departure that is told ends the stay all the same', async () => {
    await say(hart())
    await update({ departs_on: addDays(today, 5) })()
    await say(hart(), ended('4711'))
    expect(await house()).toEqual([])
    expect(await listed()).toEqual([])
  })
})

describe('what the system does not say', () => {
  const guest = async (last_name: string) =>
    (await foyer.get(roomGuests.get, { id: await guestId(last_name) }, editor)).data
  const until = async (time: string) =>
    foyer.get(stays.updateStay, { id: (await guest('Hart')).stay_id ?? 0, until_time: time }, editor)
  const given = async () => {
    const { last_name, first_name, email, mobile_number, arrives_on, departs_on, stay_id } = await guest('Hart')
    const { until_time } = (await foyer.get(stays.getStay, { id: stay_id ?? 0 }, editor)).data
    return { name: `${first_name} ${last_name}`, email, mobile_number, arrives_on, departs_on, until_time }
  }
  const unsaidDays = { arrives_on: null, departs_on: null }

  test('of a guest who was entered ahead is kept as it was entered', async () => {
    const { id: room_id } = await foyer.room(editor, { property_id, number: '300' })
    const entered = { email: 'hart@example.com', mobile_number: '+44 7700 900001', arrives_on: today }
    await foyer.roomGuest(editor, { room_id, last_name: 'Hart', departs_on: addDays(today, 2), ...entered })
    await until('16:00')
    const told = () => stay('4711', { room: '300', guests: [named('Hart', 'Ada')], ...unsaidDays })
    await say(told())
    const kept = { name: 'Ada Hart', departs_on: addDays(today, 2), until_time: '16:00', ...entered }
    expect(await given()).toMatchObject(kept)
    await say(told())
    expect([await given(), await listed()]).toMatchObject([kept, []])
    // What it says after all differs from what was entered.
    await say(
      stay('4711', { room: '300', guests: [{ ...named('Hart', 'Ada'), email: 'a@example.com' }], ...unsaidDays }),
    )
    expect(await listed()).toMatchObject([{ field: 'email', system: 'a@example.com', ours: 'hart@example.com' }])
  })

  test('of a stay that had ended and comes again leaves each guest what the desk has given', async () => {
    const both = [named('Hart', 'Ada'), named('Weber')]
    await say(stay('4711', { room: '204', guests: both }))
    const [hartId, weberId] = [await guestId('Hart'), await guestId('Weber')]
    await foyer.get(roomGuests.update, { id: hartId, email: 'hart@example.com' }, editor)
    await foyer.get(roomGuests.update, { id: weberId, email: 'weber@example.com' }, editor)
    await say(ended('4711'), stay('4711', { room: '204', guests: both.toReversed() }))
    expect([await guest('Hart'), await guest('Weber')]).toMatchObject([
      { id: hartId, first_name: 'Ada', email: 'hart@example.com' },
      { id: weberId, email: 'weber@example.com' },
    ])
    await say(hart())
    expect([await house(), await guestId('Hart'), await listed()]).toEqual([['204 Hart'], hartId, []])
  })

  test('of a guest without a name is what the desk has entered, until it says a name', async () => {
    const told = () => stay('4711', { room: '204', guests: [] })
    await say(told())
    const [{ id: nameless } = { id: 0 }] = (await foyer.get(roomGuests.list, { params: { property_id } }, editor)).data
    await foyer.get(roomGuests.update, { id: nameless, last_name: 'Hart' }, editor)
    await say(told())
    await say(stay('4711', { room: '204', guests: [], departs_on: addDays(today, 4) }))
    expect([await house(), await listed()]).toEqual([['204 Hart'], []])
    await say(stay('4711', { room: '204', guests: [named('Heart', 'Ada')] }))
    expect(await guest('Hart')).toMatchObject({ id: nameless, first_name: 'Ada' })
    expect(await listed()).toMatchObject([{ field: 'last_name', system: 'Heart', ours: 'Hart' }])
  })

  test('is no word against a time or a day that the desk gives', async () => {
    const told = (says: object = {}) => stay('4711', { room: '204', guests: [named('Hart', 'Ada')], ...says })
    await say(told(unsaidDays))
    await until('16:00')
    await foyer.get(roomGuests.update, { id: await guestId('Hart'), departs_on: addDays(today, 5) }, editor)
    await say(told(unsaidDays))
    expect(await listed()).toEqual([])
    expect(await given()).toMatchObject({ until_time: '16:00', departs_on: addDays(today, 5) })
    // What it has said, and says no more, is one.
    await say(told({ departs_on: addDays(today, 5), until_time: '16:00' }))
    await until('18:00')
    await say(told({ departs_on: null }))
    expect(await given()).toMatchObject({ until_time: '18:00', departs_on: null })
    expect(await listed()).toMatchObject([{ field: 'until_time', system: null, ours: '18:00' }])
  })
})

describe('what the desk gives one of two', () => {
  const ada = named('Hart', 'Ada')
  const both = (says: object = {}) => stay('4711', { room: '204', guests: [ada, named('Weber')], ...says })
  const give = async (last_name: string, values: object) =>
    foyer.get(roomGuests.update, { id: await guestId(last_name), ...values }, editor)
  /** `Hart 204 +3`, with the days from today until the departure. */
  const lives = async () =>
    (await foyer.get(roomGuests.list, { params: { property_id } }, editor)).data
      .map(({ last_name, room, departs_on }) => {
        const days = (Date.parse(departs_on ?? '') - Date.parse(today)) / 86_400_000
        return `${last_name} ${room.name} +${days}`
      })
      .toSorted()

  test.each([
    ['Hart', 'Weber'],
    ['Weber', 'Hart'],
  ])('is for %s alone, and %s has what the system says', async (one, other) => {
    await say(both())
    await give(one, { departs_on: addDays(today, 10) })
    await say(both({ departs_on: addDays(today, 6) }))
    expect(await lives()).toEqual([`${one} 204 +10`, `${other} 204 +6`].toSorted())
    const rows = await listed()
    expect(rows).toMatchObject([
      { field: 'departs_on', system: addDays(today, 6), ours: addDays(today, 10), guest: { id: await guestId(one) } },
    ])
    // A move is theirs together, and so is who comes along.
    const three = [ada, named('Weber'), named('Lind')]
    await say(both({ room: '205', departs_on: addDays(today, 6), guests: three }))
    expect(await lives()).toEqual([`${one} 205 +10`, `${other} 205 +6`, 'Lind 205 +6'].toSorted())
    const ids = (await listed()).map((row) => row.id)
    await foyer.get(differences.acceptDifferences, { ids }, editor)
    expect(await lives()).toEqual(['Hart 205 +6', 'Lind 205 +6', 'Weber 205 +6'])
    expect(await listed()).toEqual([])
  })

  test('is accepted of one, and waits of the other', async () => {
    const room = await foyer.room(editor, { property_id, number: '300' })
    await say(both())
    await give('Hart', { departs_on: addDays(today, 10) })
    await give('Weber', { room_id: room.id, departs_on: addDays(today, 10) })
    await say(both())
    const rows = await listed()
    expect(rows.map(({ field, guest }) => `${guest?.name} ${field}`).toSorted()).toEqual([
      'Ada Hart departs_on',
      'Weber departs_on',
      'Weber room',
    ])
    const ids = rows
      .filter(({ field, guest }) => field === 'departs_on' && guest?.name === 'Weber')
      .map((row) => row.id)
    await foyer.get(differences.acceptDifferences, { ids }, editor)
    expect(await lives()).toEqual(['Hart 204 +10', 'Weber 300 +3'])
    expect((await listed()).map(({ field, guest }) => `${guest?.name} ${field}`).toSorted()).toEqual([
      'Ada Hart departs_on',
      'Weber room',
    ])
  })

  test('takes nothing from what the system says of the stay of both', async () => {
    await say(both())
    await give('Weber', { departs_on: addDays(today, 10) })
    await say(both({ until_time: '14:00', may_be_charged: false }))
    const { data } = await foyer.get(stays.stayList, { params: { property_id } }, editor)
    expect(data.map(({ until_time, may_be_charged }) => [until_time, may_be_charged])).toEqual([
      ['14:00', false],
      ['14:00', false],
    ])
  })

  test('is of the same number, and says where it comes from; together again they have one stay', async () => {
    await foyer.get(interfaces.update, { id, name: 'OPERA' }, editor)
    await say(both())
    await give('Weber', { departs_on: addDays(today, 10) })
    const told = async () =>
      (await foyer.get(stays.stayList, { params: { property_id } }, editor)).data.map(({ stay_key, guests }) => [
        stay_key,
        guests.length,
      ])
    expect(await told()).toEqual([
      ['4711', 1],
      ['4711', 1],
    ])
    const { data: person } = await foyer.get(subjectOf, { kind: 'stay', id: await guestId('Weber') }, editor)
    expect(person.stay).toMatchObject({ source: 'system', told_by: 'OPERA' })
    await say(both())
    const ids = (await listed()).map((row) => row.id)
    await foyer.get(differences.acceptDifferences, { ids }, editor)
    expect(await told()).toEqual([['4711', 2]])
  })

  test('who comes along later is where the desk has moved them to', async () => {
    const room = await foyer.room(editor, { property_id, number: '300' })
    await say(hart())
    await give('Hart', { room_id: room.id })
    await say(both())
    expect(await house()).toEqual(['300 Hart', '300 Weber'])
    await give('Weber', { email: 'weber@example.com', departs_on: addDays(today, 4) })
    await say(both())
    expect(await lives()).toEqual(['Hart 300 +3', 'Weber 300 +4'])
  })
})

describe('a package of the interface', () => {
  const packagesThere = async () =>
    (await foyer.get(stays.stayList, { params: { property_id } }, editor)).data.map((one) => one.package?.id)

  test('is that of a stay whose room somebody accepts, as is what is said of its bill', async () => {
    const wifi = await foyer.package(editor)
    await foyer.get(interfaces.update, { id, package_id: wifi.id, check_account_in_dispute: true }, editor)
    await say(stay('4711', { room: '0901', guests: [named('Hart')], in_dispute: true }))
    const ids = (await listed()).map((row) => row.id)
    await foyer.get(differences.acceptDifferences, { ids }, editor)
    expect(await packagesThere()).toEqual([wifi.id])
    const { data } = await foyer.get(stays.stayList, { params: { property_id } }, editor)
    expect(data).toMatchObject([{ room: { name: '0901' }, in_dispute: true }])
  })

  test('is that of guests who were entered ahead, unless the desk has given another', async () => {
    const [wifi, given] = [await foyer.package(editor), await foyer.package(editor)]
    await foyer.get(interfaces.update, { id, package_id: wifi.id }, editor)
    const { id: room_id } = await foyer.room(editor, { property_id, number: '300' })
    await foyer.roomGuest(editor, { room_id, last_name: 'Hart' })
    const { id: other } = await foyer.room(editor, { property_id, number: '301' })
    const { stay_id } = await foyer.roomGuest(editor, { room_id: other, last_name: 'Weber' })
    await foyer.get(stays.updateStay, { id: stay_id ?? 0, package_id: given.id }, editor)
    await say(stay('1', { room: '300', guests: [named('Hart')] }), stay('2', { room: '301', guests: [named('Weber')] }))
    expect(await house()).toEqual(['300 Hart', '301 Weber'])
    expect(new Set(await packagesThere())).toEqual(new Set([wifi.id, given.id]))
  })
})

test('a bill in dispute is that of each guest of the stay, wherever the desk has moved them, while it is checked', async () => {
  await foyer.get(interfaces.update, { id, check_account_in_dispute: true }, editor)
  const told = () => stay('4711', { room: '204', guests: [named('Hart'), named('Weber')], in_dispute: true })
  await say(told())
  const { id: room_id } = await foyer.room(editor, { property_id, number: '300' })
  await foyer.get(roomGuests.update, { id: await guestId('Weber'), room_id }, editor)
  const disputed = async () => {
    const { data } = await foyer.get(stays.stayList, { params: { property_id } }, editor)
    return data
      .filter(({ in_dispute }) => in_dispute)
      .map(({ room }) => room.name)
      .toSorted()
  }
  // From the moment on in which they are parted.
  expect(await disputed()).toEqual(['204', '300'])
  await say(told())
  expect(await disputed()).toEqual(['204', '300'])
  await foyer.get(interfaces.update, { id, check_account_in_dispute: false }, editor)
  expect(await disputed()).toEqual([])
})
