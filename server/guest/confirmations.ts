// Confirmations: addresses that guests typed and have to prove: the guests who wait for that, the codes they were sent, and what
// happens when one is right. Until then nothing changes for the guest to whom the address may belong.
import { randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { asciiDigits } from '#contract/digits.ts'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { hashOf, newToken } from '#server/access/authenticate.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { KnownGateway } from '#server/guest/arrivals.ts'
import type { Fingerprint } from '#server/secrets/seal.ts'

/** How a guest is reached, and the column of that address. */
export const channels = { email: 'email', sms: 'mobile_number' } as const
export type CodeChannel = keyof typeof channels

const tries_max = 5

/** A guest who has typed an address on a device, and the newest code for it. */
export interface WaitingGuest {
  guest_id: number
  auth_method_id: number
  channel: CodeChannel
  address: string
  /** How long the device may still be online without a confirmation. */
  grace_s: number
  /** Null if none was sent. */
  sent_s_ago: number | null
  /** Whether there is a code that is still valid. */
  has_code: boolean
  /** Whether the portal's present terms were agreed to on the device. */
  agreed: boolean
}

export async function waitingOn(
  scope: Scope,
  { property_id, portal_id, terms }: KnownGateway,
  mac_address: string,
): Promise<WaitingGuest | undefined> {
  const [waiting] = await scope.run(sql<WaitingGuest>`
    select t.id as guest_id, t.auth_method_id, case when t.email is null then 'sms' else 'email' end as channel,
      coalesce(t.email, t.mobile_number) as address,
      coalesce(greatest(0, extract(epoch from t.grace_ends_at - now())), 0)::float8 as grace_s,
      extract(epoch from now() - k.created_at)::float8 as sent_s_ago, coalesce(k.is_alive, false) as has_code,
      ${terms}::text is null or exists (select from consent_records as r where r.customer_id = t.customer_id
        and r.mac_address = t.waiting_mac_address and r.purpose = 'terms' and r.portal_id = ${portal_id}
        and r.wording = ${terms} and r.withdrawn_at is null) as agreed
    from guests as t
    left join lateral (
      select c.created_at, ${isAlive('c')} as is_alive from one_time_codes as c
      where c.customer_id = t.customer_id and c.guest_id = t.id order by c.id desc limit 1) as k on true
    where t.property_id = ${property_id} and t.waiting_mac_address = ${mac_address}::macaddr
      and coalesce(t.email, t.mobile_number) is not null and t.auth_method_id is not null
      and ${scope.inReach('guests', 't')}`)
  return waiting
}

const isAlive = (alias: string) => sql`(${sql.ref(`${alias}.used_at`)} is null
  and ${sql.ref(`${alias}.expires_at`)} > now() and ${sql.ref(`${alias}.attempts`)} < ${tries_max})`

export interface AddressClaim {
  property_id: number
  mac_address: string
  auth_method_id: number
  language: string
  channel: CodeChannel
  address: string
  /** How long the guest may be online before confirming: once a day for each device. */
  grace_s: number
}

/** One guest waits on each device: another address replaces the former one, for which alone marketing was agreed to. */
export async function claim(scope: Scope, input: AddressClaim): Promise<void> {
  const { property_id, mac_address, auth_method_id, language, channel, address, grace_s } = input
  const [email, mobile_number] = channel === 'email' ? [address, null] : [null, address]
  await scope.run(sql`
    update consent_records as t set withdrawn_at = now()
    from guests as g
    where g.property_id = ${property_id} and g.waiting_mac_address = ${mac_address}::macaddr
      and (g.email, g.mobile_number) is distinct from (${email}, ${mobile_number}) and ${scope.inReach('guests', 'g')}
      and t.customer_id = g.customer_id and t.guest_id = g.id and t.confirmed_at is null and t.withdrawn_at is null
      and t.purpose in ('marketing_email', 'marketing_sms') and ${scope.inReach('consent_records', 't')}`)
  const grace_ends_at = grace_s > 0 ? sql`now() + make_interval(secs => ${grace_s})` : sql`null::timestamptz`
  await scope.run(sql`
    insert into guests as t (customer_id, property_id, auth_method_id, email, mobile_number, language,
      waiting_mac_address, grace_ends_at)
    values (${scope.customer_id}, ${property_id}, ${auth_method_id}, ${email}, ${mobile_number}, ${language},
      ${mac_address}::macaddr, ${grace_ends_at})
    on conflict (customer_id, property_id, waiting_mac_address) where waiting_mac_address is not null and deleted_at is null
    do update set email = excluded.email, mobile_number = excluded.mobile_number, language = excluded.language,
      auth_method_id = excluded.auth_method_id, last_seen_at = now(),
      grace_ends_at = case when t.grace_ends_at > now() - interval '1 day' then t.grace_ends_at
        else excluded.grace_ends_at end`)
}

export interface NewCode {
  gateway: KnownGateway
  mac_address: string
  waiting: Pick<WaitingGuest, 'guest_id' | 'channel' | 'address'>
  life_s: number
}

const marked = (fingerprint: Fingerprint, guest_id: number, code: string) =>
  fingerprint(`code for guest ${guest_id}: ${code}`)

/** Six digits to be typed on the device, and a token for a link that any browser may open. Earlier ones expire. */
export async function makeCode(
  scope: Scope,
  fingerprint: Fingerprint,
  { gateway, mac_address, waiting, life_s }: NewCode,
) {
  const { guest_id, channel, address } = waiting
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const token = newToken()
  await scope.run(sql`
    update one_time_codes as t set expires_at = now() where t.guest_id = ${guest_id} and ${isAlive('t')}
      and ${scope.inReach('one_time_codes', 't')}`)
  await scope.insert('one_time_codes', {
    guest_id,
    channel,
    address,
    mac_address,
    gateway_id: gateway.id,
    property_id: gateway.property_id,
    portal_id: gateway.portal_id,
    code_hash: marked(fingerprint, guest_id, code),
    token_hash: hashOf(token),
    expires_at: sql`now() + make_interval(secs => ${life_s})`,
  })
  return { code, token }
}

const isCode = (
  fingerprint: Fingerprint,
  { code_hash, guest_id }: { code_hash: Buffer; guest_id: number },
  typed: string,
) => timingSafeEqual(code_hash, marked(fingerprint, guest_id, asciiDigits(typed).replace(/\D/g, '')))

/** The id of the code if it is right; each try counts. */
export async function codeTyped(
  scope: Scope,
  fingerprint: Fingerprint,
  { guest_id, typed }: { guest_id: number; typed: string },
): Promise<{ code_id: number } | { refused: 'wrong_code' | 'code_over' }> {
  const [newest] = await scope.run(sql<ColumnsOf<'one_time_codes', 'id' | 'code_hash' | 'attempts'>>`
    update one_time_codes as t set attempts = t.attempts + 1
    where t.guest_id = ${guest_id} and ${isAlive('t')} and ${scope.inReach('one_time_codes', 't')}
    returning t.id, t.code_hash, t.attempts`)
  if (!newest) return { refused: 'code_over' }
  if (isCode(fingerprint, { ...newest, guest_id }, typed)) return { code_id: newest.id }
  return { refused: newest.attempts < tries_max ? 'wrong_code' : 'code_over' }
}

/** How long after a code was right it may be sent again: a button that is pressed twice, or a link that was opened meanwhile. */
const repeated_s = 300

/** The guest whom this code has confirmed lately on this device; tries are few, as before. */
export async function confirmedBy(
  scope: Scope,
  fingerprint: Fingerprint,
  asked: { property_id: number; mac_address: string; channel: CodeChannel; typed: string },
): Promise<number | null> {
  const { property_id, mac_address, channel, typed } = asked
  const [used] = await scope.run(sql<ColumnsOf<'one_time_codes', 'guest_id' | 'code_hash' | 'address'>>`
    update one_time_codes as t set attempts = t.attempts + 1
    where t.id = (select c.id from one_time_codes as c
        where c.property_id = ${property_id} and c.mac_address = ${mac_address}::macaddr and c.channel = ${channel}
          and c.used_at > now() - make_interval(secs => ${repeated_s}) and ${scope.inReach('one_time_codes', 'c')}
        order by c.id desc limit 1)
      and t.attempts < ${2 * tries_max} and ${scope.inReach('one_time_codes', 't')}
    returning t.guest_id, t.code_hash, t.address`)
  if (!used || used.guest_id === null || !isCode(fingerprint, { ...used, guest_id: used.guest_id }, typed)) return null
  const [guest] = await scope.run(sql<ColumnsOf<'guests', 'id'>>`
    select t.id from guests as t where t.property_id = ${property_id} and t.confirmed_at is not null
      and ${channel === 'email' ? sql`lower(t.email) = lower(${used.address})` : sql`t.mobile_number = ${used.address}`}
      and ${scope.inReach('guests', 't')}`)
  return guest?.id ?? null
}

/**
 * The address is proven: the guest who claimed it is merged into the one whom the property knows by it, or becomes that guest.
 * Their device is remembered. Returns the guest's id.
 */
export async function confirm(
  scope: Scope,
  { guest_id, code_id }: { guest_id: number; code_id: number },
): Promise<number | null> {
  const [claimed] = await scope.run(sql<Claimed>`
    select t.id, t.property_id, t.email, t.mobile_number, t.auth_method_id, t.language,
      t.waiting_mac_address::text as mac_address
    from guests as t where t.id = ${guest_id} and t.waiting_mac_address is not null
      and t.property_id is not null and t.auth_method_id is not null and ${scope.inReach('guests', 't')}
    for no key update`)
  if (!claimed) return null
  // Of the address that is claimed now: another may have been typed since the code was found.
  const [used] = await scope.run(sql`
    update one_time_codes as t set used_at = now()
    where t.id = ${code_id} and t.used_at is null and t.expires_at > now()
      and t.channel = ${claimed.email === null ? 'sms' : 'email'} and t.address = ${claimed.email ?? claimed.mobile_number}
      and ${scope.inReach('one_time_codes', 't')} returning t.id`)
  if (!used) return null
  const known = await guestKnownBy(scope, claimed)
  if (known === null) await settle(scope, claimed)
  else await merge(scope, claimed, known)
  const id = known ?? claimed.id
  await scope.run(sql`
    insert into guest_devices (customer_id, guest_id, mac_address, auth_method_id)
    values (${scope.customer_id}, ${id}, ${claimed.mac_address}::macaddr, ${claimed.auth_method_id})
    on conflict (customer_id, account_id, voucher_id, guest_id, mac_address) do update set last_seen_at = now(),
      signed_out_at = null`)
  await scope.run(sql`
    update consent_records as t set confirmed_at = now(), method = 'double_opt_in'
    where t.guest_id = ${id} and t.mac_address = ${claimed.mac_address}::macaddr and t.confirmed_at is null
      and t.withdrawn_at is null and t.purpose = ${claimed.email === null ? 'marketing_sms' : 'marketing_email'}
      and ${scope.inReach('consent_records', 't')}`)
  return id
}

interface Claimed {
  id: number
  property_id: number
  email: string | null
  mobile_number: string | null
  auth_method_id: number
  language: string | null
  mac_address: string
}

/** Locked, so that two devices that confirm the same address at once do so one after the other. */
async function guestKnownBy(scope: Scope, { property_id, email, mobile_number }: Claimed): Promise<number | null> {
  await scope.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${property_id} ${email ?? mobile_number}`}, 0))`)
  const [known] = await scope.run(sql<ColumnsOf<'guests', 'id'>>`
    select t.id from guests as t
    where t.property_id = ${property_id} and t.confirmed_at is not null
      and ${email === null ? sql`t.mobile_number = ${mobile_number}` : sql`lower(t.email) = lower(${email})`}
      and ${scope.inReach('guests', 't')}`)
  return known?.id ?? null
}

