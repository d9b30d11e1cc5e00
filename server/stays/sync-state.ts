// Sync state: the last report of each stay, what was written of it, and its stored guests, read for many stays at once; and the writes
// that are decided and pending.
import type { Condition } from '#server/access/reach.ts'
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { constants } from '#contract/constants.ts'
import { stayDayRefusal } from '#contract/stay-days.ts'
import type { Scope } from '#server/access/tenancy.ts'

import type { Queue } from '#server/jobs/queue.ts'
import { ensureLink } from './property-link.ts'
import { isKey, roomKey, stays_max, type ReportedGuest, type ReportedStay, type StayUpdate } from './stay-updates.ts'

/** The interface whose updates are applied, and its settings for that. */
export interface SyncSource {
  interface_id: number
  property_id: number
  /** The package of the stays that it reports; null: they have none of their own. */
  package_id: number | null
  grace_minutes: number
  /** Whether reports of disputed bills and barred rooms count; absent: nothing of them is written. */
  checks_dispute?: boolean
}

export interface SyncResult {
  /** Guests who were not there before. */
  arrived: number[]
  /** Guests in another room, or under another package than before. */
  moved: number[]
  /** Sentences for the log of the link: what was done. */
  records: SyncRecord[]
  /** An update was about a stay that is not known well enough: updates were missed, and a snapshot is needed. */
  gap: boolean
  /** A snapshot would empty so many rooms that a person has to confirm it; nothing of it was written. */
  awaits_confirmation: { moves_out: number } | null
  /** What a person should look into although the other updates were applied, as a sentence. */
  doubt: string | null
}
export interface SyncRecord {
  sentence: string
  /** The sentence with guests' names. */
  personal: string | null
}

export const guestFields = ['last_name', 'first_name', 'email', 'mobile_number'] as const

export const stayFields = ['room', 'arrives_on', 'departs_on', 'until_time'] as const
export type StayField = (typeof stayFields)[number]

export type WrittenGuest = ReportedGuest & { id: number }
export interface WrittenStay {
  in: boolean
  room: string
  arrives_on: string | null
  departs_on: string | null
  until_time: string | null
  guests: WrittenGuest[]
}
export interface SyncedStay {
  id: number | null
  stay_key: string
  told: ReportedStay | null
  told_at: Date
  applied: WrittenStay | null
  leaves_at: Date | null
}
export interface StoredGuest extends ReportedGuest {
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
/** The room and the days that a further guest of a stay gets. */
export type Placement = Pick<StoredGuest, 'stay_id' | 'room_id' | 'arrives_on' | 'departs_on'>
/** A guest whom no system reports. */
export interface UnsyncedGuest extends Pick<ReportedGuest, 'last_name' | 'first_name'> {
  id: number
  room_id: number
  external_reference: string | null
}
/** A stay that is reported for the first time; it is inserted together with others. */
export interface NewStay {
  row: SyncedStay
  next: ReportedStay
  room: { id: number; number: string }
}
export interface Difference {
  room_guest_id: number | null
  field: string
  system: string | null
  ours: string | null
}

/** Changed columns of a guest. */
type GuestChanges = Partial<Record<'arrives_on' | 'departs_on', string | null>> & { room_id?: number }
/** Changed columns of a stay that the system reports in house. `in_dispute`: absent where that does not count. */
interface StayChanges {
  may_be_charged: boolean
  in_dispute?: boolean
  until_time?: string | null
}

/**
 * Writes that are decided and pending. A few statements write all of them (sync-write.ts): at the end, and before anything is decided of a
 * stay that has pending writes.
 */
export class PendingWrites {
  readonly newStays = new Map<SyncedStay, NewStay>()
  /** Guests who come back, by id. */
  readonly restored = new Set<number>()
  readonly guestChanges = new Map<number, GuestChanges>()
  readonly guestNames = new Map<number, ReportedGuest>()
  readonly checkedIn = new Set<number>()
  readonly checkedOut = new Set<number>()
  /** Stays, by id. */
  readonly stayChanges = new Map<number, StayChanges>()
  /** Checked-out guests whose stay is a no-show, by id. */
  readonly noShows = new Set<number>()
  readonly rows = new Set<SyncedStay>()
  readonly differences = new Map<SyncedStay, readonly Difference[]>()
  /** Stays that end after this grace, in seconds. */
  readonly departures = new Map<SyncedStay, number>()
  /** Stays whose queued departure is cancelled. */
  readonly cancelledDepartures = new Set<SyncedStay>()
  /** Already stored, with pending writes: must be flushed before being decided again. */
  private readonly touchedRows = new Set<SyncedStay>()
  private readonly touchedStays = new Set<number>()
  private readonly touchedGuests = new Set<number>()

