// Told stays: turns what a property's own system says into rooms, stays and guests. The system's last word of each stay is kept beside
// what was written of it, so that a word is taken in once, an older one changes nothing, and what a person changed by hand is seen.
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { constants } from '#contract/constants.ts'
import { sameFold } from '#contract/folded.ts'
import { stayDayRefusal } from '#contract/stay-days.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { dropDue, dueKind, queueDue, type DueWork } from '#server/due/due-work.ts'
import { logActivity, logActivityOfMany } from '#server/entities/activity-log.ts'
import type { Condition } from '#server/entities/entity.ts'
import { oneRow } from '#server/entities/read.ts'
import { createRow, removeRows, updateRow } from '#server/entities/verbs.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { roomGuests } from './guests.ts'
import {
  bounded_stay,
  nameless,
  roomKey,
  stay_key_chars_max,
  unsaid,
  type ToldGuest,
  type ToldStay,
  type Word,
} from './words.ts'

/** The interface that speaks, and what it is told to do with what it hears. */
export interface Teller {
  interface_id: number
  property_id: number
  /** Of the stays that it brings; null: as without it. */
  package_id: number | null
  grace_minutes: number
}

export interface Heard {
  /** Guests in another room, or under another package than before. */
  moved: number[]
  /** In words: what was done. */
  records: TellerRecord[]
  /** Something was said of a stay that was never told: our own record has a gap. */
  gap: boolean
  /** A whole list that would empty so many rooms that a person has to look; nothing of it was written. */
  waits: { moves_out: number } | null
}
export interface TellerRecord {
  sentence: string
  /** The same with names. */
  personal: string | null
}

/** An arrival of the same key within this time is a move, whatever the grace is. */
const move_s = 120
/** A key that comes again later than this is another stay. */
const again_max_ms = 2 * 24 * 3600 * 1000
/** Stays in house of one interface: more are not taken, so that no system can fill the database. */
const stays_max = 20_000

const guestFields = ['last_name', 'first_name', 'email', 'mobile_number'] as const

type AppliedGuest = ToldGuest & { id: number }
interface Applied {
  in: boolean
  room: string
  arrives_on: string | null
  departs_on: string | null
  until_time: string | null
  guests: AppliedGuest[]
}
interface Row {
  id: number | null
  stay_key: string
  told: ToldStay | null
  told_at: Date
  applied: Applied | null
  leaves_at: Date | null
}
interface Ours extends ToldGuest {
  id: number
  stay_id: number | null
  room: string
  arrives_on: string | null
  departs_on: string | null
  until_time: string | null
  gone: boolean
}
/** A guest of whose stay no system has told. */
interface Unkeyed {
  id: number
  room_id: number
  external_reference: string | null
  last_name: string | null
}
interface Difference {
  room_guest_id: number | null
  field: string
  system: string | null
  ours: string | null
}

export const departureKind = dueKind('departure')

/** In the transaction of the scope; words of one interface wait for one another. */
export async function tell(
  scope: Scope,
  queue: Queue,
  teller: Teller,
  words: readonly Word[],
  { confirmed = null }: { confirmed?: number | null } = {},
): Promise<Heard> {
  const telling = await Telling.begin(scope, queue, teller)
  await telling.prepare(words)
  for (const word of words) {
    if (word.kind === 'all') await telling.all(word, confirmed)
    else await telling.say(word)
  }
  return telling.heard
}

/** Ends the stay of a departure whose time has come. */
export const departureWork: DueWork<{ tenancy: Tenancy; queue: Queue }> = {
  kind: departureKind,
  about: (scope) => sql`(select concat('room ', coalesce(s.applied ->> 'room', '?')) from told_stays as s
    where s.customer_id = t.customer_id and s.id = t.about_id and ${scope.inReach('told_stays', 's')})`,
  promise: 'repeated',
  at_once: 4,
  of_one_customer: 2,
  tries_max: 10,
  wait_s: (tries) => 5 * tries,
  run:
    async ({ queue }, { about_id }) =>
    async (scope) => {
      const [stay] = await scope.run(sql<{ interface_id: number; property_id: number }>`
      select t.property_interface_id as interface_id, t.property_id from told_stays as t
      where t.id = ${about_id} and t.told is null and t.leaves_at <= app_now() and ${scope.inReach('told_stays', 't')}`)
      if (!stay) return
      const telling = await Telling.begin(scope, queue, { ...stay, package_id: null, grace_minutes: 0 })
      await telling.leave(about_id)
    },
}

