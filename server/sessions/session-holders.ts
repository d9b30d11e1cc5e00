// Session holders: whose a session is: that of the sign-in attempt whose id the gateway repeats (Class) or, where it repeats none, of the
// device's last attempt there.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Place, Reported, SessionRecord } from '#server/sessions/record.ts'
import { keptName } from '#server/vouchers/sign-in-names.ts'

/** What a session belongs to, as of its beginning: reports use these values. */
export interface SessionHolder {
  authorisation_id: number | null
  auth_method_id: number | null
  package_id: number | null
  account_id: number | null
  voucher_id: number | null
  device_id: number | null
  guest_id: number | null
  identifier: string | null
  group_id: number | null
  mac_category_id: number | null
  /** Milliseconds since 1970. */
  ends_at: number | null
  /** When the Accept that its Class names was given; null where it names none. */
  accepted_at: number | null
}

type Attempt = Omit<SessionHolder, 'accepted_at'> & { id: number; mac_address: string | null }

const columns = sql`
  t.mac_address::text, t.auth_method_id, t.package_id, t.account_id, t.voucher_id,
  t.device_id, t.guest_id, t.identifier, (extract(epoch from t.ends_at) * 1000)::float8 as ends_at`

/** For these records; those that are unknown have no holder. */
export async function holdersOf(scope: Scope, place: Place, reported: readonly Reported<SessionRecord>[]) {
  const [named, placed] = await Promise.all([
    attemptsWithClass(scope, place, reported),
    placedIn(scope, place, reported),
  ])
  const isNamed = ({ record }: Reported<SessionRecord>) => named.some(({ id }) => id === record.authorisation_id)
  const latest = await latestAttempts(
    scope,
    place,
    reported.filter((report) => !isNamed(report)),
  )
  return ({ gateway_id, record }: Reported<SessionRecord>): SessionHolder => {
    const { authorisation_id, mac_address, username } = record
    const byClass = named.find(({ id }) => id === authorisation_id)
    const attempt = byClass ?? latest.find((one) => one.gateway_id === gateway_id && one.mac_address === mac_address)
    const { id: _id, mac_address: _mac, ...holder } = attempt ?? { ...nobody, id: 0, mac_address: null }
    const category = placed.find((one) => one.mac_address === mac_address)
    const name = holder.identifier ?? username
    return {
      ...holder,
      accepted_at: byClass?.accepted_at ?? null,
      identifier: name !== null && maySignInByCode(holder) ? keptName(scope, name, mac_address) : name,
      group_id: placed[0]?.group_id ?? null,
      mac_category_id: category?.mac_category_id ?? null,
    }
  }
}

const accepted = (scope: Scope, { property_id }: Place) =>
  sql`t.accepted and t.property_id = ${property_id} and ${scope.inReach('radius_authorisations', 't')}`

/** Of the attempts with one Class, the last one has what the guest is allowed now. */
async function attemptsWithClass(scope: Scope, place: Place, reported: readonly Reported<SessionRecord>[]) {
  const ids = reported.map(({ record }) => record.authorisation_id).filter((id) => id !== null)
  if (ids.length === 0) return []
  return scope.run(sql<Attempt & { accepted_at: number | null }>`
    select q.id, q.id as authorisation_id, latest.*,
      (select (extract(epoch from first.created_at) * 1000)::float8 from radius_authorisations as first
        where first.id = q.id and ${scope.inReach('radius_authorisations', 'first')}) as accepted_at
    from unnest(${ids}::bigint[]) as q(id), lateral (
      select ${columns} from radius_authorisations as t
      where (t.id = q.id or t.class_of = q.id) and ${accepted(scope, place)} order by t.id desc limit 1) as latest`)
}

async function latestAttempts(scope: Scope, place: Place, reported: readonly Reported<SessionRecord>[]) {
  const devices = reported.filter(({ record }) => record.mac_address !== null)
  if (devices.length === 0) return []
  return scope.run(sql<Attempt & { gateway_id: number }>`
    select latest.* from unnest(${devices.map(({ gateway_id }) => gateway_id)}::integer[],
      ${devices.map(({ record }) => record.mac_address)}::macaddr[]) as q(gateway_id, mac_address), lateral (
      select coalesce(t.class_of, t.id) as id, coalesce(t.class_of, t.id) as authorisation_id, ${columns}, t.gateway_id
        from radius_authorisations as t where t.mac_address = q.mac_address and ${accepted(scope, place)}
        and t.gateway_id = q.gateway_id order by t.created_at desc limit 1) as latest`)
}

type Placed = ColumnsOf<'properties', 'group_id'> & Partial<ColumnsOf<'devices', 'mac_address' | 'mac_category_id'>>

/** The group of the property, with each registered device among these. */
const placedIn = (scope: Scope, { property_id }: Place, reported: readonly Reported<SessionRecord>[]) =>
  scope.run(sql<Placed>`
    select t.group_id, d.mac_address::text, d.mac_category_id from properties as t
    left join devices as d on d.customer_id = t.customer_id and d.property_id = t.id
      and d.mac_address = any(${reported.map(({ record }) => record.mac_address)}::macaddr[]) and ${scope.inReach('devices', 'd')}
    where t.id = ${property_id} and ${scope.inReach('properties', 't')}`)

/** Somebody with a code, or nobody known: a user name may be a code. */
export const maySignInByCode = ({
  account_id,
  device_id,
  guest_id,
}: Pick<SessionHolder, 'account_id' | 'device_id' | 'guest_id'>) =>
  account_id === null && device_id === null && guest_id === null

/** It is not known whose it is. */
export const hasNoHolder = ({ authorisation_id, account_id, voucher_id, device_id, guest_id }: SessionHolder) =>
  [authorisation_id, account_id, voucher_id, device_id, guest_id].every((id) => id === null)

const nobody: SessionHolder = {
  authorisation_id: null,
  auth_method_id: null,
  package_id: null,
  account_id: null,
  voucher_id: null,
  device_id: null,
  guest_id: null,
  identifier: null,
  group_id: null,
  mac_category_id: null,
  ends_at: null,
  accepted_at: null,
}
