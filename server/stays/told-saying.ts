// Told saying: what one word does: a stay that is, changes or ends, a room that is empty, and a list of everybody.
import { sql } from 'kysely'
import { compareGuests, compareStay, isNameless, isNamesake } from './told-comparing.ts'
import { adopt, bringBack, knownRoom, roomOf, writeStay } from './told-making.ts'
import { staysThere, type Applied, type Difference, type Host, type Ours, type Row, type Telling } from './told-rows.ts'
import { write } from './told-writing.ts'
import {
  bounded_stay,
  nameless,
  roomKey,
  isKey,
  stay_key_chars_max,
  stays_max,
  unsaid,
  type ToldGuest,
  type ToldRoom,
  type ToldStay,
  type Word,
} from './words.ts'

/** An arrival of the same key within this time is a move, whatever the grace is. */
const move_s = 120
/** A key that comes again later than this is another stay. */
const again_max_ms = 2 * 24 * 3600 * 1000

/** Stays that are written at once. */
const unwritten_max = 500

export async function say(telling: Telling, word: Exclude<Word, { kind: 'all' }>) {
  if (word.kind === 'emptied') return emptyRoom(telling, word.room, word.at, null)
  if (word.kind === 'room') return sayRoom(telling, word)
  if (!isKey(word.stay_key)) return passOver(telling, word)
  const row = (await telling.row(word.stay_key)) ?? telling.newRow(word.stay_key)
  const { arrivals, rows } = telling.unwritten
  if (arrivals.has(row) || rows.size + arrivals.size >= unwritten_max) await write(telling)
  if ((row.id !== null || telling.unwritten.rows.has(row)) && word.at < row.told_at) return
  if (word.kind === 'ended') return endStay(telling, row, word.at)
  if (await isOfAnother(telling, row, word)) await takeRoom(telling, row)
  const was = row.told
  const former = word.anew || !was ? unsaid : was
  const { guests, ...says } = word.says
  const only = (guests?.length === 1 && former.guests.length === 1 && former.guests[0]) || nameless
  const said = guests?.map((guest) => ({ ...only, ...guest })) ?? former.guests
  const next = bounded_stay({ ...former, ...says, guests: [...sharers(was, word, said), ...said] }, telling.isDay)
  if (next.room === '') {
    telling.heard.gap = true
    return
  }
  if (was === null && telling.in_house >= stays_max) return refuseMore(telling)
  if (was === null && row.applied && word.at.getTime() - row.told_at.getTime() > again_max_ms) row.applied = null
  if (was === null) telling.in_house++
  if (row.leaves_at) stays(telling, row)
  Object.assign(row, { told: next, told_at: word.at, leaves_at: null })
  if (word.alone) await emptyRoom(telling, next.room, word.at, row.stay_key)
  await apply(telling, row, { arrived: word.arrived === true })
  if (word.emptied != null && roomKey(word.emptied) !== roomKey(next.room))
    await emptyRoom(telling, word.emptied, word.at, row.stay_key)
}

/** Whether the stay that is known by a room is that of somebody else, whose devices are not to be those of who is told to be in it now. */
async function isOfAnother(telling: Telling, row: Row, { of_room, at, says }: Extract<Word, { kind: 'stay' }>) {
  const { told, told_at, applied } = row
  if (of_room === undefined || applied === null) return false
  if (told === null && at.getTime() - told_at.getTime() > move_s * 1000) return true
  const said = (says.guests ?? []).map((guest) => ({ ...nameless, ...guest })).filter((guest) => !isNameless(guest))
  if (said.length === 0 || (told !== null && of_room !== 'taken')) return false
  const there = [...(told?.guests ?? []), ...(await telling.ours(row))].filter((guest) => !isNameless(guest))
  return there.length > 0 && !said.some((one) => there.some((other) => isNamesake(one, other)))
}
/** Who is there beside those who are told of, where all of a room have one key. */
function sharers(was: ToldStay | null, { of_room, says }: Extract<Word, { kind: 'stay' }>, said: readonly ToldGuest[]) {
  const there = was?.guests ?? []
  const isBeside = says.guests && (of_room === 'shared' || (of_room === 'changed' && there.length > 1))
  return isBeside ? there.filter((one) => !said.some((other) => isNamesake(one, other))) : []
}
/** At once: somebody else has it. */
async function takeRoom(telling: Telling, row: Row) {
  if (row.told !== null) {
    telling.in_house--
    telling.record(`Departure from room ${row.told.room}`, row.applied?.guests)
  }
  if (row.leaves_at) stays(telling, row)
  await endNow(telling, row)
  Object.assign(row, { told: null, applied: null })
}

