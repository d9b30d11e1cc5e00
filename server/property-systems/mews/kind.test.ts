// Mews: what is its own: people are records beside their reservations, and have two last names.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { addDays } from '#contract/days.ts'
import type { SafeFetch } from '#server/outbound/safe-fetch.ts'
import { pollingWork } from '#server/property-systems/polling.ts'
import type { SimulatedGuest } from '#server/property-systems/simulated.ts'
import { tellMoveIns } from '#server/resources/guest-help/move-ins.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { openMews } from './simulation.ts'

let foyer: TestFoyer
let editor: Person
let mews: ReturnType<typeof openMews>
let property_id: number
let id: number
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  mews = openMews()
  property_id = (await foyer.property(editor, { time_zone: 'Atlantic/Reykjavik' })).id
  await foyer.rooms(editor, property_id, ['101', '102', '103', '104', '105', '106', '107', '108'])
  ;({ id } = await foyer.propertyInterface(editor, {
    property_interface_type_id: 3,
    owner_type: 'Property',
    owner_id: property_id,
    settings: { client_token: 'CLIENT', access_token: 'ACCESS-MUC', grace_minutes: 0 },
  }))
})
afterEach(() => void vi.useRealTimers())

const today = new Date().toISOString().slice(0, 10)
const stay = (key: string, room: string, ...guests: SimulatedGuest[]) => ({
  key,
  room,
  guests,
  arrives: today,
  departs: addDays(today, 3),
})
const [ada, ben, cy] = [
  { first: 'Ada', last: 'Hart' },
  { first: 'Ben', last: 'Weber' },
  { first: 'Cy', last: 'Ode' },
] as const
/** As a minute later, or more. */
async function ask(minutes = 1) {
  const safeFetch: SafeFetch = (url, { method = 'GET', headers = {}, body = '' } = {}) =>
    Promise.resolve(mews.answer({ method, url, headers: { ...headers }, body: String(body) }))
  mews.asked = []
  vi.advanceTimersByTime(minutes * 60_000)
  const about = { customer_id: editor.user.customer.id, about_id: id }
  expect(await tryDue(pollingWork(tellMoveIns), { ...foyer.services, safeFetch }, about)).toBe('done')
}
const house = async () =>
  (
    await foyer.query<{ who: string }>(
      `select room_number || ' ' || name as who from room_guests where property_id = $1 and deleted_at is null order by 1`,
      [property_id],
    )
  ).map(({ who }) => who)

test('a corrected name, who comes along and who goes are known within a minute, without a change of the reservation', async () => {
  mews.checkIn(stay('A', '101', ada, ben))
  mews.checkIn(stay('B', '102', cy))
  await ask()
  expect(await house()).toEqual(['101 Ada Hart', '101 Ben Weber', '102 Cy Ode'])
  // At once, while the list is newer than the reservation, and long after that.
  mews.change('A', { guests: [{ first: 'Ada', last: 'Harte' }, ben] })
  await ask()
  expect(await house()).toEqual(['101 Ada Harte', '101 Ben Weber', '102 Cy Ode'])
  mews.change('B', { guests: [cy, { first: 'Di', last: 'Ney' }] })
  mews.change('A', { guests: [{ first: 'Ada', last: 'Harte' }] })
  await ask(60)
  expect(await house()).toEqual(['101 Ada Harte', '102 Cy Ode', '102 Di Ney'])
  await ask()
  expect(mews.asked.filter((path) => path.includes('reservations'))).toHaveLength(1)
})

test('who has two rooms is in both, which are asked for again and again', async () => {
  mews.checkIn(stay('A', '101', ada))
  mews.checkIn(stay('B', '102', ada))
  await ask()
  expect(await house()).toEqual(['101 Ada Hart', '102 Ada Hart'])
  mews.change('B', { room: '103' })
  await ask()
  expect(await house()).toEqual(['101 Ada Hart', '103 Ada Hart'])
  mews.checkOut('A')
  await ask()
  expect(await house()).toEqual(['103 Ada Hart'])
})

test('the second last name is part of the name', async () => {
  mews.checkIn(stay('A', '101', { first: 'Ana', last: 'García', second_last: 'López' }))
  await ask()
  expect(await house()).toEqual(['101 Ana García López'])
})
