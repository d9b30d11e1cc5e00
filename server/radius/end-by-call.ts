// End by call: ends the session of a guest whom a controller has let in at our call.
import { sql } from 'kysely'
import type { Caller } from '#server/access/principal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { noteTrouble } from '#server/gateways/controller-state.ts'
import { Trouble } from '#server/gateways/controller.ts'
import { kindOf } from '#server/gateways/find-kind.ts'
import { registrationOf, type Controllers } from '#server/gateways/controllers.ts'
import type { GatewaySession, Outcome } from '#server/radius/gateway-request.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { grantOfCalled } from '#server/sessions/called-sessions.ts'

interface Means {
  tenancy: Tenancy
  seal: Seal
  controllers: Controllers
}

export async function endByCall(
  { tenancy, seal, controllers }: Means,
  caller: Caller,
  session: GatewaySession,
): Promise<Outcome> {
  const { gateway_id, mac_address, acct_session_id } = session
  const registration = await tenancy.enter(caller, 'read', (scope) => registrationOf(scope, seal, gateway_id))
  if (!registration || mac_address === null) return 'silent'
  // A box that fetches its guests ends them with what was granted.
  if (!kindOf(registration.gateway_type_id)?.controller) return 'refused'
  try {
    await controllers.open(registration).end(mac_address)
  } catch (error) {
    if (!(error instanceof Trouble)) throw error
    if (error.how.of !== 'controller') return 'refused'
    await tenancy.enter(caller, 'write', (scope) => noteTrouble(scope, gateway_id, error))
    return 'silent'
  }
  const its = sql<boolean>`(t.id = ${grantOfCalled(acct_session_id)} and t.gateway_id = ${gateway_id})`
  await tenancy.enter(caller, 'write', (scope) => scope.change('controller_grants', its, { state: 'ended' }))
  return 'agreed'
}
