// Vendor attributes: what a vendor has added to RADIUS, in its envelope (RFC 2865, 5.26).
import { attribute } from '#server/radius-codec/dictionary.ts'
import { number, text, type Attribute } from '#server/radius-codec/packet.ts'

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

export const vendorNumber = ({ vendor, type }: VendorAttribute, value: number): Attribute =>
  ofVendor(vendor, number(type, value))
export const vendorText = ({ vendor, type }: VendorAttribute, value: string): Attribute =>
  ofVendor(vendor, text(type, value))

/** An attribute in the envelope of its vendor. */
export function ofVendor(vendor: number, { type, value }: Attribute): Attribute {
  const vendor_id = Buffer.alloc(4)
  vendor_id.writeUInt32BE(vendor)
  return {
    type: attribute.vendor_specific,
    value: Buffer.concat([vendor_id, Buffer.of(type, value.length + 2), value]),
  }
}
