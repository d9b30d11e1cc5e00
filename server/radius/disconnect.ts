// Disconnect: asks gateways to end sessions, each at its pace.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { callerOfJob } from '#server/access/principal.ts'
import type { Condition } from '#server/access/reach.ts'
import type { Controllers } from '#server/gateways/controllers.ts'
import { job } from '#server/jobs/job.ts'
import { endByCall } from '#server/radius/end-by-call.ts'
import { openAmong, sendDisconnect, type GatewaySession, type RequestOutcome } from '#server/radius/gateway-request.ts'
import type { Gateways } from '#server/radius/gateways.ts'
import type { Services } from '#server/services.ts'
import { grantOfCalled } from '#server/sessions/called-sessions.ts'
import { disconnectKind, disconnects_at_once } from '#server/sessions/disconnects.ts'
import { claimTurns } from '#server/sessions/request-rate.ts'
import { closeUnknown } from '#server/sessions/unknown-sessions.ts'

interface Needs extends Pick<Services, 'tenancy' | 'log' | 'seal'> {
  controllers: Controllers
}

export async function disconnect(
  { tenancy, log, seal, controllers }: Needs,
  gateways: Gateways,
  { customer_id, session_ids, cause }: { customer_id: number; session_ids: number[]; cause?: string | undefined },
) {
  const caller = callerOfJob(customer_id, 'disconnect')
  const update = (which: Condition, values: Record<string, unknown>) =>
    tenancy.enter(caller, 'write', (scope) => scope.change('radius_sessions', which, values))
  if (cause !== undefined)
    await update(sql`t.id = any(${session_ids}) and t.stopped_at is null and t.disconnect_for is null`, {
      disconnect_for: cause,
      disconnect_asked_at: sql`now()`,
    })
  const end = (session: GatewaySession) =>
    grantOfCalled(session.acct_session_id) === null
      ? sendDisconnect(gateways, session)
      : endByCall({ tenancy, seal, controllers }, caller, session)
  const sessions = await tenancy.enter(caller, 'read', (scope) => openAmong(scope, session_ids))
  for (
    let next = sessions.splice(0, disconnects_at_once);
    next.length > 0;
    next = sessions.splice(0, disconnects_at_once)
  ) {
    const ids = next.map(({ gateway_id }) => gateway_id)
    const turns = await tenancy.enter(caller, 'write', (scope) => claimTurns(scope, ids))
    const outcomes = await Promise.all(
      next.map(async (session, n) => {
        await sleep(turns[n] ?? 0)
        return { id: session.id, outcome: await end(session) }
      }),
    )
    const failed = outcomes.filter(({ outcome }) => outcome === 'silent' || outcome === 'refused')
    if (failed.length > 0) log.info({ sessions: failed }, 'gateways did not disconnect')
    const idsOf = (wanted: RequestOutcome) => outcomes.filter(({ outcome }) => outcome === wanted).map(({ id }) => id)
    await update(sql`t.id = any(${idsOf('agreed')})`, { disconnect_agreed_at: sql`now()` })
    await tenancy.enter(caller, 'write', (scope) => closeUnknown(scope, outcomes))
  }
}

export const disconnectJob = job({
  kind: disconnectKind,
  run: ({ gateways, ...needs }: Needs & { gateways: Gateways }, asked) => disconnect(needs, gateways, asked),
})
