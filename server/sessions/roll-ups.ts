// Roll-ups: sums over sessions: what a holder has used on each day, and a voucher in total; a property's day by group, package,
// sign-in method and MAC category; the sessions begun in each hour, and who was there on which day. Only differences are added,
// so that a repeated report adds nothing.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import type { Place } from '#server/sessions/record.ts'
import type { SessionChange, Session } from '#server/sessions/session.ts'
import { partsOf, type DayPart } from '#server/sessions/counters.ts'
import type { Day } from '#contract/days.ts'

interface Sum extends DayPart {
  session: Session
  day: Day
}

/** Of an instant at the property. */
type DayOf = (at: number) => Day

/** Rows are always written in the same order, so that two transactions never wait for each other. */
export async function rollUp(scope: Scope, place: Place, changes: SessionChange[], dayOf: DayOf) {
  const parts = changes.flatMap(({ before, after }) => [
    ...(before ? sumsOf(before, dayOf, -1) : []),
    ...sumsOf(after, dayOf, 1),
  ])
  await Promise.all([
    addToDays(scope, place, parts),
    addToVouchers(scope, parts),
    addToUsage(scope, place, parts),
    addToHours(scope, place, changes),
    forgetDevices(scope, place, changes, dayOf),
    addGuests(scope, place, changes, dayOf),
    freePlaces(scope, changes),
  ])
}

/** The former values of a session are subtracted and the new ones added, also where its holder has only now become known. */
const sumsOf = (session: Session, dayOf: DayOf, sign: 1 | -1): Sum[] =>
  [...partsOf(session, dayOf)].map(([day, part]) => ({
    day,
    session,
    sessions: sign * part.sessions,
    seconds: sign * part.seconds,
    bytes_up: sign * part.bytes_up,
    bytes_down: sign * part.bytes_down,
  }))
const isChange = ({ sessions, seconds, bytes_up, bytes_down }: Sum) =>
  sessions !== 0 || seconds !== 0 || bytes_up !== 0 || bytes_down !== 0

/** Adds up the parts of each key; sums of zero are left out. */
function summed(parts: Sum[], keyOf: (part: Sum) => string): Sum[] {
  const groups = Map.groupBy(parts, keyOf)
  return [...groups.keys()].toSorted().flatMap((key) => {
    const [first, ...others] = groups.get(key) ?? []
    return first ? [others.reduce(plus, first)].filter(isChange) : []
  })
}
const plus = (sum: Sum, part: Sum): Sum => ({
  ...sum,
  sessions: sum.sessions + part.sessions,
  seconds: sum.seconds + part.seconds,
  bytes_up: sum.bytes_up + part.bytes_up,
  bytes_down: sum.bytes_down + part.bytes_down,
})

async function addToDays(scope: Scope, place: Place, parts: Sum[]) {
  const keyOf = ({ day, session }: Sum) =>
    [day, session.auth_method_id, session.package_id, session.group_id, session.mac_category_id].join(' ')
  const rows = summed(parts, keyOf).map(
    ({ session: { auth_method_id, package_id, group_id, mac_category_id }, ...part }) => ({
      ...part,
      auth_method_id,
      package_id,
      group_id,
      mac_category_id,
    }),
  )
  if (rows.length === 0) return
  await scope.run(sql`
    insert into session_days as t (customer_id, property_id, day, auth_method_id, package_id, group_id, mac_category_id,
      sessions, seconds, bytes_up, bytes_down)
    select ${scope.customer_id}, ${place.property_id}, d.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as d(day date, auth_method_id integer, package_id integer, group_id integer, mac_category_id integer,
        sessions integer, seconds bigint, bytes_up bigint, bytes_down bigint)
    on conflict (customer_id, property_id, day, auth_method_id, package_id, group_id, mac_category_id) do update set
      sessions = t.sessions + excluded.sessions, seconds = t.seconds + excluded.seconds,
      bytes_up = t.bytes_up + excluded.bytes_up, bytes_down = t.bytes_down + excluded.bytes_down`)
}

