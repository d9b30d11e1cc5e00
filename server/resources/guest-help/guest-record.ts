// Guest help record: the person or device that the desk asks about, in one shape for all the kinds of sign-in.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Kind } from '#contract/guest-help.ts'
import { notFound } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Holder } from '#server/admission/holders.ts'
import { holderIn } from '#server/admission/passes.ts'
import { sessionsOfVoucher } from '#server/history/read-sessions.ts'
import { factsAt, goodAt, type Voucher } from '#server/vouchers/find.ts'
import { codeFor, formsOfCode } from '#server/vouchers/shown-codes.ts'
import { stayOfGuest } from '#server/stays/in-house.ts'
import { stayRecord, type StayRecord } from '#server/stays/stay-record.ts'

export interface GuestRecord {
  kind: Kind
  id: number
  name: string
  detail: string | null
  email: string | null
  property: { id: number; name: string } | null
  time_zone: string
  room: string | null
  /** Null: they have not signed in yet, or are unknown. */
  holder: Holder | null
  /** What they type, or are known by, at a sign-in. */
  typed: string[]
  mac_address: string | null
  /** When an account's password was last set. */
  password_set_at: string | null
  expires_at: string | null
  stay: StayRecord | null
  /** `good_here`: at the property where the guest is, as far as the caller says so. */
  voucher: (Voucher & { batch_property_id: number | null; quantity: number; good_here: boolean }) | null
}

/** What the identifier of a sign-in by room and last name has before the name. */
export const roomIn = ({ room }: GuestRecord): string | null => (room === null ? null : `${room.toLowerCase()}, `)
/** The last name that was typed for the room, if it differs from the guest's. */
export function nameGiven(known: GuestRecord, identifier: string | null | undefined): string | null {
  const before = roomIn(known)
  if (known.kind !== 'stay' || before === null || !identifier?.toLowerCase().startsWith(before)) return null
  const given = identifier.slice(before.length).trim()
  return given.toLowerCase() === known.stay?.last_name?.toLowerCase() ? null : given
}

type Row = Omit<GuestRecord, 'kind' | 'stay' | 'voucher' | 'holder' | 'typed'> & {
  typed: (string | null)[]
  stay: StayRecord | null
  holder_id: number | null
}

const nothing = sql`null::timestamptz as password_set_at, null::timestamptz as expires_at, null::json as stay`
const noDevice = sql`null::text as mac_address`
/** The property of `t`, and its time zone. */
const place = sql`
  left join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
  join customers as c on c.id = t.customer_id`
const here = sql`
  case when p.id is null then null else json_build_object('id', p.id, 'name', p.name) end as property,
  coalesce(p.time_zone, c.time_zone) as time_zone`
const stayOf = (of: string) => sql`${stayRecord(of, 'stay', sql`coalesce(p.time_zone, c.time_zone)`)} as stay`

/** A stay `t` that ended within a day, so that whoever has the guest open sees who checked them out, and can take it back. */
const endedLately = (scope: Scope) => sql`
  (t.deleted_at > now() - interval '1 day' and ${scope.inReach('properties', 'p')})`