  touch(row: SyncedStay, stored: readonly StoredGuest[]) {
    this.touchedRows.add(row)
    for (const { id, stay_id } of stored) {
      this.touchedGuests.add(id)
      if (stay_id !== null) this.touchedStays.add(stay_id)
    }
  }
  hasStay(row: SyncedStay) {
    return this.newStays.has(row) || this.touchedRows.has(row)
  }
  /** Guests whom the desk has entered together share a stay, also where the system has a stay for each. */
  hasGuest({ id, stay_id }: StoredGuest) {
    return this.touchedGuests.has(id) || (stay_id !== null && this.touchedStays.has(stay_id))
  }
}

/** Applies the updates of one interface, within one transaction. */
export class StaySync {
  readonly result: SyncResult = {
    arrived: [],
    moved: [],
    records: [],
    gap: false,
    awaits_confirmation: null,
    doubt: null,
  }
  readonly scope: Scope
  readonly queue: Queue
  readonly source: SyncSource
  today = ''
  leases = false
  makes_rooms = false
  in_house = 0
  /** The interface has reported stays of another property, which was its only one before. */
  was_elsewhere = false
  /** The number of a missing room that a person has accepted to be created. */
  accepted_room: string | null = null
  readonly rooms = new Map<string, { id: number; number: string }>()
  /** Synced stays by key; undefined: never reported. There is one object for each row, whichever way it was read. */
  readonly known = new Map<string, SyncedStay | undefined>()
  unsynced: UnsyncedGuest[] | undefined
  pending = new PendingWrites()
  /** Stored guests by id; undefined: there is no such guest. */
  private readonly guestsRead = new Map<number, StoredGuest | undefined>()
  /** `rooms` has all rooms of the property. */
  areRoomsRead = false
  /** Rooms of which every synced stay has been read. */
  private readonly roomsRead = new Set<string>()

  private constructor(scope: Scope, queue: Queue, source: SyncSource) {
    this.scope = scope
    this.queue = queue
    this.source = source
  }

  static async begin(scope: Scope, queue: Queue, source: SyncSource): Promise<StaySync> {
    const sync = new StaySync(scope, queue, source)
    const { interface_id, property_id } = source
    await ensureLink(scope, interface_id)
    await scope.lock('property_links', sql`t.property_interface_id = ${interface_id}`)
    const [property] = await scope.run(
      sql<Pick<StaySync, 'today' | 'leases' | 'makes_rooms' | 'in_house' | 'was_elsewhere'>>`
      select local_day(app_now(), t.time_zone)::text as today, t.sync_rooms_and_devices as makes_rooms,
        coalesce(t.property_type_id = any(${constants.leased_property_types}::integer[]), false) as leases, s.*
      from properties as t cross join lateral (
        select (count(*) filter (where s.told is not null))::integer as in_house,
          coalesce(bool_or(s.property_id <> t.id), false) as was_elsewhere
        from told_stays as s where s.property_interface_id = ${interface_id} and ${scope.inReach('told_stays', 's')}) as s
      where t.id = ${property_id} and ${scope.inReach('properties', 't')}`,
    )
    if (!property) throw new Error('the property of an interface is in its reach')
    Object.assign(sync, property)
    return sync
  }

