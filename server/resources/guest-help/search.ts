// Guest help search: everybody who may be meant by what was typed at the desk, found by name, code or device.
import { sql, type RawBuilder } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Candidate, FoundRoom } from '#contract/guest-help.ts'
import { code_length, isCode, normalised, shown } from '#contract/vouchers.ts'
import { helpIn } from '#catalogue/spoken.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { TenantTable } from '#server/access/reach.ts'
import { isGoodElsewhere } from '#server/admission/other-properties.ts'
import { normalisedMac } from '#server/admission/identify.ts'
import { linksAt } from '#server/property-systems/interface-state.ts'
import { isToCome, stayIs } from '#server/stays/in-house.ts'
import { factsAt, goodAt, hasVoucherCode, type Voucher } from '#server/vouchers/find.ts'
import { alsoFoundByCode, codeFor } from '#server/vouchers/shown-codes.ts'
import { isValid, voucherState } from '#server/vouchers/state.ts'
import { linkWarning } from './property-state.ts'

/** More would not be read at a desk: the user narrows the search instead. */
const shown_max = 8
/** With fewer hits than this, similarly spelt names are listed below them. */
const enough = 3
/** How long an attempt by somebody unknown is offered as a hit. */
const attempt_hours = 24

type Found = Omit<Candidate, 'similar'>
type Text = 'accounts' | 'room_guests' | 'guests'
type Ids = readonly number[]

const named = (of: string) => sql`(select json_build_object('id', p.id, 'name', p.name) from properties as p
  where p.customer_id = t.customer_id and p.id = ${sql.ref(of)})`
const isOnline = (column: string) => sql`
  exists (select from radius_sessions as s where s.customer_id = t.customer_id and ${sql.ref(`s.${column}`)} = t.id
    and s.stopped_at is null)`
const room = sql`(select r.number from rooms as r where r.customer_id = t.customer_id and r.id = t.room_id)`
const today = sql`local_day(app_now(), (
  select p.time_zone from properties as p where p.customer_id = t.customer_id and p.id = t.property_id))`

/** Each kind's rows as candidates; `where` narrows `t`. */
const selects = {
  accounts: sql`
    select 'account' as kind, t.id, t.name, nullif(concat_ws(' · ', t.username, t.email), '') as detail,
      ${named('t.property_id')} as property, t.room_number as room, ${isOnline('account_id')} as online,
      case when t.draft then 'draft' when not t.active then 'disabled' when t.expires_at <= now() then 'expired' end as problem
    from accounts as t`,
  room_guests: sql`
    select 'stay' as kind, t.id, t.name, nullif(concat_ws(' · ', t.email, t.mobile_number), '') as detail,
      ${named('t.property_id')} as property, t.room_number as room,
      exists (select from guests as g join radius_sessions as s on s.customer_id = g.customer_id and s.guest_id = g.id
        where g.customer_id = t.customer_id and g.room_guest_id = t.id and s.stopped_at is null) as online,
      case when ${stayIs('overdue', 't', today)} then 'overdue' when ${isToCome('t', today)} then 'to_come' end as problem
    from room_guests as t`,
  guests: sql`
    select 'guest' as kind, t.id, coalesce(t.name, t.email, t.mobile_number, 'Guest ' || t.id) as name,
      nullif(concat_ws(' · ', t.email, t.mobile_number), '') as detail, ${named('t.property_id')} as property,
      s.room_number as room, ${isOnline('guest_id')} as online,
      case when s.deleted_at is not null then 'checked_out' end as problem
    from guests as t left join room_guests as s on s.customer_id = t.customer_id and s.id = t.room_guest_id`,
  devices: sql`
    select 'device' as kind, t.id, t.name, t.mac_address::text as detail, ${named('t.property_id')} as property,
      ${room} as room, ${isOnline('device_id')} as online,
      case when not t.active then 'disabled' when (select k.blocks from mac_categories as k
        where k.customer_id = t.customer_id and k.id = t.mac_category_id) then 'blocked' end as problem
    from devices as t`,
} as const

interface Sought {
  typed: string
  property_id: number | null
}
const at = ({ property_id }: Sought) => (property_id === null ? sql`true` : sql`t.property_id = ${property_id}`)

/** What the look-ups call it: a word for each. */
type Problem = 'draft' | 'disabled' | 'expired' | 'overdue' | 'to_come' | 'checked_out' | 'blocked' | 'refused'
type Looked = Omit<Found, 'problem'> & { problem: Problem | null }
function inWords({ language }: Scope, rows: Looked[]): Found[] {
  const say = helpIn(language)
  return rows.map(({ problem, ...row }) => ({ ...row, problem: problem && say(`problem.${problem}`) }))
}

