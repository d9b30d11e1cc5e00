// Told house: a property and an interface whose system reports what a test says, each time a second later than the time before.
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { addDays } from '#contract/days.ts'
import * as differences from '#contract/stay-differences.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { receiveUpdates } from '#server/property-systems/receive-updates.ts'
import { interfaceOf } from '#server/property-systems/interfaces.ts'
import type { ReportedStay, StayUpdate } from '#server/stays/stay-updates.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

export interface ToldHouse {
  foyer: TestFoyer
  editor: Person
  property_id: number
  /** Of the interface. */
  id: number
}

export const today = new Date().toISOString().slice(0, 10)
export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
export const named = (last_name: string, first_name: string | null = null) => ({
  last_name,
  first_name,
  email: null,
  mobile_number: null,
})

/** For all tests of a file: call it at the top; `opened` is called before each test, with a house of its own. */
export function withToldHouse(opened: (house: ToldHouse) => void) {
  let foyer: TestFoyer
  let editor: Person
  let property_id: number
  let id: number
  let clock: number
  beforeAll(async () => {
    foyer = await openFoyer()
    editor = await foyer.customer()
  })
  afterAll(() => foyer.close())
  /** An interface beside, or instead of, the one before. */
  async function link(settings: Record<string, number> = { grace_minutes: 0 }) {
    const made = await foyer.propertyInterface(editor, {
      property_interface_type_id: 5,
      owner_type: 'Property',
      owner_id: property_id,
      settings: { signing_secret: secret, ...settings },
    })
    id = made.id
    opened({ foyer, editor, property_id, id })
  }
  /** Another house. */
  async function open(settings?: Record<string, number>) {
    property_id = (await foyer.property(editor, { time_zone: 'Atlantic/Reykjavik' })).id
    await foyer.rooms(editor, property_id, ['204', '205', '206', '207', '208', '209'])
    await link(settings)
  }
  beforeEach(async () => {
    clock = Date.now() - 3_600_000
    await open()
  })

  const at = () => new Date((clock += 1000))
  const stay = (stay_key: string, says: Partial<ReportedStay>, more: object = {}): StayUpdate => ({
    kind: 'stay',
    stay_key,
    at: at(),
    fields: { arrives_on: today, departs_on: addDays(today, 3), ...says },
    is_complete: true,
    ...more,
  })
  return {
    open,
    link,
    at,
    stay,
    ended: (stay_key: string): StayUpdate => ({ kind: 'ended', stay_key, at: at() }),
    hart: () => stay('4711', { room: '204', guests: [named('Hart', 'Ada')] }),
    say: (...words: StayUpdate[]) =>
      foyer.services.tenancy.enter(callerOfJob(editor.user.customer.id, 'test'), 'write', async (scope) => {
        const of = await interfaceOf(scope, id)
        return of ? receiveUpdates(scope, foyer.services.queue, of, words) : null
      }),
    /** `204 Hart`, of everybody who is in a room. */
    house: async () =>
      (
        await foyer.query<{ who: string }>(
          `select room_number || ' ' || coalesce(last_name, '–') as who from room_guests
           where property_id = $1 and deleted_at is null order by 1`,
          [property_id],
        )
      ).map(({ who }) => who),
    guestId: async (last_name: string) =>
      (
        await foyer.query<{ id: number }>(
          'select id from room_guests where property_id = $1 and last_name = $2 and deleted_at is null',
          [property_id, last_name],
        )
      )[0]?.id ?? 0,
    listed: async () => (await foyer.get(differences.differenceList, { params: { property_id } }, editor)).data,
  }
}