/** After all. */
function stays({ unwritten }: Telling, row: Row) {
  unwritten.departures.delete(row)
  unwritten.staying.add(row)
}

/** However many they are, the log keeps what was done of the others. Of those that are not taken only a whole list can tell again. */
function refuseMore(telling: Telling) {
  if (telling.heard.doubt === null) telling.record(too_many)
  telling.heard.doubt = too_many
  telling.heard.gap = true
}
export const too_many =
  `More than ${stays_max.toLocaleString('en')} stays are not taken: somebody has to end those that are over, and the whole list ` +
  'has to be sent again.'

/** Of a room that the property has. What is barred counts only where somebody wants it to. */
async function sayRoom(telling: Telling, { room: number, says }: Extract<Word, { kind: 'room' }>) {
  const room = await knownRoom(telling, number)
  if (!room) return
  const { barred, do_not_disturb } = says
  const said = {
    ...(do_not_disturb !== undefined && { do_not_disturb }),
    ...(barred !== undefined && telling.teller.checks_dispute && { barred }),
  }
  for (const [name, value] of Object.entries(said)) {
    const changed = await telling.scope.change(
      'rooms',
      sql`t.id = ${room.id} and ${sql.ref(`t.${name}`)} <> ${value}`,
      {
        [name]: value,
      },
    )
    if (changed.length > 0) telling.record(`Room ${room.number} ${roomSays[name as keyof ToldRoom][value ? 0 : 1]}`)
  }
}
const roomSays: Record<keyof ToldRoom, readonly [is: string, isNot: string]> = {
  barred: ['is barred', 'is not barred any more'],
  do_not_disturb: ['is not to be disturbed', 'may be disturbed again'],
}

/** Nothing can be kept of it, so that somebody has to read of it. */
function passOver(telling: Telling, word: Extract<Word, { kind: 'stay' | 'ended' }>) {
  const { room, guests } = bounded_stay({ ...unsaid, ...partOf(word) }, telling.isDay)
  const what = word.kind === 'ended' ? 'A departure' : room === '' ? 'A stay' : `A stay in room ${room}`
  const key =
    word.stay_key === ''
      ? 'without a number'
      : `whose number is more than ${stay_key_chars_max} letters or cannot be kept`
  telling.record(`${what} ${key} was passed over`, guests)
}
const partOf = (word: Extract<Word, { kind: 'stay' | 'ended' }>) => {
  if (word.kind === 'ended') return {}
  const { room = '', guests = [] } = word.says
  return { room, guests: guests.map((guest) => ({ ...nameless, ...guest })) }
}

/** A list that was told earlier is older than what was said of single stays meanwhile. */
export async function sayAll(
  telling: Telling,
  { at, stays, again = false }: Extract<Word, { kind: 'all' }>,
  confirmed: number | null,
) {
  if (stays.length > stays_max) return refuseMore(telling)
  await write(telling)
  const there = await telling.rowsWhere(sql`t.told is not null`)
  const records_before = telling.heard.records.length
  const listed = new Set(stays.map(({ stay_key }) => stay_key))
  const gone = there.filter(({ stay_key, told_at }) => !listed.has(stay_key) && told_at <= at)
  const moves_out = gone.reduce((sum, { applied }) => sum + (applied?.guests.length ?? 0), 0)
  if (confirmed !== moves_out && (await emptiesMany(telling, gone, there, stays))) {
    telling.heard.waits = { moves_out }
    telling.record(`A whole list would move ${moves_out} guests out. It waits for somebody to look.`)
    return
  }
  await telling.readGuests(gone)
  for (const row of gone) await endStay(telling, row, at)
  for (const { stay_key, arrived, of_room, ...says } of stays)
    await say(telling, {
      kind: 'stay',
      stay_key,
      at,
      says,
      anew: true,
      arrived: arrived === true,
      ...(of_room && { of_room }),
    })
  if (again && telling.heard.records.length === records_before) return
  const taken = stays.filter(({ stay_key }) => isKey(stay_key)).length
  telling.record(`The whole list was taken in: ${taken} ${taken === 1 ? 'stay' : 'stays'}.`)
}

