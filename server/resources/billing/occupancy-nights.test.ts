// Occupancy nights: what is recorded for each date, from which records, and how it is corrected.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as billing from '#contract/billing-runs.ts'
import * as holidays from '#contract/property-holidays.ts'
import * as nights from '#contract/occupancy-nights.ts'
import * as properties from '#contract/properties.ts'
import { countries as countriesList } from '#contract/reference.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import { messages } from '#contract/messages.ts'
import { invalid } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { inDatabase, later, sinceDay, todayAt, writeNights } from '#test/nights.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

const kept = async (property_id: number) =>
  (await foyer.get(nights.nightList, { params: { property_id }, sort: 'night', per_page: 200 }, editor)).data

/** A property with rooms 101 to 10n, and its present date. */
async function aProperty(room_count: number, values = {}) {
  const property = await foyer.property(editor, { total_units: 10, rate_per_unit: 12.5, currency: 'GBP', ...values })
  const numbers = Array.from({ length: room_count }, (_, index) => String(101 + index))
  const room_ids = room_count > 0 ? await foyer.rooms(editor, property.id, numbers) : []
  return { ...property, room_ids, today: await todayAt(foyer, property.id) }
}

test('a night is kept for each date that is over, with the rooms of stays that cover it', async () => {
  const { id, room_ids, today } = await aProperty(5)
  const [first = 0, second = 0, third = 0, fourth = 0] = room_ids
  const [from, to] = [later(today, -3), later(today, -1)]
  await foyer.roomGuest(editor, { room_id: first, arrives_on: from, departs_on: to })
  await foyer.roomGuest(editor, { room_id: first, arrives_on: from })
  await foyer.roomGuest(editor, { room_id: second, arrives_on: from, departs_on: to })
  await foyer.roomGuest(editor, { room_id: third })
  await foyer.roomGuest(editor, { room_id: fourth, arrives_on: later(today, 1) })
  await foyer.get(rooms.deactivate, { ids: [third] }, editor)
  await sinceDay(foyer, id, later(today, -4))
  await writeNights(foyer)
  const all = await kept(id)
  expect(all.map(({ night, room_numbers }) => [night, room_numbers])).toEqual([
    [later(today, -4), []],
    [later(today, -3), ['101', '102']],
    [later(today, -2), ['101', '102']],
    [later(today, -1), ['101']],
  ])
  expect(all[1]).toMatchObject({
    known: true,
    total_units: 10,
    occupied_units: 2,
    floor_units: 10,
    billable_units: 10,
    percentage: 100,
    rate_per_unit: '12.50',
    currency: 'GBP',
    reason: 'minimum',
    version: 1,
  })
  await writeNights(foyer)
  expect(await kept(id)).toHaveLength(4)
})

test('an account counts for its room while it is active and good beyond the night', async () => {
  const { id, room_ids, today } = await aProperty(3)
  const [first = 0, second = 0, third = 0] = room_ids
  const expires_at = `${later(today, -2)}T12:00:00Z`
  await foyer.account(editor, { property_id: id, room_id: first })
  await foyer.account(editor, { property_id: id, room_id: second })
  await inDatabase(foyer, `update accounts set expires_at = $2 where room_id = $1`, [second, expires_at])
  const off = await foyer.account(editor, { property_id: id, room_id: third })
  await foyer.get(accounts.deactivate, { ids: [off.id] }, editor)
  await sinceDay(foyer, id, later(today, -3))
  await writeNights(foyer)
  expect((await kept(id)).map(({ room_numbers }) => room_numbers)).toEqual([['101', '102'], ['101'], ['101']])
})

