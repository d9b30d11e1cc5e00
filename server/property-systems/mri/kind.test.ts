// MRI: residents of a simulated MRI become guests of their units, each time all of them are asked for.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as interfaces from '#contract/property-interfaces.ts'
import * as stays from '#contract/stays.ts'
import { findDue } from '#server/due/find-due.ts'
import type { SafeFetch } from '#server/outbound/safe-fetch.ts'
import { pollingWork } from '#server/property-systems/polling.ts'
import { tellMoveIns } from '#server/resources/guest-help/move-ins.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { opened, waiting, type Waiting } from '#test/waiting-messages.ts'
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
    pollingWork(tellMoveIns),
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
  expect(await ask()).toBe('done')
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

test('of a lease with several units, whoever stays keeps their devices, whoever moves out or to another unit', async () => {
  const others = Array.from({ length: 8 }, (_, at) => ({
    unit: `${201 + at}`,
    lease: `O${at}`,
    first: 'Some',
    last: `Body${at}x`,
  }))
  const of = (unit: string, first: string, last: string) => ({ unit, lease: 'L1', first, last })
  const there = async () =>
    (
      await foyer.query<{ id: number; who: string }>(
        `select id, room_number || ' ' || name as who from room_guests
         where property_id = $1 and deleted_at is null and room_number < '200' order by id`,
        [property_id],
      )
    ).map(({ id: guest, who }) => [guest, who])
  mri.residents = [...others, of('101', 'Ada', 'Hart'), of('102', 'Cy', 'Weber'), of('103', 'Eve', 'Ode')]
  await ask()
  const [ada, cy, eve] = (await there()).map(([guest]) => guest)
  // The first of them moves out, and the two others change their units.
  mri.residents = [...others, of('102', 'Eve', 'Ode'), of('103', 'Cy', 'Weber')]
  await ask()
  expect(await there()).toEqual([
    [cy, '103 Cy Weber'],
    [eve, '102 Eve Ode'],
  ])
  expect(await foyer.query('select name from room_guests where id = $1', [ada])).toEqual([{ name: 'Ada Hart' }])
  mri.residents = [...others, of('101', 'Cy', 'Weber'), of('104', 'Di', 'Ney')]
  await ask()
  const [first, second] = await there()
  expect([first, second?.[1]]).toEqual([[cy, '101 Cy Weber'], '104 Di Ney'])
  expect([ada, cy, eve]).not.toContain(second?.[0])
})

test('who moves in is told by mail how to sign in, once, where the property wants it; who lived there before is not', async () => {
  await register({ mri_communication: true })
  const today = new Date().toISOString().slice(0, 10)
  const resident = (last: string, more: object = {}) => ({
    unit: `1${last.length}`,
    lease: `L${last}`,
    first: 'Ada',
    last,
    email: `${last.toLowerCase()}.${property_id}@example.com`,
    moved_in: today,
    ...more,
  })
  const mailed = (last: string) => foyer.mailTo(`${last.toLowerCase()}.${property_id}@example.com`)
  mri.residents = [resident('Before')]
  await ask()
  expect(await house()).toHaveLength(1)
  expect(await mailed('Before')).toBe('')
  mri.residents.push(
    resident('Newcomer'),
    resident('Long', { moved_in: '2026-01-01' }),
    resident('Mute', { email: 'none' }),
  )
  await ask()
  expect(await house()).toHaveLength(4)
  expect(await mailed('Newcomer')).toMatch(/Room: 18\nLast name: Newcomer/)
  expect([await mailed('Long'), await mailed('Before')]).toEqual(['', ''])
  await ask()
  const sent = await foyer.query(
    `select kind, property_id from outbox_mails where recipient_email like 'newcomer%'`,
    [],
  )
  expect(sent).toEqual([{ kind: 'how_to_sign_in', property_id }])
  // Nobody else's property writes.
  await register({ mri_communication: false })
  mri.residents = [resident('Quiet')]
  await ask()
  mri.residents.push(resident('Second'))
  await ask()
  expect(await mailed('Second')).toBe('')
})

test('who moves in is told by text message, too, where the property sends them and the number can be texted', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const resident = (last: string, phone: string | null) => ({
    unit: `1${last.length}`,
    lease: `L${last}`,
    first: 'Ada',
    last,
    phone,
    moved_in: today,
  })
  const texted = async () =>
    opened(
      'outbox_texts',
      await foyer.query<Waiting & { to: string }>(
        `select ${waiting.outbox_texts}, mobile_number as to from outbox_texts where kind = 'how_to_sign_in' order by id`,
        [],
      ),
    )
  const moveIn = async (sends: boolean) => {
    await register({ mri_communication: true, send_sms: sends, network_name: 'House' })
    mri.residents = [resident('Before', '+44 7700 900001')]
    await ask()
    mri.residents.push(resident('Newcomer', '+44 7700 900002'), resident('Wrong', '12'), resident('Mute', null))
    await ask()
    await ask()
  }
  await moveIn(false)
  expect(await texted()).toEqual([])
  await moveIn(true)
  expect(await texted()).toEqual([
    {
      to: '+447700900002',
      text: expect.stringMatching(/^Wi-Fi at .*\. Network: House\. Room: 18\. Last name: Newcomer$/),
    },
  ])
})

test('whose payments are blocked is in dispute, where the interface checks for that', async () => {
  mri.residents = [
    { unit: '101', lease: 'L1', first: 'Ada', last: 'Hart', is_blocked: true },
    { unit: '102', lease: 'L2', first: 'Cy', last: 'Weber' },
  ]
  const disputed = async () =>
    (
      await foyer.query<{ room_number: string }>(
        'select room_number from stays where property_id = $1 and in_dispute and deleted_at is null',
        [property_id],
      )
    ).map(({ room_number }) => room_number)
  await ask()
  expect(await disputed()).toEqual([])
  await foyer.get(interfaces.update, { id, check_account_in_dispute: true }, editor)
  await ask()
  expect(await disputed()).toEqual(['101'])
  // The desk reads it of the stay.
  const { data: all } = await foyer.get(stays.stayList, { params: { property_id } }, editor)
  expect(all.filter(({ in_dispute }) => in_dispute).map(({ room }) => room.name)).toEqual(['101'])
  mri.residents.push({ unit: '103', lease: 'L3', first: 'Di', last: 'Ney', is_blocked: true })
  await ask()
  expect((await disputed()).toSorted()).toEqual(['101', '103'])
  for (const one of mri.residents) one.is_blocked = false
  mri.residents[1] = { unit: '102', lease: 'L2', first: 'Cy', last: 'Weber', is_blocked: true }
  await ask()
  expect(await disputed()).toEqual(['102'])
  await foyer.get(interfaces.deactivate, { id }, editor)
  expect(await disputed()).toEqual([])
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
    sentence: 'There is no link: MRI answers 500.',
  })
})

test.each([
  [
    'credentials that are not complete',
    { developer_key: null },
    {},
    'There is no link: its client ID, database, web user, developer key or password is missing.',
  ],
  ['no credentials of ours', { password: 'wrong' }, {}, 'There is no link: MRI does not accept these credentials.'],
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
    'This property is not marked as connected to MRI: change that on its own page.',
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
    pollingWork(tellMoveIns),
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
  await findDue(foyer.services, [pollingWork(tellMoveIns)])
  expect(await waiting()).toEqual([{ state: 'waiting' }])
})