/** The system's word holds from now on for these differences, or ours does. */
export async function settle(scope: Scope, queue: Queue, ids: readonly number[], as: 'accept' | 'keep') {
  const asked = await scope.run(sql<
    Difference & { id: number; told_stay_id: number; interface_id: number; property_id: number }
  >`
    select t.id, t.room_guest_id, t.field, t.system, t.ours, t.told_stay_id, t.property_id, s.property_interface_id as interface_id
    from stay_differences as t join told_stays as s on s.customer_id = t.customer_id and s.id = t.told_stay_id
    where t.id = any(${[...ids]}) and not t.kept and ${scope.inReach('stay_differences', 't')} order by s.property_interface_id, t.id`)
  if (asked.length !== new Set(ids).size) return null
  const moved: number[] = []
  if (as === 'keep') {
    await scope.change(
      'stay_differences',
      asked.map(({ id }) => id),
      { kept: true },
    )
    return moved
  }
  for (const some of Map.groupBy(asked, ({ interface_id }) => interface_id).values()) {
    const [{ interface_id, property_id } = { interface_id: 0, property_id: 0 }] = some
    const telling = await Telling.begin(scope, queue, { interface_id, property_id, package_id: null, grace_minutes: 0 })
    for (const [id, those] of Map.groupBy(some, ({ told_stay_id }) => told_stay_id)) await telling.accept(id, those)
    moved.push(...telling.heard.moved)
  }
  return moved
}

class Telling {
  readonly heard: Heard = { moved: [], records: [], gap: false, waits: null }
  private readonly scope: Scope
  private readonly queue: Queue
  private readonly teller: Teller
  private today = ''
  private leases = false
  private makes_rooms = false
  private in_house = 0
  /** What a person has accepted to be made. */
  private room_wanted: string | null = null
  private readonly rooms = new Map<string, { id: number; number: string }>()
  /** By key; undefined: nothing was ever told of it. One object a row, whichever way it was read. */
  private readonly known = new Map<string, Row | undefined>()
  private unkeyed: Unkeyed[] | undefined

  private constructor(scope: Scope, queue: Queue, teller: Teller) {
    this.scope = scope
    this.queue = queue
    this.teller = teller
  }

  static async begin(scope: Scope, queue: Queue, teller: Teller): Promise<Telling> {
    const telling = new Telling(scope, queue, teller)
    const { interface_id, property_id } = teller
    await scope.run(sql`insert into property_links (customer_id, property_interface_id) values (${scope.customer_id}, ${interface_id})
      on conflict do nothing`)
    await scope.lock('property_links', sql`t.property_interface_id = ${interface_id}`)
    const [property] = await scope.run(sql<{ today: string; leases: boolean; makes_rooms: boolean; in_house: number }>`
      select local_day(app_now(), t.time_zone)::text as today, t.sync_rooms_and_devices as makes_rooms,
        coalesce(t.property_type_id = any(${constants.leased_property_types}::integer[]), false) as leases,
        (select count(*)::integer from told_stays as s where s.property_interface_id = ${interface_id} and s.told is not null
          and ${scope.inReach('told_stays', 's')}) as in_house
      from properties as t where t.id = ${property_id} and ${scope.inReach('properties', 't')}`)
    if (!property) throw new Error('the property of an interface is in its reach')
    Object.assign(telling, property)
    return telling
  }

  /** Reads at once what single words would ask for one after the other. */
  async prepare(words: readonly Word[]) {
    const keys = words.flatMap((word) =>
      word.kind === 'all' ? word.stays.map(({ stay_key }) => stay_key) : word.kind === 'emptied' ? [] : [word.stay_key],
    )
    if (keys.length < 2) return
    for (const key of keys) this.known.set(key, undefined)
    await this.rowsWhere(sql`t.stay_key = any(${keys})`)
    const rooms = await this.scope.run(sql<{ id: number; number: string }>`
      select t.id, t.number from rooms as t where t.property_id = ${this.teller.property_id} and ${this.scope.inReach('rooms', 't')}`)
    for (const room of rooms) this.rooms.set(roomKey(room.number), room)
  }