async function emptiesMany(telling: Telling, gone: Row[], there: Row[], stays: readonly ToldStay[]) {
  const leaving = new Set(gone)
  const peopled = new Set([
    ...stays.map(({ room }) => roomKey(room)),
    ...there.filter((row) => !leaving.has(row)).map(({ told }) => roomKey(told?.room ?? '')),
  ])
  const emptied = new Set(gone.map(({ applied }) => roomKey(applied?.room ?? '')).filter((room) => !peopled.has(room)))
  emptied.delete('')
  if (emptied.size === 0) return false
  const [counted] = await telling.scope.run(sql<{ rooms: number }>`
    select count(*)::integer as rooms from rooms as t
    where t.property_id = ${telling.teller.property_id} and ${telling.scope.inReach('rooms', 't')}`)
  return emptied.size * 5 > (counted?.rooms ?? 0)
}

/** The guests of the other stays in a room have left it. They may be told to be in another within the same moment. */
async function emptyRoom(telling: Telling, room: string, at: Date, but: string | null) {
  const others = (await telling.inRoom(room)).filter((row) => row.stay_key !== but && row.told_at <= at)
  if (others.some((row) => telling.unwritten.arrivals.has(row))) await write(telling)
  for (const row of others) await endStay(telling, row, at, Math.min(move_s, telling.teller.grace_minutes * 60))
}

async function endStay(telling: Telling, row: Row, at: Date, grace_s = telling.teller.grace_minutes * 60) {
  if (row.told !== null) telling.in_house--
  const room = row.applied?.room ?? row.told?.room
  // Once it has ended, a second departure neither hastens nor delays it.
  const isLeaving = row.told === null && row.leaves_at !== null
  Object.assign(row, { told: null, told_at: at })
  const isIn = row.applied?.in === true
  if (isIn && !isLeaving) telling.record(`Departure from room ${room}`, row.applied?.guests)
  if (isIn && grace_s > 0) {
    row.leaves_at ??= new Date(Date.now() + grace_s * 1000)
    if (!isLeaving) telling.unwritten.departures.set(row, grace_s)
    return telling.save(row)
  }
  await endNow(telling, row)
}

export async function leave(telling: Telling, id: number) {
  const [row] = await telling.rowsWhere(sql`t.id = ${id}`)
  if (row && row.told === null && row.leaves_at !== null) await endNow(telling, row)
}

async function endNow(telling: Telling, row: Row, no_show = false) {
  if (telling.unwritten.isOf(row)) await write(telling)
  const { unwritten } = telling
  const leaving = (await telling.ours(row)).filter(({ gone }) => !gone)
  if (leaving.length > 0) unwritten.touch(row, leaving)
  for (const { id } of leaving) {
    unwritten.gone.add(id)
    if (no_show) unwritten.no_shows.add(id)
  }
  row.leaves_at = null
  // Names are not kept of those who have left.
  if (row.applied)
    row.applied = { ...row.applied, in: false, guests: row.applied.guests.map(({ id }) => ({ ...nameless, id })) }
  telling.save(row, [])
}

