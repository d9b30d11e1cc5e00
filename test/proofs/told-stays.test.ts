// Told stays: however a property's system tells what happens in the house (moves, swaps, sharers, corrections, doubled, late, as a whole
// list that is cut off or complete, by a clock that is set back; each schedule by webhooks, by files, and by FIAS as guest-based and as
// room-based sites write it), in the end the house is the same as in a plain model of it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerOfJob } from '#server/access/principal.ts'
import { sheetOfCsv } from '#server/imports/spreadsheets/csv.ts'
import { check, likeness } from '#server/imports/rooms.ts'
import { FiasReader, recordIn } from '#server/property-systems/fias/translation.ts'
import { fileDrop } from '#server/property-systems/file-drop/kind.ts'
import { receiveUpdates, receivePending, lastUpdateAt } from '#server/property-systems/receive-updates.ts'
import { interfaceOf } from '#server/property-systems/interfaces.ts'
import { knownStays } from '#server/property-systems/stay-keys.ts'
import { webhook } from '#server/property-systems/webhook/kind.ts'
import type { ListedRoom } from '#server/property-systems/kind.ts'
import type { StayUpdate } from '#server/stays/stay-updates.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { chance, full } from './proof.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer({ env: { REQUESTS_PER_MINUTE: '1000000' } })
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

/** `guests` and `rooms`: by FIAS, where a move is one record of the guest, or an end and an arrival. */
const ways = ['webhooks', 'files', 'guests', 'rooms'] as const
type Way = (typeof ways)[number]
const types: Record<Way, number> = { webhooks: 5, files: 6, guests: 1, rooms: 1 }
const rounds = full ? 1000 : 3
const [steps_min, steps_max] = [4, 14]
const rooms = ['1', '2', '3', '08', '4', '5', 'A6', '7']
/** A list that has both a 04 and a 4 is asked about, so only the other ways have both. */
const numberAt = (by: Way, room: string) => (room === '08' && by !== 'files' ? '04' : room)
const surnames = ['Hart', 'Weber', "O'Neil", 'de la Cruz', 'Ødegård', '山田', 'Hart']

interface Guest {
  /** In FIAS each guest has a reservation of their own. */
  serial: number
  last_name: string
  first_name: string
}
interface Stay {
  room: string
  guests: Guest[]
  departs_on: string
}
/** The house as it is: stays by key. */
type House = ReadonlyMap<string, Stay>
/** What has happened: the house after it, and the keys that are to be told of. */
interface Step {
  house: House
  keys: readonly string[]
}

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const today = day(0)
const linesOf = (house: House, by: Way) =>
  [...house]
    .flatMap(([key, { room, guests, departs_on }]) =>
      guests.map(({ last_name, first_name, serial }) => {
        const its = isFias(by) ? reservationOf(key, serial) : key
        return `${numberAt(by, room)} | ${first_name} ${last_name} | ${departs_on} | ${its}`
      }),
    )
    .toSorted()
const isFias = (by: Way) => by === 'guests' || by === 'rooms'
const reservationOf = (key: string, serial: number) => `${key}.${serial}`

