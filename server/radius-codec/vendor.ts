// Vendor attributes: what a vendor has added to RADIUS, in its envelope (RFC 2865, 5.26).
import { attribute } from '#server/radius-codec/dictionary.ts'
import {
  numberAttribute,
  textAttribute,
  valuesOf,
  type Attribute,
  type Attributes,
} from '#server/radius-codec/packet.ts'

export interface VendorAttribute {
  /** The vendor's number at IANA. */
  vendor: number
  type: number
  holds: 'number' | 'text'
  /** As FreeRADIUS calls it. */
  name: string
}

/** WISPr's (the Wi-Fi Alliance's), which most gateways understand whoever made them. */
export const wispr = {
  max_up: { vendor: 14_122, type: 7, holds: 'number', name: 'WISPr-Bandwidth-Max-Up' },
  max_down: { vendor: 14_122, type: 8, holds: 'number', name: 'WISPr-Bandwidth-Max-Down' },
} as const satisfies Record<string, VendorAttribute>

/** Cisco's own, which holds a name and a value: `name=value`. */
export const cisco_pair = { vendor: 9, type: 1, holds: 'text', name: 'Cisco-AVPair' } as const satisfies VendorAttribute
/** The most that an attribute in an envelope holds. */
export const own_bytes_max = 247

/** The value of the first pair of that name; null where there is none, or an empty one. */
export function pairIn(packet: Attributes, name: string): string | null {
  const found = valuesOf(packet, attribute.vendor_specific)
    .flatMap((envelope) => ownIn(envelope, cisco_pair))
    .find((pair) => pair.startsWith(`${name}=`))
  const value = found?.slice(name.length + 1) ?? ''
  return value === '' || value.includes('\0') ? null : value
}

/** An envelope may hold several attributes of its vendor (RFC 2865, 5.26). */
function ownIn(envelope: Buffer, { vendor, type }: VendorAttribute): string[] {
  if (envelope.length < 6 || envelope.readUInt32BE(0) !== vendor) return []
  const found: string[] = []
  for (let at = 4; at + 2 <= envelope.length;) {
    const end = at + envelope.readUInt8(at + 1)
    if (end < at + 2 || end > envelope.length) break
    if (envelope.readUInt8(at) === type) found.push(envelope.toString('utf8', at + 2, end))
    at = end
  }
  return found
}

export const vendorNumber = ({ vendor, type }: VendorAttribute, value: number): Attribute =>
  ofVendor(vendor, numberAttribute(type, value))
export const vendorText = ({ vendor, type }: VendorAttribute, value: string): Attribute =>
  ofVendor(vendor, textAttribute(type, value))

/** An attribute in the envelope of its vendor. */
export function ofVendor(vendor: number, { type, value }: Attribute): Attribute {
  const vendor_id = Buffer.alloc(4)
  vendor_id.writeUInt32BE(vendor)
  return {
    type: attribute.vendor_specific,
    value: Buffer.concat([vendor_id, Buffer.of(type, value.length + 2), value]),
  }
}