const settle = (scope: Scope, { id }: Claimed) =>
  scope.change('guests', [id], { waiting_mac_address: null, grace_ends_at: null, confirmed_at: sql`now()` })

/** What the device did while it waited is moved to the known guest. The row stays, emptied: a report may still refer to it. */
async function merge(scope: Scope, { id, language }: Claimed, known: number) {
  await scope.run(sql`
    update consent_records as t set guest_id = ${known}
    where t.guest_id = ${id} and ${scope.inReach('consent_records', 't')}`)
  await scope.change('radius_sessions', sql`t.guest_id = ${id}`, { guest_id: known })
  // By these the device asks how it stands, and whether it may stay.
  await scope.change('access_passes', sql`t.guest_id = ${id}`, { guest_id: known })
  await scope.run(sql`select merge_guest_days(${id}, ${known})`)
  await scope.unlink('guest_devices', { guest_id: id })
  const nobody = { email: null, mobile_number: null, waiting_mac_address: null, grace_ends_at: null }
  await scope.change('guests', [id], { ...nobody, deleted_at: sql`now()` })
  await scope.change('guests', [known], { language, last_seen_at: sql`now()`, visits: sql`visits + 1` })
}

/** How long a device that has confirmed an address needs no new code for it. */
const remembered_days = 30

