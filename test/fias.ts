// Fias: a property whose system is a simulated FIAS, and the nodes of ours that keep the link to it.
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import * as interfaces from '#contract/property-interfaces.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { openFias, type SimulatedFias } from '#server/property-systems/fias/simulation.ts'
import { inquireAbout } from '#server/property-systems/inquiries.ts'
import { openLinks, type Links } from '#server/property-systems/links.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

export interface LinkedHouse {
  foyer: TestFoyer
  editor: Person
  pms: SimulatedFias
  property_id: number
  /** Of the interface. */
  id: number
}

const numbers = Array.from({ length: 12 }, (_, at) => String(201 + at))
export const patient = { timeout: 20_000, interval: 50 }
export const hart = { key: '4711', room: '204', name: 'Hart', first_name: 'Ada' }
export const weber = { key: '4712', room: '205', name: 'Weber' }

/** For all tests of a file: call it at the top; `opened` is called before each test, with a house of its own and one node. */
export function withFias(opened: (house: LinkedHouse) => void) {
  let foyer: TestFoyer
  let editor: Person
  let pms: SimulatedFias
  let property_id: number
  let id: number
  const links: Links[] = []
  const openNode = (tenancy = foyer.services.tenancy) => {
    const node = openLinks({ ...foyer.services, tenancy })
    links.push(node)
    return node
  }
  beforeAll(async () => {
    foyer = await openFoyer({ env: { ALLOWED_HOSTS: '127.0.0.1' } })
    editor = await foyer.customer()
  })
  afterAll(() => foyer.close())
  beforeEach(async () => {
    pms = await openFias()
    property_id = (await foyer.property(editor, { time_zone: 'Atlantic/Reykjavik' })).id
    await foyer.rooms(editor, property_id, numbers)
    const made = await foyer.propertyInterface(editor, {
      property_interface_type_id: 1,
      owner_type: 'Property',
      owner_id: property_id,
      host: '127.0.0.1',
      port: pms.port,
      settings: { grace_minutes: 0 },
    })
    id = made.id
    opened({ foyer, editor, pms, property_id, id })
    openNode()
  })
  afterEach(async () => {
    await Promise.all(links.splice(0).map((one) => one.close()))
    await foyer.query('update property_interfaces set active = false where customer_id = $1', [editor.user.customer.id])
    await pms.close()
  })

  const house = async () =>
    (
      await foyer.query<{ who: string }>(
        `select room_number || ' ' || coalesce(name, '') as who from room_guests
         where property_id = $1 and deleted_at is null order by 1`,
        [property_id],
      )
    ).map(({ who }) => who)
  const expectHouse = (...guests: string[]) => vi.waitFor(async () => expect(await house()).toEqual(guests), patient)
  const state = async () => (await foyer.get(interfaces.get, { id }, editor)).data.state
  return {
    /** Of the nodes, in the order in which they were opened. */
    links,
    openNode,
    house,
    expectHouse,
    state,
    /** And has told all who are there. */
    isLinked: () =>
      vi.waitFor(async () => {
        expect((await state()).word).toBe('up')
        const [link] = await foyer.query<{ wants_all: boolean }>(
          'select wants_all from property_links where property_interface_id = $1',
          [id],
        )
        expect(link?.wants_all).toBe(false)
      }, patient),
    /** What was sent before it has been read, when this guest has come. */
    async expectRead(...others: string[]) {
      pms.checkIn({ key: '999', room: '212', name: 'Last' })
      await expectHouse(...others, '212 Last')
    },
    /** By name. */
    ids: async () =>
      Object.fromEntries(
        (
          await foyer.query<{ name: string; id: number }>('select name, id from room_guests where property_id = $1', [
            property_id,
          ])
        ).map((row) => [row.name, row.id]),
      ),
    /** As a guest of that room does at the portal. */
    askAbout: (room: string) =>
      foyer.services.tenancy.enter(callerOfJob(editor.user.customer.id, 'test'), 'write', (scope) =>
        inquireAbout(scope, property_id, room),
      ),
  }
}
