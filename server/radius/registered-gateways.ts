// Registered gateways: those of the database by their ids, or by what unknown senders call themselves, remembered for some seconds.
import { sql } from 'kysely'
import type { Settings } from '#contract/parameters.ts'
import { dialectOf } from '#server/gateways/find-kind.ts'
import type { RadiusDialect } from '#server/gateways/kind.ts'
import { noSettings, gatewaySettings } from '#server/gateways/settings.ts'
import type { Claim } from '#server/radius/proven-gateways.ts'
import { UnprovenQueue } from '#server/radius/unproven-queue.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import type { Services } from '#server/services.ts'
import { Recent } from '#server/turns/recent-cache.ts'

export interface Gateway {
  customer_id: number
  id: number
  property_id: number
  name: string
  /** Of its make. */
  dialect: RadiusDialect
  gateway_type_id: number
  settings: Settings
  takes_unsigned: boolean
  counts_from_gateway_side: boolean
  time_zone: string
  secret: string
}
interface Stored extends Omit<Gateway, 'secret' | 'dialect' | 'settings'> {
  sealed_radius_secret: Buffer
}

/**
 * How long a node uses what it has read: a new secret, or deleting a gateway, takes effect after that. Whether it is enabled is asked
 * with each sign-in.
 */
const known_for_ms = 5000
const known_max = 5000
export function openRegistered(services: Pick<Services, 'seal' | 'guestDoors' | 'turns'>) {
  const { guestDoors, seal, turns } = services
  const known = new Recent<Promise<Gateway[]>>(known_for_ms, known_max)
  const registered = new Recent<Promise<Gateway[] | null>>(known_for_ms, known_max)

  const opened = ({ sealed_radius_secret, ...gateway }: Stored, settings: ReadonlyMap<number, Settings>): Gateway => ({
    ...gateway,
    dialect: dialectOf(gateway.gateway_type_id),
    settings: settings.get(gateway.id) ?? noSettings,
    secret: seal.open(sealed_radius_secret, placeIn('gateway_secrets.sealed_radius_secret', gateway, gateway.id)),
  })

  async function read(ids: readonly number[]): Promise<Gateway[]> {
    using _turn = await turns.gateways.take(`gateway ${ids[0]}`)
    const rows = await guestDoors.callFunction(sql<Stored>`select * from door_radius_gateways(${[...ids]}::integer[])`)
    const settings = await gatewaySettings(services, rows)
    return rows.map((row) => opened(row, settings))
  }

  const unproven = new UnprovenQueue<Gateway[]>(async (claims) => {
    using _turn = await turns.strangers.take('all')
    const rows = await guestDoors.callFunction(sql<Stored & { n: number }>`
      select * from door_radius_strangers(${claims.map(({ identifier }) => identifier)}::text[],
        ${claims.map(({ mac_address }) => mac_address)}::macaddr[], ${claims.map(({ address }) => address)}::inet[])`)
    const settings = await gatewaySettings(services, rows)
    const byNumber = Map.groupBy(rows, ({ n }) => n)
    return claims.map((_, n) => (byNumber.get(n + 1) ?? []).map(({ n: _n, ...stored }) => opened(stored, settings)))
  })

  /** @param key of what is looked up. Failures are not remembered. */
  function remembered<V>(recent: Recent<Promise<V>>, key: string, look: () => Promise<V>): Promise<V> {
    const before = recent.get(key)
    if (before) return before
    const found = look()
    recent.set(key, found)
    found.catch(() => recent.delete(key))
    return found
  }
  const withIds = (ids: readonly number[]) =>
    ids.length === 0 ? [] : remembered(known, ids.join(' '), () => read(ids))

  /** Gateways that are registered with this name or address. Null: too many unknown senders. */
  async function registeredFor(claim: Claim): Promise<Gateway[] | null> {
    const key = JSON.stringify(claim)
    const found = await remembered(registered, key, () => unproven.find(claim))
    if (found === null) registered.delete(key)
    return found
  }

  return { withIds, registeredFor }
}
