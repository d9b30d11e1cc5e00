// Gateways: which registered gateway a packet is from. What it says of itself and where it comes from name a few; the secret
// that it was signed with decides. Whoever is not known gets no answer.
import { sql } from 'kysely'
import { callerOfGateway } from '#server/access/principal.ts'
import { macIn } from '#server/admission/identify.ts'
import { attribute } from '#server/radius/dictionary.ts'
import { textOf, type Attributes } from '#server/radius/packet.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import type { Services } from '#server/services.ts'

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

/** So long a node goes by what it has read: a new secret, or a gateway that was disabled, holds after that. */
const known_for_ms = 5000
const known_max = 5000
/** What only says that a gateway was heard of is written so often at most. */
const noted_every_ms = 30_000

interface Named {
  identifier: string | null
  mac_address: string | null
  address: string
}

export function openGateways({ tenancy, guestDoors, seal, turns, log }: Services) {
  const known = new Recent<Promise<Gateway[]>>(known_for_ms, known_max)
  const noted = new Recent<true>(noted_every_ms, known_max)

  async function read({ identifier, mac_address, address }: Named): Promise<Gateway[]> {
    using _turn = await turns.gateways.take(`address ${address}`)
    const rows = await guestDoors.callFunction(sql<Stored>`
      select * from door_radius_gateways(${identifier}, ${mac_address}::macaddr, ${address}::inet)`)
    return rows.map(({ sealed_radius_secret, ...gateway }) => ({
      ...gateway,
      secret: seal.open(sealed_radius_secret, placeIn('gateway_secrets.sealed_radius_secret', gateway, gateway.id)),
    }))
  }

  function candidates(named: Named): Promise<Gateway[]> {
    const key = JSON.stringify(named)
    const found = known.get(key) ?? read(named)
    known.set(key, found)
    // What could not be read now may be read in a moment.
    found.catch(() => known.delete(key))
    return found
  }

  /** Says so at most every half a minute for each `key`, and lets nobody wait for it. */
  function note(key: string, write: () => Promise<unknown>) {
    if (noted.get(key)) return
    noted.set(key, true)
    write().catch((err: unknown) => log.warn({ err }, 'it could not be noted that a gateway was heard of'))
  }

  const noteUnregistered = ({ identifier, mac_address, address }: Named) =>
    note(`unregistered ${address}`, async () => {
      using _turn = await turns.gateways.take(`address ${address}`)
      log.info({ address, identifier, mac_address }, 'an unregistered gateway asked')
      return guestDoors.callFunction(
        sql`select door_radius_unregistered(${identifier?.slice(0, 253) ?? null}, ${mac_address}::macaddr, ${address}::inet)`,
      )
    })

  const noteRefused = ({ id, name }: Gateway, { address }: Named, why: Refusal) =>
    note(`refused ${id} ${why}`, async () => {
      using _turn = await turns.gateways.take(`address ${address}`)
      log.info({ gateway: id, name, address, why }, "a gateway's packet was left unanswered")
      return guestDoors.callFunction(sql`select door_radius_refused(${id}, ${why})`)
    })

  const noteHeard = (gateway: Gateway, { address }: Named) =>
    note(`heard ${gateway.id} ${address}`, () =>
      tenancy.enter(callerOfGateway(gateway), 'write', (scope) =>
        scope.change('gateways', [gateway.id], { last_seen_at: sql`now()`, last_address: address }),
      ),
    )

  return {
    /** The gateway that sent the packet; null: nobody that we answer. `signed`: by whom, for the kind of packet it is. */
    async senderOf(packet: Attributes, address: string, signed: (secret: string) => Signed): Promise<Gateway | null> {
      const named = { ...namedIn(packet), address }
      const gateways = await candidates(named)
      const [first] = gateways
      if (!first) {
        noteUnregistered(named)
        return null
      }
      const sender = gateways.find(({ secret }) => signed(secret) === 'right')
      if (sender) {
        noteHeard(sender, named)
        return sender
      }
      if (signed(first.secret) === 'wrong') {
        noteRefused(first, named, 'wrong_secret')
        return null
      }
      // Without a signature nothing tells who it is but the name: where several could be meant, none is.
      if (gateways.length === 1 && first.takes_unsigned) {
        noteHeard(first, named)
        return first
      }
      noteRefused(first, named, 'unsigned')
      return null
    },
    /** By the address that a gateway is registered with, where nothing else is known of it; of several the first. */
    async at(address: string): Promise<Gateway | undefined> {
      const named = { identifier: null, mac_address: null, address }
      const [first] = await candidates(named)
      if (!first) noteUnregistered(named)
      return first
    },
    /** By the name that a gateway has with us, for what we ask of it. */
    async named(identifier: string): Promise<Gateway | undefined> {
      return (await candidates({ identifier, mac_address: null, address: '0.0.0.0' }))[0]
    },
  }
}
export type Gateways = ReturnType<typeof openGateways>

/** Many put their own MAC where the address of the network stands, some with the network's name behind it. */
function namedIn(packet: Attributes): Omit<Named, 'address'> {
  const identifier = textOf(packet, attribute.nas_identifier) ?? null
  const called = textOf(packet, attribute.called_station_id)
  return { identifier, mac_address: (called && macIn(called.slice(0, 17))) ?? macIn(identifier ?? '') ?? null }
}

/** Values that are forgotten after a while, and the oldest of them when there are many. */
export class Recent<V> {
  readonly #kept = new Map<string, { value: V; until: number }>()
  readonly #for_ms: number
  readonly #max: number
  constructor(for_ms: number, max: number) {
    this.#for_ms = for_ms
    this.#max = max
  }
  get(key: string): V | undefined {
    const found = this.#kept.get(key)
    return found && found.until > performance.now() ? found.value : undefined
  }
  set(key: string, value: V) {
    if (this.get(key) !== undefined) return
    this.#kept.delete(key)
    this.#kept.set(key, { value, until: performance.now() + this.#for_ms })
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#max) break
      this.#kept.delete(oldest)
    }
  }
  delete(key: string) {
    this.#kept.delete(key)
  }
}
