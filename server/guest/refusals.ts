// Refusals: why somebody was not let in, as shown on the page. What belongs to others and what does not exist look the same.
import { sql } from 'kysely'
import type { AttemptReason } from '#contract/sign-in-attempts.ts'
import type { Refusal } from '#portal/texts/en.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import type { KnownGateway } from '#server/guest/arrivals.ts'
import type { Services } from '#server/services.ts'

const refusals: Partial<Record<AttemptReason, Refusal>> = {
  batch_disabled: 'disabled',
  taken_back: 'disabled',
  package_disabled: 'disabled',
  in_dispute: 'disabled',
  account_disabled: 'disabled',
  device_disabled: 'disabled',
  device_blocked: 'disabled',
  gateway_disabled: 'disabled',
  property_disabled: 'disabled',
  not_yet_valid: 'not_yet_valid',
  expired: 'expired',
  stay_over: 'expired',
  time_used_up: 'used_up',
  data_used_up: 'used_up',
  device_limit: 'too_many_devices',
  too_many_tries: 'too_often',
  unknown_user: 'unknown',
  wrong_password: 'unknown',
  unconfirmed: 'unconfirmed',
  no_more_messages: 'no_more_messages',
  wrong_property: 'unknown',
}
export const refusalFor = (reason: AttemptReason): Refusal => refusals[reason] ?? 'failed'

/** No further message may go to this address, device, property or customer today. The request is rolled back. */
export class NoMoreMessages extends Error {
  override name = 'NoMoreMessages'
  readonly address: string
  constructor(address: string) {
    super('no more messages today')
    this.address = address
  }
}

/** Why the gateway that sent a guest back did not let them in: the last answer for their device. */
export async function lastRefusal(
  { tenancy }: Pick<Services, 'tenancy'>,
  gateway: KnownGateway,
  mac_address: string | null,
): Promise<Refusal> {
  const [last] = await tenancy.enter(callerOfGateway(gateway), 'read', (scope) =>
    scope.read(sql<{ reason: AttemptReason }>`
      select t.reason from radius_authorisations as t
      where t.mac_address = ${mac_address}::macaddr and t.gateway_id = ${gateway.id} and not t.accepted
        and t.created_at > now() - interval '2 minutes' and ${scope.inReach('radius_authorisations', 't')}
      order by t.created_at desc limit 1`),
  )
  return last ? refusalFor(last.reason) : 'failed'
}
