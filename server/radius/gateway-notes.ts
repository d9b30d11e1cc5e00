// Gateway notes: what is recorded of who sent packets: when a gateway was heard, why one got no answer, and which access points it has.
// Nobody waits for it, and the same is written at most once in half a minute.
import { sql } from 'kysely'
import { callerOfGateway } from '#server/access/principal.ts'
import type { Claim, ProvenGateways } from '#server/radius/proven-gateways.ts'
import { openTally } from '#server/radius/unproven-queue.ts'
import type { Services } from '#server/services.ts'
import { Recent } from '#server/turns/recent-cache.ts'
import type { Gateway } from './registered-gateways.ts'

/** Why a packet of a known gateway gets no answer. */
type Refusal = 'wrong_secret' | 'unsigned'
/** How often it is recorded at most that a gateway was heard from, and how often it is logged. */
const noted_every_ms = 30_000
const logged_every_ms = 60_000
const noted_max = 5000
/** How often an access point is recorded, and how many unaccepted ones a gateway may have. */
const access_points = { every_ms: 3_600_000, unaccepted_max: 1000 }

export function openGatewayNotes(
  { guestDoors, tenancy, turns, log }: Pick<Services, 'log' | 'tenancy' | 'guestDoors' | 'turns'>,
  proven: ProvenGateways,
) {
  const noted = new Recent<true>(noted_every_ms, noted_max)
  const seen = new Recent<true>(access_points.every_ms, noted_max)
  const logged = new Recent<true>(logged_every_ms, noted_max)
  const tally = openTally(log)

  /** Writes at most once in half a minute for each `key`, and nobody waits for it. */
  function note(key: string, write: () => Promise<unknown>) {
    if (noted.get(key)) return
    noted.set(key, true)
    write().catch((err: unknown) => log.warn({ err }, 'the last packet of a gateway could not be recorded'))
  }

  function noteUnregistered({ identifier, mac_address, address }: Claim) {
    tally('unregistered gateways ask', { address, identifier, mac_address })
    // Only customers with a gateway there are notified.
    if (!proven.has(address)) return
    note(`unregistered ${address}`, async () => {
      using _turn = await turns.strangers.take('notes')
      return await guestDoors.callFunction(
        sql`select door_radius_unregistered(${identifier?.slice(0, 253) ?? null}, ${mac_address}::macaddr, ${address}::inet)`,
      )
    })
  }

  function noteRefused({ id, name }: Gateway, { address }: Claim, why: Refusal) {
    const key = `${id} ${why}`
    if (!logged.get(key)) {
      logged.set(key, true)
      log.info({ gateway: id, name, address, why }, "a gateway's packets are left unanswered")
    }
    note(`refused ${key}`, async () => {
      using _turn = await turns.strangers.take('notes')
      return await guestDoors.callFunction(sql`select door_radius_refused(${id}, ${why})`)
    })
  }

  const noteProven = (gateway: Gateway, { address }: Claim) =>
    note(`heard ${gateway.id} ${address}`, () => proven.keep(gateway, address))

  /** The box that a signed packet is from, where it does not bear the gateway's name: a claim, until a person accepts it. */
  function noteAccessPoint(gateway: Gateway, { identifier, mac_address }: Claim) {
    const key = `${gateway.id} ${mac_address} ${identifier}`
    if (mac_address === null || seen.get(key)) return
    seen.set(key, true)
    const keep = tenancy.enter(callerOfGateway(gateway), 'write', (scope) =>
      scope.run(sql`
        insert into access_points as t (customer_id, gateway_id, mac_address, last_seen_at)
        select g.customer_id, g.id, ${mac_address}::macaddr, now() from gateways as g
        where g.customer_id = ${scope.customer_id} and g.id = ${gateway.id} and g.mac_address is distinct from ${mac_address}::macaddr
          and g.nas_identifier is distinct from ${identifier}
          and ${access_points.unaccepted_max} > (select count(*) from access_points as o
            where o.customer_id = g.customer_id and o.gateway_id = g.id and o.accepted_at is null)
        on conflict (customer_id, gateway_id, mac_address) do update set last_seen_at = now()`),
    )
    keep.catch((err: unknown) => log.warn({ err }, 'the last packet of an access point could not be recorded'))
  }

  /** An unsigned packet may be anybody's, so its address does not show where the gateway is. */
  const noteUnsigned = (gateway: Gateway) =>
    note(`heard unsigned ${gateway.id}`, () =>
      tenancy.enter(callerOfGateway(gateway), 'write', (scope) =>
        scope.change('gateways', [gateway.id], { last_seen_at: sql`now()` }),
      ),
    )

  return { tally, noteUnregistered, noteRefused, noteProven, noteAccessPoint, noteUnsigned }
}
