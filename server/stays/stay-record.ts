// Stay record: one stay as the desk sees it, why it lets nobody online on the property's present day, and what mends that.
import { sql } from 'kysely'
import type { HelpSubject } from '#contract/guest-help.ts'
import type { Sql } from '#server/entities/entity.ts'
import { addDays } from '#server/time/zones.ts'

type Shown = NonNullable<HelpSubject['stay']>
/** `id`: that of the room guest; `checked_out`: the desk has ended it; `today`: the property's local day. */
export interface StayRecord extends Shown {
  first_name: string | null
  last_name: string | null
}

/** For a row of `room_guests`, which may be absent, at a property with that zone. */
export const stayRecord = (row: string, zone: Sql) => sql`
  case when ${sql.ref(`${row}.id`)} is null then null else json_build_object(
    'id', ${sql.ref(`${row}.id`)}, 'room_id', ${sql.ref(`${row}.room_id`)},
    'first_name', ${sql.ref(`${row}.first_name`)}, 'last_name', ${sql.ref(`${row}.last_name`)},
    'arrives_on', ${sql.ref(`${row}.arrives_on`)}, 'departs_on', ${sql.ref(`${row}.departs_on`)},
    'checked_out', ${sql.ref(`${row}.deleted_at`)} is not null, 'checked_in_at', ${sql.ref(`${row}.checked_in_at`)},
    'today', local_day(app_now(), ${zone})) end`

/** Without the names, which stand beside it. */
export function shownStay(stay: StayRecord): Shown {
  const { id, room_id, arrives_on, departs_on, today, checked_in_at, checked_out } = stay
  return { id, room_id, arrives_on, departs_on, today, checked_in_at, checked_out }
}

/** Null: the stay lets its guest online now. */
export function reasonAgainstStay({ checked_out, arrives_on, departs_on, today }: StayRecord) {
  if (checked_out) return 'checked_out'
  if (departs_on !== null && departs_on < today) return 'stay_over'
  return arrives_on !== null && arrives_on > today ? 'not_arrived' : null
}

const day = (date: string) =>
  new Date(`${date}T12:00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })

export const sayOver = (name: string, stay: StayRecord | null) =>
  stay?.departs_on ? `The stay of ${name} ended on ${day(stay.departs_on)}.` : `The stay of ${name} has ended.`
export const sayNotArrived = (name: string, stay: StayRecord | null) =>
  `${name} is expected on ${day(stay?.arrives_on ?? '')}, not before.`

/** What keeps the guest until tomorrow. */
export const untilTomorrow = ({ id, today, departs_on }: StayRecord) => ({
  id,
  departs_on: addDays(today, 1),
  was: { departs_on },
})

/** A further stay of a guest who was checked out: in the same room, from today until tomorrow. */
export const onceMore = ({ room_id, first_name, today }: StayRecord) => ({
  room_id,
  first_name,
  arrives_on: today,
  departs_on: addDays(today, 1),
})