test('a night that is recorded late shows the state of the records when it ended', async () => {
  const { id, room_ids, today } = await aProperty(4)
  const [first = 0, second = 0, third = 0, fourth = 0] = room_ids
  const stay = { arrives_on: later(today, -9), departs_on: later(today, -1) }
  const guest = await foyer.roomGuest(editor, { room_id: first, ...stay })
  const gone = await foyer.roomGuest(editor, { room_id: second, arrives_on: later(today, -9) })
  await foyer.roomGuest(editor, { room_id: third, arrives_on: later(today, -9) })
  await sinceDay(foyer, id, later(today, -2))
  // All of this is entered today, when the nights before are over.
  await foyer.get(roomGuests.update, { id: guest.id, departs_on: later(today, 5) }, editor)
  await foyer.get(roomGuests.remove, { id: gone.id, roomId: second }, editor)
  await foyer.get(rooms.deactivate, { ids: [third] }, editor)
  await foyer.roomGuest(editor, { room_id: fourth, arrives_on: later(today, -9) })
  await foyer.get(properties.update, { id, rate_per_unit: 99, total_units: 50, currency: 'EUR' }, editor)
  await writeNights(foyer)
  const all = await kept(id)
  expect(all.map(({ room_numbers }) => room_numbers)).toEqual([
    ['101', '102', '103'],
    ['102', '103'],
  ])
  for (const night of all) expect(night).toMatchObject({ rate_per_unit: '12.50', total_units: 10, currency: 'GBP' })
  // By the rooms' present records: 101 and 104 are let, 103 is out of use, 102 was vacated today.
  expect(all.map(({ occupied_units_now }) => occupied_units_now)).toEqual([3, 3])
})

test('a night before an import of guests, recorded after it, is unknown until a user enters its figure', async () => {
  const { id, today } = await aProperty(2)
  await sinceDay(foyer, id, later(today, -2))
  const imported = `insert into imports (customer_id, property_id, kind, outcome)
    select customer_id, id, 'rooms', 'done' from properties where id = $1`
  await inDatabase(foyer, imported, [id])
  await writeNights(foyer)
  const night = later(today, -1)
  expect(await kept(id)).toMatchObject([
    { known: false, occupied_units: null, billable_units: null, reason: null },
    { night, known: false, unknown_because: expect.stringContaining('imported') },
  ])
  const given = { property_id: id, night, occupied_units: 1, note: 'From the paper book' }
  const { data } = await foyer.get(nights.correctNight, given, editor)
  expect(data).toMatchObject({
    known: true,
    version: 2,
    total_units: 10,
    occupied_units: 1,
    note: 'From the paper book',
  })
  expect(data.noted_by).toBe(editor.user.name)
  expect((await kept(id)).map(({ known }) => known)).toEqual([false, true])
})

test('a correction is a further version, and the former one stays', async () => {
  const { id, room_ids, today } = await aProperty(3, { minimum_billable_percentage: 10 })
  await foyer.roomGuest(editor, { room_id: room_ids[0] ?? 0, arrives_on: later(today, -9) })
  await sinceDay(foyer, id, later(today, -1))
  await writeNights(foyer)
  const night = later(today, -1)
  await foyer.get(properties.update, { id, rate_per_unit: 20 }, editor)
  await foyer.get(nights.correctNight, { property_id: id, night, occupied_units: 3, note: 'Two more' }, editor)
  const newest = { property_id: id, night, occupied_units: 1, note: 'The new rate', take_present_terms: true }
  await foyer.get(nights.correctNight, newest, editor)
  const { data } = await foyer.get(
    nights.nightList,
    { params: { property_id: id }, filters: { superseded: [true, false] }, sort: 'created_at' },
    editor,
  )
  expect(data.map(({ version, superseded, occupied_units, rate_per_unit, room_numbers, note }) => [
    version, superseded, occupied_units, rate_per_unit, room_numbers, note,
  ])).toEqual([
    [1, true, 1, '12.50', ['101'], null],
    [2, true, 3, '12.50', [], 'Two more'],
    [3, false, 1, '20.00', ['101'], 'The new rate'],
  ]) // prettier-ignore
  const tomorrow = await foyer.ask(nights.correctNight, { ...newest, night: later(today, 1) }, editor)
  expectRefused(tomorrow, invalid({ night: ['This night is not over yet.'] }))
})

