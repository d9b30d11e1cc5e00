// Controller grants: guests of the portal whom a controller is called to let in. Whether they may go online is judged at once, as where a
// gateway asks by RADIUS, and again when the call is made; the call is due work, so that a controller that is down holds nobody else's
// turn, and nobody is let in twice.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { deskReasons } from '#contract/sign-in-attempts.ts'
import type { Refusal } from '#portal/texts/en.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { admit } from '#server/admission/admit.ts'
import { grantIn, allowedBy, type Grant } from '#server/admission/grant.ts'
import { factsOf, reasonAgainst } from '#server/admission/holders.ts'
import { holderIn, type MadePass } from '#server/admission/passes.ts'
import { allowanceOfVoucher, reasonOf } from '#server/admission/voucher-allowance.ts'
import {
  doubling,
  dueKind,
  dropDue,
  queueDue,
  TriedInVain,
  type DueWork,
  type Failed,
  type Held,
  type Settle,
} from '#server/due/due-work.ts'
import { keepName, controllerLane, noteAnswer, noteTrouble, queueCount } from '#server/gateways/controller-state.ts'
import { Trouble, type CalledGuest } from '#server/gateways/controller.ts'
import { registrationOf, type Controllers, type Registration } from '#server/gateways/controllers.ts'
import { kindOf } from '#server/gateways/find-kind.ts'
import type { CountServices } from '#server/guest/controller-counts.ts'
import { refusalFor } from '#server/guest/refusals.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import type { Services } from '#server/services.ts'
import { begunByGrant, recordOf } from '#server/sessions/called-sessions.ts'
import { storeReports } from '#server/sessions/keep-records.ts'
import { voucherById } from '#server/vouchers/find.ts'
import { isValid, voucherState } from '#server/vouchers/state.ts'

const grantKind = dueKind('guest_grant')

/** How long after the sign-in a guest is still let in. */
export const patience_s = 15 * 60
/** How often a controller that is down is tried. */
const down_wait_s = 10

interface Asking {
  gateway: { customer_id: number; id: number; property_id: number; name: string }
  pass: Pick<MadePass, 'username' | 'password'>
  mac_address: string
  /** What of the redirect the controller is told again. */
  sent: Record<string, string>
  /** The name by which the box asks for its guests. */
  fetched_as?: string | null
}

/** Has the guest let in, or says why not. A box that fetches its guests is not called. */
export async function askController(
  { tenancy, seal, queue }: Pick<Services, 'tenancy' | 'seal' | 'queue'>,
  { gateway, pass, mac_address, sent, fetched_as = null }: Asking,
): Promise<{ refused: Refusal } | null> {
  const { id: gateway_id } = gateway
  return tenancy.enter(callerOfGateway(gateway), 'write', async (scope) => {
    const verdict = await verdictOn(scope, seal, { gateway, pass, mac_address })
    if ('refused' in verdict) return verdict
    const id = await storeGrant(scope, { gateway, pass, mac_address, sent }, verdict.class_of)
    if (fetched_as !== null) await keepName(scope, gateway_id, fetched_as)
    else await queueDue(scope, queue, grantKind, [{ about_id: id, urgent: true, lane: controllerLane(gateway_id) }])
    return null
  })
}

/** Who presses again is let in once. */
async function storeGrant(
  scope: Scope,
  { gateway: { id: gateway_id }, pass, mac_address, sent }: Asking,
  class_of: number,
) {
  const its = sql<boolean>`(t.gateway_id = ${gateway_id} and t.mac_address = ${mac_address}::macaddr and t.state = 'waiting')`
  const before = await scope.change('controller_grants', its, { state: 'ended' })
  await dropDue(scope, grantKind, before)
  const [made] = await scope.run(sql<ColumnsOf<'access_passes', 'id'>>`
    insert into controller_grants as t (customer_id, gateway_id, access_pass_id, authorisation_id, mac_address, sent)
    select t.customer_id, ${gateway_id}, t.id, ${class_of}, ${mac_address}::macaddr, ${JSON.stringify(sent)}::jsonb
    from access_passes as t where t.username = ${pass.username} and ${scope.inReach('access_passes', 't')}
    returning t.id`)
  if (!made) throw new Error('a pass that was just made is gone')
  return made.id
}

type Presented = Pick<Asking, 'gateway' | 'pass' | 'mac_address'>

/** By the policy of RADIUS. */
async function verdictOn(scope: Scope, seal: Seal, { gateway, pass, mac_address }: Presented) {
  const credentials = { kind: 'password', password: pass.password } as const
  const asked = { gateway_id: gateway.id, user_name: pass.username, credentials, mac_address }
  const [verdict] = await admit(scope, seal, gateway.property_id, [asked])
  if (verdict?.accepted) return verdict
  return { refused: verdict ? refusalFor(verdict.reason) : ('failed' as const) }
}

type Counted = 'asked' | 'by RADIUS' | 'at its end' | 'nowhere'