/** What happens in a house, step by step. */
function scheduleOf(random: () => number): Step[] {
  const house = new Map<string, Stay>()
  let last = 0
  const serial = () => ++last
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const aGuest = (): Guest => ({ serial: serial(), last_name: pick(surnames), first_name: `G${serial()}` })
  const change = (key: string, values: Partial<Stay>) => {
    house.set(key, { ...(house.get(key) as Stay), ...values })
    return [key]
  }
  const arrive = () => {
    const key = `K${serial()}`
    const guests = Array.from({ length: 1 + Math.floor(random() * 3) }, aGuest)
    house.set(key, { room: pick(rooms), guests, departs_on: day(1 + Math.floor(random() * 9)) })
    return [key]
  }
  function happen(): string[] {
    const keys = [...house.keys()]
    const [one, other] = [pick(keys), pick(keys)]
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
  return Array.from({ length: steps_min + Math.floor(random() * (steps_max - steps_min + 1)) }, () => {
    const keys = happen()
    return { house: new Map(house), keys }
  })
}

/** The list as a system exports it, read as a file is, without a process of its own. */
function listOf(house: House, property_id: number): ListedRoom[] {
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

/** One reservation in FIAS. */
interface Booked {
  room: string
  guest: Guest
  departs_on: string
}
/** What a site sends: `told` are the reservations as they have been told, and become what they are. */
class FiasSite {
  private readonly by: Way
  private readonly random: () => number
  private reader = new FiasReader()
  private told = new Map<string, Booked>()
  constructor(by: Way, random: () => number) {
    this.by = by
    this.random = random
  }

  /** The link is cut, and comes up on a node whose clock is another one. */
  async relink(last_told: () => Promise<number>, clock_ms: number) {
    this.reader = new FiasReader(await last_told(), () => Date.now() + clock_ms)
  }
  changes({ house, keys }: Step): StayUpdate[] {
    const booked = this.booked(house)
    const ours = new Set(keys)
    const those = [...new Set([...this.told.keys(), ...booked.keys()])].filter((key) =>
      ours.has(key.split('.')[0] ?? ''),
    )
    const moved = those.filter((key) => {
      const [before, after] = [this.told.get(key), booked.get(key)]
      return before && after && before.room !== after.room
    })
    // Of several at once some sites say all ends and then all arrivals, others each end with its arrival.
    const inPairs = this.random() < 0.5
    const ends = this.by === 'rooms' && !inPairs ? moved.map((key) => this.end(key)) : []
    const records = those.flatMap((key) => [
      ...(this.by === 'rooms' && inPairs && moved.includes(key) ? [this.end(key)] : []),
      ...this.change(key, booked.get(key)),
    ])
    return this.updates([...ends, ...records])
  }
  /** All who are in house; cut off after so many. */
  everybody(house: House, cut?: number): StayUpdate[] {
    const booked = this.booked(house)
    const guests = [...booked].map(([key, one]) => `GI|${this.fields(key, one)}SF|`)
    if (cut !== undefined) return this.updates(['DS|', ...guests.slice(0, cut)])
    this.told = booked
    return this.updates(['DS|', ...guests, 'DE|'])
  }

  private booked(house: House): Map<string, Booked> {
    return new Map(
      [...house].flatMap(([key, { room, guests, departs_on }]) =>
        guests.map((guest) => [reservationOf(key, guest.serial), { room: numberAt(this.by, room), guest, departs_on }]),
      ),
    )
  }
  /** Now and then a record comes twice. */
  private updates(records: readonly string[]): StayUpdate[] {
    const sent = records.flatMap((text) => (this.random() < 0.1 && !text.startsWith('D') ? [text, text] : [text]))
    return sent.flatMap((text) => {
      const record = recordIn(text)
      if (!record) throw new Error(`this is no record: ${text}`)
      return this.reader.updates(record)
    })
  }
  private change(key: string, after: Booked | undefined): string[] {
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
    return [...this.told].some(([other, one]) => other !== key && one.room === room) ? 'Y' : 'N'
  }
  private fields(key: string, { room, guest: { last_name, first_name }, departs_on }: Booked): string {
    const day = (value: string) => value.slice(2).replaceAll('-', '')
    return `RN${room}|G#${key}|GN${last_name}|GF${first_name}|GA${day(today)}|GD${day(departs_on)}|`
  }
}

const dataOf = (stay_key: string, { room, guests, departs_on }: Stay) => ({
  stay_key,
  room: numberAt('webhooks', room),
  guests: guests.map(({ last_name, first_name }) => ({ last_name, first_name })),
  arrives_on: today,
  departs_on,
})
/** What is posted, read as a webhook is. */
function posted(body: object): StayUpdate[] {
  const read = webhook.hook?.read(body)
  if (!read || !('updates' in read)) throw new Error(`it is refused: ${JSON.stringify(read)}`)
  return read.updates
}

/** Tells one schedule, and answers how many updates that took. */
async function tellBy(by: Way, schedule: readonly Step[], random: () => number): Promise<number> {
  const { tenancy, queue } = foyer.services
  const enter = <R>(work: Parameters<typeof tenancy.enter<R>>[2]) =>
    tenancy.enter(callerOfJob(editor.user.customer.id, 'test'), 'write', work)
  const { id: property_id } = await foyer.property(editor, { time_zone: 'Atlantic/Reykjavik' })
  await foyer.rooms(
    editor,
    property_id,
    rooms.map((room) => numberAt(by, room)),
  )
  const { id } = await foyer.propertyInterface(editor, {
    property_interface_type_id: types[by],
    owner_type: 'Property',
    owner_id: property_id,
    settings: {
      grace_minutes: 0,
      ...(by === 'webhooks' && { signing_secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` }),
    },
  })
  let updates_told = 0
  const tell = (...updates: StayUpdate[]) =>
    enter(async (scope) => {
      const of = await interfaceOf(scope, id)
      if (!of) throw new Error('it is there')
      updates_told += updates.length
      const result = await receiveUpdates(scope, queue, of, updates)
      if (result?.awaits_confirmation) await receivePending(scope, queue, of, result.awaits_confirmation.moves_out)
    })
  const last_told = () => enter((scope) => lastUpdateAt(scope, id))
  let clock = Date.now() - 3_600_000
  const occurred_at = () => new Date((clock += 10)).toISOString()
  const allPosted = (house: House) =>
    posted({ type: 'stays.all', occurred_at: occurred_at(), data: [...house].map(([key, stay]) => dataOf(key, stay)) })
  const listed = async (house: House): Promise<StayUpdate> => {
    const known = await enter((scope) => knownStays(scope, id))
    return {
      kind: 'all',
      at: new Date((clock += 10)),
      stays: fileDrop.files?.stays(listOf(house, property_id), known) ?? [],
    }
  }
  const site = new FiasSite(by, random)
  const said: StayUpdate[] = []
  /** Sent, and not read yet: what is read within one moment is taken in at once. */
  const sent: StayUpdate[] = []
  const read = () => tell(...sent.splice(0))
  for (const step of schedule) {
    const { house, keys } = step
    const how = random()
    if (by === 'files') {
      // A night without a file now and then: the next one says it all.
      if (how < 0.85) await tell(await listed(house))
    } else if (isFias(by)) {
      // What was not told is told by a swap, as after a link that was cut; one without an end changes nothing.
      if (how < 0.75) sent.push(...site.changes(step))
      else if (how < 0.9) sent.push(...site.everybody(house))
      if (random() < 0.7) await read()
      if (random() < 0.1) {
        sent.push(...site.everybody(house, Math.floor(random() * 4)))
        await read()
        await site.relink(last_told, (random() - 0.5) * 7_200_000)
      }
    } else {
      const updates = keys.flatMap((stay_key): StayUpdate[] => {
        const stay = house.get(stay_key)
        return stay
          ? posted({ type: 'stay.changed', occurred_at: occurred_at(), data: dataOf(stay_key, stay) })
          : posted({ type: 'stay.ended', occurred_at: occurred_at(), data: { stay_key } })
      })
      // Told at once, not at all (the whole list says so later), or only as the whole list.
      if (how < 0.75) await tell(...updates)
      else if (how < 0.85) await tell(...allPosted(house))
      said.push(...(how < 0.85 ? updates : []))
      // Doubled, or late: what was said before is said again.
      const former = said[Math.floor(random() * said.length)]
      if (former && random() < 0.3) await tell(former)
      if (random() < 0.1) {
        // Cut off: the transaction never ends, and nothing of it was said.
        await enter(async (scope) => {
          const of = await interfaceOf(scope, id)
          if (of) await receiveUpdates(scope, queue, of, allPosted(new Map()))
          throw new Error('cut off')
        }).catch(() => {})
      }
    }
  }
  const house: House = schedule.at(-1)?.house ?? new Map()
  await read()
  await tell(...(isFias(by) ? site.everybody(house) : by === 'files' ? [await listed(house)] : allPosted(house)))
  const rows = await foyer.query<{ line: string }>(
    `select g.room_number || ' | ' || g.name || ' | ' || g.departs_on || ' | ' || s.stay_key as line
     from room_guests g join stays s on s.id = g.stay_id and s.room_id = g.room_id and s.deleted_at is null
     where g.property_id = $1 and g.deleted_at is null`,
    [property_id],
  )
  expect(rows.map(({ line }) => line).toSorted(), by).toEqual(linesOf(house, by))
  const left = await foyer.query('select * from stay_differences where property_id = $1', [property_id])
  expect(left, by).toEqual([])
  return updates_told
}

test(
  `${rounds} schedules, told in four ways, end in the house of the model`,
  {
    timeout: 60_000 + rounds * 40_000,
  },
  async ({ task }) => {
    let [steps, updates_told] = [0, 0]
    for (let round = 0; round < rounds; round++) {
      const schedule = scheduleOf(chance(round * 10))
      steps += schedule.length
      const told = ways.map((by, at) => tellBy(by, schedule, chance(round * 10 + 1 + at)))
      try {
        for (const updates of await Promise.all(told)) updates_told += updates
      } catch (error) {
        await Promise.allSettled(told)
        throw new Error(`schedule ${round}`, { cause: error })
      }
      if (full && round % 50 === 0) console.log(`${new Date().toISOString().slice(11, 19)} schedule ${round}`)
    }
    expect(updates_told).toBeGreaterThan(0)
    task.meta.figures = `${rounds} schedules of ${steps} steps, each told in ${ways.length} ways by ${updates_told} updates`
  },
)
