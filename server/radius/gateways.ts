// Gateways: which registered gateway a packet is from. Its names and source address select candidates; the secret it was signed with
// decides. Unknown senders get no answer. Gateways that are proven at the source address are checked first and separately, so that
// they never wait behind unknown senders.
import { sql } from 'kysely'
import { leadingMacIn } from '#contract/mac-address.ts'
import type { Settings } from '#contract/parameters.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import { macIn } from '#server/admission/identify.ts'
import { dialectOf } from '#server/gateways/find-kind.ts'
import type { RadiusDialect } from '#server/gateways/kind.ts'
import { noSettings, settingsOf } from '#server/gateways/settings.ts'
import { attribute } from '#server/radius-codec/dictionary.ts'
import { textOf, type Attributes } from '#server/radius-codec/packet.ts'
import { openProven, type Claim } from '#server/radius/proven-gateways.ts'
import { openTally, UnprovenQueue } from '#server/radius/unproven-queue.ts'
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

/** Why a packet of a known gateway gets no answer. */
export type Refusal = 'wrong_secret' | 'unsigned'
type Signed = 'right' | 'wrong' | 'missing'
type IsSigned = (secret: string) => Signed

/** How long a node uses what it has read: a new secret, or disabling a gateway, takes effect after that. */
const known_for_ms = 5000
const known_max = 5000
/** How often it is recorded at most that a gateway was heard from, and how often it is logged. */
const noted_every_ms = 30_000
const logged_every_ms = 60_000
/** How often an access point is recorded, and how many unaccepted ones a gateway may have. */
const access_points = { every_ms: 3_600_000, unaccepted_max: 1000 }