/** The session of a guest who is let in at this moment. */
async function beginHere(
  scope: Scope,
  queue: Queue,
  presented: Presented,
  { class_of, grant }: { class_of: number; grant: Grant },
  counted: Counted,
) {
  const id = await storeGrant(scope, { ...presented, sent: {} }, class_of)
  const [stored] = await grantById(scope, id)
  if (stored) await storeGranted(scope, queue, id, stored, { grant, counted })
}

/** Where a box asks the portal about a guest's pass, and reports on them later. The caller has locked the gateway. */
export async function admitHere(scope: Scope, { seal, queue }: Pick<Services, 'seal' | 'queue'>, presented: Presented) {
  const verdict = await verdictOn(scope, seal, presented)
  if ('refused' in verdict) return false
  await beginHere(scope, queue, presented, verdict, 'at its end')
  return true
}

interface Sent extends Presented {
  gateway: Presented['gateway'] & { gateway_type_id: number }
}

/** Where a box lets in whom the portal sends it, and asks nobody. If it says nothing later, either, the session begins here. */
export async function judgeHere(
  { tenancy, seal, queue }: Pick<Services, 'tenancy' | 'seal' | 'queue'>,
  presented: Sent,
): Promise<{ refused: Refusal } | { seconds: number }> {
  const { gateway } = presented
  return tenancy.enter(callerOfGateway(gateway), 'write', async (scope) => {
    const verdict = await verdictOn(scope, seal, presented)
    if ('refused' in verdict) return verdict
    if (kindOf(gateway.gateway_type_id)?.controller?.is_silent) {
      await scope.lock('gateways', sql`t.id = ${gateway.id}`)
      await beginHere(scope, queue, presented, verdict, 'nowhere')
    }
    return { seconds: Math.max(1, Math.floor(verdict.grant.seconds)) }
  })
}

export interface StoredGrant {
  gateway_id: number
  /** Null until they are let in for the first time. */
  granted_at: string | null
  granted_s: number
  property_id: number
  time_zone: string
  nas_identifier: string
  session_key: string | null
  mac_address: string
  sent: Record<string, string>
  state: string
  username: string
  authorisation_id: number
  sealed_password: Buffer
  age_s: number
  since: string
  /** Of the time that was allowed at the sign-in. */
  left_s: number
  account_id: number | null
  voucher_id: number | null
  device_id: number | null
  guest_id: number | null
}

export const grantById = (scope: Scope, id: number) =>
  scope.run(sql<StoredGrant>`
    select t.gateway_id, t.mac_address::text, t.sent, t.state, t.authorisation_id, t.created_at as since, t.granted_at,
      coalesce(extract(epoch from now() - t.granted_at), 0)::float8 as granted_s,
      extract(epoch from now() - t.created_at)::float8 as age_s, g.property_id, g.nas_identifier, s.session_key,
      coalesce(h.time_zone, c.time_zone) as time_zone,
      coalesce((select extract(epoch from max(a.ends_at) - now()) from radius_authorisations as a
        where a.customer_id = t.customer_id and (a.id = t.authorisation_id or a.class_of = t.authorisation_id)), 0)::float8 as left_s,
      p.username, p.sealed_password, p.account_id, p.voucher_id, p.device_id, p.guest_id
    from controller_grants as t
    join gateways as g on g.customer_id = t.customer_id and g.id = t.gateway_id and g.active and g.deleted_at is null
    join properties as h on h.customer_id = g.customer_id and h.id = g.property_id and h.active and h.deleted_at is null
    join customers as c on c.id = t.customer_id
    join access_passes as p on p.customer_id = t.customer_id and p.id = t.access_pass_id and p.signed_out_at is null
    ${begunByGrant}
    where t.id = ${id} and ${scope.inReach('controller_grants', 't')}`)

/** What the guest may use now, or why no longer. */
export async function grantNow(scope: Scope, stored: StoredGrant): Promise<{ grant: Grant } | { refused: string }> {
  const { property_id, mac_address } = stored
  const holder = holderIn(stored)
  if (!holder) return { refused: deskReasons['unknown_user'] ?? '' }
  const { kind, id } = holder
  if (kind === 'voucher') {
    const voucher = await voucherById(scope, id, property_id)
    // This device has its place already.
    const state = voucher && voucherState({ ...voucher, devices: 0 })
    if (!voucher || !state || !isValid(state)) return { refused: deskReasons[reasonOf(state ?? 'unknown')] ?? '' }
    return { grant: grantIn(allowanceOfVoucher(voucher)) }
  }
  const facts = await factsOf(scope, property_id, { holder: { kind, id }, mac_address })
  const reason = facts ? reasonAgainst(facts, { kind, id }) : 'unknown_user'
  return facts && reason === null
    ? { grant: grantIn(allowedBy(facts)) }
    : { refused: deskReasons[reason ?? 'unknown_user'] ?? '' }
}