  async say(word: Exclude<Word, { kind: 'all' }>) {
    if (word.kind === 'emptied') return this.empty(word.room, word.at, null)
    if (word.stay_key === '' || word.stay_key.length > stay_key_chars_max) return
    const row = (await this.row(word.stay_key)) ?? this.newRow(word.stay_key)
    if (row.id !== null && word.at < row.told_at) return
    if (word.kind === 'ended') return this.end(row, word.at)
    const was = row.told
    const former = word.anew || !was ? unsaid : was
    const { guests, ...says } = word.says
    const only = (guests?.length === 1 && former.guests.length === 1 && former.guests[0]) || nameless
    const said = guests?.map((guest) => ({ ...only, ...guest })) ?? former.guests
    const next = bounded_stay({ ...former, ...says, guests: said }, this.isDay)
    if (next.room === '') {
      this.heard.gap = true
      return
    }
    if (was === null && this.in_house >= stays_max) return this.record(`More than ${stays_max} stays are not taken.`)
    if (was === null && row.applied && word.at.getTime() - row.told_at.getTime() > again_max_ms) row.applied = null
    if (was === null) this.in_house++
    if (row.leaves_at && row.id !== null) await dropDue(this.scope, departureKind, [row.id])
    Object.assign(row, { told: next, told_at: word.at, leaves_at: null })
    if (word.alone) await this.empty(next.room, word.at, row.stay_key)
    await this.apply(row, word.arrived === true)
    if (word.emptied != null && roomKey(word.emptied) !== roomKey(next.room))
      await this.empty(word.emptied, word.at, row.stay_key)
  }

  /** A list that was told earlier is older than what was said of single stays meanwhile. */
  async all({ at, stays }: Extract<Word, { kind: 'all' }>, confirmed: number | null) {
    const there = await this.rowsWhere(sql`t.told is not null`)
    const listed = new Set(stays.map(({ stay_key }) => stay_key))
    const gone = there.filter(({ stay_key, told_at }) => !listed.has(stay_key) && told_at <= at)
    const moves_out = gone.reduce((sum, { applied }) => sum + (applied?.guests.length ?? 0), 0)
    if (confirmed !== moves_out && (await this.emptiesMany(gone, there, stays))) {
      this.heard.waits = { moves_out }
      this.record(`A whole list would move ${moves_out} guests out. It waits for somebody to look.`)
      return
    }
    for (const row of gone) await this.end(row, at)
    for (const { stay_key, arrived, ...says } of stays)
      await this.say({ kind: 'stay', stay_key, at, says, anew: true, arrived: arrived === true })
    this.record(`The whole list was taken in: ${stays.length} ${stays.length === 1 ? 'stay' : 'stays'}.`)
  }

  private async emptiesMany(gone: Row[], there: Row[], stays: readonly ToldStay[]) {
    const peopled = new Set([
      ...stays.map(({ room }) => roomKey(room)),
      ...there.filter((row) => !gone.includes(row)).map(({ told }) => roomKey(told?.room ?? '')),
    ])
    const emptied = new Set(
      gone.map(({ applied }) => roomKey(applied?.room ?? '')).filter((room) => !peopled.has(room)),
    )
    emptied.delete('')
    if (emptied.size === 0) return false
    const [counted] = await this.scope.run(sql<{ rooms: number }>`
      select count(*)::integer as rooms from rooms as t
      where t.property_id = ${this.teller.property_id} and ${this.scope.inReach('rooms', 't')}`)
    return emptied.size * 5 > (counted?.rooms ?? 0)
  }

