// Change by call: gives a guest whom a controller has let in at our call other limits.
import { sql } from 'kysely'
import type { Caller } from '#server/access/principal.ts'
import type { Grant } from '#server/admission/grant.ts'
import { kindOf } from '#server/gateways/find-kind.ts'
import { registrationOf } from '#server/gateways/controllers.ts'
import { outcomeOf, type CallServices } from '#server/radius/controller-call.ts'
import type { GatewaySession, RequestOutcome } from '#server/radius/gateway-request.ts'
import { grantOfCalled } from '#server/sessions/called-sessions.ts'

/** Refused, too, where the make takes no change. */
export async function changeByCall(
  { tenancy, seal, controllers }: CallServices,
  caller: Caller,
  { gateway_id, acct_session_id, mac_address }: GatewaySession,
  grant: Grant,
): Promise<RequestOutcome> {
  const its = sql<boolean>`(t.id = ${grantOfCalled(acct_session_id)} and t.gateway_id = ${gateway_id} and t.state = 'granted')`
  const found = await tenancy.enter(caller, 'read', async (scope) => {
    const [stored] = await scope.run(sql<{ sent: Record<string, string> }>`
      select t.sent from controller_grants as t where ${its} and ${scope.inReach('controller_grants', 't')}`)
    const registration = stored && (await registrationOf(scope, seal, gateway_id))
    return stored && registration ? { ...stored, registration } : null
  })
  if (!found || mac_address === null) return 'refused'
  const { controller, asks } = kindOf(found.registration.gateway_type_id) ?? {}
  // A box that fetches its guests has their limits with what was granted; one that asks about them keeps none itself.
  if (!controller && !asks) return 'refused'
  const outcome = await outcomeOf({ tenancy }, { caller, gateway_id }, async () => {
    if (!controller) return 'agreed'
    const { change } = controllers.open(found.registration)
    if (!change) return 'refused'
    await change({ mac_address, sent: found.sent }, grant)
    return 'agreed'
  })
  if (outcome !== 'agreed') return outcome
  const ends_at = sql`now() + make_interval(secs => ${grant.seconds})`
  await tenancy.enter(caller, 'write', (scope) => scope.change('controller_grants', its, { ends_at }))
  return 'agreed'
}
