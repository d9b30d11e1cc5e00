// Gateways: which registered gateway a packet is from. What it says of itself and where it comes from name a few; the secret
// that it was signed with decides. Whoever is not known gets no answer. Those that are proven where a packet came from are looked at
// first, and by themselves: what strangers claim keeps none of them waiting.
import { sql } from 'kysely'
import { callerOfGateway } from '#server/access/principal.ts'
import { macIn } from '#server/admission/identify.ts'
import { attribute } from '#server/radius/dictionary.ts'
import { textOf, type Attributes } from '#server/radius/packet.ts'
import { openProven, type Named } from '#server/radius/proven.ts'
import { openTally, StrangersLine } from '#server/radius/strangers.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import type { Services } from '#server/services.ts'
import { Recent } from '#server/turns/recent.ts'

export interface Gateway {
  customer_id: number
  id: number
  property_id: number
  name: string
  gateway_type_id: number
  takes_unsigned: boolean
  counts_from_gateway_side: boolean
  time_zone: string
  secret: string
}
interface Stored extends Omit<Gateway, 'secret'> {
  sealed_radius_secret: Buffer
}

/** Why a packet of a known gateway gets no answer. */
export type Refusal = 'wrong_secret' | 'unsigned'
type Signed = 'right' | 'wrong' | 'missing'
type IsSigned = (secret: string) => Signed

/** So long a node goes by what it has read: a new secret, or a gateway that was disabled, holds after that. */
const known_for_ms = 5000
const known_max = 5000
/** What only says that a gateway was heard of is written so often at most, and said so often. */
const noted_every_ms = 30_000
const said_every_ms = 60_000