test('each date is one night, also one of 23 hours, one that begins at one o’clock and one that was skipped', async () => {
  const expected = [
    ['Europe/London', '2026-03-28', 3],
    ['America/Sao_Paulo', '2018-11-03', 3],
    ['Pacific/Apia', '2011-12-29', 4],
  ] as const
  for (const [time_zone, first, count] of expected) {
    const { id } = await aProperty(0)
    await inDatabase(foyer, `update properties set time_zone = $2 where id = $1`, [id, time_zone])
    await sinceDay(foyer, id, first)
    // The property is removed there, and its nights end.
    const end = `update properties set deleted_at = $2::timestamp at time zone $3 + interval '5 hours' where id = $1`
    await inDatabase(foyer, end, [id, later(first, count), time_zone])
    await writeNights(foyer)
    const rows = await inDatabase<{ night: string }>(
      foyer,
      `select night::text from occupancy_nights where property_id = $1 order by night`,
      [id],
    )
    expect(rows.map(({ night }) => night)).toEqual(Array.from({ length: count }, (_, index) => later(first, index)))
  }
})

test('a holiday counts on its days, both ends included, and cannot be there twice or end before it begins', async () => {
  const { id, today } = await aProperty(0, { holiday_billable_percentage: 25 })
  const days = { property_id: id, name: 'Closing week', starts_on: later(today, -3), ends_on: later(today, -2) }
  const { data: holiday } = await foyer.get(holidays.createHoliday, days, editor)
  expectRefused(
    await foyer.ask(holidays.createHoliday, days, editor),
    invalid({ starts_on: ['The property already has a holiday on these days.'] }),
  )
  const backwards = { id: holiday.id, ends_on: later(today, -9) }
  expectRefused(
    await foyer.ask(holidays.updateHoliday, backwards, editor),
    invalid({ ends_on: ['The last day cannot be before the first.'] }),
  )
  await sinceDay(foyer, id, later(today, -4))
  await writeNights(foyer)
  expect((await kept(id)).map(({ holiday: name, percentage, reason }) => [name, percentage, reason])).toEqual([
    [null, 100, 'minimum'],
    ['Closing week', 25, 'holiday'],
    ['Closing week', 25, 'holiday'],
    [null, 100, 'minimum'],
  ])
  expect((await foyer.get(holidays.holidayList, { params: { property_id: id } }, editor)).data).toHaveLength(1)
  await foyer.get(holidays.removeHoliday, { id: holiday.id }, editor)
  expect((await foyer.get(holidays.holidayList, { params: { property_id: id } }, editor)).data).toEqual([])
  await foyer.get(holidays.createHoliday, days, editor)
})

test('a draft has no nights; a property has them from the day on which it stops being one', async () => {
  const draft = await foyer.property(editor, { draft: true })
  const ledgers = () =>
    inDatabase(foyer, `select begins_on::text from night_ledgers where property_id = $1`, [draft.id])
  expect(await ledgers()).toEqual([])
  await foyer.get(properties.activate, { id: draft.id }, editor)
  // No job has run.
  expect(await ledgers()).toEqual([{ begins_on: await todayAt(foyer, draft.id) }])
})

test('a property’s currency is its country’s, unless it is set', async () => {
  const { data: countries } = await foyer.get(countriesList, {}, editor)
  const japan = countries.find(({ code }) => code === 'JP')?.id ?? 0
  const property = await foyer.property(editor, { country_id: japan })
  expect(property.currency).toBe('JPY')
  const { data } = await foyer.get(properties.update, { id: property.id, currency: 'kwd' }, editor)
  expect(data.currency).toBe('KWD')
  expect((await foyer.get(properties.update, { id: property.id, currency: null }, editor)).data.currency).toBe('JPY')
  expectRefused(
    await foyer.ask(properties.update, { id: property.id, currency: 'XQQ' }, editor),
    invalid({ currency: ['This currency is not known'] }),
  )
})

test('not more units are let than the property had that night', async () => {
  const { id, today } = await aProperty(0, { total_units: 10 })
  await sinceDay(foyer, id, later(today, -1))
  await writeNights(foyer)
  const night = later(today, -1)
  const given = { property_id: id, night, occupied_units: 11, note: 'Counted twice' }
  const { status, body } = await foyer.ask(nights.correctNight, given, editor)
  expect([status, body]).toMatchObject([
    422,
    { errors: { occupied_units: ['The property had 10 units that night, so no more can have been let.'] } },
  ])
  expect(await kept(id)).toMatchObject([{ version: 1, occupied_units: 0 }])
  await foyer.get(properties.update, { id, total_units: 11 }, editor)
  expectRefused(
    await foyer.ask(nights.correctNight, given, editor),
    invalid({ occupied_units: ['The property had 10 units that night, so no more can have been let.'] }),
  )
  const { data } = await foyer.get(nights.correctNight, { ...given, take_present_terms: true }, editor)
  expect(data).toMatchObject({ version: 2, total_units: 11, occupied_units: 11 })
})

