// Told rows: what a system has last said of each stay, what was written of it, and the guests it became, read for many stays at once; and
// what was decided of them and is not written yet.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { constants } from '#contract/constants.ts'
import { stayDayRefusal } from '#contract/stay-days.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Condition } from '#server/entities/entity.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { ensureLink } from './property-link.ts'
import { isKey, roomKey, stays_max, type ToldGuest, type ToldStay, type Word } from './words.ts'

/** The interface that speaks, and what it is told to do with what it hears. */
export interface Teller {
  interface_id: number
  property_id: number
  /** Of the stays that it brings; null: as without it. */
  package_id: number | null
  grace_minutes: number
  /** Whether what is said of bills and barred rooms counts; absent: nothing of it is written. */
  checks_dispute?: boolean
}

export interface Heard {
  /** Guests who were not there before. */
  arrived: number[]
  /** Guests in another room, or under another package than before. */
  moved: number[]
  /** In words: what was done. */
  records: TellerRecord[]
  /** Something was said of a stay that was never told: our own record has a gap. */
  gap: boolean
  /** A whole list that would empty so many rooms that a person has to look; nothing of it was written. */
  waits: { moves_out: number } | null
  /** What a person should look into although the rest was taken in, as a sentence. */
  doubt: string | null
}
export interface TellerRecord {
  sentence: string
  /** The same with names. */
  personal: string | null
}

export const guestFields = ['last_name', 'first_name', 'email', 'mobile_number'] as const

export const stayFields = ['room', 'arrives_on', 'departs_on', 'until_time'] as const
export type StayField = (typeof stayFields)[number]

export type AppliedGuest = ToldGuest & { id: number }
export interface Applied {
  in: boolean
  room: string
  arrives_on: string | null
  departs_on: string | null
  until_time: string | null
  guests: AppliedGuest[]
}
export interface Row {
  id: number | null
  stay_key: string
  told: ToldStay | null
  told_at: Date
  applied: Applied | null
  leaves_at: Date | null
}
export interface Ours extends ToldGuest {
  id: number
  stay_id: number | null
  room_id: number
  room: string
  arrives_on: string | null
  departs_on: string | null
  until_time: string | null
  checked_in: boolean
  gone: boolean
}
/** Where a further guest of a stay is, and until when. */
export type Host = Pick<Ours, 'stay_id' | 'room_id' | 'arrives_on' | 'departs_on'>
/** A guest of whom no system tells. */
export interface Untold extends Pick<ToldGuest, 'last_name' | 'first_name'> {
  id: number
  room_id: number
  external_reference: string | null
}
/** A stay that nothing is known of, and that is written with others of the same moment. */
export interface Arrival {
  row: Row
  next: ToldStay
  room: { id: number; number: string }
}
export interface Difference {
  room_guest_id: number | null
  field: string
  system: string | null
  ours: string | null
}

/** Of a guest, as columns. */
export type GuestDays = Partial<Record<'arrives_on' | 'departs_on', string | null>> & { room_id?: number }
/** Of a stay that is in house by the system's word. `in_dispute`: absent where that does not count. */
export interface StayNews {
  may_be_charged: boolean
  in_dispute?: boolean
  until_time?: string | null
}

/**
 * What was decided of stays within one moment. It is written by a few statements however many they are (told-writing.ts): before anything
 * is decided of a stay of which something else is not written, and at the end.
 */
export class Unwritten {
  readonly arrivals = new Map<Row, Arrival>()
  /** Guests, by id. */
  readonly back = new Set<number>()
  readonly days = new Map<number, GuestDays>()
  readonly names = new Map<number, ToldGuest>()
  readonly come = new Set<number>()
  readonly gone = new Set<number>()
  /** Stays, by id. */
  readonly news = new Map<number, StayNews>()
  /** Of those who are gone, by id. */
  readonly no_shows = new Set<number>()
  readonly rows = new Set<Row>()
  readonly differences = new Map<Row, readonly Difference[]>()
  /** In seconds. */
  readonly departures = new Map<Row, number>()
  /** Of whom a departure was told before. */
  readonly staying = new Set<Row>()
  /** Of these the database says what was. */
  private readonly touchedRows = new Set<Row>()
  private readonly touchedStays = new Set<number>()
  private readonly touchedGuests = new Set<number>()

  touch(row: Row, ours: readonly Ours[]) {
    this.touchedRows.add(row)
    for (const { id, stay_id } of ours) {
      this.touchedGuests.add(id)
      if (stay_id !== null) this.touchedStays.add(stay_id)
    }
  }
  isOf(row: Row) {
    return this.arrivals.has(row) || this.touchedRows.has(row)
  }
  /** Guests whom the desk has entered together share a stay, also where the system knows each apart. */
  isOfGuest({ id, stay_id }: Ours) {
    return this.touchedGuests.has(id) || (stay_id !== null && this.touchedStays.has(stay_id))
  }
}