async function rowsOf(scope: Scope, table: keyof typeof selects, ids: Ids, sought: Sought): Promise<Found[]> {
  if (ids.length === 0) return []
  const rows = await scope.run(sql<Looked>`
    ${selects[table]} where t.id = any(${[...ids]}) and ${at(sought)} and ${scope.inReach(table, 't')}
      ${table === 'guests' ? sql`and (s.id is null or s.deleted_at is not null)` : sql``}
    order by array_position(${[...ids]}::bigint[], t.id::bigint) limit ${shown_max}`)
  return inWords(scope, rows)
}

/** Exact hits: codes, guests of rooms, accounts, guests, devices, and those who use the device. */
async function exactly(scope: Scope, sought: Sought): Promise<Found[]> {
  const search = (table: TenantTable) => scope.search(table, sought.typed, 50)
  const found = async (table: keyof typeof selects) => rowsOf(scope, table, await search(table), sought)
  const mac = normalisedMac(sought.typed)
  const groups = await Promise.all([
    inTheRoom(scope, sought),
    vouchers(scope, sought),
    found('room_guests'),
    found('accounts'),
    found('guests'),
    found('devices'),
    mac === undefined ? [] : usersOfDevice(scope, mac, sought),
  ])
  return groups.flat()
}

const hasNumber = (alias: string, typed: string) =>
  sql`lower(btrim(${sql.ref(`${alias}.number`)})) = lower(btrim(${typed}))`

/** Told with whoever is found in it, so that both are of the same moment. */
export async function roomCalled(scope: Scope, typed: string, property_id: number): Promise<FoundRoom | null> {
  const [room] = await scope.run(sql<FoundRoom>`
    select t.id, t.number as name, t.occupancy = 'vacant' as vacant from rooms as t
    where t.property_id = ${property_id} and t.status = 'active' and ${hasNumber('t', typed)} and ${scope.inReach('rooms', 't')}
    limit 1`)
  return room ?? null
}

/** Everybody in the room with this very number. They come first: other numbers, codes and names may contain it. */
async function inTheRoom(scope: Scope, sought: Sought): Promise<Found[]> {
  if (sought.property_id === null) return []
  const people = async (table: 'room_guests' | 'accounts') => {
    const rows = await scope.run(sql<{ id: number }>`
      select t.id from rooms as r join ${sql.table(table)} as t on t.customer_id = r.customer_id and t.room_id = r.id
      where r.property_id = ${sought.property_id} and ${hasNumber('r', sought.typed)}
        and ${scope.inReach('rooms', 'r')} and ${scope.inReach(table, 't')}
      order by t.created_at, t.id limit ${shown_max}`)
    return rowsOf(
      scope,
      table,
      rows.map(({ id }) => id),
      sought,
    )
  }
  return (await Promise.all([people('room_guests'), people('accounts')])).flat()
}

/** Everybody who got online with a device. */
async function usersOfDevice(scope: Scope, mac: string, sought: Sought): Promise<Found[]> {
  const rows = await scope.run(sql<ColumnsOf<'guest_devices', 'account_id' | 'voucher_id' | 'guest_id'>>`
    select t.account_id, t.voucher_id, t.guest_id from guest_devices as t
    where t.mac_address = ${mac}::macaddr and ${scope.inReach('guest_devices', 't')}
    order by t.last_seen_at desc limit ${shown_max}`)
  const ids = (name: keyof (typeof rows)[number]) => rows.map((row) => row[name]).filter((id) => id !== null)
  const groups = await Promise.all([
    rowsOf(scope, 'accounts', ids('account_id'), sought),
    rowsOf(scope, 'guests', ids('guest_id'), sought),
    vouchersWhere(scope, sql`t.id = any(${ids('voucher_id')})`, sought),
  ])
  return groups.flat()
}

/** By the whole code, or by its last four characters. */
async function vouchers(scope: Scope, sought: Sought): Promise<Found[]> {
  const code = normalised(sought.typed)
  if (isCode(code)) return vouchersWhere(scope, hasVoucherCode(scope, code), sought)
  if (!/^\w{4}$/.test(code)) return []
  const ending = sql`t.id in (
    select k.voucher_id from voucher_codes as k where k.customer_id = ${scope.customer_id} and k.last_four = ${code}
    union all select o.id from vouchers as o where o.customer_id = ${scope.customer_id} and right(o.code, 4) = ${code})`
  return vouchersWhere(scope, ending, sought)
}

async function vouchersWhere(scope: Scope, which: RawBuilder<unknown>, { property_id }: Sought): Promise<Found[]> {
  const rows = await scope.run(sql<Voucher & { property: Found['property']; online: boolean }>`
    select f.*, (select json_build_object('id', p.id, 'name', p.name) from voucher_batches as b
        join properties as p on p.customer_id = b.customer_id and p.id = b.property_id
        where b.customer_id = ${scope.customer_id} and b.id = f.voucher_batch_id) as property,
      exists (select from radius_sessions as s where s.customer_id = ${scope.customer_id} and s.voucher_id = f.id
        and s.stopped_at is null) as online
    from (${factsAt(property_id)} where ${which} and ${scope.inReach('vouchers', 't')}
      and ${property_id === null ? sql`true` : goodAt(property_id)}
      order by t.redeemed_at desc nulls last limit ${shown_max}) as f`)
  const say = helpIn(scope.language)
  return rows.map((voucher) => {
    const reason = voucherState(voucher)
    return {
      kind: 'voucher',
      id: voucher.id,
      name: codeFor(scope, voucher),
      detail: `${voucher.package_name} · ${voucher.batch_number}`,
      property: voucher.property,
      room: null,
      online: voucher.online,
      problem: isValid(reason) ? null : say(`voucher.${reason}`),
    }
  })
}