  /** The guests of the other stays in a room have left it. They may be told to be in another within the same moment. */
  private async empty(room: string, at: Date, but: string | null) {
    const others = await this.rowsWhere(sql`lower(btrim(t.told ->> 'room')) = ${roomKey(room)}`)
    for (const row of others)
      if (row.stay_key !== but && row.told_at <= at)
        await this.end(row, at, Math.min(move_s, this.teller.grace_minutes * 60))
  }

  private async end(row: Row, at: Date, grace_s = this.teller.grace_minutes * 60) {
    if (row.told !== null) this.in_house--
    const room = row.applied?.room ?? row.told?.room
    // Once it has ended, a second departure neither hastens nor delays it.
    const isLeaving = row.told === null && row.leaves_at !== null
    Object.assign(row, { told: null, told_at: at })
    const isIn = row.applied?.in === true
    if (isIn && !isLeaving) this.record(`Departure from room ${room}`, row.applied?.guests)
    if (isIn && grace_s > 0) {
      row.leaves_at ??= new Date(Date.now() + grace_s * 1000)
      const id = await this.save(row)
      if (!isLeaving) await queueDue(this.scope, this.queue, departureKind, [{ about_id: id, after_s: grace_s }])
      return
    }
    await this.endNow(row)
  }

  async leave(id: number) {
    const [row] = await this.rowsWhere(sql`t.id = ${id}`)
    if (row && row.told === null && row.leaves_at !== null) await this.endNow(row)
  }

  private async endNow(row: Row, no_show = false) {
    const ids = row.applied?.guests.map(({ id }) => id) ?? []
    const present = ids.length > 0 ? await this.scope.lock('room_guests', sql`t.id = any(${ids})`) : []
    if (present.length > 0) {
      if (no_show)
        await this.scope.change(
          'stays',
          sql`t.id in (select g.stay_id from room_guests as g where g.id = any(${present})
          and ${this.scope.inReach('room_guests', 'g')})`,
          { no_show: true },
        )
      await removeRows(this.scope, roomGuests, present)
    }
    row.leaves_at = null
    // Names are not kept of those who have left.
    if (row.applied)
      row.applied = { ...row.applied, in: false, guests: row.applied.guests.map(({ id }) => ({ ...nameless, id })) }
    await this.differ(await this.save(row), [])
  }

  /** What a person accepts: as if they had never said otherwise. */
  async accept(id: number, those: readonly Difference[]) {
    const [row] = await this.rowsWhere(sql`t.id = ${id}`)
    if (!row?.told) return
    const ours = await this.ours(row)
    for (const { field, room_guest_id, ours: said } of those) {
      if (field === 'room' && said === null) this.room_wanted = row.told.room
      else if (field === 'presence' && room_guest_id !== null) await this.bringBack([room_guest_id])
      else if (row.applied) {
        const guest = row.applied.guests.find((one) => one.id === room_guest_id)
        const its = ours.find((one) => one.id === room_guest_id)
        if (guest && its && isGuestField(field)) guest[field] = its[field]
        else if (isStayField(field)) Object.assign(row.applied, { [field]: present(ours)?.[field] ?? null })
      }
    }
    await this.apply(row, false)
  }

  /** Writes what the row says, where nobody has said otherwise by hand. */
  private async apply(row: Row, arrived: boolean) {
    const { told } = row
    if (!told) return
    if (told.no_show) {
      if (row.applied?.in) this.record(`No show in room ${row.applied.room}`, row.applied.guests)
      return this.endNow(row, true)
    }
    const room = await this.roomOf(told.room)
    if (!room) {
      this.record(`Room ${told.room} is not known`, told.guests)
      return this.differ(await this.save(row), [{ room_guest_id: null, field: 'room', system: told.room, ours: null }])
    }
    const day = arrived && (told.arrives_on === null || told.arrives_on > this.today) ? this.today : told.arrives_on
    const next = { ...told, arrives_on: day }
    if (row.applied && !row.applied.in) await this.bringBack(row.applied.guests.map(({ id }) => id))
    row.applied ??= await this.adopt(row.stay_key, next, room.id)
    const was = row.applied
    if (!was) {
      row.applied = await this.begin(row, next, room)
      this.record(`Arrival in room ${room.number}${untilOf(next)}`, next.guests)
      const isNew = row.id === null
      const id = await this.save(row)
      return isNew ? undefined : this.differ(id, [])
    }
    const ours = await this.ours(row)
    const wasOut = !was.in
    const differences: Difference[] = []
    const there = present(ours)
    if (there) {
      const written = this.compareStay({ was, ours: there, next, differences })
      was.in = true
      await this.write(
        ours.filter(({ gone }) => !gone),
        written,
        { room, next, arrived },
      )
      if (written.room !== undefined) this.heard.moved.push(...ours.map(({ id }) => id))
      if (wasOut) this.record(`Back in room ${written.room ?? there.room}`, next.guests)
      else if (written.room !== undefined) this.record(`From room ${there.room} to room ${written.room}`, next.guests)
      else if (Object.keys(written).length > 0)
        this.record(`Another stay in room ${there.room}${untilOf(next)}`, next.guests)
    }
    await this.compareGuests({ row, was, ours, next, room, differences })
    was.in = true
    await this.differ(await this.save(row), differences)
  }

