// Told stays: however a property's system tells what happens in the house (moves, swaps, sharers, corrections, doubled, late, as a whole
// list that is cut off or complete; by words or by files), in the end the house is the same as in a plain model of it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerOfJob } from '#server/access/principal.ts'
import { sheetOfCsv } from '#server/imports/spreadsheets/csv.ts'
import { check, likeness } from '#server/imports/rooms.ts'
import { fileDrop } from '#server/property-systems/file-drop/kind.ts'
import { hear, hearPending, interfaceOf } from '#server/property-systems/hear.ts'
import { applyGuests } from '#server/resources/room-guests.ts'
import type { ListedRoom } from '#server/property-systems/kind.ts'
import type { ToldStay, Word } from '#server/stays/words.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { chance, full } from './proof.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

const rounds = full ? 1000 : 3
const steps = 30
/** A list that has both a 04 and a 4 is asked about, so there is a 08. */
const numbers = { words: ['1', '2', '3', '04', '4', '5', 'A6', '7'], files: ['1', '2', '3', '08', '4', '5', 'A6', '7'] }
const surnames = ['Hart', 'Weber', "O'Neil", 'de la Cruz', 'Ødegård', '山田', 'Hart']

interface Guest {
  last_name: string
  first_name: string
}
interface Stay {
  room: string
  guests: Guest[]
  departs_on: string
}
/** The house as it is: stays by key. */
type House = Map<string, Stay>

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const today = day(0)
const told = ({ room, guests, departs_on }: Stay): ToldStay => ({
  room,
  guests: guests.map((guest) => ({ ...guest, email: null, mobile_number: null })),
  arrives_on: today,
  departs_on,
  until_time: null,
  no_show: false,
  may_be_charged: true,
})
const linesOf = (house: House) =>
  [...house]
    .flatMap(([key, { room, guests, departs_on }]) =>
      guests.map(({ last_name, first_name }) => `${room} | ${first_name} ${last_name} | ${departs_on} | ${key}`),
    )
    .toSorted()

/** What may happen: changes the house, and answers the keys that are to be told of. */
function happen(house: House, rooms: readonly string[], random: () => number, serial: () => number): string[] {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const aGuest = () => ({ last_name: pick(surnames), first_name: `G${serial()}` })
  const keys = [...house.keys()]
  const [one, other] = [pick(keys), pick(keys)]
  const change = (key: string, values: Partial<Stay>) => {
    house.set(key, { ...(house.get(key) as Stay), ...values })
    return [key]
  }
  const arrive = () => {
    const key = `K${serial()}`
    house.set(key, {
      room: pick(rooms),
      guests: Array.from({ length: 1 + Math.floor(random() * 3) }, aGuest),
      departs_on: day(1 + Math.floor(random() * 9)),
    })
    return [key]
  }
  if (one === undefined || other === undefined || random() < 0.3) return arrive()
  const [a, b] = [house.get(one) as Stay, house.get(other) as Stay]
  const kinds: (() => string[])[] = [
    () => (house.delete(one), [one]),
    () => change(one, { room: pick(rooms) }),
    // Two swap their rooms.
    () => [...change(one, { room: b.room }), ...(one === other ? [] : change(other, { room: a.room }))],
    () => change(one, { departs_on: day(1 + Math.floor(random() * 20)) }),
    // A first name is corrected.
    () =>
      change(one, {
        guests: a.guests.map((guest, at) => (at === 0 ? { ...guest, first_name: `N${serial()}` } : guest)),
      }),
    // Somebody comes along, or leaves before the others.
    () => change(one, { guests: [...a.guests, aGuest()] }),
    () => (a.guests.length > 1 ? change(one, { guests: a.guests.slice(1) }) : []),
  ]
  return pick(kinds)()
}

/** The list as a system exports it, read as a file is, without a process of its own. */
function listOf(house: House, rooms: readonly string[], property_id: number): ListedRoom[] {
  const rows = [...house].flatMap(([key, { room, guests, departs_on }]) =>
    guests.map((guest) => [room, guest.first_name, guest.last_name, key, today, departs_on]),
  )
  const vacant = rooms.filter((room) => rows.every(([taken]) => taken !== room)).map((room) => [room])
  const text = [['Room', 'First name', 'Last name', 'Reservation', 'Arrival', 'Departure'], ...rows, ...vacant]
  const sheet = sheetOfCsv(Buffer.from(text.map((cells) => cells.join(';')).join('\n')), likeness)
  const { records, rest } = check(() => sheet.rows(), {
    property_id,
    today,
    leases: false,
    lets_by_lease: false,
    ahead: true,
    day_order: null,
    properties: [],
  })
  expect(rest).toMatchObject({ problems: [] })
  return [...records] as ListedRoom[]
}

