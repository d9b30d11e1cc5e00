// Status: guests who come back to the portal once their gateway has let them in: their state, signing out, and withdrawing what they
// agreed to be sent. The address that they come back to contains an unguessable key for the pass that they were let in with.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { marketingPurposes } from '#contract/guests.ts'
import type { ConnectedStep, Step } from '#portal/design.ts'
import type { Refusal } from '#portal/texts/en.ts'
import { hashOf } from '#server/access/authenticate.ts'
import { plainAddress } from '#server/access/network.ts'
import { callerOfGateway, callerOfGuest } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { leftOf } from '#server/admission/remaining.ts'
import { holderIn } from '#server/admission/passes.ts'
import { withdrawConsents } from '#server/admission/withdrawn-consents.ts'
import { prompt_s } from '#server/gateways/controller-state.ts'
import type { PortalSignIn } from '#server/gateways/kind.ts'
import { kindOf } from '#server/gateways/find-kind.ts'
import { queueDisconnects } from '#server/sessions/disconnects.ts'
import { leftNow } from '#server/sessions/session-facts.ts'
import type { Services } from '#server/services.ts'
import { Recent } from '#server/turns/recent-cache.ts'
import { agreedToBySql } from './consents.ts'
import { patience_s } from './controller-grants.ts'

/** As returned by the database functions for guests' pages. */
export interface FoundGateway {
  customer_id: number
  id: number
  property_id: number
  name: string
  gateway_type_id: number
  /** As guests' browsers reach it. */
  host: string
}
/** A gateway, and the pass with which somebody was let in by it. */
interface Found extends FoundGateway {
  property_name: string
  access_pass_id: number
}
export interface AdmittedGuest {
  status_key: string
  gateway: Found & { auth_method_ids: number[] }
  portal: PortalSignIn
  /** Whether the gateway says who is online. */
  reports: boolean
}

/** The part of the portal's address with the key of a pass. */
export const queryOfKey = (status_key: string) => `?online=${status_key}`
/** Anything that a gateway appends is ignored. */
const keyIn = (url: string): string | null => /[?&]online=([\w-]{22})(?![\w-])/.exec(url)?.[1] ?? null

/** How long a guest who signs out waits for the gateway's answer. */
const patience_ms = 3000
const asked_again_ms = 200
/** How long after being let in guests read that it worked; later they see their status. */
const new_s = 60
/** How soon gateways report a session whose guest they have let in. */
const reported_within_s = 300
/** How long guests are taken for online if no gateway reports on them. */
const unreported_online_h = 24

/** How often it is recorded that a gateway's guests come from their own addresses, and for how many gateways a node remembers that. */
const seen = { once_in_ms: 3_600_000, max: 10_000 }