  /** Decides for each field; `was` becomes what is written of it. */
  private compareStay({ was, ours, next, differences }: Comparing): Partial<Pick<Applied, StayField>> {
    const written: Partial<Pick<Applied, StayField>> = {}
    for (const field of stayFields) {
      const [before, there, said] = [was[field], ours[field], next[field]]
      const same =
        field === 'room' ? (a: string | null, b: string | null) => roomKey(a ?? '') === roomKey(b ?? '') : Object.is
      if (field === 'arrives_on') {
        // Who is in by now did not come later; a day that the desk gave is theirs.
        if (
          said !== there &&
          same(before, there) &&
          !(there !== null && there <= this.today && (said ?? '') > this.today)
        )
          written.arrives_on = said
      } else if (!same(said, there)) {
        if (same(before, there)) Object.assign(written, { [field]: said })
        else differences.push({ room_guest_id: null, field, system: said, ours: there })
      }
      if (field in written || same(said, there)) Object.assign(was, { [field]: said })
    }
    return written
  }

  private async write(
    guests: readonly Ours[],
    written: Partial<Pick<Applied, StayField>>,
    { room, next, arrived }: { room: { id: number }; next: ToldStay; arrived: boolean },
  ) {
    const ids = guests.map(({ id }) => id)
    const { until_time, room: to, ...days } = written
    const values = { ...days, ...(to !== undefined && { room_id: room.id }) }
    // All at once, so that none of them is parted from the others.
    if (Object.keys(values).length > 0) {
      const before = await Promise.all(ids.map((id) => oneRow(this.scope, roomGuests, id)))
      await this.scope.change('room_guests', ids, values)
      for (const guest of before)
        await logActivity(this.scope, {
          action: 'update',
          entity: roomGuests,
          row: guest,
          before: guest,
          after: await oneRow(this.scope, roomGuests, guest.id),
        })
    }
    if (arrived) await this.checkIn(ids)
    const [stay_id] = guests.map((guest) => guest.stay_id)
    if (stay_id != null)
      await this.scope.change(
        'stays',
        sql`t.id = ${stay_id} and (t.source <> 'system' or t.may_be_charged <> ${next.may_be_charged}
          or t.no_show or ${until_time !== undefined})`,
        {
          source: 'system',
          no_show: false,
          may_be_charged: next.may_be_charged,
          told_at: sql`app_now()`,
          ...(until_time !== undefined && { until_time }),
        },
      )
  }

  private async checkIn(ids: number[]) {
    const came = await this.scope.change('room_guests', sql`t.id = any(${ids}) and t.checked_in_at is null`, {
      checked_in_at: sql`app_now()`,
    })
    if (came.length > 0)
      await logActivityOfMany(this.scope, {
        action: 'update',
        entity: roomGuests,
        ids: came,
        before: { checked_in_at: null },
        after: { checked_in_at: new Date().toISOString() },
      })
  }

