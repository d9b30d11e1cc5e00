// Tell a gateway: a CoA-Request to a gateway about a device that has no session here yet, whose guest waits.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { callerOfJob } from '#server/access/principal.ts'
import type { Tell } from '#server/gateways/controller.ts'
import { sendTold, type Where } from '#server/radius/gateway-request.ts'
import type { Gateways } from '#server/radius/gateways.ts'
import type { Services } from '#server/services.ts'
import { claimTurns } from '#server/sessions/request-rate.ts'

export const openTell =
  ({ tenancy }: Pick<Services, 'tenancy'>, gateways: Gateways): Tell =>
  async ({ customer_id, gateway_id }, attributes) => {
    const caller = callerOfJob(customer_id, 'tell a gateway')
    const claimed = await tenancy.enter(caller, 'write', async (scope) => {
      const [wait_ms = 0] = await claimTurns(scope, [gateway_id], 'about_devices')
      const [where] = await scope.run(sql<Where>`
        select t.id as gateway_id, t.disconnect_port, host(coalesce(t.last_address, t.ip_address)) as address from gateways as t
        where t.id = ${gateway_id} and ${scope.inReach('gateways', 't')}`)
      return where && { where, wait_ms }
    })
    if (!claimed || claimed.where.address === null) return 'unknown'
    await sleep(claimed.wait_ms)
    const outcome = await sendTold(gateways, claimed.where, attributes)
    return outcome === 'ended' ? 'gone' : outcome
  }
