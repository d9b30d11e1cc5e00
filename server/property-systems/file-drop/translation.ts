// Translation of the file drop: a list of rooms becomes stays, each with the key by which the next list knows it again.
import { createHash } from 'node:crypto'
import { sameFold } from '#contract/folded.ts'
import type { FileSystem, KnownStay, ListedGuest, ListedStay } from '#server/property-systems/kind.ts'
import { roomKey, stay_key_chars_max } from '#server/stays/words.ts'

/** Of one room and one reservation, or one person without a reservation's number. */
interface Party {
  room: string
  guests: ListedGuest[]
}

export const stays: FileSystem['stays'] = (rooms, known) => {
  const booked = new Map<string, Party[]>()
  const found: ListedStay[] = []
  for (const { number, guests } of rooms) {
    for (const [reference, party] of Map.groupBy(guests, ({ external_reference }) => external_reference?.trim() ?? ''))
      if (reference !== '') booked.set(reference, [...(booked.get(reference) ?? []), { room: number, guests: party }])
      else
        for (const guest of party) found.push(stayOf(bounded(`${roomKey(number)}: ${nameOf(guest)}`), number, [guest]))
  }
  const ofReference = Map.groupBy(known, ({ stay_key }) => stay_key.split(between, 1)[0] ?? '')
  for (const [reference, parties] of booked)
    for (const [stay_key, { room, guests }] of keysOf(reference, parties, ofReference.get(keyOf([reference])) ?? []))
      found.push(stayOf(stay_key, room, guests))
  return found
}

/** One reservation may have several rooms: whoever stays in a room keeps its key, and who moves takes theirs along. */
function keysOf(reference: string, parties: readonly Party[], known: readonly KnownStay[]): Map<string, Party> {
  const keys = new Map<string, Party>()
  const unplaced: Party[] = []
  for (const party of parties) {
    const same = known.find(({ stay_key, room }) => roomKey(room) === roomKey(party.room) && !keys.has(stay_key))
    if (same) keys.set(same.stay_key, party)
    else unplaced.push(party)
  }
  for (const party of unplaced) {
    const left = known.find(({ stay_key }) => !keys.has(stay_key))
    const plain = keyOf([reference])
    let key = left?.stay_key ?? (keys.has(plain) ? keyOf([reference, roomKey(party.room)]) : plain)
    for (let more = 2; keys.has(key); more++) key = keyOf([reference, roomKey(party.room), String(more)])
    keys.set(key, party)
  }
  return keys
}

const between = ' / '

const keyOf = (parts: readonly string[]) => bounded(parts.join(between))

/** Longer ones are told apart by their end. */
function bounded(key: string): string {
  if (key.length <= stay_key_chars_max) return key
  const end = createHash('sha256').update(key).digest('hex').slice(0, 32)
  return `${key.slice(0, stay_key_chars_max - end.length - 1)}~${end}`
}

const nameOf = ({ first_name, last_name }: ListedGuest) => sameFold([first_name, last_name].filter(Boolean).join(' '))

function stayOf(stay_key: string, room: string, guests: readonly ListedGuest[]): ListedStay {
  const days = (field: 'arrives_on' | 'departs_on') => guests.flatMap((guest) => guest[field] ?? []).toSorted()
  return {
    stay_key,
    room,
    guests: guests.map(({ last_name, first_name, email, mobile_number }) => ({
      last_name,
      first_name,
      email,
      mobile_number,
    })),
    arrives_on: days('arrives_on')[0] ?? null,
    // One of them may stay without an end.
    departs_on: guests.every(({ departs_on }) => departs_on !== null) ? (days('departs_on').at(-1) ?? null) : null,
    until_time: null,
    no_show: false,
    may_be_charged: true,
  }
}