async function addToVouchers(scope: Scope, parts: Sum[]) {
  const ofVouchers = parts.filter(({ session }) => session.voucher_id !== null)
  const rows = summed(ofVouchers, ({ session }) => String(session.voucher_id).padStart(16, '0')).map(
    ({ session, seconds, bytes_up, bytes_down }) => ({ id: session.voucher_id, seconds, bytes: bytes_up + bytes_down }),
  )
  if (rows.length === 0) return
  await Promise.all([
    scope.run(sql`
      select from vouchers as t where t.id = any(${rows.map(({ id }) => id)}) and ${scope.inReach('vouchers', 't')}
      order by t.id for no key update`),
    scope.run(sql`
      update vouchers as t set seconds_used = greatest(0, t.seconds_used + d.seconds), bytes_used = greatest(0, t.bytes_used + d.bytes)
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(id bigint, seconds bigint, bytes bigint)
      where t.id = d.id and ${scope.inReach('vouchers', 't')}`),
  ])
}

async function addToUsage(scope: Scope, { time_zone }: Place, parts: Sum[]) {
  const ofHolders = parts.filter(({ session }) => holderKey(session) !== '')
  const rows = summed(ofHolders, ({ session, day }) => `${holderKey(session)} ${day}`).map(({ session, ...part }) => ({
    account_id: session.account_id,
    voucher_id: session.voucher_id,
    device_id: session.device_id,
    guest_id: session.guest_id,
    day: part.day,
    seconds: part.seconds,
    bytes: part.bytes_up + part.bytes_down,
  }))
  if (rows.length === 0) return
  await scope.run(sql`
    with days as materialized (
      select q.day, day_begins(q.day, ${time_zone}) as starts_at from unnest(${[...new Set(rows.map(({ day }) => day))]}::date[]) as q(day))
    insert into usage_periods as t
      (customer_id, account_id, voucher_id, device_id, guest_id, starts_at, seconds_used, bytes_used)
    select ${scope.customer_id}, d.account_id, d.voucher_id, d.device_id, d.guest_id,
      days.starts_at, d.seconds, d.bytes
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as d(account_id integer, voucher_id bigint, device_id integer, guest_id bigint, day date, seconds bigint, bytes bigint)
      join days using (day)
    on conflict (customer_id, account_id, voucher_id, device_id, guest_id, starts_at) do update set
      seconds_used = t.seconds_used + excluded.seconds_used, bytes_used = t.bytes_used + excluded.bytes_used`)
}

const holderKey = ({ account_id, voucher_id, device_id, guest_id }: Session) =>
  account_id === null && voucher_id === null && device_id === null && guest_id === null
    ? ''
    : `${account_id} ${voucher_id} ${device_id} ${guest_id}`

const hour_ms = 3600 * 1000

/** Sessions count in the hour in which they began. */
async function addToHours(scope: Scope, { property_id }: Place, changes: SessionChange[]) {
  const hourOf = (one: Session) => Math.floor(one.started_at / hour_ms) * hour_ms
  const begun = new Map<number, number>()
  const add = (hour: number, sessions: number) => begun.set(hour, (begun.get(hour) ?? 0) + sessions)
  for (const { before, after } of changes) {
    if (before) add(hourOf(before), -1)
    add(hourOf(after), 1)
  }
  const rows = [...begun].flatMap(([hour, sessions]) => (sessions === 0 ? [] : [{ hour, sessions }]))
  if (rows.length === 0) return
  await scope.run(sql`
    insert into property_hours as t (customer_id, property_id, hour, sessions)
    select ${scope.customer_id}, ${property_id}, timestamptz 'epoch' + d.hour * interval '1 millisecond', d.sessions
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(hour float8, sessions integer) order by d.hour
    on conflict (customer_id, property_id, hour) do update set sessions = t.sessions + excluded.sessions`)
}

/** Whether both are of one guest, by the same way: a device of which nobody knows whose it is counts as a guest of its own. */
const isOfOne = (one: Session, other: Session) =>
  holderKey(one) === holderKey(other) &&
  (holderKey(one) !== '' || one.mac_address === other.mac_address) &&
  one.auth_method_id === other.auth_method_id