  /** Guests who are told are known by their names. Where there was one and is one, it is the same under another name. */
  private async compareGuests({
    row,
    was,
    ours,
    next,
    room,
    differences,
  }: Comparing<Ours[]> & { row: Row; room: { id: number } }) {
    const told = next.guests.length > 0 ? next.guests : [nameless]
    const left = [...was.guests]
    const kept: AppliedGuest[] = []
    const take = (fits: (guest: AppliedGuest) => boolean) => {
      const at = left.findIndex(fits)
      return at < 0 ? undefined : left.splice(at, 1)[0]
    }
    const alone = told.length === 1 && was.guests.length === 1
    const pairs = told.map((said) => [said, take((guest) => nameKey(guest) === nameKey(said))] as const)
    for (const [said, found] of pairs) {
      const guest = found ?? take((one) => alone || isNameless(one) || isNamesake(one, said))
      if (!guest) {
        const by = present(ours) ?? ours[0]
        const id = await this.makeGuest(said, {
          stay_id: by?.stay_id ?? null,
          room_id: room.id,
          row,
          arrives_on: was.arrives_on,
          departs_on: was.departs_on,
        })
        kept.push({ ...said, id })
        continue
      }
      kept.push(
        await this.compareGuest(
          guest,
          ours.find(({ id }) => id === guest.id),
          said,
          differences,
        ),
      )
    }
    const gone = left.filter(({ id }) => ours.some((one) => one.id === id && !one.gone)).map(({ id }) => id)
    if (gone.length > 0) await removeRows(this.scope, roomGuests, gone)
    was.guests = kept
  }

  private async compareGuest(guest: AppliedGuest, ours: Ours | undefined, said: ToldGuest, differences: Difference[]) {
    if (!ours) return guest
    if (ours.gone) {
      differences.push({ room_guest_id: guest.id, field: 'presence', system: 'In house', ours: 'Checked out' })
      return { ...guest, ...said }
    }
    const written: Partial<ToldGuest> = {}
    // After they had left nothing was kept to compare with.
    const unknown = isNameless(guest)
    for (const field of guestFields) {
      if (said[field] === ours[field]) guest[field] = said[field]
      else if (unknown || guest[field] === ours[field]) written[field] = guest[field] = said[field]
      else if (said[field] !== null)
        differences.push({ room_guest_id: guest.id, field, system: said[field], ours: ours[field] })
    }
    if (Object.keys(written).length > 0) {
      await updateRow(this.scope, roomGuests, { id: guest.id, ...written })
      if (written.last_name !== undefined || written.first_name !== undefined)
        this.record(`Another name in room ${ours.room}`, [said])
    }
    return guest
  }

  /** Guests who were entered or imported before the system spoke, with its number, or in that room by that name. */
  private async adopt(stay_key: string, told: ToldStay, room_id: number): Promise<Applied | null> {
    const names = told.guests.map(({ last_name }) => sameFold(last_name ?? '')).filter((name) => name !== '')
    const byKey = (await this.guestsWithoutKey()).filter((guest) => guest.external_reference === stay_key)
    const inRoom = (guest: Unkeyed) => guest.room_id === room_id && names.includes(sameFold(guest.last_name ?? ''))
    const those = byKey.length > 0 ? byKey : (await this.guestsWithoutKey()).filter(inRoom)
    this.unkeyed = this.unkeyed?.filter((guest) => !those.includes(guest))
    if (those.length === 0) return null
    const ids = those.map(({ id }) => id)
    await this.scope.change('room_guests', ids, { external_reference: stay_key })
    const ours = await this.guests(ids)
    const [first] = ours
    if (!first) return null
    if (first.stay_id !== null)
      await this.scope.change('stays', [first.stay_id], { stay_key, source: 'system', told_at: sql`app_now()` })
    const { room, arrives_on, departs_on, until_time } = first
    return {
      in: true,
      room,
      arrives_on,
      departs_on,
      until_time,
      guests: ours.map((one) => ({ ...namesOf(one), id: one.id })),
    }
  }

  private async guestsWithoutKey() {
    return (this.unkeyed ??= await this.scope.run(sql<Unkeyed>`
      select t.id, t.room_id, t.external_reference, t.last_name from room_guests as t
      left join stays as s on s.customer_id = t.customer_id and s.id = t.stay_id
      where t.property_id = ${this.teller.property_id} and s.stay_key is null and ${this.scope.inReach('room_guests', 't')}
      order by t.id`))
  }

