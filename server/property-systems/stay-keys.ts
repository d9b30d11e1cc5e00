// Stay keys: a reservation or a lease may have several rooms, each of which is a stay with a key of its own. A key goes with its people: by
// its position or its room alone, whoever stays would get the record of somebody who has left.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { sameFold } from '#contract/folded.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { wholeName } from '#server/stays/sync-state.ts'
import { roomKey, stay_key_chars_max } from '#server/stays/stay-updates.ts'
import type { BookedRoom, Bookings, KnownStay, ListedStay } from './kind.ts'

/** Those in house first; of those who have left the names are ours, so that nobody else gets their keys. */
export const knownStays = (scope: Scope, interface_id: number) =>
  scope.run(sql<KnownStay>`
    select t.stay_key, coalesce(t.told, t.applied) ->> 'room' as room, t.told is not null as in_house,
      coalesce(t.told -> 'guests', (
        select jsonb_agg(jsonb_build_object('last_name', g.last_name, 'first_name', g.first_name))
        from jsonb_array_elements(t.applied -> 'guests') as a(guest)
        join room_guests as g on g.customer_id = t.customer_id and g.id = (a.guest ->> 'id')::integer), '[]') as guests
    from told_stays as t
    where t.property_interface_id = ${interface_id} and coalesce(t.told, t.applied) is not null
      and ${scope.inReach('told_stays', 't')}
    order by t.told is null, t.id`)

export function keyed(bookings: Bookings, known: readonly KnownStay[]): ListedStay[] {
  const ofReference = Map.groupBy(known, ({ stay_key }) => stay_key.split(between, 1)[0] ?? '')
  return [...bookings].flatMap(([reference, rooms]) => {
    const keys = keysOf(reference, rooms, ofReference.get(keyOf(reference)) ?? [])
    return [...keys].map(([room, stay_key]) => ({ stay_key, ...room }))
  })
}

function keysOf(reference: string, rooms: readonly BookedRoom[], known: readonly KnownStay[]): Map<BookedRoom, string> {
  const keys = new Map<BookedRoom, string>()
  const left = new Set(known)
  const give = (room: BookedRoom, one: KnownStay | undefined) => {
    if (!one) return
    left.delete(one)
    keys.set(room, one.stay_key)
  }
  const [only] = rooms
  // The reservation itself is known, wherever it is by now, and whatever the name.
  if (only && rooms.length === 1 && known.length === 1 && known[0]?.in_house) give(only, known[0])
  for (const signsOf of signs) {
    const signed = [...left].toReversed().flatMap((one) => signsOf(one).map((sign) => ({ sign, one })))
    const bySign = Map.groupBy(signed, ({ sign }) => sign)
    for (const room of rooms.filter((one) => !keys.has(one)))
      give(room, signsOf(room).flatMap((sign) => lastLeft(bySign.get(sign) ?? [], left) ?? [])[0])
  }
  const used = new Set(known.map(({ stay_key }) => stay_key))
  for (const room of rooms.filter((one) => !keys.has(one))) {
    const number = roomKey(room.room)
    let key = keyOf(reference)
    if (used.has(key)) key = keyOf(reference, number)
    for (let more = 2; used.has(key); more++) key = keyOf(reference, number, String(more))
    used.add(key)
    keys.set(room, key)
  }
  return keys
}

type Signed = Pick<KnownStay, 'room' | 'guests'> & Partial<Pick<KnownStay, 'in_house'>>
const namesIn = ({ guests }: Signed) => guests.map((one) => sameFold(wholeName(one))).filter((name) => name !== '')
/** By what a stay is known again, the surest first; one of those who have left by their names alone. */
const signs: readonly ((stay: Signed) => string[])[] = [
  (stay) => namesIn(stay).map((name) => JSON.stringify([roomKey(stay.room), name])),
  namesIn,
  ({ room, in_house = true }) => (in_house ? [roomKey(room)] : []),
  // Of a system that says no names.
  (stay) => (stay.in_house !== false && namesIn(stay).length === 0 ? [''] : []),
]

/** What is taken falls off the end, so that many with one sign are looked at once each. */
function lastLeft(signed: { one: KnownStay }[], left: ReadonlySet<KnownStay>): KnownStay | undefined {
  for (let last = signed.at(-1); last !== undefined; last = signed.at(-1)) {
    if (left.has(last.one)) return last.one
    signed.pop()
  }
  return undefined
}

const between = ' / '

/** Longer ones are told apart by their end. */
export function keyOf(...parts: readonly string[]): string {
  const key = parts.join(between)
  if (key.length <= stay_key_chars_max) return key
  const end = createHash('sha256').update(key).digest('hex').slice(0, 32)
  return `${key.slice(0, stay_key_chars_max - end.length - 1)}~${end}`
}