async function letIn(
  { tenancy, seal, queue, controllers }: CountServices,
  { about_id, caller, was_unsure }: Held,
): Promise<Settle | void> {
  const read = await tenancy.enter(caller, 'read', async (scope) => {
    const [stored] = await grantById(scope, about_id)
    const registration = stored && (await registrationOf(scope, seal, stored.gateway_id))
    return stored && registration ? { stored, registration, now: await grantNow(scope, stored) } : null
  })
  if (!read || read.stored.state !== 'waiting') return
  const { stored, registration, now } = read
  if (stored.age_s > patience_s) return refusedFor(about_id, 'The controller was not reached in time.')
  if ('refused' in now) return refusedFor(about_id, now.refused)
  const grant = { ...now.grant, seconds: Math.min(now.grant.seconds, stored.left_s) }
  if (grant.seconds <= 0) return refusedFor(about_id, deskReasons['time_used_up'] ?? '')
  const { username, sealed_password } = stored
  const password = seal.open(sealed_password, placeIn('access_passes.sealed_password', caller, username))
  const guest = { ...stored, pass: { username, password }, since: new Date(stored.since) }
  await callController(controllers, registration, guest, { grant, was_unsure })
  const counted = kindOf(registration.gateway_type_id)?.controller?.asks_radius ? 'by RADIUS' : 'asked'
  return (scope) => storeGranted(scope, queue, about_id, stored, { grant, counted })
}

const refusedFor =
  (id: number, problem: string): Settle =>
  async (scope) =>
    void (await scope.change('controller_grants', [id], { state: 'refused', problem }))

async function callController(
  controllers: Controllers,
  registration: Registration,
  guest: CalledGuest,
  { grant, was_unsure }: { grant: Grant; was_unsure: boolean },
) {
  try {
    const controller = controllers.open(registration)
    if (was_unsure && (await controller.isIn(guest))) return
    await controller.letIn(guest, grant)
  } catch (error) {
    if (!(error instanceof Trouble)) throw error
    const { of = 'guest', is_sure = false, is_final = false, wait_s } = error.how
    const lane = of === 'controller' ? ({ lane: 'waits', lane_wait_s: wait_s ?? down_wait_s } as const) : {}
    throw new TriedInVain(error.message, {
      is_sure,
      hopeless: is_final && of === 'guest',
      retry_after_s: of === 'controller' ? (wait_s ?? down_wait_s) : undefined,
      cause: error,
      ...lane,
    })
  }
}

/** The session begins, and is counted from now on, unless it is reported. */
export async function storeGranted(
  scope: Scope,
  queue: Queue,
  id: number,
  stored: StoredGrant,
  { grant, counted }: { grant: Grant; counted: Counted },
) {
  const { gateway_id } = stored
  const ends_at = sql`now() + make_interval(secs => ${grant.seconds})`
  const kept = await scope.change('controller_grants', sql<boolean>`(t.id = ${id} and t.state = 'waiting')`, {
    state: 'granted',
    problem: null,
    granted_at: sql`coalesce(t.granted_at, now())`,
    ends_at,
  })
  if (kept.length === 0) return
  if (counted !== 'by RADIUS') {
    const goesOn = { kind: 'interim', seconds: Math.floor(stored.granted_s), bytes_up: null, bytes_down: null } as const
    const record = recordOf({ ...stored, grant_id: id }, stored.granted_at === null ? { kind: 'start' } : goesOn)
    await storeReports(scope, stored, [{ gateway_id, record }])
  }
  if (counted !== 'nowhere') await noteAnswer(scope, gateway_id)
  if (counted === 'asked' || counted === 'nowhere') await queueCount(scope, queue, gateway_id)
}

/** The guest and the desk read why; nobody tries what the guest no longer waits for. */
async function keepFailed(
  scope: Scope,
  { about_id }: Pick<Held, 'about_id'>,
  { as, error, last_error }: Failed,
): Promise<'forget'> {
  const isOver = as !== 'again'
  const [grant] = await scope.run(sql<ColumnsOf<'controller_grants', 'gateway_id'>>`
    update controller_grants as t set problem = ${last_error}, state = case when ${isOver} then 'refused' else t.state end
    where t.id = ${about_id} and t.state = 'waiting' and ${scope.inReach('controller_grants', 't')} returning t.gateway_id`)
  const trouble = error instanceof TriedInVain ? error.how.cause : null
  if (grant && trouble instanceof Trouble && trouble.how.of === 'controller')
    await noteTrouble(scope, grant.gateway_id, trouble)
  return 'forget'
}

const ofGrant = (scope: Scope, column: ReturnType<typeof sql>) =>
  sql`(select ${column} from controller_grants as o
    join gateways as g on g.customer_id = o.customer_id and g.id = o.gateway_id and ${scope.inReach('gateways', 'g')}
    where o.id = t.about_id and ${scope.inReach('controller_grants', 'o')})`

export const grantWork: DueWork<CountServices> = {
  kind: grantKind,
  about: (scope) => ofGrant(scope, sql`concat(o.mac_address::text, ' at ', coalesce(g.name, g.nas_identifier))`),
  logged: (scope) => ofGrant(scope, sql`coalesce(g.name, g.nas_identifier)`),
  promise: 'once',
  at_once: 48,
  of_one_customer: 16,
  of_one_lane: 4,
  tries_max: 5,
  wait_s: doubling(2, 10),
  run: letIn,
  failed: keepFailed,
}