export function openGateways(services: Services) {
  const { guestDoors, tenancy, seal, turns, log } = services
  const proven = openProven(services)
  const known = new Recent<Promise<Gateway[]>>(known_for_ms, known_max)
  const strange = new Recent<Promise<Gateway[] | null>>(known_for_ms, known_max)
  const noted = new Recent<true>(noted_every_ms, known_max)
  const said = new Recent<true>(said_every_ms, known_max)
  const tally = openTally(log)

  const opened = ({ sealed_radius_secret, ...gateway }: Stored): Gateway => ({
    ...gateway,
    secret: seal.open(sealed_radius_secret, placeIn('gateway_secrets.sealed_radius_secret', gateway, gateway.id)),
  })

  async function read(ids: readonly number[]): Promise<Gateway[]> {
    using _turn = await turns.gateways.take(`gateway ${ids[0]}`)
    const rows = await guestDoors.callFunction(sql<Stored>`select * from door_radius_gateways(${[...ids]}::integer[])`)
    return rows.map(opened)
  }

  const strangers = new StrangersLine<Gateway[]>(async (named) => {
    using _turn = await turns.strangers.take('all')
    const rows = await guestDoors.callFunction(sql<Stored & { n: number }>`
      select * from door_radius_strangers(${named.map(({ identifier }) => identifier)}::text[],
        ${named.map(({ mac_address }) => mac_address)}::macaddr[], ${named.map(({ address }) => address)}::inet[])`)
    const byNumber = Map.groupBy(rows, ({ n }) => n)
    return named.map((_, n) => (byNumber.get(n + 1) ?? []).map(({ n: _n, ...stored }) => opened(stored)))
  })

  /** @param key of what is looked up. What could not be read now may be read in a moment. */
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

  /** What has been registered of this name or address. Null: too many strangers ask. */
  async function claimed(named: Named): Promise<Gateway[] | null> {
    const key = JSON.stringify(named)
    const found = await remembered(strange, key, () => strangers.find(named))
    if (found === null) strange.delete(key)
    return found
  }

  /** Does it at most every half a minute for each `key`, and lets nobody wait for it. */
  function note(key: string, write: () => Promise<unknown>) {
    if (noted.get(key)) return
    noted.set(key, true)
    write().catch((err: unknown) => log.warn({ err }, 'it could not be noted that a gateway was heard of'))
  }

  function noteUnregistered({ identifier, mac_address, address }: Named) {
    tally('unregistered gateways ask', { address, identifier, mac_address })
    // Only who has a gateway there is told.
    if (!proven.has(address)) return
    note(`unregistered ${address}`, async () => {
      using _turn = await turns.strangers.take('notes')
      return await guestDoors.callFunction(
        sql`select door_radius_unregistered(${identifier?.slice(0, 253) ?? null}, ${mac_address}::macaddr, ${address}::inet)`,
      )
    })
  }

  function noteRefused({ id, name }: Gateway, { address }: Named, why: Refusal) {
    const key = `${id} ${why}`
    if (!said.get(key)) {
      said.set(key, true)
      log.info({ gateway: id, name, address, why }, "a gateway's packets are left unanswered")
    }
    note(`refused ${key}`, async () => {
      using _turn = await turns.strangers.take('notes')
      return await guestDoors.callFunction(sql`select door_radius_refused(${id}, ${why})`)
    })
  }

  const noteProven = (gateway: Gateway, { address }: Named) =>
    note(`heard ${gateway.id} ${address}`, () => proven.keep(gateway, address))

  /** What is not signed may be anybody's: it says nothing of where the gateway is. */
  const noteUnsigned = (gateway: Gateway) =>
    note(`heard unsigned ${gateway.id}`, () =>
      tenancy.enter(callerOfGateway(gateway), 'write', (scope) =>
        scope.change('gateways', [gateway.id], { last_seen_at: sql`now()` }),
      ),
    )

  /** Without a signature nothing tells who it is but the name: where several could be meant, none is. */
  function unsignedAmong(gateways: readonly Gateway[], signed: IsSigned): Gateway | null {
    const [only, other] = gateways
    return only && !other && only.takes_unsigned && signed(only.secret) === 'missing' ? only : null
  }

  /** Of those that are proven where the packet came from. */
  async function amongProven(
    named: Named,
    signed: IsSigned,
  ): Promise<{ sender: Gateway | null; meant: Gateway | undefined }> {
    const gateways = await withIds(proven.of(named))
    const sender = gateways.find(({ secret }) => signed(secret) === 'right')
    if (sender) noteProven(sender, named)
    const unsigned = sender ? null : unsignedAmong(gateways, signed)
    if (unsigned) noteUnsigned(unsigned)
    return { sender: sender ?? unsigned, meant: gateways[0] }
  }

  /** Of all that are registered with the packet's name or address. @param meant a proven one, which alone is told of failures */
  async function amongStrangers(named: Named, signed: IsSigned, meant: Gateway | undefined): Promise<Gateway | null> {
    const gateways = await claimed(named)
    if (gateways === null) {
      tally('more strangers ask than are looked up', named)
      return null
    }
    const sender = gateways.find(({ secret }) => signed(secret) === 'right')
    if (sender) {
      noteProven(sender, named)
      return sender
    }
    const unsigned = meant ? null : unsignedAmong(gateways, signed)
    if (unsigned) {
      noteUnsigned(unsigned)
      return unsigned
    }
    // Where somebody's gateway is proven, it is none of the others' business what comes from there.
    const concerned = gateways.filter(({ customer_id }) => proven.concerns(customer_id, named.address))
    const told = meant ?? onlyCustomers(concerned)
    if (told) noteRefused(told, named, signed(told.secret) === 'wrong' ? 'wrong_secret' : 'unsigned')
    else if (concerned.length === 0) noteUnregistered(named)
    else tally('packets that several customers may be meant by are not signed by any', { address: named.address })
    return null
  }

  return {
    /** Before anything is looked up: whether a packet goes into the line of those who are known. */
    isProven: (packet: Attributes, address: string) => proven.of({ ...namedIn(packet), address }).length > 0,

    /** The gateway that sent the packet; null: nobody that we answer. `signed`: by whom, for the kind of packet it is. */
    async senderOf(packet: Attributes, address: string, signed: IsSigned): Promise<Gateway | null> {
      await proven.ready()
      const named = { ...namedIn(packet), address }
      const { sender, meant } = await amongProven(named, signed)
      return sender ?? amongStrangers(named, signed, meant)
    },
    /**
     * Where nothing is known but the address: those that are proven there, else those that are registered with it; the one
     * whose secret counts at the moment first. Among claims of several customers each has a minute in turn, until one is proven.
     */
    async at(address: string): Promise<Gateway[]> {
      await proven.ready()
      const there = await withIds(proven.at(address))
      if (there.length > 0) return there
      const named = { identifier: null, mac_address: null, address }
      const gateways = (await claimed(named)) ?? []
      if (gateways.length === 0) noteUnregistered(named)
      const first = gateways.length === 0 ? 0 : Math.floor(Date.now() / 60_000) % gateways.length
      return [...gateways.slice(first), ...gateways.slice(0, first)]
    },
    /** For what we ask of it. */
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

/** Many put their own MAC where the address of the network stands, some with the network's name behind it. */
function namedIn(packet: Attributes): Omit<Named, 'address'> {
  const identifier = textOf(packet, attribute.nas_identifier) ?? null
  const called = textOf(packet, attribute.called_station_id)
  return { identifier, mac_address: (called && macIn(called.slice(0, 17))) ?? macIn(identifier ?? '') ?? null }
}
