// Translation of the file drop: a list of rooms becomes stays, each with the key by which the next list knows it again.
import { sameFold } from '#contract/folded.ts'
import type { BookedRoom, FileSystem, ListedGuest, ListedStay } from '#server/property-systems/kind.ts'
import { keyed, keyOf } from '#server/property-systems/stay-keys.ts'
import { roomKey } from '#server/stays/stay-updates.ts'

export const stays: FileSystem['stays'] = (rooms, known) => {
  const bookings = new Map<string, BookedRoom[]>()
  const found: ListedStay[] = []
  for (const { number, guests } of rooms) {
    for (const [reference, party] of Map.groupBy(guests, ({ external_reference }) => external_reference?.trim() ?? ''))
      if (reference !== '') bookings.set(reference, [...(bookings.get(reference) ?? []), stayOf(number, party)])
      // Without a reservation's number each is a stay of their own.
      else
        for (const guest of party)
          found.push({ stay_key: keyOf(`${roomKey(number)}: ${nameOf(guest)}`), ...stayOf(number, [guest]) })
  }
  return [...found, ...keyed(bookings, known)]
}

const nameOf = ({ first_name, last_name }: ListedGuest) => sameFold([first_name, last_name].filter(Boolean).join(' '))

function stayOf(room: string, guests: readonly ListedGuest[]): BookedRoom {
  const days = (field: 'arrives_on' | 'departs_on') => guests.flatMap((guest) => guest[field] ?? []).toSorted()
  return {
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
