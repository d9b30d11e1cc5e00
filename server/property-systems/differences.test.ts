// Differences: what the desk changed by hand stays, until somebody accepts what the property's system says.
import { describe, expect, test } from 'vitest'
import { addDays } from '#contract/days.ts'
import { get as dashboard } from '#contract/dashboard.ts'
import { get as subjectOf } from '#contract/guest-help.ts'
import { ofProperty } from '#contract/today.ts'
import * as differences from '#contract/stay-differences.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import * as roomGuests from '#contract/room-guests.ts'
import { named, today, withToldHouse, type ToldHouse } from '#test/told-house.ts'

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
    const [slower] = answers.filter(({ status }) => status !== 200)
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    expect(slower?.body).toMatchObject({
      message: expect.stringMatching(/ (accepted the system's word|kept ours) for Ada Hart at \d\d:\d\d\.$/),
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