export function openGateways(services: Services) {
  const { guestDoors, tenancy, seal, turns, log } = services
  const proven = openProven(services)
  const known = new Recent<Promise<Gateway[]>>(known_for_ms, known_max)
  const registered = new Recent<Promise<Gateway[] | null>>(known_for_ms, known_max)
  const noted = new Recent<true>(noted_every_ms, known_max)
  const seen = new Recent<true>(access_points.every_ms, known_max)
  const logged = new Recent<true>(logged_every_ms, known_max)
  const tally = openTally(log)

  const opened = ({ sealed_radius_secret, ...gateway }: Stored, settings: ReadonlyMap<number, Settings>): Gateway => ({
    ...gateway,
    dialect: dialectOf(gateway.gateway_type_id),
    settings: settings.get(gateway.id) ?? noSettings,
    secret: seal.open(sealed_radius_secret, placeIn('gateway_secrets.sealed_radius_secret', gateway, gateway.id)),
  })

  async function read(ids: readonly number[]): Promise<Gateway[]> {
    using _turn = await turns.gateways.take(`gateway ${ids[0]}`)
    const rows = await guestDoors.callFunction(sql<Stored>`select * from door_radius_gateways(${[...ids]}::integer[])`)
    const settings = await settingsOf(services, rows)
    return rows.map((row) => opened(row, settings))
  }

  const unproven = new UnprovenQueue<Gateway[]>(async (claims) => {
    using _turn = await turns.strangers.take('all')
    const rows = await guestDoors.callFunction(sql<Stored & { n: number }>`
      select * from door_radius_strangers(${claims.map(({ identifier }) => identifier)}::text[],
        ${claims.map(({ mac_address }) => mac_address)}::macaddr[], ${claims.map(({ address }) => address)}::inet[])`)
    const settings = await settingsOf(services, rows)
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

  /** Writes at most once in half a minute for each `key`, and nobody waits for it. */
  function note(key: string, write: () => Promise<unknown>) {
    if (noted.get(key)) return
    noted.set(key, true)
    write().catch((err: unknown) => log.warn({ err }, 'it could not be noted that a gateway was heard of'))
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
    keep.catch((err: unknown) => log.warn({ err }, 'it could not be noted that an access point was heard of'))
  }

  /** An unsigned packet may be anybody's, so its address does not show where the gateway is. */
  const noteUnsigned = (gateway: Gateway) =>
    note(`heard unsigned ${gateway.id}`, () =>
      tenancy.enter(callerOfGateway(gateway), 'write', (scope) =>
        scope.change('gateways', [gateway.id], { last_seen_at: sql`now()` }),
      ),
    )

  /** Without a signature only the name identifies the sender: if it fits several gateways, none is chosen. */
  function unsignedAmong(gateways: readonly Gateway[], signed: IsSigned): Gateway | null {
    const [only, other] = gateways
    return only && !other && only.takes_unsigned && signed(only.secret) === 'missing' ? only : null
  }

  /** Among the gateways that are proven at the packet's source address. */
  async function amongProven(
    claim: Claim,
    signed: IsSigned,
  ): Promise<{ sender: Gateway | null; meant: Gateway | undefined }> {
    const gateways = await withIds(proven.of(claim))
    const sender = gateways.find(({ secret }) => signed(secret) === 'right')
    if (sender) {
      noteProven(sender, claim)
      noteAccessPoint(sender, claim)
    }
    const unsigned = sender ? null : unsignedAmong(gateways, signed)
    if (unsigned) noteUnsigned(unsigned)
    return { sender: sender ?? unsigned, meant: gateways[0] }
  }

  /** Among all that are registered with the packet's name or address. @param meant a proven one: failures are noted for it alone */
  async function amongRegistered(claim: Claim, signed: IsSigned, meant: Gateway | undefined): Promise<Gateway | null> {
    const gateways = await registeredFor(claim)
    if (gateways === null) {
      tally('more strangers ask than are looked up', claim)
      return null
    }
    const sender = gateways.find(({ secret }) => signed(secret) === 'right')
    if (sender) {
      noteProven(sender, claim)
      noteAccessPoint(sender, claim)
      return sender
    }
    const unsigned = meant ? null : unsignedAmong(gateways, signed)
    if (unsigned) {
      noteUnsigned(unsigned)
      return unsigned
    }
    // What comes from an address concerns only the customers whose gateways are proven there, if there are any.
    const concerned = gateways.filter(({ customer_id }) => proven.concerns(customer_id, claim.address))
    const refused = meant ?? onlyCustomers(concerned)
    if (refused) noteRefused(refused, claim, signed(refused.secret) === 'wrong' ? 'wrong_secret' : 'unsigned')
    else if (concerned.length === 0) noteUnregistered(claim)
    else tally('packets that several customers may be meant by are not signed by any', { address: claim.address })
    return null
  }

  return {
    /** Before any look-up: whether a packet counts as one from a known gateway. */
    isProven: (packet: Attributes, address: string) => proven.of({ ...claimIn(packet), address }).length > 0,

    /** The gateway that sent the packet; null: no answer. `signed` checks the packet with a secret. */
    async senderOf(packet: Attributes, address: string, signed: IsSigned): Promise<Gateway | null> {
      await proven.ready()
      const claim = { ...claimIn(packet), address }
      const { sender, meant } = await amongProven(claim, signed)
      return sender ?? amongRegistered(claim, signed, meant)
    },
    /**
     * Where only the address is known: the gateways that are proven there, or else those that are registered with it. The secret of
     * the first one is used. If several customers have registered the address, they take turns by the minute until one is proven.
     */
    async at(address: string): Promise<Gateway[]> {
      await proven.ready()
      const there = await withIds(proven.at(address))
      if (there.length > 0) return there
      const claim = { identifier: null, mac_address: null, address }
      const gateways = (await registeredFor(claim)) ?? []
      if (gateways.length === 0) noteUnregistered(claim)
      const first = gateways.length === 0 ? 0 : Math.floor(Date.now() / 60_000) % gateways.length
      return [...gateways.slice(first), ...gateways.slice(0, first)]
    },
    /** For our own requests to it. */
    async withId(id: number): Promise<Gateway | undefined> {
      return (await withIds([id]))[0]
    },
  }
}
export type Gateways = ReturnType<typeof openGateways>

/** Where several customers have registered the same, none of them learns that another has. */
function onlyCustomers(gateways: readonly Gateway[]): Gateway | undefined {
  const [first] = gateways
  return gateways.every(({ customer_id }) => customer_id === first?.customer_id) ? first : undefined
}

/** Many gateways put their own MAC into Called-Station-Id, in many notations, some followed by the network's name. */
function claimIn(packet: Attributes): Omit<Claim, 'address'> {
  const identifier = textOf(packet, attribute.nas_identifier) ?? null
  const called = textOf(packet, attribute.called_station_id)
  return { identifier, mac_address: (called && leadingMacIn(called)) ?? macIn(identifier ?? '') ?? null }
}