  private async begin(row: Row, next: ToldStay, room: { id: number; number: string }): Promise<Applied> {
    const { arrives_on, departs_on, until_time, may_be_charged } = next
    const { property_id, package_id } = this.teller
    const stay_id = await this.scope.insert('stays', {
      property_id,
      room_id: room.id,
      room_number: room.number,
      stay_key: row.stay_key,
      arrives_on,
      departs_on,
      until_time,
      may_be_charged,
      package_id,
      source: 'system',
      told_at: sql`app_now()`,
    })
    const guests: AppliedGuest[] = []
    for (const said of next.guests.length > 0 ? next.guests : [nameless]) {
      const id = await this.makeGuest(said, { stay_id, room_id: room.id, row, arrives_on, departs_on })
      guests.push({ ...said, id })
    }
    return { in: true, room: next.room, arrives_on, departs_on, until_time, guests }
  }

  private async makeGuest(
    said: ToldGuest,
    at: { stay_id: number | null; room_id: number; row: Row; arrives_on: string | null; departs_on: string | null },
  ) {
    const { row, ...columns } = at
    const { property_id } = this.teller
    const values = { ...namesOf(said), ...columns, property_id, external_reference: row.stay_key }
    return (await createRow(this.scope, roomGuests, values)).id
  }

  /** The same rows, so that devices and what they have used come back with them. */
  private async bringBack(ids: number[]) {
    const back = await this.scope.run(sql<{ id: number }>`
      update room_guests as t set deleted_at = null where t.id = any(${ids}) and t.deleted_at is not null
        and t.property_id = ${this.teller.property_id} and t.customer_id = ${this.scope.customer_id} returning t.id`)
    if (back.length > 0)
      await logActivityOfMany(this.scope, {
        action: 'update',
        entity: roomGuests,
        ids: back.map(({ id }) => id),
        after: { undone: 'check_out' },
      })
  }

  private async roomOf(number: string) {
    const key = roomKey(number)
    const known = this.rooms.get(key)
    if (known) return known
    const { property_id } = this.teller
    const find = () =>
      this.scope.run(sql<{ id: number; number: string }>`
        select t.id, t.number from rooms as t where t.property_id = ${property_id} and lower(btrim(t.number)) = ${key}
          and ${this.scope.inReach('rooms', 't')}`)
    let [room] = await find()
    if (!room && (this.makes_rooms || this.room_wanted === number)) {
      await this.scope.run(sql`insert into rooms (customer_id, property_id, number)
        values (${this.scope.customer_id}, ${property_id}, ${number}) on conflict do nothing`)
      ;[room] = await find()
      if (room) {
        const made = { object: 'rooms' as const }
        await logActivityOfMany(this.scope, {
          action: 'create',
          entity: { table: made.object, label: 'number', belongs: { property_id: 'property_id' } },
          ids: [room.id],
          after: { number, property_id },
        })
        this.record(`Room ${number} was made`)
      }
    }
    if (room) this.rooms.set(key, room)
    return room
  }

  private ours(row: Row) {
    return this.guests(row.applied?.guests.map(({ id }) => id) ?? [])
  }
  /** Also those who have been checked out. */
  private async guests(ids: number[]): Promise<Ours[]> {
    if (ids.length === 0) return []
    await this.scope.lock('room_guests', sql`t.id = any(${ids})`)
    return this.scope.run(sql<Ours>`
      select t.id, t.stay_id, coalesce(t.room_number, '') as room, t.last_name, t.first_name, t.email, t.mobile_number,
        to_char(t.arrives_on, 'YYYY-MM-DD') as arrives_on, to_char(t.departs_on, 'YYYY-MM-DD') as departs_on,
        to_char(s.until_time, 'HH24:MI') as until_time, t.deleted_at is not null as gone
      from room_guests as t left join stays as s on s.customer_id = t.customer_id and s.id = t.stay_id
      where t.id = any(${ids}) and t.property_id = ${this.teller.property_id} and t.customer_id = ${this.scope.customer_id}
      order by t.id`)
  }

