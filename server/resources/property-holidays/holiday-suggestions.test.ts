// Holiday suggestions: what is offered, how it compares with the property's own, and that only what was chosen is taken.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as suggestions from '#contract/holiday-suggestions.ts'
import * as holidays from '#contract/property-holidays.ts'
import { countries as countriesList } from '#contract/reference.ts'
import { invalid } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
let england: { property_id: number; year: number }
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
  england = { property_id: await propertyIn('United Kingdom'), year: 2026 }
})
afterAll(() => foyer.close())

async function propertyIn(name: string) {
  const countries = (await foyer.get(countriesList, {}, editor)).data
  const country = countries.find((one) => one.name === name)
  return (await foyer.property(editor, { country_id: country?.id ?? 0 })).id
}
const kept = async (property_id: number) =>
  (await foyer.get(holidays.holidayList, { params: { property_id }, sort: 'starts_on' }, editor)).data.map(
    ({ name, starts_on, ends_on }) => [name, starts_on, ends_on],
  )
const read = (text: string, property_id = england.property_id) =>
  foyer.get(suggestions.readHolidays, { property_id, text }, editor)

test('public and bank holidays of a region are offered, a substitute together with the day that it replaces', async () => {
  const { data, meta } = await foyer.get(suggestions.suggestHolidays, { ...england, region: 'ENG' }, editor)
  expect(meta).toMatchObject({ country: 'GB', source: expect.stringContaining('CC BY') as string })
  expect(meta.regions.map(({ name }) => name)).toContain('Scotland')
  expect(
    data.filter(({ starts_on }) => starts_on >= '2026-12-01').map((one) => [one.starts_on, one.substitute]),
  ).toEqual([
    ['2026-12-25', false],
    ['2026-12-26', false],
    ['2026-12-28', true],
  ])
  expect(data.some(({ name }) => /mother/i.test(name))).toBe(false)
})

test('taken holidays become the property’s, once; one with a changed date is shown as moved', async () => {
  const property_id = await propertyIn('United Kingdom')
  const asked = { property_id, year: 2026, region: 'ENG' }
  const offered = (await foyer.get(suggestions.suggestHolidays, asked, editor)).data
  const chosen = offered.slice(0, 3).map(({ name, starts_on, ends_on }) => ({ name, starts_on, ends_on }))
  const take = () => foyer.get(suggestions.takeHolidays, { property_id, holidays: chosen }, editor)
  expect(await take()).toMatchObject({ data: { added: 3, already: 0 } })
  expect(await take()).toMatchObject({ data: { added: 0, already: 3 } })
  expect(await kept(property_id)).toEqual(chosen.map((one) => [one.name, one.starts_on, one.ends_on]))

  const [first] = (await foyer.get(holidays.holidayList, { params: { property_id }, sort: 'starts_on' }, editor)).data
  await foyer.get(
    holidays.updateHoliday,
    { id: first?.id ?? 0, starts_on: '2026-01-05', ends_on: '2026-01-05' },
    editor,
  )
  const again = (await foyer.get(suggestions.suggestHolidays, asked, editor)).data
  expect(again.slice(0, 4).map(({ state, holiday_id }) => [state, holiday_id === first?.id])).toEqual([
    ['moved', true],
    ['taken', false],
    ['taken', false],
    ['new', false],
  ])
})

test('a list with one bad period is refused as a whole', async () => {
  const property_id = await propertyIn('United Kingdom')
  const good = { name: 'Term', starts_on: '2026-09-01', ends_on: '2026-09-02' }
  const refused = await foyer.ask(
    suggestions.takeHolidays,
    { property_id, holidays: [good, { ...good, name: 'Back', starts_on: '2026-10-02' }] },
    editor,
  )
  expectRefused(refused, invalid({ 'holidays.1.ends_on': ['The last day cannot be before the first.'] }))
  expect(await kept(property_id)).toEqual([])
})

test('a calendar file is read: whole days, times of day, yearly events, and events that cannot be resolved', async () => {
  const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']
  const { data, meta } = await read(
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      ...event('SUMMARY:Christmas break\\, all houses', 'DTSTART;VALUE=DATE:20261219', 'DTEND;VALUE=DATE:20270104'),
      ...event('SUMMARY:Open day', 'DTSTART:20261010T090000Z', 'DTEND:20261010T170000Z'),
      ...event('SUMMARY:Founders', 'DTSTART;VALUE=DATE:20990311', 'RRULE:FREQ=YEARLY'),
      ...event('SUMMARY:Cleaning', 'DTSTART;VALUE=DATE:20260601', 'RRULE:FREQ=SECONDLY;BYSECOND=59'),
      ...event('SUMMARY:Some day'),
      'END:VCALENDAR',
    ].join('\r\n'),
  )
  expect(data.map(({ name, starts_on, ends_on }) => [name, starts_on, ends_on])).toEqual([
    ['Christmas break, all houses', '2026-12-19', '2027-01-03'],
    ['Open day', '2026-10-10', '2026-10-10'],
    ['Founders', '2099-03-11', '2099-03-11'],
    ['Founders', '2100-03-11', '2100-03-11'],
    ['Founders', '2101-03-11', '2101-03-11'],
    ['Cleaning', '2026-06-01', '2026-06-01'],
  ])
  expect(meta.problems).toEqual([
    { line: 4, message: expect.stringContaining('Cleaning') as string },
    { line: 5, message: expect.stringContaining('no date') as string },
  ])
  expect((await read('BEGIN:VCALENDAR\r\nBEGIN:VEVENT')).meta.problems).toHaveLength(1)
})

