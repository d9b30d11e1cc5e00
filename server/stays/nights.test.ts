// Nights of stays: a departure that is given to a stay counts in the ledger of nights as one that is given to each of its guests, also
// for nights that are written down later than the change.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#contract/days.ts'
import * as occupancy from '#contract/occupancy-nights.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as stays from '#contract/stays.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { inDatabase, sinceDay, todayAt, writeNights } from '#test/nights.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

interface Guest {
  id: number
  stay_id: number
}

/** A week of nights of a property whose family was to leave three days ago, and was given three days more only now. */
async function nightsWhere(extend: (guests: Guest[], departs_on: string) => Promise<unknown>) {
  const property = await foyer.property(editor)
  const [room_id] = await foyer.rooms(editor, property.id, ['301', '302'])
  const today = await todayAt(foyer, property.id)
  const guests = await inDatabase<Guest>(
    foyer,
    `insert into room_guests (customer_id, room_id, last_name, arrives_on, departs_on)
     select $1, $2, name, $3::date, $4::date from unnest(array['Hart', 'Weber']) as name returning id, stay_id`,
    [editor.user.customer.id, room_id, addDays(today, -6), addDays(today, -3)],
  )
  await sinceDay(foyer, property.id, addDays(today, -7))
  await extend(guests, addDays(today, 3))
  await writeNights(foyer)
  const { data } = await foyer.get(occupancy.nightList, { params: { property_id: property.id }, sort: 'night' }, editor)
  return data.map(({ night, occupied_units, room_numbers }) => ({ night, occupied_units, room_numbers }))
}

test('the nights are those that they would be if each guest had been given the day', async () => {
  const byStay = await nightsWhere(([guest], departs_on) =>
    foyer.get(stays.updateStay, { id: guest?.stay_id ?? 0, departs_on }, editor),
  )
  const byGuest = await nightsWhere((guests, departs_on) =>
    Promise.all(guests.map(({ id }) => foyer.get(roomGuests.update, { id, departs_on }, editor))),
  )
  expect(byStay).toEqual(byGuest)
  expect(byStay.map(({ occupied_units }) => occupied_units)).toEqual([0, 1, 1, 1, 0, 0, 0])
})
