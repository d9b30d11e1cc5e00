// Stay record: one stay as the desk sees it, why it lets nobody online on the property's present day, and what mends that.
import { addDays, noonOf } from '#contract/days.ts'
import { sql } from 'kysely'
import type { HelpSubject } from '#contract/guest-help.ts'
import type { Language } from '#contract/languages.ts'
import { helpIn, localeOf, toGuestsIn } from '#catalogue/spoken.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Sql } from '#server/entities/entity.ts'
import { stayEnds } from './in-house.ts'

type Shown = Omit<NonNullable<HelpSubject['stay']>, 'source' | 'told_by'>
/** `id`: that of the room guest; `checked_out`: the desk has ended it; `today`: the property's local day. */
export interface StayRecord extends Shown {
  first_name: string | null
  last_name: string | null
  /** Its day of departure is over, or the time of that day until which it goes. */
  is_over: boolean
}

/** For a row of `room_guests` and that of its stay, either of which may be absent, at a property with that zone. */
export const stayRecord = (row: string, stay: string, zone: Sql) => sql`
  case when ${sql.ref(`${row}.id`)} is null then null else json_build_object(
    'id', ${sql.ref(`${row}.id`)}, 'room_id', ${sql.ref(`${row}.room_id`)},
    'first_name', ${sql.ref(`${row}.first_name`)}, 'last_name', ${sql.ref(`${row}.last_name`)},
    'arrives_on', ${sql.ref(`${row}.arrives_on`)}, 'departs_on', ${sql.ref(`${row}.departs_on`)},
    'checked_out', ${sql.ref(`${row}.deleted_at`)} is not null, 'checked_in_at', ${sql.ref(`${row}.checked_in_at`)},
    'stay_id', ${sql.ref(`${stay}.id`)}, 'until_time', to_char(${sql.ref(`${stay}.until_time`)}, 'HH24:MI'),
    'is_over', coalesce(${stayEnds(row, stay, zone)} <= app_now(), false), 'today', local_day(app_now(), ${zone})) end`

/** Without the names, which stand beside it. */
export function shownStay(stay: StayRecord): Shown {
  const { id, room_id, stay_id, arrives_on, departs_on, until_time, today, checked_in_at, checked_out } = stay
  return { id, room_id, stay_id, arrives_on, departs_on, until_time, today, checked_in_at, checked_out }
}

/** Null: the stay lets its guest online now. */
export function reasonAgainstStay({ checked_out, is_over, arrives_on, today }: StayRecord) {
  if (checked_out) return 'checked_out'
  if (is_over) return 'stay_over'
  return arrives_on !== null && arrives_on > today ? 'not_arrived' : null
}

/** `3 May` */
export const sayDay = (date: string, language: Language | undefined): string =>
  noonOf(date).toLocaleDateString(localeOf(language), { day: 'numeric', month: 'long', timeZone: 'UTC' })

type Reader = Pick<Scope, 'language'>

export function sayOver({ language }: Reader, name: string, stay: StayRecord | null): string {
  const say = helpIn(language)
  if (stay?.departs_on == null) return say('against.stay_over', { name })
  const { departs_on, until_time: time, today } = stay
  if (departs_on === today)
    return time === null ? say('against.stay_over-today', { name }) : say('against.stay_over-today-at', { name, time })
  const day = sayDay(departs_on, language)
  return time === null
    ? say('against.stay_over-on', { name, day })
    : say('against.stay_over-on-at', { name, day, time })
}
export const sayNotArrived = ({ language }: Reader, name: string, stay: StayRecord | null): string =>
  helpIn(language)('against.not_arrived', { name, day: sayDay(stay?.arrives_on ?? '', language) })

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

/** “from 3 May to 7 May, 16:00”, for the guest. */
export function sayDays(
  { arrives_on, departs_on, until_time }: Pick<StayRecord, 'arrives_on' | 'departs_on' | 'until_time'>,
  language: Language | undefined,
): string {
  const say = toGuestsIn(language)
  const from = arrives_on === null ? null : sayDay(arrives_on, language)
  if (departs_on === null) return from === null ? say('slip.open') : say('slip.from-open', { from })
  const day = sayDay(departs_on, language)
  const to = until_time === null ? day : say('slip.day-time', { day, time: until_time })
  return from === null ? say('slip.to', { to }) : say('slip.from-to', { from, to })
}
