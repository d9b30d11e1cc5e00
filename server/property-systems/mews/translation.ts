// Translation of Mews: a reservation that has started, and has a space, is a stay of those who are in house by it.
import { z } from 'zod'
import { localDay } from '#server/time/zones.ts'
import { notAhead } from '#server/property-systems/answers.ts'
import type { ChangedStay } from '#server/property-systems/kind.ts'

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

export const InHouse = z.object({
  Customers: z.array(
    z.object({
      Customer: z.object({ FirstName: text, LastName: text, Email: text, Phone: text }),
      Reservation: z.object({ Id: z.string() }).nullish(),
    }),
  ),
})
export type InHousePage = z.output<typeof InHouse>

interface Told {
  reservations: readonly z.output<typeof Reservation>[]
  resources: readonly z.output<typeof Resource>[]
  people: InHousePage
  time_zone: string
}

export function staysOf({ reservations, resources, people, time_zone }: Told): ChangedStay[] {
  const rooms = new Map(resources.map(({ Id, Name }) => [Id, Name.trim()]))
  const guests = Map.groupBy(people.Customers, (one) => one.Reservation?.Id)
  const day = (value: string) => localDay(Date.parse(value), time_zone)
  return reservations.map((one): ChangedStay => {
    const stay = { stay_key: one.Id, at: notAhead(new Date(one.UpdatedUtc)) }
    const room = rooms.get(one.AssignedResourceId ?? '') ?? ''
    const those = guests.get(one.Id) ?? []
    // Nobody is in house by it who was asked for after it: they have left meanwhile.
    if (one.State !== 'Started' || room === '' || those.length === 0) return { ...stay, says: null }
    return {
      ...stay,
      says: {
        room,
        guests: those.map(({ Customer }) => ({
          last_name: Customer.LastName,
          first_name: Customer.FirstName,
          email: Customer.Email,
          mobile_number: Customer.Phone,
        })),
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
