// Other property: an interface of a company speaks for its only property, which may be another one by now.
import { addDays } from '#contract/days.ts'
import * as properties from '#contract/properties.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { callerOfJob } from '#server/access/principal.ts'
import { openFias } from '#server/property-systems/fias/simulation.ts'
import { receiveUpdates } from '#server/property-systems/receive-updates.ts'
import { interfaceOf } from '#server/property-systems/interfaces.ts'
import { openLinks } from '#server/property-systems/links.ts'
import { unreported, type ReportedStay, type StayUpdate } from '#server/stays/stay-updates.ts'
import { named, secret, today } from '#test/told-house.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
beforeAll(async () => {
  foyer = await openFoyer({ env: { ALLOWED_HOSTS: '127.0.0.1' } })
})
afterAll(() => foyer.close())

const open = async (editor: Person) => {
  const { id: property_id } = await foyer.property(editor, { time_zone: 'Atlantic/Reykjavik' })
  await foyer.rooms(editor, property_id, ['204', '205', '206', '207', '208', '209'])
  return property_id
}
const house = async (property_id: number) =>
  (
    await foyer.query<{ who: string }>(
      `select room_number || ' ' || last_name as who from room_guests where property_id = $1 and deleted_at is null order by 1`,
      [property_id],
    )
  ).map(({ who }) => who)

test('is told of all who are there, and what was told of the former one counts no more', async () => {
  const editor = await foyer.customer()
  const { id } = await foyer.propertyInterface(editor, {
    property_interface_type_id: 5,
    settings: { signing_secret: secret, grace_minutes: 60 },
  })
  let clock = Date.now() - 3_600_000
  const at = () => new Date((clock += 1000))
  const say = (...updates: StayUpdate[]) =>
    foyer.services.tenancy.enter(callerOfJob(editor.user.customer.id, 'test'), 'write', async (scope) => {
      const of = await interfaceOf(scope, id)
      return of && receiveUpdates(scope, foyer.services.queue, of, updates)
    })
  const stayOf = (room: string, last_name: string): ReportedStay => ({
    ...unreported,
    room,
    guests: [named(last_name)],
    arrives_on: today,
    departs_on: addDays(today, 3),
  })
  const says = (stay_key: string, room: string, last_name: string): StayUpdate => ({
    kind: 'stay',
    stay_key,
    at: at(),
    fields: stayOf(room, last_name),
    is_complete: true,
    arrived: true,
  })
  const wantsAll = async () =>
    (
      await foyer.query<{ wants_all: boolean }>(
        'select wants_all from property_links where property_interface_id = $1',
        [id],
      )
    )[0]?.wants_all

  const former = await open(editor)
  await say(
    { kind: 'all', at: at(), stays: [{ ...stayOf('204', 'Hart'), stay_key: '1' }] },
    says('2', '205', 'Weber'),
    says('3', '206', 'Leaving'),
    { kind: 'ended', stay_key: '3', at: at() },
  )
  expect(await house(former)).toEqual(['204 Hart', '205 Weber', '206 Leaving'])

  await foyer.get(properties.deactivate, { ids: [former] }, editor)
  const present = await open(editor)
  // A single update of a stay that was synced before: the others are to be asked for.
  await say(says('1', '204', 'Hart'), says('3', '207', 'Ode'))
  expect([await house(present), await wantsAll()]).toEqual([['204 Hart', '207 Ode'], true])
  // Whoever was about to leave has left; the desk may have more to do with the others than the system says.
  expect(await house(former)).toEqual(['204 Hart', '205 Weber'])

  await say({
    kind: 'all',
    at: at(),
    stays: [
      { ...stayOf('204', 'Hart'), stay_key: '1' },
      { ...stayOf('205', 'Weber'), stay_key: '2' },
    ],
  })
  expect([await house(present), await wantsAll()]).toEqual([['204 Hart', '205 Weber', '207 Ode'], false])
  expect((await foyer.get(interfaces.get, { id }, editor)).data.state).toMatchObject({ word: 'up', last_error: null })
})

test('is asked for all where it is linked, also if nothing is told by itself', async () => {
  const editor = await foyer.customer()
  const pms = await openFias()
  await foyer.propertyInterface(editor, {
    property_interface_type_id: 1,
    host: '127.0.0.1',
    port: pms.port,
    settings: { grace_minutes: 0 },
  })
  const former = await open(editor)
  const links = openLinks(foyer.services)
  const patient = { timeout: 30_000, interval: 50 }
  try {
    pms.guests.set('1', { key: '1', room: '204', name: 'Hart' })
    await vi.waitFor(async () => expect(await house(former)).toEqual(['204 Hart']), patient)
    await foyer.get(properties.deactivate, { ids: [former] }, editor)
    const present = await open(editor)
    await vi.waitFor(async () => expect(await house(present)).toEqual(['204 Hart']), patient)
  } finally {
    await links.close()
    await pms.close()
  }
}, 90_000)