export function openStatus({ tenancy, guestDoors, queue }: Pick<Services, 'tenancy' | 'guestDoors' | 'queue'>) {
  const recently_seen = new Recent<true>(seen.once_in_ms, seen.max)
  const look = (guest: AdmittedGuest, ip: string) =>
    tenancy.enter(callerOfGateway(guest.gateway), 'read', async (scope) => {
      const [stored] = await scope.run(read(scope, guest.gateway, ip))
      return { step: await stepOf(scope, guest, stored), stored }
    })

  /** The step of a guest who asks from this address. @param withdraws whether they ask to withdraw what they agreed to be sent */
  async function currentStep(guest: AdmittedGuest, ip: string, withdraws = false): Promise<Step> {
    const { gateway } = guest
    const caller = callerOfGateway(gateway)
    const { step, stored } = await look(guest, ip)
    const key = String(gateway.id)
    if (stored?.is_at_its_address && !recently_seen.get(key)) {
      recently_seen.set(key, true)
      await tenancy.enter(caller, 'write', (scope) =>
        scope.change('gateways', [gateway.id], { guests_seen_at: sql`now()` }),
      )
    }
    if (!isOnline(step) || !stored?.agreed_to) return step
    const { agreed_to } = stored
    return withdraws ? { name: 'consent', wordings: agreed_to } : { ...step, has_consented: agreed_to.length > 0 }
  }

  /** Whether the gateway agreed, or reported the end, before the guest has waited too long. */
  async function isEnded({ gateway }: AdmittedGuest, ids: number[]): Promise<boolean> {
    const until = Date.now() + patience_ms
    while (Date.now() < until) {
      const open = await tenancy.enter(callerOfGateway(gateway), 'read', (scope) =>
        scope.run(sql`
          select from radius_sessions as t where t.id = any(${ids}) and t.stopped_at is null
            and t.disconnect_agreed_at is null and ${scope.inReach('radius_sessions', 't')} limit 1`),
      )
      if (open.length === 0) return true
      await sleep(asked_again_ms)
    }
    return false
  }

  return {
    /** Null: the address has no valid key. */
    async find({ url, params }: Pick<FastifyRequest<{ Params: { public_id: string } }>, 'url' | 'params'>) {
      const key = keyIn(url)
      if (key === null) return null
      const [found] = await guestDoors.callFunction(
        sql<
          Omit<Found, 'host'> & { host: string | null }
        >`select * from door_status(${params.public_id}, ${hashOf(key)})`,
      )
      const kind = found && kindOf(found.gateway_type_id)
      if (!found || !kind?.portal) return null
      const { portal, radius } = kind
      // Whoever was let in by a call need not have come from a registered host.
      const host = portal.hostOf ? (portal.hostOf({}, found.host) ?? '') : found.host
      if (host === null) return null
      const gateway = { ...found, host, auth_method_ids: [] }
      return { status_key: key, gateway, portal, reports: radius !== null } satisfies AdmittedGuest
    },

    currentStep,

    /** Returns where the guest's browser must go to sign out; null if the gateway has done it, or will. */
    async signOut(guest: AdmittedGuest): Promise<string | null> {
      const { gateway, portal } = guest
      const ids = await tenancy.enter(callerOfGateway(gateway), 'write', async (scope) => {
        const sessions = await signOutDevice(scope, gateway)
        await queueDisconnects(scope, queue, sessions)
        return sessions
      })
      if (ids.length > 0 && (await isEnded(guest, ids))) return null
      return portal.pagesOf(gateway.host).sign_out
    },

    /** As the desk does it for them. */
    async withdraw(guest: AdmittedGuest, ip: string): Promise<void> {
      const { step, stored } = await look(guest, ip)
      if (!isOnline(step) || !stored?.guest_id || !stored.agreed_to?.length) return
      const ids = [stored.guest_id]
      await tenancy.enter(callerOfGuest(guest.gateway, stored.guest_id), 'write', (scope) =>
        withdrawConsents(scope, { ids, purposes: marketingPurposes, via: 'portal' }),
      )
    },
  }
}

const isOnline = (step: Step): step is ConnectedStep => step.name === 'online' || step.name === 'status'

interface Stored {
  account_id: number | null
  voucher_id: number | null
  device_id: number | null
  guest_id: number | null
  signed_out: boolean
  /** Whether the device was let in after that: what is open is another sign-in's. */
  signed_in_again: boolean
  pass_age_s: number
  /** Null if RADIUS did not let them in. */
  let_in_for_s: number | null
  session_id: number | null
  /** Whether the request comes from the address of the session. */
  is_at_its_address: boolean
  /** Also if its gateway has agreed to end it. */
  stopped: boolean
  termination_cause: string | null
  /** Since the last report. */
  unreported_s: number
  /** Of a guest whom a controller is called to let in, or a box fetches, and why it could not be until now. */
  grant_state: 'waiting' | 'granted' | 'refused' | 'ended' | null
  grant_problem: string | null
  grant_age_s: number | null
  /** What the guest agreed to be sent, in the words that they saw; null: who they are is not proven. */
  agreed_to: string[] | null
}

const ago = (moment: string) => sql`extract(epoch from now() - ${sql.ref(moment)})::float8`

/**
 * The device's present session of the same holder, else the last since the pass: gateways may open new ones. Their clocks may be wrong.
 * Nobody has let in whoever holds a pass that was not used: whose device it is was only claimed.
 */
const read = (scope: Scope, { access_pass_id, property_id }: Found, ip: string) => sql<Stored>`
  select t.account_id, t.voucher_id, t.device_id, t.guest_id, t.signed_out_at is not null as signed_out,
    coalesce(a.created_at > t.signed_out_at, false) as signed_in_again, ${ago('t.created_at')} as pass_age_s,
    a.seconds as let_in_for_s, s.id as session_id,
    coalesce(s.ip = ${plainAddress(ip)}::inet, false) as is_at_its_address, s.is_over as stopped,
    s.termination_cause, greatest(0, coalesce(${ago('s.last_seen_at')}, ${ago('a.created_at')})) as unreported_s,
    o.state as grant_state, o.problem as grant_problem, ${ago('o.created_at')} as grant_age_s,
    ${agreedToBySql} as agreed_to
  from access_passes as t
  left join controller_grants as o on o.customer_id = t.customer_id and o.access_pass_id = t.id
  left join lateral (
    select extract(epoch from a.ends_at - now())::float8 as seconds, a.created_at from radius_authorisations as a
    where a.customer_id = t.customer_id and a.mac_address = t.mac_address and a.created_at >= t.used_at
      and a.gateway_id = t.gateway_id and a.accepted
    order by a.created_at desc limit 1) as a on true
  left join lateral (
    select s.id, s.ip, s.last_seen_at, s.stopped_at is not null or s.disconnect_agreed_at is not null as is_over,
      coalesce(s.termination_cause, s.disconnect_for) as termination_cause from radius_sessions as s
    where t.used_at is not null and s.customer_id = t.customer_id and s.mac_address = t.mac_address and s.property_id = ${property_id}
      and (s.stopped_at is null or s.created_at >= t.created_at) and num_nonnulls(s.account_id, s.voucher_id, s.device_id, s.guest_id) > 0
      and (s.account_id, s.voucher_id, s.device_id, s.guest_id)
        is not distinct from (t.account_id, t.voucher_id, t.device_id, t.guest_id)
    order by is_over, s.id desc limit 1) as s on true
  where t.id = ${access_pass_id} and ${scope.inReach('access_passes', 't')}`

