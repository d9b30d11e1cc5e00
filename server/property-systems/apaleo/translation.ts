// Translation of Apaleo: a reservation that is in house, and has a unit, is a stay; any other state of it ends one.
import { z } from 'zod'
import { notInFuture } from '#server/property-systems/answers.ts'
import type { ChangedStay, ListedStay } from '#server/property-systems/kind.ts'

const text = z
  .string()
  .nullish()
  .transform((value) => (value?.trim() ? value.trim() : null))
/** With the property's own offset, so that its date is the property's. */
const moment = z.iso.datetime({ offset: true })

const Person = z.object({ firstName: text, lastName: text, email: text, phone: text })
const Reservation = z.object({
  id: z.string().min(1),
  status: z.string(),
  unit: z.object({ name: z.string() }).nullish(),
  arrival: moment,
  departure: moment,
  modified: moment,
  primaryGuest: Person.nullish(),
  additionalGuests: z.array(Person).nullish(),
})
export type Reservation = z.output<typeof Reservation>
export const Page = z.object({ reservations: z.array(Reservation), count: z.number().int().nonnegative() })

const day = (value: string) => value.slice(0, 10)

export function listedStay(one: Reservation): ListedStay | null {
  const room = one.unit?.name.trim() ?? ''
  if (one.status !== 'InHouse' || room === '') return null
  const guests = [...(one.primaryGuest ? [one.primaryGuest] : []), ...(one.additionalGuests ?? [])]
  return {
    stay_key: one.id,
    room,
    guests: guests.map(({ firstName, lastName, email, phone }) => ({
      last_name: lastName,
      first_name: firstName,
      email,
      mobile_number: phone,
    })),
    arrives_on: day(one.arrival),
    departs_on: day(one.departure),
    until_time: null,
    no_show: false,
    may_be_charged: true,
    arrived: true,
  }
}

export function changedStay(one: Reservation): ChangedStay {
  const listed = listedStay(one)
  const at = notInFuture(new Date(one.modified))
  if (!listed) return { stay_key: one.id, at, fields: null }
  const { stay_key, ...fields } = listed
  return { stay_key, at, fields }
}