/** What a device was counted as before a report told whose it is, unless it was nobody's in another session of that day. */
async function forgetDevices(scope: Scope, place: Place, changes: SessionChange[], dayOf: DayOf) {
  const rows = changes.flatMap(({ before, after }) => {
    if (before === null || before.mac_address === null || holderKey(before) !== '' || isOfOne(before, after)) return []
    const { mac_address, auth_method_id } = before
    return [...partsOf(before, dayOf).keys()].map((day) => ({ day, mac_address, auth_method_id }))
  })
  if (rows.length === 0) return
  await scope.run(sql`
    with gone as (
      delete from guest_days as t
      using jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(day date, mac_address macaddr, auth_method_id integer)
      where t.property_id = ${place.property_id} and t.day = d.day and t.auth_method_id is not distinct from d.auth_method_id
        and t.guest = guest_pseudonym(${scope.customer_id}, null, null, null, null, d.mac_address) and ${scope.inReach('guest_days', 't')}
        and not exists (
          select from radius_sessions as s
          where s.customer_id = t.customer_id and s.mac_address = d.mac_address and s.property_id = t.property_id
            and num_nonnulls(s.account_id, s.voucher_id, s.device_id, s.guest_id) = 0
            and s.started_at < day_begins(d.day + 1, ${place.time_zone}) and s.last_seen_at >= day_begins(d.day, ${place.time_zone}))
      returning t.guest, t.day)
    delete from guest_first_days as t using gone
    where t.property_id = ${place.property_id} and t.guest = gone.guest and t.first_day = gone.day and t.last_day = gone.day
      and ${scope.inReach('guest_first_days', 't')}`)
}

/** A guest is counted once per day and sign-in method, under a pseudonym. */
async function addGuests(scope: Scope, { property_id }: Place, changes: SessionChange[], dayOf: DayOf) {
  const daysOf = (one: Session) => [...partsOf(one, dayOf).keys()]
  const rows = changes.flatMap(({ before, after }) => {
    const { guest_id, account_id, voucher_id, device_id, mac_address, auth_method_id } = after
    const known = new Set(before && isOfOne(before, after) ? daysOf(before) : [])
    const days = daysOf(after).filter((day) => !known.has(day))
    return days.map((day) => ({ day, guest_id, account_id, voucher_id, device_id, mac_address, auth_method_id }))
  })
  if (rows.length === 0) return
  await scope.run(sql`
    with seen as materialized (
      select distinct d.day, d.auth_method_id,
        guest_pseudonym(${scope.customer_id}, d.guest_id, d.account_id, d.voucher_id, d.device_id, d.mac_address) as guest
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(day date, guest_id bigint, account_id integer,
        voucher_id bigint, device_id integer, mac_address macaddr, auth_method_id integer)
    ), added as materialized (
      select seen.* from seen where seen.guest is not null and not exists (
        select from guest_days as t
        where t.property_id = ${property_id} and t.day = seen.day and t.guest = seen.guest
          and t.auth_method_id is not distinct from seen.auth_method_id and ${scope.inReach('guest_days', 't')})
    ), firsts as (
      insert into guest_first_days as t (customer_id, property_id, guest, first_day, last_day)
      select ${scope.customer_id}, ${property_id}, guest, min(day), max(day) from added
      group by guest order by guest
      on conflict (customer_id, property_id, guest) do update set
        first_day = least(t.first_day, excluded.first_day), last_day = greatest(t.last_day, excluded.last_day)
      returning t.guest, t.first_day
    ), no_longer_first as (
      update guest_days as t set first_seen = false from firsts
      where t.guest = firsts.guest and t.property_id = ${property_id} and t.first_seen and t.day > firsts.first_day
        and ${scope.inReach('guest_days', 't')}
    )
    insert into guest_days (customer_id, property_id, day, guest, auth_method_id, first_seen)
    select ${scope.customer_id}, ${property_id}, added.day, added.guest, added.auth_method_id, added.day = firsts.first_day
    from added join firsts on firsts.guest = added.guest order by added.guest, added.day, added.auth_method_id
    on conflict (customer_id, property_id, day, guest, auth_method_id) do nothing`)
}

/** A place that was reserved for a device signing in now belongs to its session. */
async function freePlaces(scope: Scope, changes: SessionChange[]) {
  const rows = changes
    .filter(
      ({ before, after }) => (before === null || after.stopped_at !== before.stopped_at) && after.mac_address !== null,
    )
    .map(({ after: { account_id, guest_id, mac_address } }) => ({ account_id, guest_id, mac_address }))
    .filter(({ account_id, guest_id }) => account_id !== null || guest_id !== null)
  if (rows.length === 0) return
  await scope.run(sql`
    with places as (
      select t.id from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(account_id integer, guest_id bigint, mac_address macaddr)
      join guest_devices as t on t.mac_address = d.mac_address and (t.account_id = d.account_id or t.guest_id = d.guest_id)
        and t.waits_until is not null and ${scope.inReach('guest_devices', 't')}
      order by t.account_id, t.guest_id, t.mac_address for no key update of t)
    update guest_devices as t set waits_until = null, last_seen_at = now()
    where t.id in (select id from places) and ${scope.inReach('guest_devices', 't')}`)
}