  private newRow(stay_key: string): Row {
    const row: Row = { id: null, stay_key, told: null, told_at: new Date(0), applied: null, leaves_at: null }
    this.known.set(stay_key, row)
    return row
  }
  private async row(stay_key: string): Promise<Row | undefined> {
    if (this.known.has(stay_key)) return this.known.get(stay_key)
    return (await this.rowsWhere(sql`t.stay_key = ${stay_key}`))[0]
  }
  private async rowsWhere(where: Condition): Promise<Row[]> {
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
  private async save(row: Row): Promise<number> {
    const { id, stay_key, told, told_at, applied, leaves_at } = row
    const values = {
      told: told && JSON.stringify(told),
      told_at,
      applied: applied && JSON.stringify(applied),
      leaves_at,
    }
    if (id !== null) {
      await this.scope.change('told_stays', [id], values)
      return id
    }
    const { interface_id, property_id } = this.teller
    return (row.id = await this.scope.insert('told_stays', {
      property_interface_id: interface_id,
      property_id,
      stay_key,
      ...values,
    }))
  }

  /** What a person has kept is asked again when the system says something else. */
  private async differ(told_stay_id: number, differences: readonly Difference[]) {
    const said = sql`json_to_recordset(${JSON.stringify(differences)}) as d(room_guest_id integer, field text, system text, ours text)`
    await this.scope.run(sql`
      delete from stay_differences as t where t.told_stay_id = ${told_stay_id} and ${this.scope.inReach('stay_differences', 't')}
        and not exists (select from ${said} where d.field = t.field and d.room_guest_id is not distinct from t.room_guest_id)`)
    if (differences.length === 0) return
    await this.scope.run(sql`
      insert into stay_differences as t (customer_id, property_id, told_stay_id, room_guest_id, field, system, ours)
      select ${this.scope.customer_id}, ${this.teller.property_id}, ${told_stay_id}, d.room_guest_id, d.field, d.system, d.ours from ${said}
      on conflict (customer_id, told_stay_id, coalesce(room_guest_id, 0), field) do update
        set system = excluded.system, ours = excluded.ours, kept = t.kept and t.system is not distinct from excluded.system`)
  }

  private record(sentence: string, guests: readonly ToldGuest[] = []) {
    const names = guests.map(wholeName).filter((name) => name !== '')
    this.heard.records.push({ sentence, personal: names.length > 0 ? `${sentence}: ${names.join(', ')}` : null })
  }

  private isDay = (day: string) =>
    /^\d{4}-\d\d-\d\d$/.test(day) &&
    !Number.isNaN(Date.parse(day)) &&
    stayDayRefusal(day, this.today, this.leases) === null
}

const stayFields = ['room', 'arrives_on', 'departs_on', 'until_time'] as const
type StayField = (typeof stayFields)[number]
interface Comparing<O = Ours> {
  was: Applied
  ours: O
  next: ToldStay
  differences: Difference[]
}
const isStayField = (field: string): field is StayField => (stayFields as readonly string[]).includes(field)
const isGuestField = (field: string): field is keyof ToldGuest => (guestFields as readonly string[]).includes(field)

const isNameless = (guest: ToldGuest) => isDeepStrictEqual(namesOf(guest), nameless)
const namesOf = ({ last_name, first_name, email, mobile_number }: ToldGuest): ToldGuest => ({
  last_name,
  first_name,
  email,
  mobile_number,
})
const wholeName = ({ first_name, last_name }: ToldGuest) => [first_name, last_name].filter(Boolean).join(' ')
const nameKey = (guest: ToldGuest) => sameFold(wholeName(guest))
/** A corrected name has something of the former one. */
const isNamesake = (one: ToldGuest, other: ToldGuest) =>
  (['last_name', 'first_name'] as const).some(
    (field) => one[field] !== null && other[field] !== null && sameFold(one[field]) === sameFold(other[field]),
  )
const present = (ours: readonly Ours[]) => ours.find(({ gone }) => !gone)
const untilOf = ({ departs_on }: ToldStay) => (departs_on === null ? '' : `, until ${departs_on}`)