async function stepOf(
  scope: Scope,
  { gateway, portal, reports }: AdmittedGuest,
  stored: Stored | undefined,
): Promise<Step> {
  const holder = stored && holderIn(stored)
  if (!stored || !holder) return { name: 'signed-out' }
  const { session_id, stopped, signed_out, signed_in_again, let_in_for_s, pass_age_s, unreported_s } = stored
  if (session_id !== null && stopped) {
    const reason = stored.termination_cause === null ? undefined : ended[stored.termination_cause]
    return { name: 'signed-out', ...(reason && !signed_out && { reason }) }
  }
  const { grant_state, grant_problem, grant_age_s } = stored
  if (signed_out && signed_in_again) return { name: 'signed-out' }
  if (signed_out) {
    // A session that the gateway has not reported yet is ended once it has.
    const isAwaited = reports && grant_state === null && (let_in_for_s ?? 0) > 0 && unreported_s < reported_within_s
    const endsItself = portal.pagesOf(gateway.host).sign_out !== null
    return { name: 'signed-out', under_way: session_id !== null || (isAwaited && !endsItself) }
  }
  const waits_s = grant_state === 'waiting' ? (grant_age_s ?? 0) : null
  // A box that does not ask for its guests says nothing, so no problem is known.
  if (grant_state === 'refused' || (waits_s ?? 0) > patience_s) return { name: 'signed-out', reason: 'failed' }
  if (waits_s !== null) return { name: 'connecting', is_delayed: grant_problem !== null || waits_s > prompt_s }
  const name = pass_age_s < new_s ? 'online' : 'status'
  // No more is known if the gateway does not report.
  if (!reports) return { name: pass_age_s < unreported_online_h * 3600 ? name : 'signed-out' }
  if (session_id === null && (let_in_for_s === null || let_in_for_s <= 0)) return { name: 'signed-out' }
  const left =
    session_id === null
      ? await leftOf(scope, { holder, property_id: gateway.property_id, unreported_s })
      : await leftNow(scope, session_id)
  return left ? { name, seconds_left: left.seconds, bytes_left: left.bytes } : { name: 'signed-out' }
}

/** Causes of an end that are shown to the guest. Others are the gateway's own, or obvious. */
const ended: Record<string, Refusal> = {
  'Data-Used-Up': 'used_up',
  'Time-Used-Up': 'used_up',
  'Stay-Over': 'expired',
  'Account-Disabled': 'disabled',
  'Device-Disabled': 'disabled',
  'Device-Blocked': 'disabled',
  'Package-Disabled': 'disabled',
  'In-Dispute': 'disabled',
  'Voucher-Disabled': 'disabled',
  'Property-Disabled': 'disabled',
}

/** From here on the device's MAC address is no longer recognised. Returns the sessions that the gateways are to end. */
async function signOutDevice(scope: Scope, { access_pass_id, property_id }: Found): Promise<number[]> {
  const [pass] = await scope.run(sql<{ mac_address: string | null }>`
    update access_passes as t set signed_out_at = now()
    where t.id = ${access_pass_id} and ${scope.inReach('access_passes', 't')}
    returning case when t.used_at is not null then t.mac_address::text end as mac_address`)
  if (!pass || pass.mac_address === null) return []
  const its = sql`t.mac_address = ${pass.mac_address}::macaddr`
  await scope.run(sql`
    update guest_devices as t set signed_out_at = now(), waits_until = null
    where ${its} and ${scope.inReach('guest_devices', 't')}`)
  const open = sql<boolean>`${its} and t.property_id = ${property_id} and t.stopped_at is null`
  return scope.change('radius_sessions', open, { disconnect_asked_at: sql`now()`, disconnect_for: 'User-Request' })
}