test('lines are read as people write them, and each unreadable one is named', async () => {
  const { data, meta } = await read(
    [
      'Christmas break: 19/12/2026 – 03/01/2027',
      '01/02/2027 Half term',
      '24 December 2026 to 2nd January 2027, Closed',
      'Easter\t2027-03-26\t2027-03-29',
      '',
      'Summer',
      'Backwards 2027-05-02 2027-05-01',
      '30.02.2027 No day',
    ].join('\n'),
  )
  expect(data.map(({ name, starts_on, ends_on }) => [name, starts_on, ends_on])).toEqual([
    ['Christmas break', '2026-12-19', '2027-01-03'],
    ['Half term', '2027-02-01', '2027-02-01'],
    ['Closed', '2026-12-24', '2027-01-02'],
    ['Easter', '2027-03-26', '2027-03-29'],
  ])
  expect(meta.problems.map(({ line }) => line)).toEqual([6, 7, 8])
})

test('for a calendar longer than the limit, the answer says where it was cut', async () => {
  const day = (index: number) => new Date(Date.UTC(2030, 0, 1 + index)).toISOString().slice(0, 10)
  const { data, meta } = await read(Array.from({ length: 201 }, (_, index) => `Day ${index} ${day(index)}`).join('\n'))
  expect(data).toHaveLength(200)
  expect(meta.problems).toEqual([{ line: 201, message: expect.stringContaining(`“Day 200” on ${day(200)}`) as string }])
})

test('without a country, or with another country’s region, the refusal says what to do', async () => {
  const { id } = await foyer.property(editor, { draft: true, country_id: null })
  const ask = async (values: object) =>
    (await foyer.ask(suggestions.suggestHolidays, { ...england, ...values }, editor)).body as unknown as {
      errors?: Record<string, string[]>
    }
  expect(Object.keys((await ask({ property_id: id })).errors ?? {})).toEqual(['property_id'])
  expect(Object.keys((await ask({ region: 'TX' })).errors ?? {})).toEqual(['region'])
})

test('holidays that left their list are reported, and stay until a user keeps, moves or removes them', async () => {
  const property_id = await propertyIn('United Kingdom')
  const year = new Date().getUTCFullYear() + 1
  const listOf = async (region: string) =>
    (await foyer.get(suggestions.suggestHolidays, { property_id, year, region }, editor)).data
  type Days = { name: string; starts_on: string; ends_on: string }
  const plain = ({ name, starts_on, ends_on }: Days): Days => ({ name, starts_on, ends_on })
  const take = (chosen: Days[], region?: string) =>
    foyer.get(suggestions.takeHolidays, { property_id, holidays: chosen, listed: region ? { region } : null }, editor)
  const leftOut = async () => (await foyer.get(suggestions.leftOut, { property_id }, editor)).data
  const on = (name: string, day: string): Days => ({ name, starts_on: day, ends_on: day })
  const [first, second] = await listOf('ENG')
  const scottish = (await listOf('SCT')).find(({ starts_on }) => starts_on.slice(5, 7) === '11')
  if (!first || !second || !scottish) throw new Error('there are these')

  // As in a former release: one on another day, one that is no holiday any more, and one in the past.
  await take([on(first.name, `${year}-02-03`), plain(second), on('Founders Day', `${year}-03-03`)], 'ENG')
  await take([on('Founders Day', '2020-03-03')], 'ENG')
  await take([plain(scottish)], 'SCT')
  await take([on('Our own day', `${year}-03-09`)])
  const [moved, founders, another] = await leftOut()
  expect(another).toBeUndefined()
  expect(moved).toMatchObject({ ...on(first.name, `${year}-02-03`), moved_to: { starts_on: first.starts_on } })
  expect(founders).toMatchObject({ ...on('Founders Day', `${year}-03-03`), moved_to: null })
  expect(await kept(property_id)).toHaveLength(6)

  // Moved to its listed day, it is compared with the next release, too; kept, it becomes the property's own.
  const ids = { moved: moved?.holiday_id ?? 0, founders: founders?.holiday_id ?? 0 }
  const to = { starts_on: first.starts_on, ends_on: first.ends_on, listed: true }
  const { data } = await foyer.get(holidays.updateHoliday, { id: ids.moved, ...to }, editor)
  expect(data).toMatchObject({ listed: true, starts_on: first.starts_on })
  expect(await leftOut()).toEqual([founders])
  const own = await foyer.get(holidays.updateHoliday, { id: ids.founders, listed: false }, editor)
  expect(own.data).toMatchObject({ listed: false, starts_on: `${year}-03-03` })
  expect(await leftOut()).toEqual([])
  // So does one whose days a user changes.
  const days = { starts_on: `${year}-05-05`, ends_on: `${year}-05-05` }
  const { data: changed } = await foyer.get(holidays.updateHoliday, { id: ids.moved, ...days }, editor)
  expect(changed.listed).toBe(false)
  expect(await leftOut()).toEqual([])
})
