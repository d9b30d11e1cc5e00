// Controller call: what becomes of a session when the controller of its gateway is called about it.
import type { Caller } from '#server/access/principal.ts'
import { noteTrouble } from '#server/gateways/controller-state.ts'
import { Trouble } from '#server/gateways/controller.ts'
import type { Controllers } from '#server/gateways/controllers.ts'
import type { RequestOutcome } from '#server/radius/gateway-request.ts'
import type { Services } from '#server/services.ts'

export interface CallServices extends Pick<Services, 'tenancy' | 'seal'> {
  controllers: Controllers
}

/** Refused, where only this call is; silent, and noted, where something is wrong with the controller. */
export async function outcomeOf(
  { tenancy }: Pick<CallServices, 'tenancy'>,
  { caller, gateway_id }: { caller: Caller; gateway_id: number },
  call: () => Promise<RequestOutcome>,
): Promise<RequestOutcome> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof Trouble)) throw error
    if (error.how.of !== 'controller') return 'refused'
    await tenancy.enter(caller, 'write', (scope) => noteTrouble(scope, gateway_id, error))
    return 'silent'
  }
}
