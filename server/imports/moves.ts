// Moves: who moves in, stays and moves out according to a list of rooms. They are reported before anything is written, then applied.
import { addDays } from '#contract/days.ts'
import { sql } from 'kysely'
import type { Parsed } from '#contract/endpoint.ts'
import type * as contract from '#contract/imports.ts'
import type { z } from 'zod'
import { clash, forbidden } from '#server/errors/refused.ts'
import type { Caller } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Person } from '#server/imports/definition.ts'
import type { ImportRequest, Compared } from '#server/imports/engine.ts'
import { imagesOf, storeImages, removeAndKeep } from '#server/imports/record-images.ts'
import type { ImportRecord } from '#server/imports/records.ts'
import { daysAsText, isExpected, stayIs } from '#server/stays/in-house.ts'
import { leaveOn } from '#server/stays/listed-guests.ts'
import { guestsInRecord, importedGuests } from './imported-guests.ts'

type Mode = Parsed<typeof contract.rooms>['mode']
type Result = z.output<typeof contract.RoomImportResult>
type Mover = Result['moves_in']['rows'][number]

export interface RoomImportRequest extends ImportRequest {
  mode: Mode
  confirm_moves_out: number | null
  moves: Moves
}

/** A caller without the right to check guests out cannot do so by a list either. */
export function refuseWithoutRight({ can }: Caller, mode: Mode) {
  if (mode !== 'add' && can['room_guests']?.includes('delete') !== true) throw forbidden()
}

/** How many of each are reported by name. */
const listed_max = 1000
/** Guests read at once, and guests changed in one statement. */
const read_at_once = 5000
const changed_at_once = 500

class Movers {
  count = 0
  readonly rows: Mover[] = []
  add(mover: Mover) {
    this.count++
    if (this.rows.length < listed_max) this.rows.push(mover)
  }
  get summary() {
    return { count: this.count, rows: this.rows.toSorted((one, other) => byRoom.compare(one.room, other.room)) }
  }
}
const byRoom = new Intl.Collator('en', { numeric: true })

interface GuestThere {
  id: number
  room_id: number
  room: string
  name: string
  arrives_on: string | null
  departs_on: string | null
  /** Has not arrived yet, and is due on a later day. */
  expected: boolean
  /** Should have left before today. */
  overdue: boolean
}

const nameOf = ({ first_name, last_name }: Person) => [first_name, last_name].filter(Boolean).join(' ').trim()

export class Moves {
  private readonly moves_in = new Movers()
  private readonly stays = new Movers()
  private readonly moves_out = new Movers()
  private readonly leave_by_then = new Movers()
  private today: string | undefined
  private readonly staying = new Set<number>()
  /** Rooms that the list names; those of them that have, or will have, guests; those whose guests are left alone. */
  private readonly named = new Set<number>()
  private readonly peopled = new Set<number>()
  private readonly doubtful = new Set<number>()
  private come_later = 0
  private begins_on: string | null = null
  private readonly out_now: number[] = []
  private readonly out_later: number[] = []
  private readonly left_by_room = new Map<number, number>()
  private rooms_emptied = 0
  private confirmation_needed = false
  readonly notes: string[] = []

  /** Takes in the valid records of a chunk. */
  async gather(scope: Scope, records: ImportRecord[], found: Compared['found'], { property_id }: ImportRequest) {
    const today = await this.dayOf(scope, property_id)
    const people = records.flatMap((record) => {
      const room_id = found.get(record.row)?.id ?? null
      const guests = guestsInRecord({ record })
      if (room_id !== null) {
        this.named.add(room_id)
        if (guests.length > 0) this.peopled.add(room_id)
        if (record['left_out'] === 'guests') this.doubtful.add(room_id)
      }
      return guests.map((guest) => ({ room_id, record, guest }))
    })
    const asked = people.map(({ room_id, guest }, at) => ({ at, room_id, name: nameOf(guest) }))
    const there = await scope.run(sql<Pick<GuestThere, 'id' | 'arrives_on' | 'departs_on'> & { at: number }>`
      select r.at, t.id, ${daysAsText('t')}
      from json_to_recordset(${JSON.stringify(asked)}) as r(at integer, room_id integer, name text)
      join room_guests as t on t.room_id = r.room_id and lower(t.name) = lower(r.name) and ${scope.inReach('room_guests', 't')}
      order by t.id`)
    const byPlace = Map.groupBy(there, ({ at }) => at)
    for (const [at, { record, guest }] of people.entries()) {
      const same = byPlace.get(at) ?? []
      for (const { id } of same) this.staying.add(id)
      const { arrives_on, departs_on } = guest
      const isLater = arrives_on !== null && arrives_on > today
      if (isLater) {
        this.come_later++
        if (this.begins_on === null || arrives_on < this.begins_on) this.begins_on = arrives_on
      }
      const [known] = same
      const mover = { row: record.row, room: String(record['number']), name: nameOf(guest), departs_on }
      if (!known) this.moves_in.add({ ...mover, arrives_on })
      else {
        const arrives = isLater ? known.arrives_on : (arrives_on ?? known.arrives_on)
        this.stays.add({ ...mover, arrives_on: arrives, departs_on: departs_on ?? known.departs_on })
      }
    }
  }

