// End by call: ends the session of a guest whom a controller has let in at our call.
import { sql } from 'kysely'
import type { Caller } from '#server/access/principal.ts'
import { kindOf } from '#server/gateways/find-kind.ts'
import { registrationOf } from '#server/gateways/controllers.ts'
import { outcomeOf, type CallServices } from '#server/radius/controller-call.ts'
import type { GatewaySession, RequestOutcome } from '#server/radius/gateway-request.ts'
import { grantOfCalled } from '#server/sessions/called-sessions.ts'

export async function endByCall(
  { tenancy, seal, controllers }: CallServices,
  caller: Caller,
  session: GatewaySession,
): Promise<RequestOutcome> {
  const { gateway_id, mac_address, acct_session_id } = session
  const registration = await tenancy.enter(caller, 'read', (scope) => registrationOf(scope, seal, gateway_id))
  if (!registration || mac_address === null) return 'silent'
  // A box that fetches its guests ends them with what was granted.
  if (!kindOf(registration.gateway_type_id)?.controller) return 'refused'
  const outcome = await outcomeOf({ tenancy }, { caller, gateway_id }, async () => {
    await controllers.open(registration).end(mac_address)
    return 'agreed'
  })
  if (outcome !== 'agreed') return outcome
  const its = sql<boolean>`(t.id = ${grantOfCalled(acct_session_id)} and t.gateway_id = ${gateway_id})`
  await tenancy.enter(caller, 'write', (scope) => scope.change('controller_grants', its, { state: 'ended' }))
  return 'agreed'
}
