// Slip: what the guests of a stay have used of the Wi-Fi and what is left, to be printed, mailed or texted.
import { sql } from 'kysely'
import type { HelpSubject } from '#contract/guest-help.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { oneRow } from '#server/entities/read.ts'
import { sayDays } from '#server/stays/stay-record.ts'
import { stays } from '#server/stays/stays.ts'
import { moment } from '#server/vouchers/slip.ts'
import { subjectOf } from './subject.ts'
import { gigabytesIn, hoursIn, usedInStay } from './used.ts'

/** Of more, the slip would be a list. */
const guests_max = 8

interface Place {
  time_zone: string
  /** For numbers without a country code. */
  country: string | null
  email: string | null
  mobile_number: string | null
}

export interface Slip {
  place: string
  property_id: number
  note: string
  lines: { label: string; value: string }[]
  country: string | null
  email: string | null
  mobile_number: string | null
}

/** @throws {Refused} 404 if there is no such stay in reach */
export async function slipOf(scope: Scope, stay_id: number, portal_url: string): Promise<Slip> {
  const stay = await oneRow(scope, stays, stay_id)
  const [place] = await scope.run(sql<Place>`
    select coalesce(p.time_zone, c.time_zone) as time_zone,
      (select k.code from countries as k where k.id = coalesce(p.country_id, c.country_id)) as country,
      (select g.email from room_guests as g where g.customer_id = p.customer_id and g.stay_id = ${stay_id} and g.deleted_at is null
        and g.email is not null order by g.id limit 1) as email,
      (select g.mobile_number from room_guests as g where g.customer_id = p.customer_id and g.stay_id = ${stay_id}
        and g.deleted_at is null and g.mobile_number is not null order by g.id limit 1) as mobile_number
    from properties as p join customers as c on c.id = p.customer_id
    where p.id = ${stay.property_id} and ${scope.inReach('properties', 'p')}`)
  const used = await usedInStay(scope, stay_id)
  const subjects: HelpSubject[] = []
  for (const { id } of stay.guests.slice(0, guests_max))
    subjects.push(await subjectOf(scope, { kind: 'stay', id, property_id: stay.property_id }, { portal_url }))
  const lines = [
    { label: 'Room', value: stay.room.name },
    { label: 'Stay', value: sayDays(stay) },
    { label: 'Used', value: used === null ? 'Nothing so far' : saidOf(used) },
    ...subjects.map(({ name, left }) => ({
      label: subjects.length > 1 ? `Left for ${name}` : 'Left',
      value: left === null ? 'Everything: they have not been online yet' : leftIn(left, place?.time_zone ?? 'UTC'),
    })),
  ]
  return {
    place: stay.property.name,
    property_id: stay.property_id,
    note: stay.guests.map(({ name }) => name).join(', '),
    lines,
    country: place?.country ?? null,
    email: place?.email ?? null,
    mobile_number: place?.mobile_number ?? null,
  }
}

const saidOf = ({ seconds, bytes_down, bytes_up, devices }: NonNullable<HelpSubject['used']>) =>
  [
    `${hoursIn(seconds)} online`,
    `${gigabytesIn(bytes_down)} down`,
    `${gigabytesIn(bytes_up)} up`,
    devices === 1 ? '1 device' : `${devices} devices`,
  ].join(', ')

function leftIn({ seconds, bytes, ends_at }: NonNullable<HelpSubject['left']>, time_zone: string) {
  const limits = [
    seconds === null ? null : `${hoursIn(seconds)} online`,
    bytes === null ? null : gigabytesIn(bytes),
    ends_at === null ? null : `until ${moment(ends_at, time_zone)}`,
  ].filter((limit) => limit !== null)
  return limits.length === 0 ? 'No limit' : limits.join(', ')
}
