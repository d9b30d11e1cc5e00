// Renewals: guests whom a box lets go because it is granted short lengths, so that an ended right ends soon. For as long as what they
// signed in with lasts, their next redirect lets them in again without a form: the session goes on, or a new one begins if it was closed.
import { sql } from 'kysely'
import { callerOfGateway } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { holderIn, makePass } from '#server/admission/passes.ts'
import { placeOf, reasonAt } from '#server/admission/property-checks.ts'
import { keepName } from '#server/gateways/controller-state.ts'
import type { LetIn } from '#server/gateways/kind.ts'
import type { Services } from '#server/services.ts'
import { hot_days_min } from '#server/start/config.ts'
import { grantById, grantNow } from './controller-grants.ts'

interface Asking {
  gateway: { customer_id: number; id: number; property_id: number; name: string }
  /** As the redirect proves. */
  mac_address: string
  sent: Extract<LetIn, { by: 'fetch' }>['fields']
}

/** Ends of a session that nobody wanted: the guest slept, or walked through the house. */
const passing = ['Session-Timeout', 'Idle-Timeout', 'Lost-Carrier', 'Lost-Service', 'NAS-Reboot', 'Session-Unknown']

/** Has a guest let in again who may still be online; returns the key of their status. Null: they are to sign in. */
export async function renew(
  { tenancy, seal }: Pick<Services, 'tenancy' | 'seal'>,
  { gateway, mac_address, sent }: Asking,
): Promise<string | null> {
  return tenancy.enter(callerOfGateway(gateway), 'write', async (scope) => {
    await scope.lock('gateways', sql`t.id = ${gateway.id}`)
    const last = await lastAt(scope, gateway.id, mac_address)
    const [stored] = last ? await grantById(scope, last.id) : []
    const holder = stored && holderIn(stored)
    if (!last || !stored || !holder) return null
    const place = await placeOf(scope, gateway.property_id, {
      gateway_id: gateway.id,
      mac_address,
      is_by_secret: false,
    })
    const now = await grantNow(scope, stored)
    if (reasonAt(place) !== null || 'refused' in now || Math.min(now.grant.seconds, stored.left_s) <= 0) return null
    const { auth_method_id } = last
    const pass = await makePass(scope, seal, {
      gateway_id: gateway.id,
      mac_address,
      auth_method_id,
      holder,
    })
    const [made] = await scope.change('access_passes', sql<boolean>`t.username = ${pass.username}`, {
      used_at: sql`now()`,
    })
    if (made === undefined) throw new Error('a pass that was just made is gone')
    await wait(scope, { ...last, access_pass_id: made, sent })
    await keepName(scope, gateway.id, sent.asks_as)
    return pass.status_key
  })
}

interface Last {
  id: number
  state: string
  auth_method_id: number
  /** As the box knew them before, if it has not said yet what they used then. */
  former: string | null
}

/**
 * The last time that the device was let in there, if the box was granted short lengths and nobody has ended it. How longer ago it ended
 * may be packed, so that it is not looked for.
 */
async function lastAt(scope: Scope, gateway_id: number, mac_address: string): Promise<Last | undefined> {
  const [last] = await scope.run(sql<Last & { is_passing: boolean }>`
    select t.id, t.state, p.auth_method_id, t.sent ->> case t.state when 'waiting' then 'former' else 'guest' end as former,
      t.granted_at is not null and t.state <> 'refused' and t.sent ? 'lasts_max_s'
        and coalesce(s.is_passing, t.created_at > now() - make_interval(days => ${hot_days_min})) as is_passing
    from controller_grants as t
    join access_passes as p on p.customer_id = t.customer_id and p.id = t.access_pass_id
    left join lateral (
      select s.disconnect_for is null and s.disconnect_asked_at is null
          and (s.stopped_at is null or s.termination_cause = any(${passing})) as is_passing
      from radius_sessions as s
      where s.customer_id = t.customer_id and s.gateway_id = t.gateway_id and s.acct_session_id = concat('call-', t.id)
      order by s.id desc limit 1) as s on true
    where t.gateway_id = ${gateway_id} and t.mac_address = ${mac_address}::macaddr and ${scope.inReach('controller_grants', 't')}
    order by t.id desc limit 1`)
  return last?.is_passing ? last : undefined
}

/** They wait to be fetched as anybody does. */
async function wait(
  scope: Scope,
  { id, state, former, access_pass_id, sent }: Last & { access_pass_id: number } & Pick<Asking, 'sent'>,
) {
  const told = JSON.stringify({ ...sent, ...(former !== null && state !== 'ended' && { former }) })
  if (state !== 'ended') {
    await scope.change('controller_grants', [id], {
      access_pass_id,
      sent: told,
      state: 'waiting',
      problem: null,
      created_at: sql`now()`,
    })
    return
  }
  await scope.run(sql`
    insert into controller_grants as t (customer_id, gateway_id, access_pass_id, authorisation_id, mac_address, sent)
    select t.customer_id, t.gateway_id, ${access_pass_id}, t.authorisation_id, t.mac_address, ${told}::jsonb
    from controller_grants as t where t.id = ${id} and ${scope.inReach('controller_grants', 't')}`)
}
