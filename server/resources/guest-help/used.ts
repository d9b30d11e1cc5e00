// Used: how much of the Wi-Fi somebody has used, as gateways have reported it, in the words of the desk and of a slip.
import { sql } from 'kysely'
import type { Used } from '#contract/guest-help.ts'
import type { Language } from '#contract/languages.ts'
import { localeOf, type SayToGuests } from '#catalogue/spoken.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { columnOf, type Holder } from '#server/admission/holders.ts'
import type { Sql } from '#server/entities/entity.ts'
import { sessionsOfGuests, sessionsOfVoucher } from '#server/history/read-sessions.ts'

/** Of those who stay for as long as they like. */
const shown_days = 30
const bytes_per_gb = 1e9

const summed = [
  'customer_id',
  'property_id',
  'guest_id',
  'voucher_id',
  'mac_address',
  'seconds',
  'bytes_up',
  'bytes_down',
] as const

const sumOf = async (scope: Scope, whose: Sql, sessions = sql`radius_sessions`): Promise<Used | null> => {
  const [used] = await scope.run(sql<Used>`
    select count(*)::integer as sessions, count(distinct t.mac_address)::integer as devices,
      coalesce(sum(t.seconds), 0)::float8 as seconds, coalesce(sum(t.bytes_up), 0)::float8 as bytes_up,
      coalesce(sum(t.bytes_down), 0)::float8 as bytes_down
    from ${sessions} as t where ${whose} and ${scope.inReach('radius_sessions', 't')}`)
  return used && used.sessions > 0 ? used : null
}

/** By all guests of a stay, also by those who have left it. */
export function usedInStay(scope: Scope, stay_id: number) {
  const guests = sql`array(
    select g.id from guests as g join room_guests as s on s.customer_id = g.customer_id and s.id = g.room_guest_id
    where g.customer_id = ${scope.customer_id} and s.stay_id = ${stay_id})`
  return sumOf(scope, sql`t.guest_id = any(${guests})`, sessionsOfGuests(summed, guests))
}

/** A voucher is used once, by whoever has it; a device is online for years. */
export function usedBy(scope: Scope, holder: Holder | null): Promise<Used | null> {
  if (holder === null || holder.kind === 'device') return Promise.resolve(null)
  const theirs = sql`t.${sql.ref(columnOf(holder))} = ${holder.id}`
  // An account's sessions have an index by when they were first reported, which is hardly ever before they began.
  const since = (days: number) => sql`now() - make_interval(days => ${days})`
  const lately = sql`t.started_at > ${since(shown_days)} and t.created_at > ${since(shown_days + 7)}`
  // Those of the shown days are never packed, those of a voucher are as long ago as it is.
  return holder.kind === 'voucher'
    ? sumOf(scope, theirs, sessionsOfVoucher(summed, scope, holder.id))
    : sumOf(scope, sql`${theirs} and ${lately}`)
}

/** `1 h 20 min` */
export function hoursIn(say: SayToGuests, seconds: number): string {
  const all = Math.floor(seconds / 60)
  const [hours, minutes] = [Math.floor(all / 60), all % 60]
  if (hours === 0) return say('time.minutes', { minutes })
  return minutes === 0 ? say('time.hours', { hours }) : say('time.hours-minutes', { hours, minutes })
}
export function gigabytesIn(bytes: number, language: Language | undefined): string {
  if (bytes < bytes_per_gb / 10) return `${Math.round(bytes / 1e6)} MB`
  const places = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
  return `${(bytes / bytes_per_gb).toLocaleString(localeOf(language), places)} GB`
}
