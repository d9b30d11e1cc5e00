// Translation of Cloudbeds: a reservation that is checked in is a stay in each of its rooms, of the guests who are assigned to it.
import { z } from 'zod'
import type { BookedRoom } from '#server/property-systems/kind.ts'

const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => {
    const plain = String(value ?? '').trim()
    return plain === '' ? null : plain
  })
const day = z.string().regex(/^\d{4}-\d\d-\d\d/)
const count = z.union([z.number(), z.string().regex(/^\d+$/)]).transform(Number)

const Guest = z.object({
  guestFirstName: text,
  guestLastName: text,
  guestEmail: text,
  guestPhone: text,
  guestCellPhone: text,
  roomName: text,
  rooms: z.array(z.object({ roomName: text })).nullish(),
  isMainGuest: z.boolean().nullish(),
})
type Guest = z.output<typeof Guest>
/** By their ids; where nobody is in it, PHP writes an empty list. */
const guestList = z
  .union([z.record(z.string(), Guest), z.array(Guest)])
  .nullish()
  .transform((given) => Object.values(given ?? {}))
const Reservation = z.object({
  reservationID: z.union([z.string(), z.number()]).transform(String),
  status: z.string(),
  startDate: day,
  endDate: day,
  guestList,
})
export type Reservation = z.output<typeof Reservation>
export const Page = z.object({
  success: z.boolean(),
  data: z
    .array(Reservation)
    .nullish()
    .transform((rows) => rows ?? []),
  total: count.nullish().transform((given) => given ?? 0),
})

const roomsOfGuest = ({ roomName, rooms }: Guest) => [
  ...new Set([roomName, ...(rooms ?? []).map((room) => room.roomName)].filter((room) => room !== null)),
]

export function roomsOf({ status, startDate, endDate, guestList: guests }: Reservation): BookedRoom[] {
  if (status !== 'checked_in') return []
  // The main guest first.
  const sorted = guests.toSorted((one, other) => Number(other.isMainGuest ?? false) - Number(one.isMainGuest ?? false))
  const rooms = [...new Set(sorted.flatMap(roomsOfGuest))]
  return rooms.map((room, at): BookedRoom => {
    // Who is assigned to no room is in the first.
    const those = sorted.filter((guest) => {
      const own = roomsOfGuest(guest)
      return own.length === 0 ? at === 0 : own.includes(room)
    })
    return {
      room,
      guests: those.map(({ guestFirstName, guestLastName, guestEmail, guestCellPhone, guestPhone }) => ({
        last_name: guestLastName,
        first_name: guestFirstName,
        email: guestEmail,
        mobile_number: guestCellPhone ?? guestPhone,
      })),
      arrives_on: startDate.slice(0, 10),
      departs_on: endDate.slice(0, 10),
      until_time: null,
      no_show: false,
      may_be_charged: true,
      arrived: true,
    }
  })
}