  /** Reads at once what single updates would query one after the other. */
  async prepare(updates: readonly StayUpdate[]) {
    const keys = updates
      .flatMap((update) => (update.kind === 'all' ? keysOf(update) : 'stay_key' in update ? [update.stay_key] : []))
      .filter(isKey)
    if (keys.length < 2) return
    for (const key of keys) this.known.set(key, undefined)
    await this.rowsWhere(sql`t.stay_key = any(${keys})`)
    const rooms = await this.scope.run(sql<ColumnsOf<'rooms', 'id' | 'number'>>`
      select t.id, t.number from rooms as t where t.property_id = ${this.source.property_id} and ${this.scope.inReach('rooms', 't')}`)
    for (const room of rooms) this.rooms.set(roomKey(room.number), room)
    this.areRoomsRead = true
    await this.readRooms([...new Set(updates.flatMap(roomsVacatedBy).map(roomKey))])
    await this.readGuests([...this.known.values()])
  }
  private async readRooms(rooms: readonly string[]) {
    const unread = rooms.filter((room) => !this.roomsRead.has(room))
    if (unread.length === 0) return
    await this.rowsWhere(sql`lower(btrim(t.told ->> 'room')) = any(${unread})`)
    for (const room of unread) this.roomsRead.add(room)
  }
  /** Reads the guests of these stays at once, so that none is queried alone. */
  async readGuests(rows: readonly (SyncedStay | undefined)[]) {
    await this.guests(rows.flatMap((row) => row?.applied?.guests.map(({ id }) => id) ?? []))
  }

  /** The stays that the system reports in a room. */
  async inRoom(number: string): Promise<SyncedStay[]> {
    const room = roomKey(number)
    await this.readRooms([room])
    return [...this.known.values()].filter(
      (row) => row?.told != null && roomKey(row.told.room) === room,
    ) as SyncedStay[]
  }

  guestsOf(row: SyncedStay) {
    return this.guests(row.applied?.guests.map(({ id }) => id) ?? [])
  }
  /** Stored guests, also checked-out ones. Their rows are locked, so that what was read stays true until it is written. */
  async guests(ids: readonly number[]): Promise<StoredGuest[]> {
    const unread = ids.filter((id) => !this.guestsRead.has(id))
    if (unread.length > 0) {
      const those = sql<boolean>`t.id = any(${unread}) and t.property_id = ${this.source.property_id}
        and t.customer_id = ${this.scope.customer_id}`
      await this.scope.run(sql`select from room_guests as t where ${those} order by t.id for no key update`)
      const found = await this.scope.run(sql<StoredGuest>`
        select t.id, t.stay_id, t.room_id, coalesce(t.room_number, '') as room, t.last_name, t.first_name, t.email, t.mobile_number,
          to_char(t.arrives_on, 'YYYY-MM-DD') as arrives_on, to_char(t.departs_on, 'YYYY-MM-DD') as departs_on,
          to_char(s.until_time, 'HH24:MI') as until_time, t.checked_in_at is not null as checked_in, t.deleted_at is not null as gone
        from room_guests as t left join stays as s on s.customer_id = t.customer_id and s.id = t.stay_id
        where ${those}`)
      for (const id of unread) this.guestsRead.set(id, undefined)
      for (const one of found) this.guestsRead.set(one.id, one)
    }
    return ids
      .toSorted((one, other) => one - other)
      .map((id) => this.guestsRead.get(id))
      .filter((one) => one !== undefined)
  }
  /** Drops guests from the cache once they, or those who share their stays, were written. */
  forget(which: (stored: StoredGuest) => boolean) {
    for (const [id, stored] of this.guestsRead) if (stored && which(stored)) this.guestsRead.delete(id)
  }

