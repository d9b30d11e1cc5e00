// MRI: residents of a simulated MRI become guests of their units, each time all of them are asked for.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as interfaces from '#contract/property-interfaces.ts'
import type { SafeFetch } from '#server/outbound/safe-fetch.ts'
import { askingWork, beginAskingJob } from '#server/property-systems/asking.ts'
import { applyGuests } from '#server/resources/room-guests.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { openMri, type SimulatedMri } from './simulation.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

let mri: SimulatedMri
let property_id: number
let id: number
const settings = {
  client_id: 'C100',
  database: 'LIVE',
  web_user: 'wifi',
  developer_key: 'key',
  password: 'secret',
  grace_minutes: 0,
}
const register = async (values: object = {}) => {
  property_id = (
    await foyer.property(editor, {
      time_zone: 'Atlantic/Reykjavik',
      external_reference: 'P1',
      mri_enabled: true,
      sync_rooms_and_devices: true,
      ...values,
    })
  ).id
  const made = await foyer.propertyInterface(editor, {
    property_interface_type_id: 2,
    owner_type: 'Property',
    owner_id: property_id,
    host: 'mri.example.com',
    settings,
  })
  id = made.id
}
beforeEach(async () => {
  mri = openMri('P1')
  await register()
})

const safeFetch: SafeFetch = (url, { headers = {} } = {}) =>
  Promise.resolve({ headers: {}, ...mri.answer(url, headers) })
const ask = () =>
  tryDue(
    askingWork(applyGuests),
    { ...foyer.services, safeFetch },
    { customer_id: editor.user.customer.id, about_id: id },
  )
const house = async () =>
  (
    await foyer.query<{ who: string }>(
      `select room_number || ' ' || coalesce(name, '–') as who from room_guests
       where property_id = $1 and deleted_at is null order by 1`,
      [property_id],
    )
  ).map(({ who }) => who)
const state = async () => (await foyer.get(interfaces.get, { id }, editor)).data.state

test('who lives there now comes in, page by page, into rooms that are made', async () => {
  mri.residents = [
    { unit: '101', lease: 'L1', first: 'Ada', last: 'Hart', email: 'ada@example.com' },
    { unit: '101', lease: 'L1', first: 'Ben', last: 'Hart' },
    { unit: '102', lease: 'L2', first: 'Cy', last: 'Weber', status: 'O' },
    { unit: '103', lease: 'L3', first: '', last: 'Ode' },
    { unit: '103', building: 'B', lease: 'L4', first: 'Di', last: 'Ney' },
  ]
  expect(await ask()).toBe('waits')
  expect(await house()).toEqual(['101 Ada Hart', '101 Ben Hart', 'A 103 Ode', 'B 103 Di Ney'])
  expect(await state()).toMatchObject({ word: 'up' })
  expect(
    await foyer.query('select count(distinct stay_id)::integer as stays from room_guests where property_id = $1', [
      property_id,
    ]),
  ).toEqual([{ stays: 3 }])
  expect(mri.asked.length).toBe(6)
})

test('who moves out is gone, who moves to another unit under the lease takes their devices along', async () => {
  const others = Array.from({ length: 8 }, (_, at) => ({
    unit: `${201 + at}`,
    lease: `O${at}`,
    first: 'Some',
    last: `Body${at}x`,
  }))
  mri.residents = [
    ...others,
    { unit: '101', lease: 'L1', first: 'Ada', last: 'Hart' },
    { unit: '102', lease: 'L2', first: 'Cy', last: 'Weber' },
  ]
  await ask()
  const idOf = () =>
    foyer.query(`select id from room_guests where property_id = $1 and name = 'Ada Hart'`, [property_id])
  const before = await idOf()
  mri.residents = [...others, { unit: '105', lease: 'L1', first: 'Ada', last: 'Hart' }]
  await ask()
  expect((await house()).filter((who) => !who.includes('Body'))).toEqual(['105 Ada Hart'])
  expect(await idOf()).toEqual(before)
})

test('what is broken off changes nothing, and says what is wrong', async () => {
  mri.residents = [1, 2, 3, 4, 5].map((at) => ({
    unit: `10${at}`,
    lease: `L${at}`,
    first: 'Ada',
    last: `Hart${'x'.repeat(at)}`,
  }))
  await ask()
  const before = await house()
  mri.residents = mri.residents.slice(0, 4)
  mri.pages_max = 1
  await ask()
  expect(await house()).toEqual(before)
  expect(await state()).toMatchObject({
    word: 'down',
    sentence: 'The link is down. There is no link: MRI answers 500.',
  })
})

test.each([
  [
    'credentials that are not complete',
    { developer_key: null },
    {},
    'There is no link: its client ID, database, web user, developer key or password is missing.',
  ],
  ['no credentials of ours', { password: 'wrong' }, {}, 'There is no link: MRI does not take these credentials.'],
  [
    'a property without its number',
    {},
    { external_reference: null },
    'The property needs its external reference: the number that it has in MRI.',
  ],
  [
    'a property that is not connected',
    {},
    { mri_enabled: false },
    'This property is not connected to MRI: say so on its own page.',
  ],
])('%s', async (_, secrets, values, sentence) => {
  await register(values)
  await foyer.get(interfaces.update, { id, settings: { ...settings, ...secrets } }, editor)
  mri.residents = [{ unit: '101', lease: 'L1', first: 'Ada', last: 'Hart' }]
  await ask()
  expect(await state()).toMatchObject({ word: 'down', last_error: sentence })
  expect(await house()).toEqual([])
})

test('credentials go to no other address', async () => {
  const sent: string[] = []
  const lured: SafeFetch = (url, { headers = {} } = {}) => {
    sent.push(url)
    const { status } = mri.answer(url, headers)
    return Promise.resolve({
      status,
      headers: {},
      body: Buffer.from('{"value":[],"nextLink":"https://elsewhere.example/x"}'),
    })
  }
  await tryDue(
    askingWork(applyGuests),
    { ...foyer.services, safeFetch: lured },
    { customer_id: editor.user.customer.id, about_id: id },
  )
  expect(sent.map((url) => new URL(url).host)).toEqual(['mri.example.com'])
  expect((await state()).last_error).toBe('There is no link: MRI sends us to another address for the rest.')
})

test('an interface is asked from the next minute on, and at once where somebody wants it', async () => {
  const waiting = () => foyer.query(`select state from due_work where kind = 'property_asking' and about_id = $1`, [id])
  expect(await waiting()).toEqual([])
  await foyer.get(interfaces.sync, { id }, editor)
  expect(await waiting()).toEqual([{ state: 'waiting' }])
  await foyer.query(`delete from due_work where kind = 'property_asking'`, [])
  const found = await foyer.services.tenancy.callFunction<{ id: number }>(
    (await import('kysely')).sql`select id from door_unasked_interfaces(array[2], 'property_asking')`,
  )
  expect(found.map((one) => one.id)).toContain(id)
  expect(beginAskingJob.cron).toBe('* * * * *')
})