const rows = {
  account: (scope: Scope, id: number) => sql<Row>`
    select t.id, t.name, t.email, nullif(concat_ws(' · ', t.username, t.email), '') as detail, t.room_number as room, ${here},
      t.id as holder_id, json_build_array(t.username) as typed, ${noDevice},
      (select w.created_at from account_passwords as w where w.customer_id = t.customer_id and w.account_id = t.id)
        as password_set_at, t.expires_at, null::json as stay
    from accounts as t ${place} where t.id = ${id} and ${scope.inReach('accounts', 't')}`,
  stay: (scope: Scope, id: number) => sql<Row>`
    select t.id, t.name, t.email, nullif(concat_ws(' · ', t.email, t.mobile_number), '') as detail, t.room_number as room, ${here},
      (select g.id from guests as g where g.customer_id = t.customer_id and g.room_guest_id = t.id and g.deleted_at is null)
        as holder_id,
      json_build_array(t.room_number || ', ' || t.last_name) as typed, ${noDevice},
      null::timestamptz as password_set_at, null::timestamptz as expires_at, ${stayOf('t')}
    from room_guests as t ${stayOfGuest('t', 'stay')} ${place}
    where t.id = ${id} and (${scope.inReach('room_guests', 't')} or ${endedLately(scope)})`,
  device: (scope: Scope, id: number) => sql<Row>`
    select t.id, t.name, null::text as email, t.mac_address::text as detail, r.number as room, ${here}, t.id as holder_id,
      json_build_array(t.name, t.mac_address::text) as typed, t.mac_address::text as mac_address, ${nothing}
    from devices as t left join rooms as r on r.customer_id = t.customer_id and r.id = t.room_id ${place}
    where t.id = ${id} and ${scope.inReach('devices', 't')}`,
  guest: (scope: Scope, id: number) => sql<Row>`
    select t.id, coalesce(t.name, t.email, t.mobile_number, 'Guest ' || t.id) as name, t.email,
      nullif(concat_ws(' · ', t.email, t.mobile_number), '') as detail, s.room_number as room, ${here}, t.id as holder_id,
      json_build_array(t.email, t.mobile_number) as typed, ${noDevice},
      null::timestamptz as password_set_at, null::timestamptz as expires_at, ${stayOf('s')}
    from guests as t left join room_guests as s on s.customer_id = t.customer_id and s.id = t.room_guest_id
      ${stayOfGuest('s', 'stay')} ${place}
    where t.id = ${id} and ${scope.inReach('guests', 't')}`,
} as const

const holderKinds = { account: 'account', stay: 'guest', device: 'device', guest: 'guest' } as const

export interface Subject {
  kind: Kind
  id: number
  /** Where the guest is, if the caller says so. */
  property_id: number | null
}

/** @throws {Refused} 404 if there is no such subject in reach */
export async function guestRecordOf(scope: Scope, subject: Subject): Promise<GuestRecord> {
  const { kind, id } = subject
  if (kind === 'voucher') return knownVoucher(scope, subject)
  if (kind === 'attempt') return knownAttempt(scope, id)
  const [row] = await scope.run(rows[kind](scope, id))
  if (!row) throw notFound()
  const { holder_id, typed, ...known } = row
  return {
    ...known,
    kind,
    typed: typed.filter((text) => text !== null),
    holder: holder_id === null ? null : { kind: holderKinds[kind], id: holder_id },
    voucher: null,
  }
}

/** A voucher for a whole group is looked at in the caller's chosen property, else the caller's own, else where it was last used. */
async function knownVoucher(scope: Scope, { id, property_id }: Subject): Promise<GuestRecord> {
  const own = scope.owner.owner_type === 'Property' ? scope.owner.owner_id : null
  const chosen = property_id ?? own
  const [voucher] = await scope.run(sql<NonNullable<GuestRecord['voucher']>>`
    select f.*, b.property_id as batch_property_id, b.quantity, ${chosen === null ? sql`true` : goodAt(chosen)} is true as good_here
    from (${factsAt(chosen)} where t.id = ${id} and ${scope.inReach('vouchers', 't')}) as f
    join voucher_batches as b on b.customer_id = ${scope.customer_id} and b.id = f.voucher_batch_id`)
  if (!voucher) throw notFound()
  const at = voucher.batch_property_id ?? chosen
  const [where] = await scope.run(sql<Pick<GuestRecord, 'property' | 'time_zone'>>`
    select case when p.id is null then null else json_build_object('id', p.id, 'name', p.name) end as property,
      coalesce(p.time_zone, c.time_zone) as time_zone
    from customers as c left join properties as p on p.customer_id = c.id and p.id = coalesce(${at}::integer, (
      select t.property_id from ${sessionsOfVoucher(['id', 'customer_id', 'property_id', 'voucher_id'], scope, id)} as t
      where t.voucher_id = ${id} and ${scope.inReach('radius_sessions', 't')} order by t.id desc limit 1))
    where c.id = ${scope.customer_id}`)
  return {
    ...unnamed,
    kind: 'voucher',
    id,
    name: codeFor(scope, voucher),
    detail: `${voucher.package_name} · ${voucher.batch_number}`,
    property: where?.property ?? null,
    time_zone: where?.time_zone ?? 'UTC',
    holder: { kind: 'voucher', id },
    typed: formsOfCode(scope.codes.open(voucher)),
    voucher,
  }
}