/** Writes what the row says, where nobody has said otherwise by hand, or somebody accepts that it holds. */
export async function apply(
  telling: Telling,
  row: Row,
  { arrived = false, accepted = [] }: { arrived?: boolean; accepted?: readonly Difference[] } = {},
) {
  const { told } = row
  if (!told) return
  if (told.no_show) {
    if (row.applied?.in) telling.record(`No show in room ${row.applied.room}`, row.applied.guests)
    return endNow(telling, row, true)
  }
  const room = await roomOf(telling, told.room)
  if (!room) {
    telling.record(`Room ${told.room} is not known`, told.guests)
    return telling.save(row, [{ room_guest_id: null, field: 'room', system: told.room, ours: null }])
  }
  const isAdopted = row.applied === null
  row.applied ??= await adopt(telling, row.stay_key, told, room.id)
  const was = row.applied
  if (!was) {
    const isUnsaid = told.arrives_on === null || told.arrives_on > telling.today
    const next = { ...told, arrives_on: arrived && isUnsaid ? telling.today : told.arrives_on }
    telling.record(`Arrival in room ${room.number}${untilOf(next)}`, next.guests)
    telling.unwritten.arrivals.set(row, { row, next, room })
    return
  }
  if (telling.unwritten.isOf(row) || (await telling.ours(row)).some((one) => telling.unwritten.isOfGuest(one)))
    await write(telling)
  const ours = await telling.ours(row)
  const wasOut = !was.in
  if (wasOut) bringBack(telling, row, ours)
  const differences: Difference[] = []
  const saying = { row, was, ours, next: told, differences }
  const host = applyToStays(telling, { ...saying, room, arrived, isAdopted, wasOut, accepted })
  await compareGuests(telling, { ...saying, host, isUnknown: isAdopted || wasOut })
  was.in = true
  telling.save(row, differences)
}

interface Saying {
  row: Row
  was: Applied
  ours: Ours[]
  next: ToldStay
  room: { id: number }
  arrived: boolean
  isAdopted: boolean
  wasOut: boolean
  accepted: readonly Difference[]
  differences: Difference[]
}

/** To each stay that it has become, each as far as nobody has said otherwise of that one. Answers where further guests are. */
function applyToStays(telling: Telling, { row, was, ours, next, room, ...saying }: Saying): Host {
  const { arrived, isAdopted, wasOut, accepted, differences } = saying
  const former = { ...was }
  const [asSaid, otherwise]: [Host[], Host[]] = [[], []]
  for (const [at, those] of staysThere(was, ours).entries()) {
    const [there] = those
    if (!there) continue
    // A difference of the first stay names no guest.
    const isAbout = (id: number | null) => (id === null ? at === 0 : those.some((one) => one.id === id))
    const isAccepted = (field: string) => accepted.some((one) => one.field === field && isAbout(one.room_guest_id))
    const before = differences.length
    const room_guest_id = at === 0 ? null : there.id
    const comparing = { former, was, ours: there, next, arrived, isAdopted, isAccepted, room_guest_id, differences }
    const written = compareStay(telling, comparing)
    writeStay(telling, { row, ours: those, written, room, next, arrived })
    if (written.room !== undefined) telling.heard.moved.push(...those.map(({ id }) => id))
    if (wasOut) telling.record(`Back in room ${written.room ?? there.room}`, those)
    else if (written.room !== undefined) telling.record(`From room ${there.room} to room ${written.room}`, those)
    else if (Object.keys(written).length > 0)
      telling.record(`Another stay in room ${there.room}${untilOf(next)}`, those)
    const { stay_id, room_id, arrives_on, departs_on } = { ...there, ...written }
    const host = { stay_id, room_id: written.room === undefined ? room_id : room.id, arrives_on, departs_on }
    ;(differences.length === before ? asSaid : otherwise).push(host)
  }
  const { arrives_on, departs_on } = was
  return asSaid[0] ?? otherwise[0] ?? { stay_id: ours[0]?.stay_id ?? null, room_id: room.id, arrives_on, departs_on }
}

const untilOf = ({ departs_on }: ToldStay) => (departs_on === null ? '' : `, until ${departs_on}`)
