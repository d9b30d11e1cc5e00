// Told stays: however a property's system tells what happens in the house (moves, swaps, sharers, corrections, doubled, late, as a whole
// list that is cut off or complete; by words, by files, or by FIAS as guest-based and as room-based sites write it), in the end the house
// is the same as in a plain model of it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerOfJob } from '#server/access/principal.ts'
import { sheetOfCsv } from '#server/imports/spreadsheets/csv.ts'
import { check, likeness } from '#server/imports/rooms.ts'
import { FiasReader, recordIn } from '#server/property-systems/fias/translation.ts'
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

const ways = ['words', 'guests', 'files', 'rooms'] as const
/** `guests` and `rooms`: by FIAS, where a move is one record of the guest, or an end and an arrival. */
type Way = (typeof ways)[number]
const rounds = full ? 1000 : ways.length
const steps = 30
/** A list that has both a 04 and a 4 is asked about, so there is a 08. */
const usual = ['1', '2', '3', '04', '4', '5', 'A6', '7']
const numbers = { words: usual, guests: usual, rooms: usual, files: ['1', '2', '3', '08', '4', '5', 'A6', '7'] }
const isFias = (by: Way) => by === 'guests' || by === 'rooms'
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
function happen(house: House, by: Way, random: () => number, serial: () => number): string[] {
  const rooms = numbers[by]
  // In FIAS each guest has a reservation of their own, and sharers are in the same room.
  const guests_max = isFias(by) ? 1 : 3
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
      guests: Array.from({ length: 1 + Math.floor(random() * guests_max) }, aGuest),
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
    () => (isFias(by) ? arrive() : change(one, { guests: [...a.guests, aGuest()] })),
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

/** What a site sends of these keys: `told` is the house as it has been told, and becomes what it is. */
class FiasSite {
  private readonly reader = new FiasReader()
  private told: House = new Map()
  private readonly isRoomBased: boolean
  constructor(isRoomBased: boolean) {
    this.isRoomBased = isRoomBased
  }

  changes(house: House, keys: readonly string[]): Word[] {
    const moved = keys.filter((key) => {
      const [before, after] = [this.told.get(key), house.get(key)]
      return before && after && before.room !== after.room
    })
    // Who leaves a room is said first: of several at once, all ends and then all arrivals.
    const ends = this.isRoomBased ? moved.map((key) => this.end(key)) : []
    return this.words([...ends, ...keys.flatMap((key) => this.change(key, house.get(key)))])
  }
  /** All who are in house. */
  everybody(house: House): Word[] {
    this.told = new Map(house)
    const guests = [...house].map(([key, stay]) => `GI|${this.fields(key, stay)}SF|`)
    return this.words(['DS|', ...guests, 'DE|'])
  }

  private words(records: readonly string[]): Word[] {
    return records.flatMap((text) => {
      const record = recordIn(text)
      if (!record) throw new Error(`this is no record: ${text}`)
      return this.reader.words(record)
    })
  }
  private change(key: string, after: Stay | undefined): string[] {
    const before = this.told.get(key)
    if (!after) return before ? [this.end(key)] : []
    this.told.set(key, after)
    const fields = this.fields(key, after)
    if (!before) return [`GI|${fields}GS${this.others(key, after.room)}|`]
    if (before.room === after.room) return [`GC|${fields}`]
    return [`GC|${fields}GS${this.others(key, after.room)}|RO${before.room}|GS${this.others(key, before.room)}|`]
  }
  private end(key: string): string {
    const room = this.told.get(key)?.room ?? ''
    this.told.delete(key)
    return `GO|RN${room}|G#${key}|GS${this.others(key, room)}|`
  }
  /** Whether others are in the room. */
  private others(key: string, room: string): 'Y' | 'N' {
    return [...this.told].some(([other, stay]) => other !== key && stay.room === room) ? 'Y' : 'N'
  }
  private fields(key: string, { room, guests: [guest], departs_on }: Stay): string {
    const day = (value: string) => value.slice(2).replaceAll('-', '')
    const { last_name = '', first_name = '' } = guest ?? {}
    return `RN${room}|G#${key}|GN${last_name}|GF${first_name}|GA${day(today)}|GD${day(departs_on)}|`
  }
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
    const by = ways[round % ways.length] ?? 'words'
    const site = new FiasSite(by === 'rooms')
    const { id: property_id } = await foyer.property(editor, { time_zone: 'Atlantic/Reykjavik' })
    await foyer.rooms(editor, property_id, numbers[by])
    const { id } = await foyer.propertyInterface(editor, {
      property_interface_type_id: isFias(by) ? 1 : by === 'files' ? 6 : 5,
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
      const keys = happen(house, by, random, serial)
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
      if (isFias(by)) {
        // What was not told is told by a swap, as after a link that was cut; one without an end changes nothing.
        if (how < 0.75) await say(...site.changes(house, keys))
        else if (how < 0.9) await say(...site.everybody(house))
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
    await say(...(isFias(by) ? site.everybody(house) : [await everybody(new Date(clock))]))
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