test('nights take the present terms together: each keeps the figure that it has by now and its rooms, also above the units', async () => {
  const { id, room_ids, today } = await aProperty(3, { total_units: 2, rate_per_unit: 0 })
  const [first, second, last] = [later(today, -3), later(today, -2), later(today, -1)]
  for (const room_id of room_ids) await foyer.roomGuest(editor, { room_id, arrives_on: later(today, -9) })
  await sinceDay(foyer, id, first)
  await writeNights(foyer)
  await foyer.get(nights.correctNight, { property_id: id, night: first, occupied_units: 1, note: 'Counted' }, editor)
  // What the rooms say by now is nothing of those nights.
  await foyer.get(rooms.deactivate, { ids: [room_ids[0] ?? 0] }, editor)
  await foyer.get(properties.update, { id, rate_per_unit: 20 }, editor)
  const terms = { property_id: id, night: last, note: 'Later terms', take_present_terms: true }
  const half = await foyer.ask(nights.correctNight, { ...terms, other_nights: [first, today] }, editor)
  expect([half.status, half.text]).toEqual([422, expect.stringContaining('not over yet')])
  expect((await kept(id)).map(({ version }) => version)).toEqual([2, 1, 1])
  await foyer.get(nights.correctNight, { ...terms, other_nights: [first] }, editor)
  expect(
    (await kept(id)).map(({ version, rate_per_unit, occupied_units, room_numbers }) => [
      version,
      rate_per_unit,
      occupied_units,
      room_numbers,
    ]),
  ).toEqual([
    [3, '20.00', 1, []],
    [1, '0.00', 3, ['101', '102', '103']],
    [2, '20.00', 3, ['101', '102', '103']],
  ])
  // A bill counts those that come to nothing.
  const ask = { property_ids: [id], period_start: first, period_end: last }
  const { data: lines } = await foyer.get(billing.previewRun, ask, editor)
  expect(lines.reduce((sum, { unrated_nights }) => sum + unrated_nights, 0)).toBe(1)
  const { data: run } = await foyer.get(billing.createRun, ask, editor)
  const { data: of } = await foyer.get(billing.lineList, { params: { billing_run_id: run.id } }, editor)
  expect(of.reduce((sum, { unrated_nights }) => sum + unrated_nights, 0)).toBe(1)
  expectRefused(
    await foyer.ask(nights.correctNight, { ...terms, night: second, take_present_terms: false }, editor),
    invalid({ occupied_units: [messages.fields.required] }),
  )
  expectRefused(
    await foyer.ask(nights.correctNight, { ...terms, night: second, occupied_units: 4 }, editor),
    invalid({ occupied_units: ['The property had 2 units that night, so no more can have been let.'] }),
  )
})

test('a holiday that bills nothing by its percentage is not without a rate', async () => {
  const { id, today } = await aProperty(0, { minimum_billable_percentage: 0 })
  await sinceDay(foyer, id, later(today, -1))
  await writeNights(foyer)
  const night = later(today, -1)
  const ask = { property_ids: [id], period_start: night, period_end: night }
  expect((await foyer.get(billing.previewRun, ask, editor)).data).toMatchObject([{ unit_days: 0, unrated_nights: 0 }])
})

test('a figure that was corrected since it was read is not replaced by whoever has not seen it', async () => {
  const { id, today } = await aProperty(0)
  const night = later(today, -1)
  await sinceDay(foyer, id, night)
  await writeNights(foyer)
  const read = { property_id: id, night, note: 'Counted', version: 1 }
  await foyer.get(nights.correctNight, { ...read, occupied_units: 5 }, editor)
  const late = await foyer.ask(nights.correctNight, { ...read, occupied_units: 3 }, editor)
  expect([late.status, late.text]).toEqual([
    409,
    expect.stringContaining(`${editor.user.name} has corrected this night meanwhile, to 5 rooms let.`),
  ])
  expect(await kept(id)).toMatchObject([{ version: 2, occupied_units: 5 }])
})
