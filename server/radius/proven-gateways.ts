// Proven gateways: which have proven, and from which addresses, that they know their secret. A node keeps all of them in memory, so
// that it can tell packets of known gateways from others without a look-up.
import { sql } from 'kysely'
import { callerOfGateway } from '#server/access/principal.ts'
import type { Services } from '#server/services.ts'

/** What a packet claims about its sender, and where it came from. */
export interface Claim {
  identifier: string | null
  mac_address: string | null
  address: string
}
interface Proven {
  gateway_id: number
  customer_id: number
  address: string
  nas_identifier: string
  mac_address: string | null
  /** It is registered with this address, so it need not name itself there. */
  by_address: boolean
}

interface AccessPoint {
  gateway_id: number
  mac_address: string
}

/** How often the findings of other nodes are read. Until then, their gateways wait with the unknown senders. */
const read_every_ms = 60_000
/** How many may share an address and a name; each signature is checked against all of them. */
const alike_max = 20
/** As long as an address counts as proven in `door_radius_proven` and the functions next to it. */
const forgotten_after = '30 days'

export type ProvenGateways = ReturnType<typeof openProven>

export function openProven({ tenancy, guestDoors, log }: Pick<Services, 'tenancy' | 'guestDoors' | 'log'>) {
  /** By address. */
  let proven = new Map<string, Proven[]>()
  /** Of their access points, those that were accepted: the gateways by MAC address. */
  let access_points = new Map<string, ReadonlySet<number>>()
  let read_at = -Infinity
  let reading: Promise<void> | null = null

  async function readAll() {
    const [rows, boxes] = await Promise.all([
      guestDoors.callFunction(sql<Proven>`select * from door_radius_proven()`),
      guestDoors.callFunction(sql<AccessPoint>`select * from door_radius_access_points()`),
    ])
    proven = Map.groupBy(rows, ({ address }) => address)
    const byMac = Map.groupBy(boxes, ({ mac_address }) => mac_address)
    access_points = new Map([...byMac].map(([mac, those]) => [mac, new Set(those.map(({ gateway_id }) => gateway_id))]))
    read_at = performance.now()
  }
  function read() {
    reading ??= readAll().finally(() => (reading = null))
    return reading
  }

  /** Only the first call waits for it, because nothing is known before. */
  async function ready() {
    if (performance.now() - read_at < read_every_ms) return
    const first = read_at === -Infinity
    const fresh = read()
    if (first) await fresh
    else fresh.catch((err: unknown) => log.warn({ err }, 'proven gateways could not be read'))
  }

  return {
    ready,
    /** Gateways that are proven at the packet's source address and fit its claim. */
    of: ({ identifier, mac_address, address }: Claim): number[] =>
      (proven.get(address) ?? [])
        .filter(
          (one) =>
            one.nas_identifier === identifier ||
            (mac_address !== null &&
              (one.mac_address === mac_address || access_points.get(mac_address)?.has(one.gateway_id))) ||
            one.by_address,
        )
        .slice(0, alike_max)
        .map(({ gateway_id }) => gateway_id),
    /** All gateways that are proven there, the longest proven first. */
    at: (address: string): number[] =>
      (proven.get(address) ?? []).slice(0, alike_max).map(({ gateway_id }) => gateway_id),
    has: (address: string) => proven.has(address),
    /** Whether the customer may learn about packets from there: if any gateways are proven there, only their customers may. */
    concerns: (customer: number, address: string) =>
      proven.get(address)?.some(({ customer_id }) => customer_id === customer) ?? true,

    /** Records that the gateway has proven that it knows its secret. */
    async keep(gateway: Parameters<typeof callerOfGateway>[0], address: string) {
      const isNew = !proven.get(address)?.some(({ gateway_id }) => gateway_id === gateway.id)
      await tenancy.enter(callerOfGateway(gateway), 'write', async (scope) => {
        await scope.change('gateways', [gateway.id], { last_seen_at: sql`now()`, last_address: address })
        await scope.run(sql`
          insert into gateway_addresses as t (customer_id, gateway_id, address)
          values (${scope.customer_id}, ${gateway.id}, ${address}::inet)
          on conflict (customer_id, gateway_id, address) do update set proven_at = now()
            where t.proven_at < now() - interval '1 hour'`)
        if (isNew)
          await scope.run(sql`
            delete from gateway_addresses as t where t.gateway_id = ${gateway.id}
              and t.proven_at < now() - ${forgotten_after}::interval and ${scope.inReach('gateway_addresses', 't')}`)
      })
      if (isNew) await read()
    },
  }
}