  /** Finds guests who are not on the list. Throws 409 if it empties many rooms and that was not confirmed. */
  async weigh(scope: Scope, request: RoomImportRequest, unplaced_rows: number) {
    const { mode, dry_run, confirm_moves_out } = request
    if (mode === 'add') return
    const isWhole = mode === 'whole' && unplaced_rows === 0
    if (mode === 'whole' && !isWhole)
      this.notes.push(
        `${unplaced_rows === 1 ? '1 row does' : `${unplaced_rows} rows do`} not name a room, so nobody is checked out of ` +
          'rooms that the list does not name.',
      )
    for await (const guests of this.others(scope, request, isWhole)) for (const guest of guests) this.judge(guest)
    const total = await this.countEmptied(scope, request)
    this.confirmation_needed = this.rooms_emptied * 5 > total
    const { count } = this.moves_out
    if (dry_run || !this.confirmation_needed || confirm_moves_out === count) return
    throw clash(
      `This list moves ${count} ${count === 1 ? 'guest' : 'guests'} out and empties ${this.rooms_emptied} of ${total} rooms. ` +
        `To move them out, send it again with confirm_moves_out: ${count}.`,
      { confirm_moves_out: [String(count)] },
    )
  }

  get summary() {
    return {
      moves_in: this.moves_in.summary,
      stays: this.stays.summary,
      moves_out: this.moves_out.summary,
      leave_by_then: this.leave_by_then.summary,
      begins_on: this.begins_on,
      rooms_emptied: this.rooms_emptied,
      confirmation_needed: this.confirmation_needed,
    }
  }

  /** Checks out guests who are not on the list, or brings the end of their stay forward. */
  async carryOut(scope: Scope, import_id: number) {
    const { last_day } = this
    for (const ids of partsOf(this.out_now)) await removeAndKeep(scope, import_id, 'room_guests', ids)
    if (last_day === null) return { moved_out: this.out_now.length }
    for (const ids of partsOf(this.out_later)) {
      const images = await imagesOf(scope, importedGuests, ids)
      await leaveOn(scope, ids, last_day)
      const records = [...images].map(([id, before]) => ({ id, before }))
      await storeImages(scope, import_id, 'room_guests', records)
    }
    return { moved_out: this.out_now.length + this.out_later.length }
  }

  /** The day on which unlisted guests leave, if most of the list moves in later; null: they leave now. */
  private get last_day() {
    const { begins_on, come_later } = this
    const isNextTerm = come_later * 2 > this.moves_in.count + this.stays.count
    return begins_on !== null && isNextTerm ? addDays(begins_on, -1) : null
  }

  private judge({ id, room_id, room, name, expected, overdue, arrives_on, departs_on }: GuestThere) {
    if (this.staying.has(id) || this.doubtful.has(room_id)) return
    const { last_day, begins_on, today = '' } = this
    const mover = { row: null, room, name, arrives_on }
    // A list of present guests says nothing about those who are still to arrive.
    if (expected && last_day === null) return
    if (!expected && !overdue && begins_on !== null && departs_on !== null && departs_on < begins_on)
      return this.leave_by_then.add({ ...mover, departs_on })
    const isLater = last_day !== null && !expected && !overdue
    ;(isLater ? this.out_later : this.out_now).push(id)
    this.left_by_room.set(room_id, (this.left_by_room.get(room_id) ?? 0) + 1)
    this.moves_out.add({ ...mover, departs_on: isLater ? last_day : today })
  }

  /** Guests of the property, or only of the rooms that the list names. */
  private async *others(scope: Scope, { property_id }: ImportRequest, isWhole: boolean) {
    const where = isWhole ? sql`true` : sql`(t.room_id in (select unnest(${[...this.named]}::integer[]))) is true`
    const today = sql`${this.today ?? null}::date`
    for (let last = 0; ;) {
      const rows: GuestThere[] = await scope.run(sql<GuestThere>`
        select t.id, t.room_id, coalesce(t.room_number, '') as room, t.name, ${daysAsText('t')},
          ${isExpected('t', today)} as expected, coalesce(${stayIs('overdue', 't', today)}, false) as overdue
        from room_guests as t
        where t.property_id = ${property_id} and t.id > ${last} and ${where} and ${scope.inReach('room_guests', 't')}
        order by t.id limit ${read_at_once}`)
      yield rows
      if (rows.length < read_at_once) return
      last = rows.at(-1)?.id ?? 0
    }
  }

  /** Returns how many rooms the property has. */
  private async countEmptied(scope: Scope, { property_id }: ImportRequest) {
    const left = [...this.left_by_room].filter(([id]) => !this.peopled.has(id)).map(([id, people]) => ({ id, people }))
    const [counted] = await scope.run(sql<{ emptied: number; total: number }>`
      select count(*) filter (where r.people >= t.occupants)::integer as emptied, count(*)::integer as total
      from rooms as t left join json_to_recordset(${JSON.stringify(left)}) as r(id integer, people integer) on r.id = t.id
      where t.property_id = ${property_id} and ${scope.inReach('rooms', 't')}`)
    this.rooms_emptied = counted?.emptied ?? 0
    return counted?.total ?? 0
  }

  private async dayOf(scope: Scope, property_id: number | null) {
    if (this.today !== undefined) return this.today
    const [property] = await scope.run(sql<{ today: string }>`
      select local_day(app_now(), t.time_zone)::text as today from properties as t
      where t.id = ${property_id} and ${scope.inReach('properties', 't')}`)
    return (this.today = property?.today ?? '')
  }
}

function* partsOf(ids: number[]) {
  for (let from = 0; from < ids.length; from += changed_at_once) yield ids.slice(from, from + changed_at_once)
}