/** One interface that speaks, within a transaction. */
export class Telling {
  readonly heard: Heard = { arrived: [], moved: [], records: [], gap: false, waits: null, doubt: null }
  readonly scope: Scope
  readonly queue: Queue
  readonly teller: Teller
  today = ''
  leases = false
  makes_rooms = false
  in_house = 0
  /** It has told of another property, which was its only one before. */
  was_elsewhere = false
  /** What a person has accepted to be made. */
  room_wanted: string | null = null
  readonly rooms = new Map<string, { id: number; number: string }>()
  /** By key; undefined: nothing was ever told of it. One object a row, whichever way it was read. */
  readonly known = new Map<string, Row | undefined>()
  untold: Untold[] | undefined
  unwritten = new Unwritten()
  /** By id; undefined: there is no such guest. */
  private readonly read = new Map<number, Ours | undefined>()
  /** `rooms` has all of them. */
  knowsRooms = false
  /** Rooms of which every stay is known. */
  private readonly roomsRead = new Set<string>()

  private constructor(scope: Scope, queue: Queue, teller: Teller) {
    this.scope = scope
    this.queue = queue
    this.teller = teller
  }

  static async begin(scope: Scope, queue: Queue, teller: Teller): Promise<Telling> {
    const telling = new Telling(scope, queue, teller)
    const { interface_id, property_id } = teller
    await ensureLink(scope, interface_id)
    await scope.lock('property_links', sql`t.property_interface_id = ${interface_id}`)
    const [property] = await scope.run(
      sql<Pick<Telling, 'today' | 'leases' | 'makes_rooms' | 'in_house' | 'was_elsewhere'>>`
      select local_day(app_now(), t.time_zone)::text as today, t.sync_rooms_and_devices as makes_rooms,
        coalesce(t.property_type_id = any(${constants.leased_property_types}::integer[]), false) as leases, s.*
      from properties as t cross join lateral (
        select (count(*) filter (where s.told is not null))::integer as in_house,
          coalesce(bool_or(s.property_id <> t.id), false) as was_elsewhere
        from told_stays as s where s.property_interface_id = ${interface_id} and ${scope.inReach('told_stays', 's')}) as s
      where t.id = ${property_id} and ${scope.inReach('properties', 't')}`,
    )
    if (!property) throw new Error('the property of an interface is in its reach')
    Object.assign(telling, property)
    return telling
  }

  /** Reads at once what single words would ask for one after the other. */
  async prepare(words: readonly Word[]) {
    const keys = words
      .flatMap((word) => (word.kind === 'all' ? keysOf(word) : 'stay_key' in word ? [word.stay_key] : []))
      .filter(isKey)
    if (keys.length < 2) return
    for (const key of keys) this.known.set(key, undefined)
    await this.rowsWhere(sql`t.stay_key = any(${keys})`)
    const rooms = await this.scope.run(sql<ColumnsOf<'rooms', 'id' | 'number'>>`
      select t.id, t.number from rooms as t where t.property_id = ${this.teller.property_id} and ${this.scope.inReach('rooms', 't')}`)
    for (const room of rooms) this.rooms.set(roomKey(room.number), room)
    this.knowsRooms = true
    await this.readRooms([...new Set(words.flatMap(roomsEmptiedBy).map(roomKey))])
    await this.readGuests([...this.known.values()])
  }
  private async readRooms(rooms: readonly string[]) {
    const unread = rooms.filter((room) => !this.roomsRead.has(room))
    if (unread.length === 0) return
    await this.rowsWhere(sql`lower(btrim(t.told ->> 'room')) = any(${unread})`)
    for (const room of unread) this.roomsRead.add(room)
  }
  /** So that none of them is read alone. */
  async readGuests(rows: readonly (Row | undefined)[]) {
    await this.guests(rows.flatMap((row) => row?.applied?.guests.map(({ id }) => id) ?? []))
  }

  /** The stays that are told to be in a room. */
  async inRoom(number: string): Promise<Row[]> {
    const room = roomKey(number)
    await this.readRooms([room])
    return [...this.known.values()].filter((row) => row?.told != null && roomKey(row.told.room) === room) as Row[]
  }

  ours(row: Row) {
    return this.guests(row.applied?.guests.map(({ id }) => id) ?? [])
  }
  /** Also those who have been checked out. They are held, so that what was read of them is true until we write something of them. */
  async guests(ids: readonly number[]): Promise<Ours[]> {
    const unread = ids.filter((id) => !this.read.has(id))
    if (unread.length > 0) {
      const those = sql<boolean>`t.id = any(${unread}) and t.property_id = ${this.teller.property_id}
        and t.customer_id = ${this.scope.customer_id}`
      await this.scope.run(sql`select from room_guests as t where ${those} order by t.id for no key update`)
      const found = await this.scope.run(sql<Ours>`
        select t.id, t.stay_id, t.room_id, coalesce(t.room_number, '') as room, t.last_name, t.first_name, t.email, t.mobile_number,
          to_char(t.arrives_on, 'YYYY-MM-DD') as arrives_on, to_char(t.departs_on, 'YYYY-MM-DD') as departs_on,
          to_char(s.until_time, 'HH24:MI') as until_time, t.checked_in_at is not null as checked_in, t.deleted_at is not null as gone
        from room_guests as t left join stays as s on s.customer_id = t.customer_id and s.id = t.stay_id
        where ${those}`)
      for (const id of unread) this.read.set(id, undefined)
      for (const one of found) this.read.set(one.id, one)
    }
    return ids
      .toSorted((one, other) => one - other)
      .map((id) => this.read.get(id))
      .filter((one) => one !== undefined)
  }
  /** Something was written of them, and so maybe of those who share their stays. */
  forget(which: (ours: Ours) => boolean) {
    for (const [id, ours] of this.read) if (ours && which(ours)) this.read.delete(id)
  }

