// Change sessions: sends gateways the new limits of sessions that are online (RFC 5176, CoA-Request). Where a kind of gateway does
// not support this request, or refuses it, the session is ended: the guest gets the new limits by signing in again.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { grantOf, type Grant } from '#server/admission/grant.ts'
import { holderIn } from '#server/admission/passes.ts'
import type { Controllers } from '#server/gateways/controllers.ts'
import { dialectOf } from '#server/gateways/find-kind.ts'
import { job } from '#server/jobs/job.ts'
import { changeByCall } from '#server/radius/change-by-call.ts'
import {
  asReported,
  gatewaySession,
  ofSession,
  sendChange,
  type GatewaySession,
  type RequestOutcome,
} from '#server/radius/gateway-request.ts'
import type { StoredCode } from '#server/secrets/voucher-codes.ts'
import type { Gateways } from '#server/radius/gateways.ts'
import type { Services } from '#server/services.ts'
import { grantOfCalled } from '#server/sessions/called-sessions.ts'
import { changeSessionsKind, type SessionsToChange } from '#server/sessions/changes.ts'
import { queueDisconnects } from '#server/sessions/disconnects.ts'
import { moveToPackage } from '#server/sessions/keep-records.ts'
import { claimTurns } from '#server/sessions/request-rate.ts'
import { ended_for } from '#server/sessions/used-up.ts'

interface Changed extends GatewaySession {
  property_id: number
  gateway_type_id: number
  time_zone: string
  account_id: number | null
  voucher_id: number | null
  device_id: number | null
  guest_id: number | null
  package_id: number | null
  /** By now: the reported time, and the time since. */
  online_s: number
  bytes: number
  /** The limits it has had. */
  had_speed: boolean
  had_volume: boolean
  had_idle: boolean
}

/** For sessions whose gateway did not apply the change. */
const changed_cause = 'Package-Changed'

interface Needs extends Pick<Services, 'tenancy' | 'queue' | 'log' | 'seal'> {
  controllers: Controllers
}

export async function changeSessions(
  { tenancy, queue, log, seal, controllers }: Needs,
  gateways: Gateways,
  { customer_id, session_ids, own, lifted }: SessionsToChange,
) {
  const caller = callerOfJob(customer_id, 'change sessions')
  const changes = await tenancy.enter(caller, 'write', async (scope) => {
    const granted: { session: Changed; grant: Grant }[] = []
    for (const session of await changedAmong(scope, session_ids)) {
      const grant = await grantNow(scope, session, own)
      if (own && grant?.package_id === session.package_id) continue
      const why = grant && usedUp(grant)
      if (why) await queueDisconnects(scope, queue, [session.id], why)
      else if (grant) granted.push({ session, grant })
    }
    const gateway_ids = granted.map(({ session }) => session.gateway_id)
    // This locks the gateways, before their sessions, in the same order as reports do.
    const turns = await claimTurns(scope, gateway_ids)
    for (const { session, grant } of granted) await keep(scope, session, grant)
    return granted.map((one, n) => ({ ...one, wait_ms: turns[n] ?? 0 }))
  })
  const notChanged = (id: number, outcome: RequestOutcome) => {
    log.info({ session: id, outcome }, 'a gateway did not change a session')
    return id
  }
  const refused = await Promise.all(
    changes.map(async ({ session, grant, wait_ms }) => {
      const { gateway_type_id, online_s, bytes } = session
      const isCalled = grantOfCalled(session.acct_session_id) !== null
      if (isCalled) {
        await sleep(wait_ms)
        const outcome = await changeByCall({ tenancy, seal, controllers }, caller, session, grant)
        return outcome === 'agreed' ? null : notChanged(session.id, outcome)
      }
      if (!dialectOf(gateway_type_id).change || lifted || (own && isLifted(session, grant))) return session.id
      await sleep(wait_ms)
      // Gateways count both from the beginning of the session.
      const limits = {
        ...grant,
        seconds: online_s + grant.seconds,
        bytes: grant.bytes === null ? null : bytes + grant.bytes,
      }
      const outcome = await sendChange(gateways, session, limits)
      return outcome === 'agreed' ? null : notChanged(session.id, outcome)
    }),
  )
  const ids = refused.filter((id) => id !== null)
  await tenancy.enter(caller, 'write', (scope) => queueDisconnects(scope, queue, ids, changed_cause))
}

export const changeSessionsJob = job({
  kind: changeSessionsKind,
  run: ({ gateways, ...needs }: Needs & { gateways: Gateways }, asked) => changeSessions(needs, gateways, asked),
})

async function changedAmong(scope: Scope, ids: number[]): Promise<Changed[]> {
  const changed = await scope.run(sql<Changed & StoredCode>`
    select ${gatewaySession}, t.property_id, g.gateway_type_id, coalesce(h.time_zone, c.time_zone) as time_zone,
      t.account_id, t.voucher_id, t.device_id, t.guest_id, t.package_id, (t.bytes_up + t.bytes_down)::float8 as bytes,
      t.seconds + greatest(0, extract(epoch from now() - t.last_seen_at))::integer as online_s,
      coalesce(p.speed_mbps > 0, false) as had_speed, coalesce(p.volume_gb > 0, false) as had_volume,
      coalesce(p.idle_timeout_hrs > 0, false) as had_idle
    from radius_sessions as t
    ${ofSession}
    join properties as h on h.customer_id = t.customer_id and h.id = t.property_id
    join customers as c on c.id = t.customer_id
    left join packages as p on p.customer_id = t.customer_id and p.id = t.package_id
    where t.id = any(${ids}) and t.stopped_at is null and t.disconnect_asked_at is null
      and ${scope.inReach('radius_sessions', 't')}
    order by t.id`)
  return changed.map(asReported(scope))
}

async function grantNow(scope: Scope, session: Changed, own: boolean): Promise<Grant | null> {
  const holder = holderIn(session)
  const { property_id } = session
  return holder && grantOf(scope, { holder, property_id, package_id: own ? null : session.package_id })
}

const usedUp = ({ seconds, bytes }: Grant) =>
  seconds <= 0 ? ended_for.time : bytes !== null && bytes <= 0 ? ended_for.data : null

/** Makes of gateways differ in how a limit is removed by a request. */
const isLifted = ({ had_speed, had_volume, had_idle }: Changed, { speed_mbps, bytes, idle_seconds }: Grant) =>
  (had_speed && speed_mbps === null) || (had_volume && bytes === null) || (had_idle && idle_seconds === null)

async function keep(scope: Scope, { id, package_id, ...place }: Changed, grant: Grant) {
  if (grant.package_id !== package_id) await moveToPackage(scope, place, id, grant.package_id)
  await scope.change('radius_sessions', [id], {
    terms: null,
    ends_at: sql`now() + make_interval(secs => ${grant.seconds})`,
  })
}
