// Translation of Mews: a reservation that has started, and has a space, is a stay of those who are in house by it.
import { z } from 'zod'
import { localDay } from '#server/time/zones.ts'
import { notInFuture } from '#server/property-systems/answers.ts'
import type { ChangedStay, KnownStay } from '#server/property-systems/kind.ts'
import { wholeName } from '#server/stays/sync-state.ts'
import type { ReportedGuest } from '#server/stays/stay-updates.ts'

const text = z
  .string()
  .nullish()
  .transform((value) => (value?.trim() ? value.trim() : null))
const moment = z.iso.datetime({ offset: true })
const Cursor = z
  .string()
  .nullish()
  .transform((value) => value ?? null)

const Reservation = z.object({
  Id: z.string().min(1),
  State: z.string(),
  AssignedResourceId: text,
  ScheduledStartUtc: moment,
  ActualStartUtc: moment.nullish(),
  ScheduledEndUtc: moment,
  UpdatedUtc: moment,
})
export const Reservations = z
  .object({ Reservations: z.array(Reservation), Cursor })
  .transform(({ Reservations: rows, ...rest }) => ({ rows, ...rest }))

const Resource = z.object({ Id: z.string().min(1), Name: z.string() })
export const Resources = z
  .object({ Resources: z.array(Resource), Cursor })
  .transform(({ Resources: rows, ...rest }) => ({ rows, ...rest }))

const Customer = z.object({ FirstName: text, LastName: text, SecondLastName: text, Email: text, Phone: text })
export const InHouse = z.object({
  Customers: z.array(z.object({ Customer, Reservation: z.object({ Id: z.string() }).nullish() })),
})
/** Who is in house, each by one reservation, whichever it is where they have several. */
export type Person = z.output<typeof InHouse>['Customers'][number]

export const Companionships = z
  .object({
    Companionships: z.array(z.object({ CustomerId: z.string(), ReservationId: z.string().nullish() })),
    Customers: z.array(Customer.extend({ Id: z.string() })).nullish(),
    Cursor,
  })
  .transform(({ Companionships: companions, Customers, ...rest }) => {
    const customers = new Map(Customers?.map((one) => [one.Id, one]))
    const rows = companions.flatMap(({ CustomerId, ReservationId }): Person[] => {
      const one = customers.get(CustomerId)
      return one && ReservationId != null ? [{ Customer: one, Reservation: { Id: ReservationId } }] : []
    })
    return { rows, ...rest }
  })

const guestOf = ({ Customer: one }: Person): ReportedGuest => ({
  last_name: [one.LastName, one.SecondLastName].filter((name) => name !== null).join(' ') || null,
  first_name: one.FirstName,
  email: one.Email,
  mobile_number: one.Phone,
})

/** Reservations by which other people are in house than were told: their records say nothing of a corrected name, or a companion. */
export function otherPeople(people: readonly Person[], known: readonly KnownStay[]): string[] {
  const told = new Map(
    known.filter(({ in_house }) => in_house).map(({ stay_key, guests }) => [stay_key, namesOf(guests)]),
  )
  return [...Map.groupBy(people, ({ Reservation: by }) => by?.Id ?? '')]
    .filter(([id, those]) => told.has(id) && told.get(id) !== namesOf(those.map(guestOf)))
    .map(([id]) => id)
}
const namesOf = (guests: KnownStay['guests']) => JSON.stringify(guests.map(wholeName).toSorted())

/** Those who stay by it have to be asked for by it: each of them is in house by another one as well. */
export const namesNobody = (reservations: Told['reservations'], people: readonly Person[]): string[] => {
  const named = new Set(people.map(({ Reservation: by }) => by?.Id))
  return reservations.filter((one) => isIn(one) && !named.has(one.Id)).map(({ Id }) => Id)
}
const isIn = ({ State, AssignedResourceId }: Told['reservations'][number]) =>
  State === 'Started' && AssignedResourceId !== null

interface Told {
  reservations: readonly z.output<typeof Reservation>[]
  resources: readonly z.output<typeof Resource>[]
  people: readonly Person[]
  time_zone: string
  /** When it was asked. */
  at: Date
  /** Reservations whose people were others than were told: what is said of them is as new as that. */
  others: ReadonlySet<string>
}

export function staysOf({ reservations, resources, people, time_zone, at, others }: Told): ChangedStay[] {
  const rooms = new Map(resources.map(({ Id, Name }) => [Id, Name.trim()]))
  const guests = Map.groupBy(people, (one) => one.Reservation?.Id)
  const day = (value: string) => localDay(Date.parse(value), time_zone)
  return reservations.map((one): ChangedStay => {
    const updated_at = notInFuture(new Date(one.UpdatedUtc))
    const stay = { stay_key: one.Id, at: others.has(one.Id) && at > updated_at ? at : updated_at }
    const room = rooms.get(one.AssignedResourceId ?? '') ?? ''
    const those = guests.get(one.Id) ?? []
    if (!isIn(one) || room === '' || those.length === 0) return { ...stay, fields: null }
    return {
      ...stay,
      fields: {
        room,
        guests: those.map(guestOf),
        arrives_on: day(one.ActualStartUtc ?? one.ScheduledStartUtc),
        departs_on: day(one.ScheduledEndUtc),
        until_time: null,
        no_show: false,
        may_be_charged: true,
        arrived: true,
      },
    }
  })
}