test(`${rounds} schedules end in the house of the model`, { timeout: 60_000 + rounds * 40_000 }, async ({ task }) => {
  const { tenancy, queue } = foyer.services
  const means = { queue, applyGuests }
  const enter = <R>(work: Parameters<typeof tenancy.enter<R>>[2]) =>
    tenancy.enter(callerOfJob(editor.user.customer.id, 'test'), 'write', work)
  let words_said = 0
  for (let round = 0; round < rounds; round++) {
    const random = chance(round)
    let last = 0
    const serial = () => ++last
    const by = round % 3 === 2 ? 'files' : 'words'
    const { id: property_id } = await foyer.property(editor, { time_zone: 'Atlantic/Reykjavik' })
    await foyer.rooms(editor, property_id, numbers[by])
    const { id } = await foyer.propertyInterface(editor, {
      property_interface_type_id: by === 'files' ? 6 : 5,
      owner_type: 'Property',
      owner_id: property_id,
      settings: {
        grace_minutes: 0,
        ...(by === 'words' && { signing_secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` }),
      },
    })
    const say = (...words: Word[]) =>
      enter(async (scope) => {
        const of = await interfaceOf(scope, id)
        if (!of) throw new Error('it is there')
        words_said += words.length
        const heard = await hear(scope, means, of, words)
        if (heard?.waits) await hearPending(scope, means, of, heard.waits.moves_out)
      })
    const house: House = new Map()
    const everybody = async (at: Date): Promise<Word> => {
      if (by === 'words')
        return { kind: 'all', at, stays: [...house].map(([stay_key, stay]) => ({ ...told(stay), stay_key })) }
      const known = await foyer.query<{ stay_key: string; room: string }>(
        `select stay_key, told ->> 'room' as room from told_stays where property_interface_id = $1 and told is not null`,
        [id],
      )
      return { kind: 'all', at, stays: fileDrop.files?.stays(listOf(house, numbers[by], property_id), known) ?? [] }
    }
    const said: Word[] = []
    let clock = Date.now() - 3_600_000
    for (let step = 0; step < steps; step++) {
      clock += 1000
      const keys = happen(house, numbers[by], random, serial)
      const words = keys.map((stay_key): Word => {
        const at = new Date((clock += 10))
        const stay = house.get(stay_key)
        return stay ? { kind: 'stay', stay_key, at, says: told(stay), anew: true } : { kind: 'ended', stay_key, at }
      })
      const now = new Date(clock)
      const how = random()
      if (by === 'files') {
        // A night without a file now and then: the next one says it all.
        if (how < 0.85) await say(await everybody(now))
        continue
      }
      const all = await everybody(now)
      // Told at once, not at all (the whole list says so later), or only as the whole list.
      if (how < 0.75) await say(...words)
      else if (how < 0.85) await say(all)
      said.push(...(how < 0.85 ? words : []))
      // Doubled, or late: what was said before is said again.
      const former = said[Math.floor(random() * said.length)]
      if (former && random() < 0.3) await say(former)
      if (random() < 0.1) {
        // Cut off: the transaction never ends, and nothing of it was said.
        await enter(async (scope) => {
          const of = await interfaceOf(scope, id)
          if (of) await hear(scope, means, of, [{ kind: 'all', at: new Date(clock + 5), stays: [] }])
          throw new Error('cut off')
        }).catch(() => {})
      }
    }
    clock += 1000
    await say(await everybody(new Date(clock)))
    const rows = await foyer.query<{ line: string }>(
      `select g.room_number || ' | ' || g.name || ' | ' || g.departs_on || ' | ' || s.stay_key as line
       from room_guests g join stays s on s.id = g.stay_id and s.room_id = g.room_id and s.deleted_at is null
       where g.property_id = $1 and g.deleted_at is null`,
      [property_id],
    )
    expect(rows.map(({ line }) => line).toSorted(), `round ${round}`).toEqual(linesOf(house))
    const left = await foyer.query('select * from stay_differences where property_id = $1', [property_id])
    expect(left, `round ${round}`).toEqual([])
  }
  task.meta.figures = `${rounds} schedules of ${steps} steps, ${words_said} words`
})