  /** Guests whom no active interface reports. Stays of a removed or disabled one do not count, unless their departure is queued. */
  async unsyncedGuests() {
    if (this.unsynced) return this.unsynced
    const { property_id, interface_id } = this.source
    const told = await this.scope.run(sql<{ id: number }>`
      select (g.guest ->> 'id')::integer as id from told_stays as t
      join property_interfaces as i on i.customer_id = t.customer_id and i.id = t.property_interface_id
      cross join lateral jsonb_array_elements(t.applied -> 'guests') as g(guest)
      where t.property_id = ${property_id} and (t.property_interface_id = ${interface_id} or t.leaves_at is not null
        or (i.active and i.deleted_at is null)) and ${this.scope.inReach('told_stays', 't')}`)
    const ids = new Set(told.map(({ id }) => id))
    const guests = await this.scope.run(sql<UnsyncedGuest>`
      select t.id, t.room_id, t.external_reference, t.last_name, t.first_name from room_guests as t
      where t.property_id = ${property_id} and ${this.scope.inReach('room_guests', 't')} order by t.id`)
    return (this.unsynced = guests.filter(({ id }) => !ids.has(id)))
  }

  newRow(stay_key: string): SyncedStay {
    const row: SyncedStay = { id: null, stay_key, told: null, told_at: new Date(0), applied: null, leaves_at: null }
    this.known.set(stay_key, row)
    return row
  }
  async row(stay_key: string): Promise<SyncedStay | undefined> {
    if (this.known.has(stay_key)) return this.known.get(stay_key)
    return (await this.rowsWhere(sql`t.stay_key = ${stay_key}`))[0]
  }
  async rowsWhere(where: Condition): Promise<SyncedStay[]> {
    const rows = await this.scope.run(sql<
      Omit<SyncedStay, 'told_at' | 'leaves_at'> & { told_at: string; leaves_at: string | null }
    >`
      select t.id, t.stay_key, t.told, t.told_at, t.applied, t.leaves_at from told_stays as t
      where t.property_interface_id = ${this.source.interface_id} and ${where} and ${this.scope.inReach('told_stays', 't')}
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
  /** Stores the synced stay, with its differences from what the desk has entered; absent: they stay as they are. */
  save(row: SyncedStay, differences?: readonly Difference[]) {
    this.pending.rows.add(row)
    if (differences) this.pending.differences.set(row, differences)
  }

  record(sentence: string, guests: readonly ReportedGuest[] = []) {
    const names = guests.map(wholeName).filter((name) => name !== '')
    this.result.records.push({ sentence, personal: names.length > 0 ? `${sentence}: ${names.join(', ')}` : null })
  }

  isDay = (day: string) =>
    /^\d{4}-\d\d-\d\d$/.test(day) &&
    !Number.isNaN(Date.parse(day)) &&
    stayDayRefusal(day, this.today, this.leases) === null
}

export const reportedNames = ({ last_name, first_name, email, mobile_number }: ReportedGuest): ReportedGuest => ({
  last_name,
  first_name,
  email,
  mobile_number,
})
export const wholeName = ({ first_name, last_name }: Pick<ReportedGuest, 'first_name' | 'last_name'>) =>
  [first_name, last_name].filter(Boolean).join(' ')
/** The present guests of a synced stay, by stored stay: the desk may have given some of them another room or other days. */
export const staysThere = ({ guests }: WrittenStay, stored: readonly StoredGuest[]): StoredGuest[][] => {
  const there = guests.flatMap(({ id }) => stored.find((one) => one.id === id && !one.gone) ?? [])
  return [...Map.groupBy(there, ({ stay_id }) => stay_id).values()]
}

/** A snapshot that is too long is not applied, so that nothing is read for it. */
const keysOf = ({ stays }: Extract<StayUpdate, { kind: 'all' }>) =>
  stays.length > stays_max ? [] : stays.map(({ stay_key }) => stay_key)
const roomsVacatedBy = (update: StayUpdate): string[] => {
  if (update.kind === 'vacated') return [update.room]
  if (update.kind !== 'stay') return []
  const { room } = update.fields
  return [
    ...(update.alone && room !== undefined ? [room] : []),
    ...(update.vacated_room == null ? [] : [update.vacated_room]),
  ]
}
