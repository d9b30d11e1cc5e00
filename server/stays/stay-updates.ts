// Stay updates: what a property's own system reports of its stays, in one shape whatever system reports it.

export interface ReportedGuest {
  last_name: string | null
  first_name: string | null
  email: string | null
  mobile_number: string | null
}

/** Days as YYYY-MM-DD, times as HH:MM, by the property's clock. */
export interface ReportedStay {
  /** The number, as the system writes it. */
  room: string
  guests: ReportedGuest[]
  arrives_on: string | null
  departs_on: string | null
  until_time: string | null
  no_show: boolean
  may_be_charged: boolean
  /** The bill of the stay is in dispute; absent: the system reports nothing of bills. */
  in_dispute?: boolean
}

/** What a system reports of a room, whoever is in it. Absent fields stay as they were. */
export interface ReportedRoom {
  barred?: boolean
  do_not_disturb?: boolean
}

/**
 * The key is that of a room, for want of another: once its stay has ended it is the key of another one. `taken`: whoever has come to the
 * room has it for themselves, so that another name is another stay; `shared`: whoever is there stays there, too; `changed`: it is about
 * whoever is there.
 */
export type RoomKeyed = 'taken' | 'shared' | 'changed'

/** `at`: when it became so. An update that is older than the newest one of the same stay changes nothing. */
export type StayUpdate =
  | {
      kind: 'stay'
      stay_key: string
      at: Date
      /** The reported fields; others stay as they were, also those of the only guest. */
      fields: Partial<Omit<ReportedStay, 'guests'>> & { guests?: Partial<ReportedGuest>[] }
      /** Absent fields are empty, instead of as they were. */
      is_complete?: boolean
      /** The guests are in house by now, whatever their day of arrival. */
      arrived?: boolean
      of_room?: RoomKeyed
      /** No other stay is in the room any more. */
      alone?: boolean
      /** The room that the guests have left is empty. */
      vacated_room?: string | null
    }
  | { kind: 'ended'; stay_key: string; at: Date }
  | { kind: 'vacated'; room: string; at: Date }
  | { kind: 'room'; room: string; fields: ReportedRoom }
  /** A snapshot of all stays: who is not in it has left. `again`: it comes so often that it is recorded only if it changes something. */
  | {
      kind: 'all'
      at: Date
      again?: boolean
      stays: readonly (ReportedStay & { stay_key: string; arrived?: boolean; of_room?: RoomKeyed })[]
    }

export const nameless: ReportedGuest = { last_name: null, first_name: null, email: null, mobile_number: null }

export const unreported: ReportedStay = {
  room: '',
  guests: [],
  arrives_on: null,
  departs_on: null,
  until_time: null,
  no_show: false,
  may_be_charged: true,
}

/** Stays in house of one interface: more are not taken, so that no system can fill the database. */
export const stays_max = 20_000
export const stay_key_chars_max = 200
const name_chars_max = 100
const room_chars_max = 50
const guests_max = 20

// Control characters and lone surrogates, which no form takes.
// oxlint-disable-next-line no-control-regex -- they are what is taken out
const unwritable = /[\u0000-\u001f\u007f]|\p{Cs}/gu

/** Whether a stay can be kept under this key. */
export const isKey = (stay_key: string) =>
  stay_key !== '' && stay_key.length <= stay_key_chars_max && stay_key.search(unwritable) < 0

/** As in the table of rooms. */
export const roomKey = (number: string) => number.replace(unwritable, ' ').trim().toLowerCase()

const bounded = (text: string | null, chars_max: number) => {
  const plain = text?.replace(unwritable, ' ').trim().slice(0, chars_max).trim() ?? ''
  return plain === '' ? null : plain
}

/** Within the bounds that a form has: a claim from outside is cut, and never refused as a whole. @param isDay whether a day can be meant */
export function boundedStay(reported: ReportedStay, isDay: (day: string) => boolean): ReportedStay {
  const day = (value: string | null) => (value !== null && isDay(value) ? value : null)
  const [arrives_on, departs_on] = [day(reported.arrives_on), day(reported.departs_on)]
  const isTurned = arrives_on !== null && departs_on !== null && departs_on < arrives_on
  return {
    room: bounded(reported.room, room_chars_max) ?? '',
    guests: reported.guests.slice(0, guests_max).map(({ last_name, first_name, email, mobile_number }) => ({
      last_name: bounded(last_name, name_chars_max),
      first_name: bounded(first_name, name_chars_max),
      email: bounded(email, name_chars_max * 2),
      mobile_number: bounded(mobile_number, 30),
    })),
    arrives_on,
    departs_on: isTurned ? null : departs_on,
    until_time:
      reported.until_time !== null && /^([01]\d|2[0-3]):[0-5]\d$/.test(reported.until_time)
        ? reported.until_time
        : null,
    no_show: reported.no_show,
    may_be_charged: reported.may_be_charged,
    ...(reported.in_dispute !== undefined && { in_dispute: reported.in_dispute }),
  }
}