interface Attempt {
  name: string
  mac_address: string | null
  property: GuestRecord['property']
  time_zone: string
  account_id: number | null
  voucher_id: number | null
  device_id: number | null
  guest_id: number | null
  room_guest_id: number | null
}

const tables = {
  account: 'accounts',
  stay: 'room_guests',
  voucher: 'vouchers',
  device: 'devices',
  guest: 'guests',
} as const

/** Null if it has been deleted since, or is out of reach. */
async function ifThere(scope: Scope, kind: keyof typeof tables, id: number): Promise<GuestRecord | null> {
  const found = await scope.run(sql`
    select from ${sql.table(tables[kind])} as t where t.id = ${id} and ${scope.inReach(tables[kind], 't')}`)
  return found.length === 0 ? null : guestRecordOf(scope, { kind, id, property_id: null })
}

/** Resolves an attempt to its guest, account, voucher or device, if that is known. */
async function knownAttempt(scope: Scope, id: number): Promise<GuestRecord> {
  const [attempt] = await scope.run(sql<Attempt>`
    select coalesce(t.identifier, t.mac_address::text, '') as name, t.mac_address::text as mac_address, ${here},
      t.account_id, t.voucher_id, t.device_id, t.guest_id,
      (select g.room_guest_id from guests as g where g.customer_id = t.customer_id and g.id = t.guest_id) as room_guest_id
    from radius_authorisations as t ${place} where t.id = ${id} and ${scope.inReach('radius_authorisations', 't')}`)
  if (!attempt) throw notFound()
  const { name, mac_address, property, time_zone } = attempt
  const holder = holderIn(attempt)
  const stay = attempt.room_guest_id === null ? null : await ifThere(scope, 'stay', attempt.room_guest_id)
  const known =
    stay ?? (holder === null ? await guestMeant(scope, attempt) : await ifThere(scope, holder.kind, holder.id))
  if (known !== null) return known
  const typed = name === '' ? [] : [name]
  return {
    ...unnamed,
    kind: 'attempt',
    id,
    name,
    detail: mac_address,
    property,
    time_zone,
    typed,
    mac_address,
    holder,
  }
}

/**
 * Whoever lives in the room that was given with a wrong name, so that the day's list of refusals says the same of them as the search:
 * of several, the one with the most similar name.
 */
async function guestMeant(scope: Scope, { name, property }: Attempt): Promise<GuestRecord | null> {
  const [room, given] = [name.slice(0, name.lastIndexOf(', ')), name.slice(name.lastIndexOf(', ') + 2)]
  if (property === null || room === '' || !name.includes(', ')) return null
  const [found] = await scope.run(sql<ColumnsOf<'room_guests', 'id'>>`
    select t.id from rooms as r join room_guests as t on t.customer_id = r.customer_id and t.room_id = r.id
    where r.property_id = ${property.id} and lower(btrim(r.number)) = lower(btrim(${room}))
      and ${scope.inReach('rooms', 'r')} and ${scope.inReach('room_guests', 't')}
    order by similarity(coalesce(t.last_name, t.name), ${given}) desc, t.id limit 1`)
  return found ? guestRecordOf(scope, { kind: 'stay', id: found.id, property_id: null }) : null
}

const unnamed = {
  email: null,
  room: null,
  mac_address: null,
  password_set_at: null,
  expires_at: null,
  stay: null,
  voucher: null,
} as const