  /** What an interface has told that is gone, or disabled, counts no more, but for departures that are about to take effect. */
  async untoldGuests() {
    if (this.untold) return this.untold
    const { property_id, interface_id } = this.teller
    const told = await this.scope.run(sql<{ id: number }>`
      select (g.guest ->> 'id')::integer as id from told_stays as t
      join property_interfaces as i on i.customer_id = t.customer_id and i.id = t.property_interface_id
      cross join lateral jsonb_array_elements(t.applied -> 'guests') as g(guest)
      where t.property_id = ${property_id} and (t.property_interface_id = ${interface_id} or t.leaves_at is not null
        or (i.active and i.deleted_at is null)) and ${this.scope.inReach('told_stays', 't')}`)
    const ids = new Set(told.map(({ id }) => id))
    const guests = await this.scope.run(sql<Untold>`
      select t.id, t.room_id, t.external_reference, t.last_name, t.first_name from room_guests as t
      where t.property_id = ${property_id} and ${this.scope.inReach('room_guests', 't')} order by t.id`)
    return (this.untold = guests.filter(({ id }) => !ids.has(id)))
  }

  newRow(stay_key: string): Row {
    const row: Row = { id: null, stay_key, told: null, told_at: new Date(0), applied: null, leaves_at: null }
    this.known.set(stay_key, row)
    return row
  }
  async row(stay_key: string): Promise<Row | undefined> {
    if (this.known.has(stay_key)) return this.known.get(stay_key)
    return (await this.rowsWhere(sql`t.stay_key = ${stay_key}`))[0]
  }
  async rowsWhere(where: Condition): Promise<Row[]> {
    const rows = await this.scope.run(sql<
      Omit<Row, 'told_at' | 'leaves_at'> & { told_at: string; leaves_at: string | null }
    >`
      select t.id, t.stay_key, t.told, t.told_at, t.applied, t.leaves_at from told_stays as t
      where t.property_interface_id = ${this.teller.interface_id} and ${where} and ${this.scope.inReach('told_stays', 't')}
      order by t.id`)
    return rows.map((row) => {
      const known = this.known.get(row.stay_key)
      if (known) return known
      const read = {
        ...row,
        told_at: new Date(row.told_at),
        leaves_at: row.leaves_at === null ? null : new Date(row.leaves_at),
      }
      this.known.set(row.stay_key, read)
      return read
    })
  }
  /** What was told of it is kept, and in what the desk has said otherwise; absent: as it was. */
  save(row: Row, differences?: readonly Difference[]) {
    this.unwritten.rows.add(row)
    if (differences) this.unwritten.differences.set(row, differences)
  }

  record(sentence: string, guests: readonly ToldGuest[] = []) {
    const names = guests.map(wholeName).filter((name) => name !== '')
    this.heard.records.push({ sentence, personal: names.length > 0 ? `${sentence}: ${names.join(', ')}` : null })
  }

  isDay = (day: string) =>
    /^\d{4}-\d\d-\d\d$/.test(day) &&
    !Number.isNaN(Date.parse(day)) &&
    stayDayRefusal(day, this.today, this.leases) === null
}

export const namesOf = ({ last_name, first_name, email, mobile_number }: ToldGuest): ToldGuest => ({
  last_name,
  first_name,
  email,
  mobile_number,
})
export const wholeName = ({ first_name, last_name }: Pick<ToldGuest, 'first_name' | 'last_name'>) =>
  [first_name, last_name].filter(Boolean).join(' ')
/** Who is there of a told stay, by stays: the desk may have given some of them another room or other days. */
export const staysThere = ({ guests }: Applied, ours: readonly Ours[]): Ours[][] => {
  const there = guests.flatMap(({ id }) => ours.find((one) => one.id === id && !one.gone) ?? [])
  return [...Map.groupBy(there, ({ stay_id }) => stay_id).values()]
}

/** A list that is too long is not taken in, whatever is known of it. */
const keysOf = ({ stays }: Extract<Word, { kind: 'all' }>) =>
  stays.length > stays_max ? [] : stays.map(({ stay_key }) => stay_key)
const roomsEmptiedBy = (word: Word): string[] => {
  if (word.kind === 'emptied') return [word.room]
  if (word.kind !== 'stay') return []
  const { room } = word.says
  return [...(word.alone && room !== undefined ? [room] : []), ...(word.emptied == null ? [] : [word.emptied])]
}
