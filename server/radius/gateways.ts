// Gateways: which registered gateway a packet is from. Its names and source address select candidates; the secret it was signed with
// decides. Unknown senders get no answer. Gateways that are proven at the source address are checked first and separately, so that
// they never wait behind unknown senders.
import { leadingMacIn } from '#contract/mac-address.ts'
import { normalisedMac } from '#server/admission/identify.ts'
import { attribute } from '#server/radius-codec/dictionary.ts'
import { textOfAttribute, type Attributes } from '#server/radius-codec/packet.ts'
import { openProven, type Claim } from '#server/radius/proven-gateways.ts'
import type { Services } from '#server/services.ts'
import { openGatewayNotes } from './gateway-notes.ts'
import { openRegistered, type Gateway } from './registered-gateways.ts'

type Signed = 'right' | 'wrong' | 'missing'
type IsSigned = (secret: string) => Signed

export function openGateways(services: Pick<Services, 'seal' | 'log' | 'tenancy' | 'guestDoors' | 'turns'>) {
  const proven = openProven(services)
  const { withIds, registeredFor } = openRegistered(services)
  const { tally, noteUnregistered, noteRefused, noteProven, noteAccessPoint, noteUnsigned } = openGatewayNotes(
    services,
    proven,
  )

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
      tally('more unknown gateways ask than can be looked up', claim)
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

/** Without a signature only the name identifies the sender: if it fits several gateways, none is chosen. */
function unsignedAmong(gateways: readonly Gateway[], signed: IsSigned): Gateway | null {
  const [only, other] = gateways
  return only && !other && only.takes_unsigned && signed(only.secret) === 'missing' ? only : null
}

/** Where several customers have registered the same, none of them learns that another has. */
function onlyCustomers(gateways: readonly Gateway[]): Gateway | undefined {
  const [first] = gateways
  return gateways.every(({ customer_id }) => customer_id === first?.customer_id) ? first : undefined
}

/** Many gateways put their own MAC into Called-Station-Id, in many notations, some followed by the network's name. */
function claimIn(packet: Attributes): Omit<Claim, 'address'> {
  const identifier = textOfAttribute(packet, attribute.nas_identifier) ?? null
  const called = textOfAttribute(packet, attribute.called_station_id)
  return { identifier, mac_address: (called && leadingMacIn(called)) ?? normalisedMac(identifier ?? '') ?? null }
}