/** Refused sign-ins of nobody known: mistyped names, or unknown devices. Each once. */
export async function unknownSignIns(scope: Scope, sought: Sought): Promise<Found[]> {
  const mac = normalisedMac(sought.typed) ?? null
  // A portal records a code without its hyphens, RADIUS as it was typed. Of a name there is one way to write it.
  const code = normalised(sought.typed)
  const mayBeCode = code.length === code_length || /[\d-]/.test(sought.typed)
  const needles = mayBeCode ? [...new Set([sought.typed, code, shown(code)])] : [sought.typed]
  const found = await Promise.all([
    ...needles.map((needle) => scope.search('radius_authorisations', needle, 50)),
    alsoFoundByCode('radius_authorisations')(scope, sought.typed, 50),
  ])
  const ids = found.flat()
  const rows = await scope.run(sql<Looked>`
    select 'attempt' as kind, max(t.id) as id, coalesce(t.identifier, t.mac_address::text, '') as name,
      t.mac_address::text as detail, ${named('t.property_id')} as property, null as room, false as online,
      'refused' as problem
    from radius_authorisations as t
    where (t.id = any(${ids}) or t.mac_address = ${mac}::macaddr) and not t.accepted and t.reason <> 'let_again'
      and num_nonnulls(t.account_id, t.voucher_id, t.device_id, t.guest_id) = 0
      and t.created_at > now() - make_interval(hours => ${attempt_hours}) and ${at(sought)}
      and ${scope.inReach('radius_authorisations', 't')}
    group by t.customer_id, t.property_id, t.identifier, t.mac_address order by max(t.id) desc limit ${shown_max}`)
  return inWords(scope, rows)
}
/** A room number, for which a similar one would be a different room. */
const isDoor = (typed: string) => /^\P{L}{1,6}$/u.test(typed.trim())

/** People with a similarly spelt name. */
export async function similar(scope: Scope, sought: Sought): Promise<Found[]> {
  const nearest = async (table: Text) => {
    const rows = await scope.run(sql<{ id: number }>`
      select search_similar_ids(${table}, ${sought.typed}, ${shown_max * 2}) as id`)
    return rowsOf(
      scope,
      table,
      rows.map(({ id }) => id),
      sought,
    )
  }
  return (await Promise.all([nearest('room_guests'), nearest('accounts'), nearest('guests')])).flat()
}

const keyOf = ({ kind, id }: Found) => `${kind} ${id}`
/** Each where it is found first. */
const once = <F extends Found>(some: F[]): F[] =>
  some.filter((one, index) => some.findIndex((other) => keyOf(other) === keyOf(one)) === index)

export async function candidates(
  scope: Scope,
  sought: Sought,
): Promise<{ candidates: Candidate[]; note: string | null }> {
  const known = once(await exactly(scope, sought))
  const unknown = known.length < enough ? await unknownSignIns(scope, sought) : []
  const near = known.length < enough && !isDoor(sought.typed) ? await similar(scope, sought) : []
  const found = once([
    ...[...known, ...unknown].map((one) => ({ ...one, similar: false })),
    ...near.map((one) => ({ ...one, similar: true })),
  ])
  const listed = found.slice(0, 2 * shown_max)
  return { candidates: listed, note: known.length === 0 ? await noteOn(scope, sought) : null }
}

/** For a property out of the caller's reach, reveals only that the code belongs to another one. */
async function noteOn(scope: Scope, { typed, property_id }: Sought): Promise<string | null> {
  const here = property_id ?? (scope.owner.owner_type === 'Property' ? scope.owner.owner_id : 0)
  if (await isGoodElsewhere(scope, typed, here)) return helpIn(scope.language)('note.elsewhere')
  return here === 0 ? null : noteOnSystem(scope, typed, here)
}

/** Where a property's own system tells who stays, nobody is found whom it has not told of. */
async function noteOnSystem(scope: Scope, typed: string, property_id: number): Promise<string | null> {
  const links = await linksAt(scope, property_id)
  const [down] = links.flatMap(linkWarning(scope))
  if (down) return down.message
  const [link] = links
  if (!link) return null
  const [room] = await scope.run(sql<ColumnsOf<'rooms', 'number'>>`
    select t.number from rooms as t where t.property_id = ${property_id} and ${hasNumber('t', typed)}
      and ${scope.inReach('rooms', 't')} limit 1`)
  return room ? helpIn(scope.language)('note.system-nobody', { system: link.name, room: room.number }) : null
}
