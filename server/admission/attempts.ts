// Attempts: the outcome of sign-ins, at a gateway or on the portal page, kept for the desk; and for those that were let in,
// the places of their devices.
import { sql } from 'kysely'
import type { AttemptReason } from '#contract/sign-in-attempts.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { holderColumns, type Holder } from '#server/admission/holders.ts'
import { keptName } from '#server/vouchers/sign-in-names.ts'

/** What an admitted holder may use. A limit of 0 or null: there is none. */
export interface Allowed {
  package_id: number | null
  seconds: number
  bytes: number | null
  idle_timeout_hrs: number
  speed_mbps: number
}

export interface AttemptOutcome {
  reason: AttemptReason
  holder?: Holder | null | undefined
  auth_method_id?: number | null
  /** What the desk knows the holder by; what was typed, if nobody was found. */
  identifier?: string
  package_id?: number | null
  /** Where the holder is let in. */
  allowed?: Allowed
  /** Whose secret was tried from an unknown device, and whether it was the right one and has to wait. */
  guessed_at?: string | null
  fitted?: boolean
  /** An admitted device counts from now on, and is recognised when it comes back. */
  place?: { kind: 'account' | 'guest'; id: number; mac_address: string } | undefined
}

interface Attempt extends AttemptOutcome {
  gateway_id: number
  mac_address: string | null
  user_name: string
}

/** How long a device keeps its place until its gateway reports the session. */
const place_kept_s = 120
const identifier_length_max = 100

/** In one statement. Returns the attempts in their order, with their ids, and the attempt by whose Class each is known. */
export async function recordAttempts(
  scope: Scope,
  property_id: number,
  attempts: readonly Attempt[],
): Promise<(Attempt & { id: number; class_of: number })[]> {
  const rows = attempts.map(({ holder = null, identifier, allowed, package_id, ...attempt }, n) => ({
    n,
    gateway_id: attempt.gateway_id,
    mac_address: attempt.mac_address,
    auth_method_id: attempt.auth_method_id,
    package_id: allowed ? allowed.package_id : package_id,
    ...holderColumns(holder),
    seconds: allowed?.seconds,
    identifier: nameOf(scope, { ...attempt, holder, identifier: identifier ?? attempt.user_name }),
    reason: attempt.reason,
    guessed_at: attempt.guessed_at,
    fitted: attempt.fitted ?? false,
  }))
  const kept = await scope.run(sql<{ id: number; class_of: number | null }>`
    ${places(scope, attempts)}
    insert into radius_authorisations (customer_id, gateway_id, property_id, mac_address, auth_method_id, package_id,
      account_id, voucher_id, device_id, guest_id, ends_at, identifier, accepted, reason, guessed_at, fitted, class_of)
    select ${scope.customer_id}, d.gateway_id, ${property_id}, d.mac_address, d.auth_method_id, d.package_id,
      d.account_id, d.voucher_id, d.device_id, d.guest_id, now() + make_interval(secs => d.seconds), d.identifier,
      d.reason = 'accepted', d.reason, d.guessed_at, d.fitted, case when d.reason = 'accepted' then (
        select coalesce(t.class_of, t.id) from radius_authorisations as t
        where t.gateway_id = d.gateway_id and t.mac_address = d.mac_address and t.accepted and t.ends_at > now()
          and (t.account_id, t.voucher_id, t.device_id, t.guest_id)
            is not distinct from (d.account_id, d.voucher_id, d.device_id, d.guest_id)
          and ${scope.inReach('radius_authorisations', 't')}
        order by t.created_at desc limit 1) end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(n integer, gateway_id integer, mac_address macaddr,
      auth_method_id integer, package_id integer, account_id integer, voucher_id bigint, device_id integer,
      guest_id bigint, seconds float, identifier text, reason text, guessed_at text, fitted boolean)
    order by d.n
    returning id, class_of`)
  // Ids are assigned in the order of the rows.
  const inOrder = kept.toSorted((one, other) => one.id - other.id)
  return attempts.map((attempt, n) => {
    const one = inOrder[n]
    if (one === undefined) throw new Error('an attempt was not kept')
    return { ...attempt, id: one.id, class_of: one.class_of ?? one.id }
  })
}

function nameOf(
  scope: Scope,
  { identifier, holder, mac_address }: Pick<Attempt, 'holder' | 'mac_address'> & { identifier: string },
) {
  const name = identifier.toWellFormed()
  const kept = holder == null || holder.kind === 'voucher' ? keptName(scope, name, mac_address) : name
  return kept.slice(0, identifier_length_max).toWellFormed()
}

/** Written in the same order everywhere, so that concurrent transactions do not deadlock. */
function places(scope: Scope, attempts: readonly Attempt[]) {
  const taken = new Map(
    attempts.flatMap(({ place, auth_method_id }) => {
      if (!place) return []
      const { mac_address, kind, id } = place
      const row = { ...holderColumns({ kind, id }), mac_address, auth_method_id }
      return [[`${kind} ${id} ${mac_address}`, row]]
    }),
  )
  if (taken.size === 0) return sql``
  const isOfAccounts = attempts.some(({ place }) => place?.kind === 'account')
  const signedIn = sql`,
    signed_in as (
      update accounts as t set logged_in_at = now()
      -- A trial is no sign-in of theirs.
      where app_trial_id() is null and t.id in (select account_id from places) and ${scope.inReach('accounts', 't')})`
  return sql`
    with places as (
      insert into guest_devices (customer_id, account_id, guest_id, mac_address, auth_method_id, waits_until)
      select ${scope.customer_id}, p.*, now() + make_interval(secs => ${place_kept_s})
      from jsonb_to_recordset(${JSON.stringify([...taken.values()])}::jsonb)
        as p(account_id integer, guest_id bigint, mac_address macaddr, auth_method_id integer)
      order by p.account_id, p.guest_id, p.mac_address
      on conflict (customer_id, account_id, voucher_id, guest_id, mac_address) do update set last_seen_at = now(),
        auth_method_id = excluded.auth_method_id, waits_until = excluded.waits_until, package_id = null,
        signed_out_at = null
      returning account_id)${isOfAccounts ? signedIn : sql``}`
}