/** The guest who has confirmed this address on this device. */
export async function confirmedOn(
  scope: Scope,
  {
    property_id,
    mac_address,
    channel,
    address,
  }: Pick<AddressClaim, 'property_id' | 'mac_address' | 'channel' | 'address'>,
): Promise<number | null> {
  const [known] = await scope.run(sql<ColumnsOf<'guests', 'id'>>`
    select t.id from guests as t join guest_devices as d on d.customer_id = t.customer_id and d.guest_id = t.id
    where t.property_id = ${property_id} and t.confirmed_at is not null and d.mac_address = ${mac_address}::macaddr
      and d.last_seen_at > now() - make_interval(days => ${remembered_days})
      and ${channel === 'email' ? sql`lower(t.email) = ${address}` : sql`t.mobile_number = ${address}`}
      and ${scope.inReach('guests', 't')} and ${scope.inReach('guest_devices', 'd')}`)
  if (!known) return null
  await scope.change('guests', [known.id], { last_seen_at: sql`now()`, visits: sql`visits + 1` })
  return known.id
}

/** `a•••@example.com`, `•••• 123`: enough for the guest to recognise it, on a page that others may see. */
export function masked(address: string): string {
  const at = address.indexOf('@')
  return at < 0 ? `•••• ${address.slice(-3)}` : `${address.slice(0, 1)}•••${address.slice(at)}`
}
